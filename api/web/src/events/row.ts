// One row of the table of events.
import { h } from "../dom";
import { count, datum, fixed, metres, NOTHING, probability, utcTime, utc } from "../format";
import { levelBadge, probabilityLevel, restricted } from "../levels";
import { MARKS, markedProbability } from "../marks";
import { underName } from "../objects/data_line";
import { eventLink } from "../route";
import type { Conjunction, Who } from "../types";
import type { Row } from "./pager";

export const COLUMNS = [
  { name: "Risk", order: "risk", class: "c-risk" },
  { name: "TCA (UTC)", order: "tca", class: "c-tca" },
  { name: "Primary", class: "c-object" },
  { name: "Secondary", class: "c-object" },
  { name: "Miss, m", order: "miss_distance", class: "number c-miss" },
  { name: "Speed, m/s", class: "number c-speed" },
  { name: "Probability", order: "probability", class: "number c-p", title: MARKS },
  { name: "Largest", class: "number c-max", title: "The largest probability, at another size of the same ellipse" },
  { name: "Notes", class: "c-notes" },
] as const;

export function rowElement(index: number, row: Row | undefined, when: (time: string) => string): HTMLElement {
  const attributes = { class: "row", role: "row", id: `row-${index}`, "aria-rowindex": index + 2 };
  if (!row) return h("div", { ...attributes, "data-waiting": "1" }, h("div", { role: "gridcell", class: "c-wait" }, `${count(index + 1)} …`));
  if ("unreadable" in row) {
    return h("div", { ...attributes, class: "row unreadable" }, h("div", { role: "gridcell", class: "c-wait" }, `Event ${row.id ?? "without an id"}: ${row.unreadable}.`));
  }
  const cells = cellsOf(row, when).map((content, i) => h("div", { role: "gridcell", class: COLUMNS[i]?.class ?? "" }, content));
  return h("div", { ...attributes, class: `row level-${row.risk_level}`, "data-id": row.id }, cells);
}

function cellsOf(event: Conjunction, when: (time: string) => string): (HTMLElement | string | (HTMLElement | string)[])[] {
  return [
    [levelBadge(event), h("small", { title: "The level by the probability alone" }, `P: ${probabilityLevel(event)}`)],
    [h("a", { href: eventLink(event.id, restricted(event)), tabindex: "-1" }, h("time", { datetime: event.tca }, utc(event.tca).slice(5, 11), utcTime(event.tca))), h("small", {}, ` ${when(event.tca)}`)],
    objectCell(event, "primary"),
    objectCell(event, "secondary"),
    datum("miss_distance_m", event.miss_distance_m, metres),
    datum("relative_speed_m_s", event.relative_speed_m_s, (v) => fixed(v, 0)),
    markedProbability(event),
    datum("probability_max", event.probability_max, probability),
    notes(event),
  ];
}

function objectCell(event: Conjunction, who: Who): HTMLElement[] {
  const name = event[`${who}_name`];
  const called = h("div", { class: "called" }, h("span", { class: "name", title: name }, name || NOTHING), h("small", {}, String(event[`${who}_norad_id`])));
  return [called, underName(event, who)];
}

function notes(event: Conjunction): string {
  return [
    event.encounter === "slow" ? "slow" : "",
    event.diluted ? "diluted" : "",
    ...(event.probability_flag ?? "").split(" ").filter((flag) => flag && flag !== "slow"),
    event.origin === "run" ? "" : event.origin.replace("_", " "),
  ]
    .filter(Boolean)
    .join(", ");
}
