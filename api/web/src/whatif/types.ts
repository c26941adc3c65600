// What burns make of an event: the question, and the answer.
import type { Who } from "../types";

export type {
  BurnOffer as Offer,
  BurnsResult as Verified,
  ComparedBurn as Cheap,
  ComputedEncounter as Encounter,
  EncounterChange as Change,
  SearchResult as Found,
  TradeSpace,
  WhatIfResult as WhatIf,
} from "../generated";

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
