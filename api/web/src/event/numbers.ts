// Every number of the event itself.
import { h } from "../dom";
import { timeElement } from "../format";
import { bound, levelBadge, probabilityLevel } from "../levels";
import { methodWords } from "../marks";
import { UNKNOWN, type Conjunction } from "../types";
import { term } from "../words/glossary";
import { list } from "./facts";
import { APPROACH, BASES, FLAGS, PROBABILITIES } from "./fields";

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
      ruled(event),
      list(PROBABILITIES, event),
    ),
  );
}

// What the probability is, and the mission's level, which the miss may raise.
function ruled(event: Conjunction): HTMLElement {
  const how = methodWords(event);
  const basis = BASES[event.risk_basis] ?? event.risk_basis;
  const low = event.risk_level === "low" && probabilityLevel(event) === UNKNOWN;
  return h(
    "div",
    {},
    how ? h("p", { class: "note off-paper", "data-part": "method" }, `The probability is ${bound(event) ? "at most what is given, " : ""}${how}.`) : null,
    h("p", { class: "note", "data-part": "risk" }, term("risk level", "Mission’s risk level"), ": ", levelBadge(event),
      low ? " the miss alone is beyond the limits, and there is no probability." : ` ${basis}.`),
  );
}

const flagged = (flag: string): HTMLElement | string => (FLAGS[flag] ? term(FLAGS[flag], capital(FLAGS[flag])) : flag);
const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

function slowTimes(event: Conjunction): HTMLElement | null {
  if (!event.inside_from || !event.inside_to) return null;
  return h("p", { class: "note" }, "Inside the threshold from ", timeElement(event.inside_from), " to ", timeElement(event.inside_to), ".");
}
