// The fleet's events as a list, the most dangerous first, seen from the fleet's own satellite.
import { h } from "../dom";
import { count, datum, metres, timeElement } from "../format";
import { levelBadge } from "../levels";
import { MARKS, markedProbability } from "../marks";
import { dataLine } from "../objects/data_line";
import { eventLink, link } from "../route";
import type { Who } from "../types";
import { term, whatIs, type Word } from "../words/glossary";
import { otherName, ownName } from "./marks";
import type { FleetEvent } from "./types";

const LEAST = 10; // shown at any rate
const MOST = 50; // of those that are more than low
const HEADS = ["Risk", "TCA", "Satellite", "With", "Miss, m", "Radial, m", "In-track, m", "Cross-track, m", "Probability"];
const WORDS: readonly (Word | null)[] = ["risk level", "TCA", null, null, "miss distance", "radial", "in-track", "cross-track", "probability"];

export function eventList(fleet: string, events: FleetEvent[], total: number, change: (id: number) => string): HTMLElement {
  const each = [...new Map(events.toReversed().map((event) => [event.id, event])).values()].toReversed(); // once, though two of the fleet meet
  const notable = each.filter((event) => event.risk_level !== "low" || change(event.id)).length;
  const rows = each.slice(0, Math.min(Math.max(notable, LEAST), MOST)).map((event) => row(event, change(event.id)));
  return h(
    "div",
    { class: "scroll-x", role: "region", "aria-label": "Events of this fleet", tabindex: "0" },
    h(
      "table",
      { class: "plain fleet-events" },
      h("thead", {}, h("tr", {}, HEADS.map((text, i) => h("th", { scope: "col", class: i > 3 ? "number" : "", title: i === 8 ? MARKS : undefined }, WORDS[i] ? term(WORDS[i], text) : text)))),
      h("tbody", {}, rows),
    ),
    total > each.length || each.length > rows.length
      ? h("p", {}, h("a", { href: link("events", { fleet }) }, `All ${count(total)} events of this fleet`))
      : null,
    h("p", { class: "help" }, `${MARKS}. `, whatIs("age", "epoch", "covariance source", "error law", "hard-body radius", "manoeuvring", "screening volume"), h("span", { class: "of-heads" }, " ", whatIs("risk level", "TCA", "miss distance", "radial", "in-track", "cross-track", "probability"))),
  );
}

function row(event: FleetEvent, change: string): HTMLElement {
  const km = (name: "fleet_miss_radial_km" | "fleet_miss_in_track_km" | "fleet_miss_cross_track_km"): HTMLElement => h("td", { class: "number", "data-head": HEADS[["fleet_miss_radial_km", "fleet_miss_in_track_km", "fleet_miss_cross_track_km"].indexOf(name) + 5] }, datum(name, event[name], (value) => metres(1000 * value)));
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
