// The cloud that explains a probability: places where the secondary may pierce the encounter plane, drawn by lot
// from the combined error, always the same ones.
import type { InPlane } from "./algebra";

export const DOTS = 3000;
const SEED = 20_090_210; // any number: the same cloud at every visit

export interface Cloud {
  x_m: Float64Array;
  y_m: Float64Array;
  inside: boolean[]; // nearer to the primary than the combined hard-body radius
  hits: number;
}

export function cloud(plane: InPlane, radius_m: number | null): Cloud {
  const chance = chances(SEED);
  const [x_m, y_m] = [new Float64Array(DOTS), new Float64Array(DOTS)];
  const [a, b] = plane.semi_axes_m;
  const [c, s] = plane.major;
  for (let i = 0; i < DOTS; i += 1) {
    const length = Math.sqrt(-2 * Math.log(1 - chance())); // Box and Muller
    const angle = 2 * Math.PI * chance();
    const [u, v] = [a * length * Math.cos(angle), b * length * Math.sin(angle)];
    x_m[i] = plane.miss_m[0] + c * u - s * v;
    y_m[i] = plane.miss_m[1] + s * u + c * v;
  }
  const inside = Array.from(x_m, (x, i) => radius_m !== null && Math.hypot(x, y_m[i] as number) < radius_m);
  return { x_m, y_m, inside, hits: inside.filter(Boolean).length };
}

// Numbers from 0 to 1, each time the same (the generator mulberry32).
function chances(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
