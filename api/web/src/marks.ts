// Marks beside a probability: what it rests on that deserves little trust. The same words as in
// storage/rows/marks.py.
import { h } from "./dom";
import { datum, probability } from "./format";
import type { Conjunction } from "./types";

export const GUESSED_RADII = ["class", "type"];
export const MARKS = "R: a radius is guessed from the kind of object; M: an object manoeuvres, so its element set may be tens of km off";
const [RADIUS, MANOEUVRE] = MARKS.split("; ").map((text) => text.split(": ", 2)) as [string[], string[]];

export const NOT_COMPUTED = "not computed";

export function markedProbability(event: Conjunction): HTMLElement {
  // A flag says why.
  if (event.probability === null && event.probability_flag) return h("data", { value: "", "data-field": "probability", class: "none" }, NOT_COMPUTED);
  const value = datum("probability", event.probability, probability);
  const marks = [
    GUESSED_RADII.includes(event.hard_body_source ?? "") ? RADIUS : null,
    event.primary_manoeuvring || event.secondary_manoeuvring ? MANOEUVRE : null,
  ].filter((mark) => mark !== null);
  if (event.probability === null || !marks.length) return value;
  const said = marks.map(([, text]) => text).join("; ");
  return h(
    "span",
    {},
    value,
    " ",
    h("small", { class: "mark", title: said }, h("span", { "aria-hidden": "true" }, marks.map(([mark]) => mark).join("")), h("span", { class: "visually-hidden" }, ` (${said})`)),
  );
}
