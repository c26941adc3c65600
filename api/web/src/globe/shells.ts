// Ready choices among the objects: shells of altitude, and constellations.
import type { KnownObject } from "../types";

export interface Shell {
  text: string;
  low: string; // km, as in the fields
  high: string;
}

// By the altitude that objects have now. The upper border of low orbits (2000 km) and 200 km around the geostationary
// height are those of the IADC's protected regions (IADC-02-01); within low orbits they are round numbers of ours.
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

// The largest first.
export function constellationsOf(objects: Iterable<KnownObject>): [name: string, members: number][] {
  const members = new Map<string, number>();
  for (const { constellation } of objects) if (constellation) members.set(constellation, (members.get(constellation) ?? 0) + 1);
  return [...members].sort((a, b) => b[1] - a[1] || a[0].localeCompare(b[0]));
}
