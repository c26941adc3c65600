// Marks beside a probability: what it rests on that deserves little trust. The same words as in
// storage/rows/marks.py.
import { h } from "./dom";
import { datum, probability } from "./format";
import type { Conjunction } from "./types";

const GUESSED_RADII = ["class", "type"];
export const MARKS = "R: a radius is guessed from the kind of object; M: an object manoeuvres, so its element set may be tens of km off";

export const NOT_COMPUTED = "not computed";

export function markedProbability(event: Conjunction): HTMLElement {
  // A flag says why.
  if (event.probability === null && event.probability_flag) return h("data", { value: "", "data-field": "probability", class: "none" }, NOT_COMPUTED);
  const value = datum("probability", event.probability, probability);
  const marks = (GUESSED_RADII.includes(event.hard_body_source ?? "") ? "R" : "") + (event.primary_manoeuvring || event.secondary_manoeuvring ? "M" : "");
  return event.probability === null || !marks ? value : h("span", {}, value, " ", h("small", { class: "mark", title: MARKS }, marks));
}
