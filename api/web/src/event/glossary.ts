// Every number of an event: its name, format, unit, and a line of explanation.
import { fixed, metres, probability } from "../format";
import type { Conjunction, EventObject } from "../types";

type NumberKeys<T> = { [K in keyof T]-?: T[K] extends number | null ? K : never }[keyof T] & string;

export interface Entry<T> {
  field: NumberKeys<T>;
  label: string;
  text: (value: number, record: T) => string;
  unit: string;
  note: string;
}

const digits = (n: number) => (value: number): string => fixed(value, n);
const significant = (value: number): string => (value === 0 ? "0" : Math.abs(value) < 1e-3 ? probability(value, 3) : Math.abs(value) >= 100 ? fixed(value, 0) : String(Number(value.toPrecision(3))));

const exactly = (value: number): string => probability(value, 3);

const MOST_DIGITS = 6;

// With as many digits as tell the ends of the interval apart.
function apart(value: number, { probability_mc_low: low, probability_mc_high: high }: Conjunction): string {
  let digits = 3;
  while (digits < MOST_DIGITS && low !== null && high !== null && probability(low, digits) === probability(high, digits)) digits += 1;
  return probability(value, digits);
}

export const APPROACH: readonly Entry<Conjunction>[] = [
  { field: "miss_distance_m", label: "Miss distance", text: metres, unit: "m", note: "Distance between the two centres at TCA." },
  { field: "relative_speed_m_s", label: "Relative speed", text: digits(0), unit: "m/s", note: "How fast they pass each other at TCA." },
  { field: "miss_radial_m", label: "Miss, radial", text: metres, unit: "m", note: "Secondary above (+) or below the primary." },
  { field: "miss_in_track_m", label: "Miss, in-track", text: metres, unit: "m", note: "Secondary ahead of (+) or behind the primary." },
  { field: "miss_cross_track_m", label: "Miss, cross-track", text: metres, unit: "m", note: "Secondary to the side, along the orbit's normal (+)." },
];

export const PROBABILITIES: readonly Entry<Conjunction>[] = [
  { field: "probability", label: "Probability", text: exactly, unit: "", note: "Collision probability by the closed formula." },
  { field: "probability_2d", label: "Probability, exact 2-D", text: exactly, unit: "", note: "Collision probability by the exact integral in the encounter plane (Foster)." },
  { field: "probability_max", label: "Probability, largest", text: exactly, unit: "", note: "At another size of the same ellipse: where it peaks, not a bound." },
  { field: "probability_mc", label: "Probability, Monte Carlo", text: apart, unit: "", note: "Collision probability from samples: a check of the integral." },
  { field: "probability_mc_low", label: "  from", text: apart, unit: "", note: "Lower end of its 95 % interval." },
  { field: "probability_mc_high", label: "  to", text: apart, unit: "", note: "Upper end of its 95 % interval." },
  { field: "mc_samples", label: "Samples", text: digits(0), unit: "", note: "Of the Monte Carlo, drawn where a collision would be, and weighted (importance sampling)." },
  { field: "hard_body_radius_m", label: "Hard-body radius", text: metres, unit: "m", note: "Sum of both radii: closer than this is a collision." },
  { field: "formula_h", label: "h", text: significant, unit: "σ", note: "Miss across the relative track, in sigmas." },
  { field: "formula_u", label: "u", text: significant, unit: "σ", note: "Miss along the relative track, in sigmas." },
  { field: "formula_r", label: "r", text: significant, unit: "σ", note: "Hard-body radius, in sigmas." },
];

export const AGE: Entry<EventObject> = { field: "age_hours", label: "Age of the elements", text: digits(1), unit: "h", note: "From their epoch to TCA: errors grow with it." };
export const INTO_EPHEMERIS: Entry<EventObject> = { ...AGE, label: "Into the ephemeris", note: "From its first state to TCA; no age of element sets applies." };

export const OBJECT: readonly Entry<EventObject>[] = [
  { field: "sigma_r_m", label: "σ radial", text: metres, unit: "m", note: "1-sigma position error at TCA, up and down." },
  { field: "sigma_t_m", label: "σ in-track", text: metres, unit: "m", note: "Along the track: the largest." },
  { field: "sigma_n_m", label: "σ cross-track", text: metres, unit: "m", note: "Across the orbit's plane." },
  { field: "hard_body_radius_m", label: "Hard-body radius", text: metres, unit: "m", note: "Of this object alone." },
  { field: "perigee_km", label: "Perigee", text: digits(1), unit: "km", note: "Lowest altitude; on an ephemeris, of its orbit at TCA." },
  { field: "apogee_km", label: "Apogee", text: digits(1), unit: "km", note: "Highest altitude." },
  { field: "inclination_deg", label: "Inclination", text: digits(2), unit: "°", note: "Angle between the orbit and the equator." },
  { field: "period_min", label: "Period", text: digits(2), unit: "min", note: "Time of one revolution." },
];

export const BASES: Record<string, string> = {
  distance: "the miss distance decided the level",
  probability: "the probability decided the level",
  monte_carlo: "the Monte Carlo probability decided the level",
  claimed: "the probability that the sender claims decided the level",
  maximum: "the largest probability that fits decided the level, for want of a covariance",
};

export const FLAGS: Record<string, string> = {
  slow: "Slow encounter: the path is not straight, 2-D does not hold.",
  long: "Long encounter: the covariance reaches far along the track, 2-D does not hold.",
  curved: "Curved: the errors follow the curve of the orbit, 2-D is doubtful.",
  non_positive_definite: "The covariance is not positive definite.",
};
