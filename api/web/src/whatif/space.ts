// What the trade space says of a burn along the track, at once: at its times, and of any size.
import type { TradeSpace } from "./types";

export interface Estimate {
  miss_distance_m: number;
  probability: number;
}

const BEYOND = 1e-4; // of a bound: a rounded number may lie so far outside
const SMALLEST = 1e-320; // stands for 0, which has no logarithm

// The place of a value in an ascending grid, as an index with a fraction; null outside.
export function placeOf(grid: number[], value: number): number | null {
  const [low, high] = [grid[0], grid.at(-1)];
  if (low === undefined || high === undefined || !Number.isFinite(value)) return null;
  if (value < low - BEYOND * Math.abs(low) || value > high + BEYOND * Math.abs(high)) return null;
  const next = grid.findIndex((bound) => bound >= value);
  if (next <= 0) return next < 0 ? grid.length - 1 : 0;
  const [below, above] = [grid[next - 1] as number, grid[next] as number];
  return next - 1 + (value - below) / (above - below);
}

// The value at such a place.
export function valueAt(grid: number[], place: number): number {
  const below = Math.min(Math.max(Math.floor(place), 0), grid.length - 1);
  const above = Math.min(below + 1, grid.length - 1);
  const [low, high] = [grid[below] as number, grid[above] as number];
  return low + (high - low) * (place - below);
}

// Computed times are up to hours apart, in which an orbit goes round: what lies between them cannot be told.
// The number that the form shows has four decimals.
const SAME_HOURS = 1e-4;
export const isSameTime = (one_h: number, other_h: number): boolean => Math.abs(one_h - other_h) <= SAME_HOURS;

// The computed time that is nearest; null outside of all.
export function nearestTime(space: TradeSpace, before_hours: number): number | null {
  const row = placeOf(space.before_tca_hours, before_hours);
  return row === null ? null : (space.before_tca_hours[Math.round(row)] as number);
}

// At a computed time, for any size; null where nothing was computed. Between sizes the square of the miss and
// the logarithm of the probability are nearly quadratics.
export function estimate(space: TradeSpace, before_hours: number, dv_t_m_s: number): Estimate | null {
  const row = space.before_tca_hours.findIndex((hours) => isSameTime(hours, before_hours));
  const column = placeOf(space.dv_t_m_s, dv_t_m_s);
  if (row < 0 || column === null) return null;
  const at = (values: (number | null)[][], scaled: (value: number) => number): number | null =>
    alongSizes(space.dv_t_m_s, values[row] ?? [], column, dv_t_m_s, scaled);
  const square = at(space.miss_distance_m, (miss) => miss * miss);
  const logarithm = at(space.probability, (p) => Math.log(Math.max(p, SMALLEST)));
  if (square === null || logarithm === null) return null;
  const probability = Math.exp(Math.min(logarithm, 0));
  return { miss_distance_m: Math.sqrt(Math.max(square, 0)), probability: probability <= SMALLEST * 2 ? 0 : probability };
}

// The miss in the encounter plane, likewise.
export function missInPlane(space: TradeSpace, before_hours: number, dv_t_m_s: number): { miss_x_m: number; miss_y_m: number } | null {
  const row = space.before_tca_hours.findIndex((hours) => isSameTime(hours, before_hours));
  const column = placeOf(space.dv_t_m_s, dv_t_m_s);
  if (row < 0 || column === null) return null;
  const [x, y] = [space.miss_x_m, space.miss_y_m].map((values) => alongSizes(space.dv_t_m_s, values[row] ?? [], column, dv_t_m_s, (value) => value));
  return x === null || x === undefined || y === null || y === undefined ? null : { miss_x_m: x, miss_y_m: y };
}

// The parabola through the three points next to a size; null if one of them is missing.
function alongSizes(sizes: number[], values: (number | null)[], column: number, size: number, scaled: (value: number) => number): number | null {
  const start = Math.min(Math.max(Math.round(column) - 1, 0), Math.max(sizes.length - 3, 0));
  const places = [start, start + 1, start + 2].filter((place) => place < sizes.length);
  let sum = 0;
  for (const place of places) {
    const value = values[place];
    if (value === null || value === undefined) return null;
    let weight = 1;
    for (const other of places) {
      if (other !== place) weight *= (size - (sizes[other] as number)) / ((sizes[place] as number) - (sizes[other] as number));
    }
    sum += weight * scaled(value);
  }
  return sum;
}
