// One row of the table of events.
import { h } from "../dom";
import { count, datum, fixed, metres, NOTHING, probability, utcTime, utc } from "../format";
import type { ListedAcknowledgement } from "../generated";
import { nearFlag, probabilityBadge, probabilityLevel, restricted } from "../levels";
import { hadBy, MARKS, markedProbability } from "../marks";
import { underName } from "../objects/data_line";
import { eventLink, seenFrom } from "../route";
import { severity } from "../severity";
import type { Conjunction, Who } from "../types";
import type { Word } from "../words/glossary";
import type { Row } from "./pager";

export const COLUMNS: readonly { name: string; order?: string; class: string; word?: Word; title?: string }[] = [
  { name: "Level", order: "risk", class: "c-risk", word: "level" },
  { name: "TCA (UTC)", order: "tca", class: "c-tca", word: "TCA" },
  { name: "Object", class: "c-object" },
  { name: "With", class: "c-object" },
  { name: "Miss, m", order: "miss_distance", class: "number c-miss", word: "miss distance" },
  { name: "Speed, m/s", class: "number c-speed", word: "relative speed" },
  { name: "Probability", order: "probability", class: "number c-p", word: "probability", title: MARKS },
  { name: "Pieces", order: "fragments", class: "number c-pieces", word: "pieces", title: "Sorts by expected pieces: probability × pieces" },
  { name: "Largest", class: "number c-max", word: "largest probability" },
  { name: "Notes", class: "c-notes" },
];

// What the rows of a list have in common: how times are told, and the satellites that the list is of.
export interface Told {
  when(time: string): string;
  chosen: ReadonlySet<number>;
  had: ReadonlyMap<number, ListedAcknowledgement>;
}

export function rowElement(index: number, row: Row | undefined, told: Told): HTMLElement {
  const attributes = { class: "row", role: "row", id: `row-${index}`, "aria-rowindex": index + 2 };
  if (!row) return h("div", { ...attributes, "data-waiting": "1" }, h("div", { role: "gridcell", class: "c-wait" }, `${count(index + 1)} …`));
  if ("unreadable" in row) {
    return h("div", { ...attributes, class: "row unreadable" }, h("div", { role: "gridcell", class: "c-wait" }, `Event ${row.id ?? "without an id"}: ${row.unreadable}.`));
  }
  const cells = cellsOf(row, told).map((content, i) => h("div", { role: "gridcell", class: COLUMNS[i]?.class ?? "" }, content));
  return h("div", { ...attributes, class: `row level-${probabilityLevel(row)}`, "data-id": row.id }, cells);
}

function cellsOf(event: Conjunction, { when, chosen, had }: Told): (HTMLElement | string | (HTMLElement | string)[])[] {
  // One that the list is of stands first.
  const sides: readonly Who[] = seenFrom(event, chosen) === event.secondary_norad_id ? ["secondary", "primary"] : ["primary", "secondary"];
  return [
    [probabilityBadge(event), nearFlag(event)].filter((part) => part !== null),
    [h("a", { href: eventLink(event.id, restricted(event), seenFrom(event, chosen)), tabindex: "-1" }, h("time", { datetime: event.tca }, h("span", { class: "year" }, utc(event.tca).slice(0, 5)), utc(event.tca).slice(5, 11), utcTime(event.tca))), h("small", {}, ` ${when(event.tca)}`)],
    ...sides.map((side) => objectCell(event, side, chosen)),
    datum("miss_distance_m", event.miss_distance_m, metres),
    datum("relative_speed_m_s", event.relative_speed_m_s, (v) => fixed(v, 0)),
    markedProbability(event),
    severity(event),
    datum("probability_max", event.probability_max, probability),
    [hadBy(had.get(event.id)) ?? "", h("span", { title: notes(event) }, notes(event))],
  ];
}

function objectCell(event: Conjunction, who: Who, chosen: ReadonlySet<number>): HTMLElement[] {
  const [name, number] = [event[`${who}_name`], event[`${who}_norad_id`]];
  const called = h("div", { class: "called" }, h(chosen.has(number) ? "strong" : "span", { class: "name", title: name }, name || NOTHING), h("small", {}, String(number)));
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
