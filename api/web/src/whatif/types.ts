// The answer of POST /conjunctions/{id}/manoeuvres: the fields that the page uses, with their units in the names.
import type { Level, Who } from "../types";

export interface Burn {
  before_hours: number;
  dv_r_m_s: number;
  dv_t_m_s: number;
  dv_n_m_s: number;
}

export interface Question {
  object?: Who;
  not_before?: string;
  goal: number;
  days: number; // after TCA that are screened too
  size_error: number; // 1 sigma, as a share
  direction_error_deg: number;
  search?: true;
  burns?: Burn[];
}

// A step that begins.
export interface Progress {
  done: number;
  of: number;
  words: string;
}

export interface Encounter {
  other_norad_id: number;
  tca: string;
  miss_distance_m: number;
  probability: number | null;
  risk_level: Level;
}

export interface Change {
  before: Encounter | null;
  after: Encounter | null;
}

// A burn on the object's whole path, screened against everything.
export interface Verified {
  burns: { at: string; before_tca_hours: number; dv_r_m_s: number; dv_t_m_s: number; dv_n_m_s: number }[];
  dv_m_s: number;
  semi_major_axis_change_m: number | null;
  problem: string | null; // why it is not known
  encounter: Encounter | null; // the one to avoid; null: the two no longer meet
  probability_sum: number | null;
  raised: number; // encounters that it brings to the goal or above
  changes: Change[];
}

export interface Cheap {
  before_tca_hours: number;
  dv_m_s: number;
  probability: number | null;
}

export interface TradeSpace {
  before_tca_hours: number[]; // ascending
  dv_t_m_s: number[]; // ascending
  miss_distance_m: (number | null)[][]; // by time, then by size
  probability: (number | null)[][];
}

export interface Found {
  best: number | null; // of the candidates: the cheapest that raises nothing else
  candidates: Verified[];
  radial: Cheap | null;
  cross_track: Cheap | null;
  steered: Cheap | null; // the cheapest in-track one, turned into the best direction
  trade_space: TradeSpace;
}

export interface WhatIf {
  object: Who;
  norad_id: number;
  name: string;
  goal: number;
  window_start: string;
  window_end: string;
  rests_on: string;
  encounter: Encounter;
  probability_sum: number;
  burns: Verified | null;
  search: Found | null;
}
