// The fleet's events as a list in the service's order, the most dangerous first, each once, seen from the fleet's own
// satellite; behind them those outside its volumes.
import type { Context } from "../context";
import { field, h, replace, type Child } from "../dom";
import { count, datum, metres, timeElement } from "../format";
import { bestProbability, nearFlag, notable, probabilityBadge } from "../levels";
import { hadBy, MARKS, markedProbability } from "../marks";
import { severity, SHATTERS, sizesFrom } from "../severity";
import { dataLine } from "../objects/data_line";
import { eventLink } from "../route";
import type { Who } from "../types";
import { inARow, term, wordsAndMarks, type Word } from "../words/glossary";
import { otherName, otherSide, ownName, ownSide } from "./marks";
import type { FleetEvent, FleetRow } from "./types";
import { volumeWords } from "./volume";

const LEAST = 10; // shown at any rate
const MOST = 30; // of those that deserve a look
const MORE = 100; // with each click
const ORDERS: Record<string, (event: FleetRow) => number> = {
  level: () => 0, // the service's order
  time: (event) => Date.parse(event.tca),
  "miss distance": (event) => event.miss_distance_m,
  "radial miss": (event) => Math.abs(event.fleet_miss_radial_km ?? Infinity),
  probability: (event) => -(bestProbability(event) ?? 0),
};

interface Column {
  head: string;
  word?: Word;
  isNumber?: boolean;
  headTitle?: string;
  title?: (event: FleetRow) => string;
  cell(event: FleetRow, change: string, context: Context): readonly Child[];
}

type MissOfFleet = "fleet_miss_radial_km" | "fleet_miss_in_track_km" | "fleet_miss_cross_track_km";

const miss = (head: string, word: Word, name: MissOfFleet): Column => ({
  head,
  word,
  isNumber: true,
  cell: (event) => [datum(name, event[name], (km) => metres(1000 * km))],
});

const who = (event: FleetRow, side: Who, name: string): readonly Child[] => [
  name, h("small", {}, ` ${event[`${side}_norad_id`]}`), dataLine(event, side),
];

const COLUMNS: readonly Column[] = [
  {
    head: "Level",
    word: "level",
    cell: (event, change, context) => [
      probabilityBadge(event), " ",
      nearFlag(event),
      hadBy(context.had.get(event.id)),
      change ? h("small", {}, ` ${change}`) : null,
      event.volume === null ? h("small", { title: "Outside the volume of the fleet" }, " outside") : null,
    ],
  },
  { head: "TCA", word: "TCA", cell: (event, _change, context) => [
    h("a", { href: eventLink(event.id, false, event.fleet_norad_id) }, timeElement(event.tca)), h("small", {}, ` ${context.when(event.tca)}`),
  ] },
  {
    head: "Satellite",
    title: (event) => (event.volume === null ? "Outside its volume" : `Inside its volume: ${volumeWords(event.volume)}`),
    cell: (event) => who(event, ownSide(event), ownName(event)),
  },
  { head: "With", cell: (event) => who(event, otherSide(event), otherName(event)) },
  {
    head: "Miss, m",
    word: "miss distance",
    isNumber: true,
    cell: (event) => [datum("miss_distance_m", event.miss_distance_m, metres)],
  },
  miss("Radial, m", "radial", "fleet_miss_radial_km"),
  miss("In-track, m", "in-track", "fleet_miss_in_track_km"),
  miss("Cross-track, m", "cross-track", "fleet_miss_cross_track_km"),
  {
    head: "Probability",
    word: "probability",
    isNumber: true,
    headTitle: MARKS,
    cell: (event) => [
      markedProbability(event),
      event.fleet_hard_body_radius_m === null ? null : h("small", {}, ` at ${metres(event.fleet_hard_body_radius_m)} m`),
      " ",
      h("small", {}, severity(event)),
      event.diluted ? h("small", {}, " diluted") : null,
    ],
  },
];

const OWN_RADIUS = "At …\u00a0m: computed with the fleet’s own combined hard-body radius; the page of an event uses the run’s. ";

// One between two satellites of the fleet comes from the service for each of them.
export const eachOnce = (events: readonly FleetEvent[]): FleetEvent[] =>
  [...new Map(events.toReversed().map((event) => [event.id, event])).values()].toReversed();

