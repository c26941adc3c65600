// Our event and the messages about it, a row each, in the same columns: those first that tell most, as narrow
// screens scroll to the others.
import { h } from "../dom";
import { datum, fixed, metres, probability, timeElement, NOTHING } from "../format";
import { probabilityLevel } from "../levels";
import { chanceWords } from "../marks";
import type { Conjunction, EventMessage } from "../types";
import { term } from "../words/glossary";

type Cell = HTMLElement | string | null;
const PARTS = ["radial", "in_track", "cross_track"] as const;

// `messages`: the newest first.
export function beside(event: Conjunction | null, messages: EventMessage[]): HTMLElement {
  const heads: Cell[] = ["From", "Miss, m", "Probability", "Claimed", term("Mahalanobis distance", "Apart, σ"), "Radial, m", "In-track, m", "Cross-track, m", "TCA", "Made"];
  const side = (i: number): string => (i > 0 && i < 8 ? "number" : "");
  const cells = (row: Cell[]): HTMLElement[] => row.map((cell, i) => (i ? h("td", { class: side(i) }, cell) : h("th", { scope: "row" }, cell)));
  return h("div", { class: "scroll-x", role: "region", tabindex: "0", "aria-label": "Ours beside theirs" },
    h("table", { class: "plain beside" },
      h("thead", {}, h("tr", {}, heads.map((text, i) => h("th", { scope: "col", class: side(i) }, text)))),
      h("tbody", {},
        event ? h("tr", { class: "ours" }, cells(ours(event))) : null,
        messages.map((one) => h("tr", { "data-message": one.id }, cells(theirs(one)))))));
}

const ours = (event: Conjunction): Cell[] => [
  "Ours", datum("miss_distance_m", event.miss_distance_m, metres), chance(probabilityLevel(event), chanceWords(event)), NOTHING, NOTHING,
  ...parts(event), timeElement(event.tca), timeElement(event.computed_at, false),
];

const theirs = (one: EventMessage): Cell[] => [
  h("span", {}, one.originator || one.source, one.restricted ? h("small", {}, " restricted") : null),
  datum("miss_distance_m", one.miss_distance_m, metres),
  chance(one.probability_level ?? "unknown", datum("probability_best", one.probability_best, probability)),
  datum("claimed_probability", one.claimed_probability, probability),
  datum("sigmas_apart", one.sigmas_apart, (value) => fixed(value, 1)),
  ...parts(one),
  timeElement(one.tca),
  timeElement(one.creation_date ?? one.received_at, false),
];

const parts = (one: Conjunction | EventMessage): Cell[] => PARTS.map((part) => datum(`miss_${part}_m`, one[`miss_${part}_m`], metres));

const chance = (level: string, text: Cell): Cell => h("span", {}, h("span", { class: `badge ${level}` }, level), " ", text);

// What the service says of the newest message.
export const differences = (one: EventMessage | undefined): HTMLElement | null =>
  one?.differs.length ? h("p", { class: "note" }, `The newest differs: ${one.differs.join("; ")}.`) : null;
