// The fleet's events as a list in the service's order, the most dangerous first, each once, seen from the fleet's own
// satellite; behind them those outside its volumes.
import { h, type Child } from "../dom";
import { count, datum, metres, timeElement } from "../format";
import type { ListedAcknowledgement } from "../generated";
import { nearFlag, notable, probabilityBadge } from "../levels";
import { hadBy, MARKS, markedProbability } from "../marks";
import { severity, SHATTERS, sizesFrom } from "../severity";
import { dataLine } from "../objects/data_line";
import { eventLink } from "../route";
import type { Who } from "../types";
import { term, whatIs, type Word } from "../words/glossary";
import { otherName, otherSide, ownName, ownSide } from "./marks";
import type { FleetEvent, FleetRow } from "./types";
import { volumeWords } from "./volume";

const LEAST = 10; // shown at any rate
const MOST = 30; // of those that deserve a look

interface Column {
  head: string;
  word?: Word;
  isNumber?: boolean;
  headTitle?: string;
  title?: (event: FleetRow) => string;
  cell(event: FleetRow, change: string, had: ReadonlyMap<number, ListedAcknowledgement>): readonly Child[];
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
    cell: (event, change, had) => [
      probabilityBadge(event), " ",
      nearFlag(event),
      hadBy(had.get(event.id)),
      change ? h("small", {}, ` ${change}`) : null,
      event.volume === null ? h("small", { title: "Outside the volume of the fleet" }, " outside") : null,
    ],
  },
  { head: "TCA", word: "TCA", cell: (event) => [h("a", { href: eventLink(event.id, false, event.fleet_norad_id) }, timeElement(event.tca))] },
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

export function eventList(
  all: string, inside: FleetEvent[], total: number, outside: FleetRow[], change: (id: number) => string, had: ReadonlyMap<number, ListedAcknowledgement>,
): HTMLElement {
  const each = eachOnce(inside);
  // Those that deserve a look, or have changed, and if they are few, others too.
  const worth = each.filter((event) => notable(event) || change(event.id));
  const chosen = new Set([...worth, ...each.filter((event) => !worth.includes(event))].slice(0, Math.min(Math.max(worth.length, LEAST), MOST)));
  const rows: FleetRow[] = [...each.filter((event) => chosen.has(event)), ...outside];
  return h(
    "div",
    {},
    h(
      "div",
      { class: "scroll-x", role: "region", "aria-label": "Events of this fleet", tabindex: "0" },
      h(
        "table",
        { class: "plain fleet-events" },
        h("thead", {}, h("tr", {}, COLUMNS.map(head))),
        h("tbody", {}, rows.map((event) => row(event, change(event.id), had))),
      ),
    ),
    total + outside.length > rows.length
      ? h("p", {}, h("a", { href: all }, `All ${count(total)} events inside the volumes of this fleet`))
      : null,
    h("p", { class: "help" }, `${MARKS}; ${SHATTERS}: a collision would shatter both, into this many pieces of 10 cm or more. `, sizesFrom(), ". ",
      rows.some((event) => event.fleet_hard_body_radius_m !== null) ? OWN_RADIUS : null,
      whatIs("age", "epoch", "covariance source", "error law", "hard-body radius", "manoeuvring", "screening volume"),
      h("span", { class: "of-heads" }, " ", whatIs(...COLUMNS.flatMap(({ word }) => word ?? [])))),
  );
}

const head = ({ head: text, word, isNumber, headTitle }: Column): HTMLElement =>
  h("th", { scope: "col", class: isNumber ? "number" : "", title: headTitle }, word ? term(word, text) : text);

const row = (event: FleetRow, change: string, had: ReadonlyMap<number, ListedAcknowledgement>): HTMLElement =>
  h(
    "tr",
    { "data-event": event.id, class: event.volume === null ? "outside" : "" },
    COLUMNS.map(({ head: text, isNumber, title, cell }) =>
      h("td", { class: isNumber ? "number" : "", "data-head": isNumber ? text : undefined, title: title?.(event) },
        cell(event, change, had))),
  );
