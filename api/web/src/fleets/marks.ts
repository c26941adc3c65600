// An event as a mark: its level by shape and colour, and in words.
import { h, svg, type Child } from "../dom";
import { metres, named, utc } from "../format";
import { nearLevel, probabilityLevel } from "../levels";
import { chanceWords } from "../marks";
import { link } from "../route";
import type { ProbabilityLevel, Who } from "../types";
import type { FleetRow, Member } from "./types";

export const SHAPES: Record<ProbabilityLevel, string> = {
  critical: "M8 0 L16 8 L8 16 L0 8 Z",
  high: "M8 1 L15.5 15 H0.5 Z",
  medium: "M2 2 H14 V14 H2 Z",
  unknown: "M2.5 4.5 L4.5 2.5 L8 6 L11.5 2.5 L13.5 4.5 L10 8 L13.5 11.5 L11.5 13.5 L8 10 L4.5 13.5 L2.5 11.5 L6 8 Z",
  low: "M8 3 a5 5 0 1 0 0.01 0 Z",
};

export const shape = (level: ProbabilityLevel): SVGElement =>
  svg("svg", { viewBox: "0 0 16 16", width: 14, height: 14, class: `shape ${level}`, "aria-hidden": "true", focusable: "false" }, svg("path", { d: SHAPES[level] }));

export const ownSide = (event: FleetRow): Who =>
  event.primary_norad_id === event.fleet_norad_id ? "primary" : "secondary";
export const otherSide = (event: FleetRow): Who => (ownSide(event) === "primary" ? "secondary" : "primary");

export const otherName = (event: FleetRow): string => named(event, otherSide(event));
export const ownName = (event: FleetRow): string => named(event, ownSide(event));

const MOST_IN_ADDRESS = 200; // numbers

// The list of all events of these satellites, inside a volume or not; "": too many for an address.
export const eventsOf = (members: readonly Member[]): string =>
  members.length && members.length <= MOST_IN_ADDRESS
    ? link("events", { norad: members.map((one) => one.norad_id).join(",") })
    : "";

// A satellite by name, to its events and to where it flies.
export const satelliteLinks = (one: Member): readonly Child[] => [
  h("a", { href: eventsOf([one]), title: "All its events" }, one.name || "—"),
  h("small", {}, ` ${one.norad_id} `),
  globeOf(one),
];

export const globeOf = (one: Member): HTMLElement =>
  h("a", { href: link("globe", { object: String(one.norad_id) }), class: "to-globe", "aria-label": `${one.name}: show on the globe` }, "globe");

// For a reader of the screen, and for the mouse. `had`: who has it, in words.
export function words(event: FleetRow, change: string, had = ""): string {
  const near = nearLevel(event) ? "near: " : "";
  return [probabilityLevel(event), change, `with ${otherName(event)}`, `${utc(event.tca)} UTC`, `${near}${metres(event.miss_distance_m)} m`, `P ${chanceWords(event)}`, had]
    .filter(Boolean)
    .join(", ");
}
