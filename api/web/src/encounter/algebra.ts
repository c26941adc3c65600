// Vectors and matrices of three, the ellipsoid of a covariance, places between those of a path.
import type { Ellipsoid, EncounterRtn, Matrix, Vector } from "./types";

export const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const size = (a: Vector): number => Math.hypot(...a);
export const plus = (a: Vector, b: Vector, times = 1): Vector => [a[0] + times * b[0], a[1] + times * b[1], a[2] + times * b[2]];
export const scaled = (a: Vector, times: number): Vector => [a[0] * times, a[1] * times, a[2] * times];
const cross = (a: Vector, b: Vector): Vector => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];

const SWEEPS = 8; // more than three rows ever need
const PAIRS = [[0, 1], [0, 2], [1, 2]] as const;

// Jacobi's rotations. Null where the covariance is no ellipsoid: not positive definite.
export function ellipsoid(covariance_m2: Matrix | null): Ellipsoid | null {
  if (!covariance_m2) return null;
  const a = covariance_m2.map((row) => [...row]) as number[][];
  const v = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]; // rows become the directions
  for (let i = 0; i < SWEEPS; i += 1) for (const [p, q] of PAIRS) rotate(a, v, p, q);
  const order = [0, 1, 2].sort((i, j) => at(a, j, j) - at(a, i, i));
  const variances = order.map((i) => at(a, i, i));
  if (!variances.every((variance) => variance > 0)) return null;
  const [first, second] = order.map((i) => v[i]) as unknown as [Vector, Vector];
  return { semi_axes_m: variances.map(Math.sqrt) as unknown as Vector, axes: [first, second, cross(first, second)] };
}

const at = (a: number[][], i: number, j: number): number => (a[i] as number[])[j] as number;

function rotate(a: number[][], v: number[][], p: number, q: number): void {
  if (at(a, p, q) === 0) return;
  const angle = 0.5 * Math.atan2(2 * at(a, p, q), at(a, q, q) - at(a, p, p));
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const turn = (rows: number[][]): void => {
    const [one, other] = [rows[p] as number[], rows[q] as number[]];
    rows[p] = one.map((value, k) => c * value - s * (other[k] as number));
    rows[q] = one.map((value, k) => s * value + c * (other[k] as number));
  };
  turn(a);
  const columns = [0, 1, 2].map((j) => a.map((row) => row[j] as number));
  turn(columns);
  for (const [i, row] of a.entries()) for (const j of [0, 1, 2]) row[j] = at(columns, j, i);
  turn(v);
}

// The combined error seen in the encounter plane; null without a plane or a covariance.
export interface InPlane {
  x: Vector;
  y: Vector;
  miss_m: readonly [number, number];
  semi_axes_m: readonly [number, number];
  major: readonly [number, number]; // its direction in x and y
}

export function inPlane(record: EncounterRtn): InPlane | null {
  const { x_axis: x, y_axis: y, covariance_combined_m2: c } = record;
  if (!x || !y || !c) return null;
  const seen = (one: Vector, other: Vector): number => dot(one, [dot(c[0], other), dot(c[1], other), dot(c[2], other)]);
  const [xx, xy, yy] = [seen(x, x), seen(x, y), seen(y, y)];
  const [half, spread] = [(xx + yy) / 2, Math.hypot((xx - yy) / 2, xy)];
  const angle = 0.5 * Math.atan2(2 * xy, xx - yy);
  const smaller = (xx * yy - xy * xy) / (half + spread);
  if (!(smaller > 0)) return null;
  return {
    x,
    y,
    miss_m: [dot(record.secondary_m, x), dot(record.secondary_m, y)],
    semi_axes_m: [Math.sqrt(half + spread), Math.sqrt(smaller)],
    major: [Math.cos(angle), Math.sin(angle)],
  };
}

export interface Place {
  r_m: Vector;
  straight: boolean; // continued with the relative velocity, since no path is known there
}

// Where the secondary is: on the service's own points at their times, through the four nearest between them.
export function placeAt(record: EncounterRtn, seconds: number): Place {
  const straight = { r_m: plus(record.secondary_m, record.relative_velocity_m_s, seconds), straight: true };
  const { path } = record;
  const times = path?.seconds_from_tca ?? [];
  if (!path || times.length < 4 || seconds < (times[0] as number) || seconds > (times.at(-1) as number)) return straight;
  const step = ((times.at(-1) as number) - (times[0] as number)) / (times.length - 1);
  const nearest = Math.round((seconds - (times[0] as number)) / step);
  const exact = Math.abs((times[nearest] as number) - seconds) < 1e-9;
  const from = Math.min(Math.max(Math.floor((seconds - (times[0] as number)) / step) - 1, 0), times.length - 4);
  const used = exact ? [nearest] : [from, from + 1, from + 2, from + 3];
  const r = [path.radial_m, path.in_track_m, path.cross_track_m].map((values) => between(times, values, used, seconds));
  return r.every(Number.isFinite) ? { r_m: r as unknown as Vector, straight: false } : straight;
}

// Lagrange's polynomial; NaN where a value is missing.
function between(times: number[], values: (number | null)[], used: number[], time: number): number {
  return used.reduce((sum, i) => {
    const weight = used.reduce((product, j) => (j === i ? product : product * ((time - (times[j] as number)) / ((times[i] as number) - (times[j] as number)))), 1);
    return sum + weight * (values[i] ?? NaN);
  }, 0);
}
