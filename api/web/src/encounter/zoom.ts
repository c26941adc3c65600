// How much of the encounter is seen: from the whole flight to the bodies, in even steps of the logarithm.
import { ellipsoid, inPlane, placeAt, size } from "./algebra";
import type { Ellipsoid, EncounterRtn, Radii, Shown } from "./types";

export const STEPS = 400;
export const RANGES_S = [5, 0.5, 0.05] as const;
export const STOPS = ["bodies", "miss", "ellipsoids", "flight"] as const;
export type Stop = (typeof STOPS)[number];

const SIGMAS = 3;
const LEAST_M = 2; // where no radius is known

export interface Zooms {
  stops: Record<Stop | "cloud", number>; // reach, m
  reachOf(step: number): number;
  stepOf(reach_m: number): number;
  range(reach_m: number): number; // s, on each side of TCA: as long as the flight through the picture takes
}

export function zooms(record: EncounterRtn, radii: Radii): Zooms {
  const miss = size(record.secondary_m);
  const speed = size(record.relative_velocity_m_s);
  const widest = Math.max(0, ...(["primary", "secondary", "combined"] as const).map((who) => ellipsoid(record[`covariance_${who}_m2`])?.semi_axes_m[0] ?? 0));
  const bodies = 3 * Math.max(radii.combined ?? 0, radii.primary ?? 0, radii.secondary ?? 0) || LEAST_M;
  const near = Math.max(1.35 * miss, bodies);
  const ellipsoids = Math.max(1.1 * (miss + SIGMAS * widest), near);
  const plane = inPlane(record);
  const cloud = plane ? 1.15 * (miss + SIGMAS * plane.semi_axes_m[0]) : ellipsoids;
  const flight = Math.max(1.15 * size(placeAt(record, -RANGES_S[0]).r_m), ellipsoids);
  const [low, high] = [Math.log(bodies), Math.log(flight)];
  return {
    stops: { bodies, miss: near, ellipsoids, flight, cloud: Math.min(Math.max(cloud, bodies), flight) },
    reachOf: (step) => Math.exp(low + ((high - low) * step) / STEPS),
    stepOf: (reach_m) => (high > low ? Math.round((STEPS * (Math.log(reach_m) - low)) / (high - low)) : 0),
    range: (reach_m) => [...RANGES_S].reverse().find((seconds) => seconds * speed >= reach_m) ?? RANGES_S[0],
  };
}

// Inside of an ellipsoid its skin would only tint the picture: it fades out, from 1 where its shortest semi-axis is
// shorter than 1.5 reaches, to 0 where it is as long as 7.
export const outside = ({ reach_m, sigma }: Shown, { semi_axes_m }: Ellipsoid): number =>
  Math.max(0, Math.min(1, (2 * reach_m) / (sigma * semi_axes_m[2]) - 0.3));

export const inside = (shown: Shown, round: Ellipsoid): boolean => outside(shown, round) === 0;
