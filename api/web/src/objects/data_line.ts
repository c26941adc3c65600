// How old the data of an object are, and what about them is a guess: a short line for lists, a sentence on hover.
import { h } from "../dom";
import { fixed } from "../format";
import { unusual } from "../trajectories";
import type { Conjunction, Who } from "../types";

const DAY_MS = 86_400_000;

const COVARIANCES: Record<string, readonly [short: string, long: string]> = {
  default: ["usual errors", "its covariance is that of the error law: the usual errors of such element sets"],
  differenced: ["errors from its sets", "its covariance is from how its own element sets contradict each other"],
  own: ["errors from its sets", "its covariance is the error law, scaled by its own element sets"],
  constellation: ["constellation's errors", "its covariance is that of its constellation's element sets"],
  trajectory: ["operator's errors", "its covariance is its operator's"],
  cdm: ["errors from a message", "its covariance is from a conjunction data message"],
};
const NO_COVARIANCE = ["no covariance", "it has no covariance"] as const;

// Days from the epoch of its element set to TCA; null where no element set tells the path.
function age_days(event: Conjunction, who: Who): number | null {
  const epoch = event[`${who}_epoch`];
  if (epoch === null || event[`${who}_trajectory`] === "ephemeris") return null;
  return (Date.parse(event.tca) - Date.parse(epoch)) / DAY_MS;
}

const days = (value: number): string => `${fixed(value, Math.abs(value) < 9.95 ? 1 : 0)} d`;

export function dataLine(event: Conjunction, who: Who): HTMLElement {
  const age = age_days(event, who);
  const source = event[`${who}_covariance_source`];
  const [short, long] = source ? (COVARIANCES[source] ?? [source, `its covariance: ${source}`]) : NO_COVARIANCE;
  const moves = event[`${who}_manoeuvring`] === true;
  const sentence = [
    age === null ? "" : `the epoch of its element set is ${days(Math.abs(age)).replace(" d", " days")} ${age < 0 ? "after" : "before"} TCA`,
    moves ? "it is manoeuvring, so its element set may be tens of km off" : "",
    long,
  ].filter(Boolean).join("; ");
  const text = [age === null ? "" : age < 0 ? `epoch ${days(-age)} after TCA` : `${days(age)} old`, short].filter(Boolean).join(" · ");
  return h(
    "span",
    { class: "data-line", title: `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}` },
    moves ? h("span", { class: "moves" }, "manoeuvring · ") : null,
    text,
  );
}

// What the path is from, where that is unusual, and the line above.
export const underName = (event: Conjunction, who: Who): HTMLElement => {
  const path = unusual(event[`${who}_trajectory`]);
  return h("div", { class: "under-name" }, path ? [h("span", { class: "path", title: `On its ${path}` }, path), " "] : null, dataLine(event, who));
};
