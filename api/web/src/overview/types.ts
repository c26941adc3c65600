// What a run holds at a glance, as the service answers it.
import type { Level, NearLevel, ProbabilityLevel } from "../types";

export interface NewPath {
  norad_id: number;
  trajectory_id: string;
  added: string;
  added_by: string | null;
  departs_at: string | null;
}

export interface NewsEvent {
  id: number;
  tca: string;
  primary_name: string;
  secondary_name: string;
  risk_level: Level;
  probability_level: ProbabilityLevel;
  near_level: NearLevel | null;
  miss_distance_m: number;
  probability: number | null;
  level_before: ProbabilityLevel | null;
  new_path: NewPath | null; // of a gone one: it may be why
}

export interface News {
  total: number;
  by_level: Record<ProbabilityLevel, number>;
  worst: NewsEvent[];
}

export interface Overview {
  run_id: string;
  before: string | null; // the run before it; without one, nothing is new, raised or gone
  new: News | null; // the run before would have found them
  first_looked_for: News | null; // it would not
  raised: News | null;
  eased: News | null;
  gone: News | null; // this run would have found them
  not_looked_for: News | null; // it would not
  events: number;
  by_level: Record<ProbabilityLevel, number>;
  near: Record<NearLevel, number>;
  altitude_inclination: { altitude_edges_km: number[]; inclination_edges_deg: number[]; counts: number[][]; without_state: number };
  per_hour: { starts: string[]; end: string; counts: Record<ProbabilityLevel, number[]>; outside_window: number };
  miss_probability: { log10_miss_edges: number[]; log10_probability_edges: number[]; counts: number[][]; below: number[]; without_probability: number };
  limits: Record<NearLevel, number>;
}
