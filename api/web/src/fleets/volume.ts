// A screening volume in words: "box:2x25x25" is what is typed.
import { fixed } from "../format";

const AXES = ["radial", "in-track", "cross-track"];
const SHAPES: Record<string, string> = { box: "box of", ellipsoid: "ellipsoid of" };

const km = (size: number): string => fixed(size, Number.isInteger(size) ? 0 : Number.isInteger(size * 10) ? 1 : 2);

// What is in no known form stands as it is.
export function volumeWords(volume: string): string {
  const [shape = "", sizes = ""] = volume.split(":", 2);
  const numbers = sizes.split("x").map(Number);
  if (!sizes || numbers.some((size) => !(size > 0))) return volume;
  if (shape === "sphere" && numbers.length === 1) return `sphere of ${km(numbers[0] as number)} km`;
  if (!SHAPES[shape] || numbers.length !== AXES.length) return volume;
  return `${SHAPES[shape]} ±${numbers.map((size, i) => `${km(size)} km ${AXES[i]}`).join(", ±")}`;
}
