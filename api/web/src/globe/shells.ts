// Ready choices among the objects: shells of altitude, and groups of names.
import type { KnownObject } from "../types";

export interface Shell {
  text: string;
  low: string; // km, as in the fields
  high: string;
}

// Their borders: the space below the ISS's orbit and above it, the upper border of low orbits (2000 km) and 200 km
// around the geostationary height, as in the IADC's protected regions (IADC-02-01).
export const SHELLS: Shell[] = [
  { text: "all", low: "", high: "" },
  { text: "low, below 450 km", low: "", high: "450" },
  { text: "low, 450 to 650 km", low: "450", high: "650" },
  { text: "low, 650 to 1,000 km", low: "650", high: "1000" },
  { text: "low, 1,000 to 2,000 km", low: "1000", high: "2000" },
  { text: "medium, 2,000 to 35,586 km", low: "2000", high: "35586" },
  { text: "geostationary, ± 200 km", low: "35586", high: "35986" },
  { text: "above", low: "35986", high: "" },
];

const LEAST = 20; // payloads that begin alike
const MOST = 30;
const NUMBERED = /^([A-Z][A-Z .]*[A-Z])[ -]*[0-9]/; // "STARLINK-1007", "ONEWEB-0012", "COSMOS 2251"
const NO_NAME = /^(OBJECT|UNKNOWN|TBA)\b/;

const prefixOf = (name: string): string | null => {
  const upper = name.toUpperCase();
  return NO_NAME.test(upper) ? null : (NUMBERED.exec(upper)?.[1] ?? null);
};

// Of a group of that name: its payloads, not what broke off them.
export const isOf = (object: KnownObject, prefix: string): boolean => object.object_type === "payload" && prefixOf(object.name) === prefix;

// The largest first.
export function groupsOf(objects: Iterable<KnownObject>): [prefix: string, members: number][] {
  const members = new Map<string, number>();
  for (const { name, object_type } of objects) {
    const prefix = object_type === "payload" ? prefixOf(name) : null;
    if (prefix !== null) members.set(prefix, (members.get(prefix) ?? 0) + 1);
  }
  return [...members].filter(([, count]) => count >= LEAST).sort((a, b) => b[1] - a[1] || a[0].localeCompare(b[0])).slice(0, MOST);
}
