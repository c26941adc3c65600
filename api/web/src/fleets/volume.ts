// A screening volume in words: "box:2x25x25" is what the service takes.
import { fixed } from "../format";
import type { Satellite } from "./types";

const AXES = ["radial", "in-track", "cross-track"];
const SHAPES: Record<string, string> = { box: "box of", ellipsoid: "ellipsoid of" };

const km = (size: number): string => fixed(size, Number.isInteger(size) ? 0 : Number.isInteger(size * 10) ? 1 : 2);

// What is in no known form stands as it is.
export function volumeWords(volume: string): string {
  if (volume === "handbook") return "the handbook's, in low orbits ±0.4 km radial, ±2 to ±51 km in-track and cross-track";
  const [regime, own] = volume.includes(": ") ? (volume.split(": ", 2) as [string, string]) : ["", volume];
  const words = sizesInWords(own);
  return regime ? `${regime.replace(/^handbook /, "the handbook's ")}, ${words}` : words;
}

function sizesInWords(volume: string): string {
  const [shape = "", sizes = ""] = volume.split(":", 2);
  const numbers = sizes.split("x").map(Number);
  if (!sizes || numbers.some((size) => !(size > 0))) return volume;
  if (shape === "sphere" && numbers.length === 1) return `sphere of ${km(numbers[0] as number)} km`;
  if (!SHAPES[shape] || numbers.length !== AXES.length) return volume;
  return `${SHAPES[shape]} ${numbers.map((size, i) => `±${km(size)} km ${AXES[i]}`).join(", ")}`;
}

// The volumes in which a run has looked, the most frequent first.
export function volumesLookedAt(satellites: readonly Satellite[]): string[] {
  const counts = new Map<string, number>();
  for (const one of satellites) if (one.found && one.volume) counts.set(one.volume, (counts.get(one.volume) ?? 0) + 1);
  const most = [...counts].sort((a, b) => b[1] - a[1]);
  return most.map(([volume, of]) => (most.length > 1 ? `${volumeWords(volume)} (${of})` : volumeWords(volume)));
}
