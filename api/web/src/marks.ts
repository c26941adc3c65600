// An event's probability, how it was found, and marks beside it: what it rests on that deserves little trust. The same
// words as in storage/rows/marks.py.
import { h } from "./dom";
import { datum, probability } from "./format";
import { bestProbability, bound } from "./levels";
import type { Conjunction } from "./types";

export const GUESSED_RADII = ["class", "type"];
export const MARKS = "R: a radius is guessed from the kind of object; M: an object manoeuvres, so its element set may be tens of km off";
const [RADIUS, MANOEUVRE] = MARKS.split("; ").map((text) => text.split(": ", 2)) as [string[], string[]];

export const NOT_COMPUTED = "not computed";

const METHOD_WORDS: Record<string, string> = {
  "2d": "integrated in the encounter plane",
  "3d": "from the likeliest orbits that meet, in three dimensions",
  trajectory_mc: "by a Monte Carlo of whole trajectories",
  bound: "the largest of what is known of it, as it could not be computed",
};

// How the probability that counts was found; nothing of rows of earlier releases.
export const methodWords = (event: Conjunction): string => METHOD_WORDS[event.probability_method ?? ""] ?? "";

const mostly = (event: Conjunction): string => (bound(event) ? "at most " : "");

// As text: "at most 1.2 × 10⁻⁵".
export function chanceWords(event: Conjunction, digits = 2): string {
  const best = bestProbability(event);
  return best === null ? NOT_COMPUTED : `${mostly(event)}${probability(best, digits)}`;
}

// "at most " where that is all that is known, and the number.
export function chanceParts(event: Conjunction, text: (value: number) => string = probability): (HTMLElement | string)[] {
  const best = bestProbability(event);
  if (best === null) return [h("data", { value: "", "data-field": "probability_best", class: "none" }, NOT_COMPUTED)];
  return [mostly(event), datum("probability_best", best, text)];
}

export function markedProbability(event: Conjunction): HTMLElement {
  const parts = chanceParts(event);
  const value = bound(event) ? h("span", {}, h("small", {}, parts[0] ?? ""), parts[1]) : (parts[parts.length - 1] as HTMLElement);
  if (methodWords(event)) value.title = methodWords(event);
  const marks = [
    GUESSED_RADII.includes(event.hard_body_source ?? "") ? RADIUS : null,
    event.primary_manoeuvring || event.secondary_manoeuvring ? MANOEUVRE : null,
  ].filter((mark) => mark !== null);
  if (bestProbability(event) === null || !marks.length) return value;
  const said = marks.map(([, text]) => text).join("; ");
  return h(
    "span",
    {},
    value,
    " ",
    h("small", { class: "mark", title: said }, h("span", { "aria-hidden": "true" }, marks.map(([mark]) => mark).join("")), h("span", { class: "visually-hidden" }, ` (${said})`)),
  );
}
