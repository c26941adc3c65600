// An event's probability in words, and marks beside it: what it rests on that deserves little trust. The same words as
// in storage/rows/graded.py and marks.py, which tests compare.
import { h } from "./dom";
import { datum, probability } from "./format";
import { bestProbability } from "./levels";
import type { ListedAcknowledgement } from "./generated";
import type { Conjunction } from "./types";

export const GUESSED_RADII = ["class", "type"];
export const MARKS = "R: a radius is guessed from the kind of object; M: an object manoeuvres, so its element set may be tens of km off; E: an object flies another path than its element set, by its operator's ephemeris";
const [RADIUS, MANOEUVRE, ELSEWHERE] = MARKS.split("; ").map((text) => text.split(": ", 2)) as [string[], string[], string[]];

export const NOT_COMPUTED = "not computed";

const AT_MOST: Record<string, string> = { bound: "at most " };
const METHOD_WORDS: Record<string, string> = { "3d": "in three dimensions", trajectory_mc: "from sampled trajectories" };
const METHOD_MEANINGS: Record<string, string> = {
  "2d": "integrated in the encounter plane",
  "3d": "in three dimensions: of the likeliest orbits that meet",
  trajectory_mc: "from sampled trajectories",
  bound: "at most this: the largest available number",
};

// Of rows of earlier releases it is not known.
const method = (event: Graded): string => (event.probability_best === null ? "" : event.probability_method ?? "");

type Graded = Pick<Conjunction, "probability_best" | "probability_method">;

// Where an event's numbers are listed.
export const methodMeaning = (event: Conjunction): string => METHOD_MEANINGS[method(event)] ?? "";

// What stands before and after the number; an integral in the plane is the plain case.
export const atMost = (event: Graded): string => AT_MOST[method(event)] ?? "";
export const methodWords = (event: Graded): string => METHOD_WORDS[method(event)] ?? "";

// As text: "at most 1.2 × 10⁻⁵", "1.2 × 10⁻⁵ in three dimensions".
export function chanceWords(event: Conjunction, digits = 2): string {
  const best = bestProbability(event);
  return best === null ? NOT_COMPUTED : `${atMost(event)}${probability(best, digits)} ${methodWords(event)}`.trimEnd();
}

// As `chanceWords`, with the number as data.
export function chanceParts(event: Conjunction, text: (value: number) => string = probability): (HTMLElement | string)[] {
  const best = bestProbability(event);
  if (best === null) return [h("data", { value: "", "data-field": "probability_best", class: "none" }, NOT_COMPUTED)];
  const how = methodWords(event);
  return [atMost(event), datum("probability_best", best, text), how ? ` ${how}` : ""];
}

export function markedProbability(event: Conjunction): HTMLElement {
  const value = h("span", { title: methodMeaning(event) || null }, chanceParts(event).map((part) => (typeof part === "string" ? h("small", {}, part) : part)));
  const rated = bestProbability(event) !== null;
  const marks = [
    rated && GUESSED_RADII.includes(event.hard_body_source ?? "") ? RADIUS : null,
    rated && (event.primary_manoeuvring || event.secondary_manoeuvring) ? MANOEUVRE : null,
    event.primary_departs_at || event.secondary_departs_at ? ELSEWHERE : null,
  ].filter((mark) => mark !== null);
  if (!marks.length) return value;
  const said = marks.map(([, text]) => text).join("; ");
  return h(
    "span",
    {},
    value,
    " ",
    h("small", { class: "mark", title: said }, h("span", { "aria-hidden": "true" }, marks.map(([mark]) => mark).join("")), h("span", { class: "visually-hidden" }, ` (${said})`)),
  );
}

// Who has an event, in a list; null: no one.
export const hadBy = (one: ListedAcknowledgement | undefined): HTMLElement | null =>
  one ? h("small", { class: "had-by", title: one.words }, `with ${one.name}`) : null;
