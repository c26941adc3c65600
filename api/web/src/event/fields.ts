// Every number of an event: its name and the word of the glossary that explains it, format, unit, and what is
// special about it here.
import { fixed, metres, probability } from "../format";
import type { Conjunction, EventObject } from "../types";
import type { Word } from "../words/glossary";

type NumberKeys<T> = { [K in keyof T]-?: T[K] extends number | null ? K : never }[keyof T] & string;

export interface Entry<T> {
  field: NumberKeys<T>;
  label: string;
  text: (value: number, record: T) => string;
  unit: string;
  word?: Word;
  note?: string;
}

const digits = (n: number) => (value: number): string => fixed(value, n);
const significant = (value: number): string => (value === 0 ? "0" : Math.abs(value) < 1e-3 ? probability(value, 3) : Math.abs(value) >= 100 ? fixed(value, 0) : String(Number(value.toPrecision(3))));

const exactly = (value: number): string => probability(value, 3);

export const APPROACH: readonly Entry<Conjunction>[] = [
  { field: "miss_distance_m", label: "Miss distance", text: metres, unit: "m", word: "miss distance" },
  { field: "relative_speed_m_s", label: "Relative speed", text: (value) => (value < 100 ? metres(value) : fixed(value, 0)), unit: "m/s", word: "relative speed" },
  { field: "miss_radial_m", label: "Miss, radial", text: metres, unit: "m", word: "radial", note: "Secondary above (+) or below the primary." },
  { field: "miss_in_track_m", label: "Miss, in-track", text: metres, unit: "m", word: "in-track", note: "Secondary ahead of (+) or behind the primary." },
  { field: "miss_cross_track_m", label: "Miss, cross-track", text: metres, unit: "m", word: "cross-track", note: "Secondary to the side, along the orbit's normal (+)." },
];

export const PROBABILITIES: readonly Entry<Conjunction>[] = [
  { field: "probability_best", label: "Probability", text: exactly, unit: "", word: "probability" },
  { field: "probability", label: "Probability, closed formula", text: exactly, unit: "", word: "probability", note: "The mission’s formula, in the encounter plane." },
  { field: "probability_2d", label: "Probability, exact 2-D", text: exactly, unit: "", word: "exact 2-D probability" },
  { field: "probability_3d", label: "Probability, in three dimensions", text: exactly, unit: "", note: "From the likeliest orbits that meet; computed where the plane does not hold." },
  { field: "probability_max", label: "Probability, largest", text: exactly, unit: "", word: "largest probability", note: "At another size of the same ellipse." },
  { field: "hard_body_radius_m", label: "Hard-body radius", text: metres, unit: "m", word: "hard-body radius", note: "Of both together: the sum of their radii." },
  { field: "fragments_10cm", label: "Pieces", text: significant, unit: "", word: "pieces", note: "Of 10 cm or more, if they met." },
  { field: "formula_h", label: "h", text: significant, unit: "σ", word: "formula in sigmas", note: "Miss across the relative track." },
  { field: "formula_u", label: "u", text: significant, unit: "σ", word: "formula in sigmas", note: "Miss along the relative track." },
  { field: "formula_r", label: "r", text: significant, unit: "σ", word: "formula in sigmas", note: "Hard-body radius." },
];

export const AGE: Entry<EventObject> = { field: "age_hours", label: "Age of the elements", text: digits(1), unit: "h", word: "age", note: "From the epoch to TCA." };
export const INTO_EPHEMERIS: Entry<EventObject> = { ...AGE, label: "Into the ephemeris", word: "ephemeris", note: "From its first state to TCA; no age of element sets applies." };

export const OBJECT: readonly Entry<EventObject>[] = [
  { field: "sigma_r_m", label: "σ radial", text: metres, unit: "m", word: "sigma", note: "Of the position at TCA, up and down." },
  { field: "sigma_t_m", label: "σ in-track", text: metres, unit: "m", word: "sigma", note: "Along the track: the largest." },
  { field: "sigma_n_m", label: "σ cross-track", text: metres, unit: "m", word: "sigma", note: "Across the orbit's plane." },
  { field: "hard_body_radius_m", label: "Hard-body radius", text: metres, unit: "m", word: "hard-body radius", note: "Of this object alone." },
  { field: "radius_m", label: "Mean-shadow radius", text: metres, unit: "m", word: "mean shadow", note: "By published dimensions." },
  { field: "bounding_radius_m", label: "Bounding radius", text: metres, unit: "m", word: "bounding radius", note: "Of the sphere around it." },
  { field: "mass_kg", label: "Mass", text: (value) => (value < 10 ? metres(value) : fixed(value, 0)), unit: "kg", note: "Published; for debris, from its radius." },
  { field: "perigee_km", label: "Perigee", text: digits(1), unit: "km", word: "perigee", note: "Above the Earth's equatorial radius; on an ephemeris, of its orbit at TCA." },
  { field: "apogee_km", label: "Apogee", text: digits(1), unit: "km", word: "apogee" },
  { field: "inclination_deg", label: "Inclination", text: digits(2), unit: "°", word: "inclination" },
  { field: "period_min", label: "Period", text: digits(2), unit: "min", word: "period" },
];

export const BASES: Record<string, string> = {
  distance: "the miss distance decided the level",
  probability: "the probability decided the level",
  monte_carlo: "the probability from sampled trajectories decided the level",
  bound: "the largest that is known of the probability decided the level",
  claimed: "the probability that the sender claims decided the level",
  maximum: "the largest probability that fits decided the level, because a covariance is missing",
};

// Why there is no probability in a plane, or why it is doubtful.
export const FLAGS: Record<string, Word> = {
  slow: "slow encounter",
  long: "long encounter",
  curved: "curved encounter",
  non_positive_definite: "not positive definite",
};
