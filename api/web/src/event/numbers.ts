// Every number of the event itself.
import { h } from "../dom";
import { timeElement } from "../format";
import type { Conjunction } from "../types";
import { term } from "../words/glossary";
import { list } from "./facts";
import { APPROACH, FLAGS, PROBABILITIES } from "./fields";

export function numbers(event: Conjunction): HTMLElement {
  const flags = (event.probability_flag ?? "").split(" ").filter(Boolean);
  return h(
    "div",
    { class: "columns numbers" },
    h("div", { class: "panel" }, h("h2", {}, "Approach"), list(APPROACH, event), slowTimes(event)),
    h(
      "div",
      { class: "panel" },
      h("h2", {}, "Probability"),
      flags.map((flag) => h("p", { class: "flag" }, flagged(flag))),
      list(PROBABILITIES, event),
    ),
  );
}

const flagged = (flag: string): HTMLElement | string => (FLAGS[flag] ? term(FLAGS[flag], capital(FLAGS[flag])) : flag);
const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

function slowTimes(event: Conjunction): HTMLElement | null {
  if (!event.inside_from || !event.inside_to) return null;
  return h("p", { class: "note" }, "Inside the threshold from ", timeElement(event.inside_from), " to ", timeElement(event.inside_to), ".");
}
