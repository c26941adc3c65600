// Every number of the event itself.
import { h } from "../dom";
import { count, named, timeElement } from "../format";
import { levelBadge, probabilityLevel } from "../levels";
import { methodMeaning } from "../marks";
import { UNKNOWN, type Conjunction, type Who } from "../types";
import { term } from "../words/glossary";
import { list } from "./facts";
import { APPROACH, BASES, FLAGS, PROBABILITIES } from "./fields";

// `sides`: what is known of each object stands below.
export function numbers(event: Conjunction, sides: Record<Who, HTMLElement>): HTMLElement {
  const flags = (event.probability_flag ?? "").split(" ").filter(Boolean);
  return h(
    "div",
    { class: "columns numbers" },
    h("div", { class: "stack" },
      h("div", { class: "panel" }, h("h2", {}, "Approach"), h("p", { class: "note" }, `Seen from ${named(event, "primary")}`), list(APPROACH, event), slowTimes(event)),
      sides.primary),
    h("div", { class: "stack" },
      h(
        "div",
        { class: "panel" },
        h("h2", {}, "Probability"),
        flags.map((flag) => h("p", { class: "flag" }, flagged(flag))),
        ruled(event),
        list(PROBABILITIES, event),
        checked(event),
      ),
      sides.secondary),
  );
}

// What the probability is, and the mission's level, which the miss may raise.
function ruled(event: Conjunction): HTMLElement {
  const how = methodMeaning(event);
  const basis = BASES[event.risk_basis] ?? event.risk_basis;
  const low = event.risk_level === "low" && probabilityLevel(event) === UNKNOWN;
  return h(
    "div",
    {},
    how ? h("p", { class: "note off-paper", "data-part": "method" }, `The probability is ${how}.`) : null,
    h("p", { class: "note", "data-part": "risk" }, term("risk level", "Mission’s risk level"), ": ", levelBadge(event),
      low ? " the miss alone is beyond the limits, and there is no probability." : ` ${basis}.`),
  );
}

// How far samples in the plane confirm the integral there: by the farther end of their interval.
function checked({ probability_2d: integral, probability_mc_low: low, probability_mc_high: high, mc_samples: samples }: Conjunction): HTMLElement | null {
  if (!integral || low === null || high === null) return null;
  const apart = Math.max(Math.abs(low / integral - 1), Math.abs(high / integral - 1));
  return h("p", { class: "note off-paper", "data-part": "checked" }, `The exact 2-D integral is checked to ${Number((100 * apart).toPrecision(2))} % by ${count(samples ?? 0)} `,
    term("samples"), " in the plane (95 %), which says nothing about the quality of the data.");
}

const flagged = (flag: string): HTMLElement | string => (FLAGS[flag] ? term(FLAGS[flag], capital(FLAGS[flag])) : flag);
const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

function slowTimes(event: Conjunction): HTMLElement | null {
  if (!event.inside_from || !event.inside_to) return null;
  return h("p", { class: "note" }, "Inside the threshold from ", timeElement(event.inside_from), " to ", timeElement(event.inside_to), ".");
}
