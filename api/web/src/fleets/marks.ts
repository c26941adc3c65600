// An event as a mark: its level by shape and colour, and in words.
import { svg } from "../dom";
import { metres, probability, utc } from "../format";
import { NOT_COMPUTED } from "../marks";
import type { Level } from "../types";
import type { FleetEvent } from "./types";

const SHAPES: Record<Level, string> = {
  critical: "M8 0 L16 8 L8 16 L0 8 Z",
  high: "M8 1 L15.5 15 H0.5 Z",
  medium: "M2 2 H14 V14 H2 Z",
  low: "M8 3 a5 5 0 1 0 0.01 0 Z",
};

export const shape = (level: Level): SVGElement =>
  svg("svg", { viewBox: "0 0 16 16", width: 14, height: 14, class: `shape ${level}`, "aria-hidden": "true", focusable: "false" }, svg("path", { d: SHAPES[level] }));

export const otherName = (event: FleetEvent): string =>
  event.primary_norad_id === event.fleet_norad_id
    ? event.secondary_name || String(event.secondary_norad_id)
    : event.primary_name || String(event.primary_norad_id);

export const ownName = (event: FleetEvent): string =>
  (event.primary_norad_id === event.fleet_norad_id ? event.primary_name : event.secondary_name) || String(event.fleet_norad_id);

// For a reader of the screen, and for the mouse.
export function words(event: FleetEvent, change: string): string {
  const chance = event.probability === null ? NOT_COMPUTED : probability(event.probability);
  return [event.risk_level, change, `with ${otherName(event)}`, `${utc(event.tca)} UTC`, `${metres(event.miss_distance_m)} m`, `P ${chance}`]
    .filter(Boolean)
    .join(", ");
}
