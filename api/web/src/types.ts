// Answers of the service: the fields that the page uses, with their units in the names.

export const LEVELS = ["critical", "high", "medium", "low"] as const;
export type Level = (typeof LEVELS)[number];
export type ProbabilityMethod = "2d" | "3d" | "trajectory_mc" | "bound";
export type NearLevel = Exclude<Level, "low">; // by the miss alone
// By the probability that counts; unknown: none could be computed, which is no reason to think it low.
export const UNKNOWN = "unknown";
export const PROBABILITY_LEVELS = ["critical", "high", "medium", UNKNOWN, "low"] as const;
export type ProbabilityLevel = (typeof PROBABILITY_LEVELS)[number];
export const RISKS = [...LEVELS, "none", "unknown"] as const;
export const OBJECT_TYPES = ["payload", "rocket_body", "debris", "unknown"] as const;
export type Who = "primary" | "secondary";

export interface Conjunction {
  id: number;
  run_id: string;
  origin: string;
  computed_at: string;
  primary_norad_id: number;
  secondary_norad_id: number;
  primary_name: string;
  secondary_name: string;
  tca: string;
  miss_distance_m: number;
  // Null, as the next three and the epochs, where only a message without states tells the event.
  relative_speed_m_s: number | null;
  miss_radial_m: number | null;
  miss_in_track_m: number | null;
  miss_cross_track_m: number | null;
  probability: number | null;
  probability_2d: number | null;
  probability_3d: number | null;
  probability_best: number | null;
  probability_method: ProbabilityMethod | null;
  probability_max: number | null;
  probability_mc: number | null;
  probability_mc_low: number | null;
  probability_mc_high: number | null;
  mc_samples: number | null;
  mc_hits: number | null;
  diluted: boolean | null;
  probability_flag: string | null;
  formula_h: number | null;
  formula_u: number | null;
  formula_r: number | null;
  hard_body_radius_m: number | null;
  hard_body_source: string | null;
  catastrophic: boolean | null;
  fragments_10cm: number | null;
  primary_trajectory: string | null;
  secondary_trajectory: string | null;
  primary_covariance_source: string | null;
  secondary_covariance_source: string | null;
  primary_manoeuvring: boolean | null;
  secondary_manoeuvring: boolean | null;
  encounter: string;
  inside_from: string | null;
  inside_to: string | null;
  risk_level: Level;
  risk_basis: string;
  // Null in rows of earlier releases.
  probability_level: ProbabilityLevel | null;
  near_level: NearLevel | null;
  primary_epoch: string | null;
  secondary_epoch: string | null;
}

// A received message about an event.
export interface EventMessage {
  id: string;
  message_id: string;
  originator: string;
  creation_date: string | null;
  received_at: string;
  tca: string;
  miss_distance_m: number | null;
  claimed_probability: number | null;
  probability_2d: number | null;
  missing_covariance: string | null;
  restricted: boolean;
  differs: string[];
}

// Sentences of the service; empty where there is nothing to say.
export type EventWords = Record<"headline" | "encounter" | "probability" | "consequence" | "dilution" | "change" | "caution" | "advice", string>;
export type GeometryWords = Record<"certainty" | "reason" | "bound" | "errors" | "paths", string>;

export interface ConjunctionWithHistory extends Conjunction {
  words: EventWords;
  history: Conjunction[];
  messages: EventMessage[];
  restricted_messages: number;
}

// A record that lacks required fields is shown as such, and the others are still shown.
export interface Unreadable {
  id: number | null;
  unreadable: string;
}

export interface Page {
  conjunctions: (Conjunction | Unreadable)[];
  total: number;
  next: string | null;
}

export interface Proximity {
  primary_norad_id: number;
  secondary_norad_id: number;
  primary_name: string;
  secondary_name: string;
  tca: string;
  min_distance_m: number;
  max_distance_m: number;
  kind: string;
  leaves_at: string | null;
}

