// The fleet's events as a list, the most dangerous first, seen from the fleet's own satellite.
import { h } from "../dom";
import { count, datum, fixed, metres, timeElement } from "../format";
import { levelBadge } from "../levels";
import { MARKS, markedProbability } from "../marks";
import { dataLine } from "../objects/data_line";
import { eventLink, link } from "../route";
import type { Who } from "../types";
import { whatIs } from "../words/glossary";
import { otherName, ownName } from "./marks";
import type { FleetEvent } from "./types";

const SHOWN = 100;
const HEADS = ["Risk", "TCA", "Satellite", "With", "Miss, m", "Radial, km", "In-track, km", "Cross-track, km", "Probability"];

export function eventList(fleet: string, events: FleetEvent[], total: number, change: (id: number) => string): HTMLElement {
  const rows = events.slice(0, SHOWN).map((event) => row(event, change(event.id)));
  return h(
    "div",
    { class: "scroll-x", role: "region", "aria-label": "Events of this fleet", tabindex: "0" },
    h(
      "table",
      { class: "plain fleet-events" },
      h("thead", {}, h("tr", {}, HEADS.map((text, i) => h("th", { scope: "col", class: i > 3 ? "number" : "", title: i === 8 ? MARKS : undefined }, text)))),
      h("tbody", {}, rows),
    ),
    total > rows.length
      ? h("p", {}, h("a", { href: link("events", { fleet }) }, `All ${count(total)} events of this fleet`))
      : null,
    h("p", { class: "help" }, `${MARKS}. `, whatIs("risk level", "TCA", "miss distance", "radial", "in-track", "cross-track", "probability", "epoch", "error law", "screening volume")),
  );
}

function row(event: FleetEvent, change: string): HTMLElement {
  const km = (name: "fleet_miss_radial_km" | "fleet_miss_in_track_km" | "fleet_miss_cross_track_km"): HTMLElement => h("td", { class: "number", "data-head": HEADS[["fleet_miss_radial_km", "fleet_miss_in_track_km", "fleet_miss_cross_track_km"].indexOf(name) + 5] }, datum(name, event[name], (value) => fixed(value, 2)));
  const [own, other]: [Who, Who] = event.primary_norad_id === event.fleet_norad_id ? ["primary", "secondary"] : ["secondary", "primary"];
  return h(
    "tr",
    { "data-event": event.id },
    h("td", {}, levelBadge(event), change ? h("small", {}, ` ${change}`) : null),
    h("td", {}, h("a", { href: eventLink(event.id) }, timeElement(event.tca))),
    h("td", { title: event.volume }, ownName(event), h("small", {}, ` ${event.fleet_norad_id}`), dataLine(event, own)),
    h("td", {}, otherName(event), h("small", {}, ` ${event[`${other}_norad_id`]}`), dataLine(event, other)),
    h("td", { class: "number", "data-head": HEADS[4] }, datum("miss_distance_m", event.miss_distance_m, metres)),
    km("fleet_miss_radial_km"),
    km("fleet_miss_in_track_km"),
    km("fleet_miss_cross_track_km"),
    h("td", { class: "number", "data-head": HEADS[8] }, markedProbability(event)),
  );
}