export interface EventList {
  element: HTMLElement;
  show(span: { from: number; to: number }): void; // those of a time
}

export function eventList(
  context: Context, all: string, inside: FleetEvent[], total: number, outside: FleetRow[], change: (id: number) => string,
): EventList {
  const each: FleetRow[] = [...eachOnce(inside), ...outside];
  const own = [...new Map(each.map((event) => [event.fleet_norad_id, ownName(event)]))].sort(([, a], [, b]) => a.localeCompare(b));
  const option = (value: string | number, text: string): HTMLElement => h("option", { value }, text);
  const satellite = h("select", { onchange: () => (further = 0, draw()) }, option("", "all"), own.map(([number, name]) => option(number, name)));
  const order = h("select", { onchange: () => draw() }, Object.keys(ORDERS).map((name) => option(name, name)));
  const body = h("tbody");
  const shown = h("p", { class: "buttons" });
  let span = { from: -Infinity, to: Infinity };
  let further = 0; // rows beyond those that deserve a look
  const draw = (): void => {
    const wanted = each.filter((event) => (!satellite.value || String(event.fleet_norad_id) === satellite.value) && inSpan(event));
    const key = ORDERS[order.value] as (event: FleetRow) => number;
    const sorted = [...wanted].sort((a, b) => key(a) - key(b));
    // Those that deserve a look, or have changed, and if they are few, others too.
    const worth = wanted.filter((event) => event.volume !== null && (notable(event) || change(event.id)));
    const first = [...worth, ...wanted.filter((event) => event.volume !== null && !worth.includes(event))].slice(0, Math.min(Math.max(worth.length, LEAST), MOST));
    const chosen = new Set([...first, ...outside]);
    const rows = further || order.value !== "level" ? sorted.slice(0, chosen.size + further) : sorted.filter((event) => chosen.has(event));
    replace(body, rows.map((event) => row(event, change(event.id), context)));
    const left = wanted.length - rows.length;
    replace(shown,
      `${count(rows.length)} of ${count(wanted.length)} ${wanted.length === 1 ? "event" : "events"}`,
      left ? h("button", { type: "button", onclick: () => (further += MORE, draw()) }, `${count(Math.min(MORE, left))} more`) : null,
      total + outside.length > rows.length ? h("a", { href: all }, `All ${count(total)} events inside the volumes of this fleet`) : null);
  };
  const inSpan = (event: FleetRow): boolean => Date.parse(event.tca) >= span.from && Date.parse(event.tca) <= span.to;
  draw();
  const element = h(
    "div",
    { class: "fleet-list" },
    h("div", { class: "list-choices" }, own.length > 1 ? field("Satellite", satellite) : null, field("Sorted by", order), shown),
    h(
      "div",
      { class: "scroll-x", role: "region", "aria-label": "Events of this fleet", tabindex: "0" },
      h("table", { class: "plain fleet-events" }, h("thead", {}, h("tr", {}, COLUMNS.map(head))), body),
    ),
    h("div", { class: "help" },
      wordsAndMarks(
        h("p", {}, `${MARKS}; ${SHATTERS}: a collision would shatter both, into this many pieces of 10 cm or more.`),
        h("p", {}, inARow("age", "epoch", "covariance source", "error law", "hard-body radius", "manoeuvring", "screening volume"),
          h("span", { class: "of-heads" }, " · ", inARow(...COLUMNS.flatMap(({ word }) => word ?? []))))),
      each.some((event) => event.fleet_hard_body_radius_m !== null) ? OWN_RADIUS : null,
      sizesFrom()),
  );
  return { element, show: (of) => ((span = of), draw()) };
}

const head = ({ head: text, word, isNumber, headTitle }: Column): HTMLElement =>
  h("th", { scope: "col", class: isNumber ? "number" : "", title: headTitle }, word ? term(word, text) : text);

const row = (event: FleetRow, change: string, context: Context): HTMLElement =>
  h(
    "tr",
    { "data-event": event.id, class: event.volume === null ? "outside" : "" },
    COLUMNS.map(({ head: text, isNumber, title, cell }) =>
      h("td", { class: isNumber ? "number" : "", "data-head": isNumber ? text : undefined, title: title?.(event) },
        cell(event, change, context))),
  );