export interface Run {
  run_id: string;
  historic: boolean;
  synthetic: boolean;
  source: string;
  catalogue_sha256: string;
  started: string;
  finished: string;
  window_start: string;
  window_end: string;
  threshold_km: number;
  objects: number;
  rejected: number;
  failed: number;
  failed_by_code: Record<string, number>;
  flagged_old_epoch: number;
  candidates: number;
  conjunctions: number;
  slow: number;
  proximities: number;
  critical: number;
  high: number;
  medium: number;
  low: number;
  seconds_by_stage: Record<string, number>;
  versions: Record<string, string>;
  ephemeris: "all" | "payloads" | "none" | null;
  ephemeris_reason: string | null;
  trajectories: string | null;
  catalogue_epoch: string | null;
  catalogue_decision: "downloaded" | "unchanged" | "too_soon" | "last_good" | "file" | "generated" | null;
  catalogue_reason: string | null;
}

export interface Rejection {
  line: number;
  record: string;
  reason: string;
}

export interface SessionState {
  signed_in: boolean;
  name: string | null;
  read_only: boolean; // what changes something is refused
  expires: string | null;
  now: string;
}

export interface KnownObject {
  norad_id: number;
  name: string;
  object_id: string;
  object_type: string;
  trajectory: string | null;
  constellation: string | null;
  owner: string | null; // abbreviations of GCAT; of several owners with / between
}

export interface Spread {
  sigma_major_m: number;
  sigma_minor_m: number | null;
  major_axis_deg: number;
}

export interface EventObject {
  norad_id: number;
  name: string;
  object_id: string | null;
  object_type: string | null;
  status: string | null;
  can_manoeuvre: "yes" | "no" | "unknown" | null;
  can_manoeuvre_reason: string | null;
  last_manoeuvre: string | null;
  trajectory: string | null;
  trajectory_id: string | null;
  trajectory_added: string | null;
  trajectory_added_by: string | null;
  trajectory_departs_at: string | null;
  epoch: string | null;
  age_hours: number | null;
  covariance_source: string | null;
  manoeuvring: boolean | null;
  sigma_r_m: number | null;
  sigma_t_m: number | null;
  sigma_n_m: number | null;
  hard_body_radius_m: number | null;
  hard_body_source: string | null;
  radius_m: number | null;
  bounding_radius_m: number | null;
  mass_kg: number | null;
  body_source: string | null;
  period_min: number | null;
  perigee_km: number | null;
  apogee_km: number | null;
  inclination_deg: number | null;
  path_offset_m: number | null;
}

export interface RangeCurve {
  seconds_from_tca: number[];
  range_m: (number | null)[];
  radial_m: (number | null)[];
  in_track_m: (number | null)[];
  cross_track_m: (number | null)[];
}

export type Point = readonly (number | null)[];

export interface Orbit {
  seconds_from_tca: number[];
  r_itrf_at_tca_km: Point[];
}

export interface EncounterPlane {
  miss_x_m: number;
  miss_y_m: number;
  miss_along_m: number;
  miss_sigmas: number | null;
  hard_body_radius_m: number | null;
  primary: Spread | null;
  secondary: Spread | null;
  combined: Spread | null;
}

export interface ScaleCurve {
  scale: number[];
  probability: number[];
  probability_2d: number;
  peak_scale: number;
  peak_probability: number;
  diluted: boolean;
}

export interface RadiusCurve {
  radius_m: number[];
  probability: number[];
  hard_body_radius_m: number;
  probability_2d: number;
  mean_shadow_radius_m: number | null;
  probability_mean_shadow: number | null;
  bounding_radius_m: number | null;
  probability_bounding: number | null;
  limits: Record<Exclude<Level, "low">, number>;
}

export interface Geometry {
  id: number;
  tca: string;
  encounter: string;
  miss_distance_m: number;
  miss_radial_m: number | null;
  miss_in_track_m: number | null;
  miss_cross_track_m: number | null;
  relative_speed_m_s: number | null;
  approach_angle_deg: number | null;
  place: { latitude_deg: number; longitude_deg: number; altitude_km: number } | null;
  objects: Record<Who, EventObject>;
  encounter_plane: EncounterPlane | null;
  probability_against_scale: ScaleCurve | null;
  probability_against_radius: RadiusCurve | null;
  range: { near: RangeCurve; wide: RangeCurve } | null;
  orbits: Record<Who, Orbit | null>;
  words: GeometryWords;
  missing: Record<string, string>;
}
