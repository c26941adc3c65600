// An event over runs and messages: the answer of the service.
import type { NearLevel, ProbabilityLevel, ProbabilityMethod } from "../../types";
import type { Limits } from "../sensitivity";

export interface TrendPoint {
  kind: string; // run, second_look, fleet, quick, full, message
  run_id: string | null;
  received_id: string | null; // of a message, among those of the service
  message_id: string | null;
  originator: string | null;
  made: string;
  hours_to_tca: number;
  tca: string;
  tca_shift_s: number;
  miss_distance_m: number | null;
  miss_radial_m: number | null;
  miss_in_track_m: number | null;
  miss_cross_track_m: number | null;
  sigma_radial_m: number | null;
  sigma_in_track_m: number | null;
  sigma_cross_track_m: number | null;
  miss_sigmas: number | null;
  probability: number | null;
  probability_low: number | null;
  probability_high: number | null;
  band: "sigmas_half_to_double" | null;
  probability_method: ProbabilityMethod | null;
  probability_level: ProbabilityLevel;
  near_level: NearLevel | null;
  claimed_probability: number | null;
  primary_age_hours: number | null;
  secondary_age_hours: number | null;
  probability_flag: string | null; // why a probability is doubtful or missing
}

export interface Trend {
  tca: string;
  limits: Limits;
  points: TrendPoint[]; // the oldest first
}
