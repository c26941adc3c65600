// What the run has of a fleet's satellites outside the fleet's volumes: it may be nearer than what is inside.
import { h } from "../dom";
import { count } from "../format";
import { notable } from "../levels";
import { PROBABILITY_LEVELS, type Conjunction } from "../types";
import { eventsOf } from "./marks";
import type { FleetRow, Member, Outside } from "./types";

// "1 high, 2 medium, 138 low"
export const inLevels = ({ by_level }: Outside): string =>
  PROBABILITY_LEVELS.filter((level) => by_level[level]).map((level) => `${count(by_level[level])} ${level}`).join(", ");

export function outsideNote(outside: Outside, members: Member[]): HTMLElement | null {
  if (!outside.total) return null;
  const all = eventsOf(members);
  const much = PROBABILITY_LEVELS.some((level) => level !== "low" && outside.by_level[level]) || outside.conjunctions.some(notable);
  const text = `${count(outside.total)} more ${outside.total === 1 ? "event" : "events"} of these satellites`;
  return h(
    "p",
    { class: much ? "flag" : "help", "data-part": "outside" },
    all ? h("a", { href: all }, text) : text,
    ` ${outside.total === 1 ? "lies" : "lie"} outside the fleet’s volumes: ${inLevels(outside)}.`,
    much ? " Those that are not low, or near, end the list below, marked “outside”." : "",
    " Alerts, calendar and report follow the volumes and leave these out.",
  );
}

// Rows for the list, of those that are not low, or near: each seen from the fleet's own satellite.
export function outsideRows(outside: Outside, members: Member[]): FleetRow[] {
  const own = new Set(members.map((one) => one.norad_id));
  return outside.conjunctions.filter(notable).map((event) => outsideRow(event, own));
}

function outsideRow(event: Conjunction, own: Set<number>): FleetRow {
  const first = own.has(event.primary_norad_id);
  // Along the axes of the primary: of the other object's nothing is known here.
  const km = (metres: number | null): number | null => (first && metres !== null ? metres / 1000 : null);
  return {
    ...event,
    fleet_norad_id: first ? event.primary_norad_id : event.secondary_norad_id,
    volume: null,
    fleet_miss_radial_km: km(event.miss_radial_m),
    fleet_miss_in_track_km: km(event.miss_in_track_m),
    fleet_miss_cross_track_km: km(event.miss_cross_track_m),
    fleet_hard_body_radius_m: null,
  };
}
