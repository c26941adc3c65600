// A frame some minutes ahead of another, until the service's own has come: so that the first picture needs one of them.
import { EQUATOR_KM } from "./earth_numbers";
import type { Frame } from "./frame";

const MU = 398_600.4418; // km³/s², WGS-84
const J2 = 1.08262668e-3;
const TURN = 7.292115e-5; // rad/s, of the Earth
const STEP_S = 60;

// Every object under gravity with the Earth's flattening, by Runge-Kutta of the fourth order in the frame of the Earth;
// without drag and the Moon it is within a kilometre of SGP4 after 300 s.
export function ahead(frame: Frame, time: number): Frame {
  const seconds = (time - frame.time) / 1000;
  const steps = Math.max(1, Math.ceil(Math.abs(seconds) / STEP_S));
  const r_itrf_km = new Float32Array(frame.r_itrf_km.length);
  const v_itrf_km_s = new Float32Array(frame.v_itrf_km_s.length);
  const state = new Float64Array(6);
  for (let i = 0; i < frame.count; i += 1) {
    for (let axis = 0; axis < 3; axis += 1) {
      state[axis] = frame.r_itrf_km[3 * i + axis] as number;
      state[3 + axis] = frame.v_itrf_km_s[3 * i + axis] as number;
    }
    for (let step = 0; step < steps; step += 1) advance(state, seconds / steps);
    r_itrf_km.set(state.subarray(0, 3), 3 * i);
    v_itrf_km_s.set(state.subarray(3), 3 * i);
  }
  return { ...frame, time, r_itrf_km, v_itrf_km_s };
}

const slopes = [0, 1, 2, 3].map(() => new Float64Array(6)) as [Float64Array, Float64Array, Float64Array, Float64Array];
const middle = new Float64Array(6);

function advance(state: Float64Array, h: number): void {
  const [a, b, c, d] = slopes;
  slope(state, a);
  slope(between(state, a, h / 2), b);
  slope(between(state, b, h / 2), c);
  slope(between(state, c, h), d);
  for (let k = 0; k < 6; k += 1) (state[k] as number) += (h / 6) * (at(a, k) + 2 * at(b, k) + 2 * at(c, k) + at(d, k));
}

function between(state: Float64Array, by: Float64Array, h: number): Float64Array {
  for (let k = 0; k < 6; k += 1) middle[k] = at(state, k) + h * at(by, k);
  return middle;
}

// Velocity and acceleration, with the centrifugal and the Coriolis part of a turning frame.
function slope(state: Float64Array, into: Float64Array): void {
  const [x, y, z, vx, vy, vz] = state as unknown as [number, number, number, number, number, number];
  const r2 = x * x + y * y + z * z;
  const pull = MU / (r2 * Math.sqrt(r2));
  const flat = (1.5 * J2 * EQUATOR_KM * EQUATOR_KM) / r2;
  const tilt = (5 * z * z) / r2;
  into[0] = vx;
  into[1] = vy;
  into[2] = vz;
  into[3] = -pull * x * (1 + flat * (1 - tilt)) + TURN * TURN * x + 2 * TURN * vy;
  into[4] = -pull * y * (1 + flat * (1 - tilt)) + TURN * TURN * y - 2 * TURN * vx;
  into[5] = -pull * z * (1 + flat * (3 - tilt));
}

const at = (array: Float64Array, k: number): number => array[k] as number;
