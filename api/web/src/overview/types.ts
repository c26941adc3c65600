// What a run holds at a glance, as the service answers it.
import type { Level } from "../types";

export interface NewsEvent {
  id: number;
  tca: string;
  primary_name: string;
  secondary_name: string;
  risk_level: Level;
  miss_distance_m: number;
  probability: number | null;
  level_before: Level | null;
}

export interface News {
  total: number;
  by_level: Record<Level, number>;
  worst: NewsEvent[];
}

export interface Overview {
  run_id: string;
  before: string | null; // the run before it; without one, nothing is new, raised or gone
  new: (News & { not_searched_before: number }) | null;
  raised: News | null;
  gone: (News & { not_searched: number }) | null;
  events: number;
  altitude_inclination: { altitude_edges_km: number[]; inclination_edges_deg: number[]; counts: number[][]; without_state: number };
  per_hour: { starts: string[]; counts: Record<Level, number[]> };
  miss_probability: { log10_miss_edges: number[]; log10_probability_edges: number[]; counts: number[][]; without_probability: number };
  limits: Record<Exclude<Level, "low">, number>;
}
