// Words and types of all views. What the service answers is declared there: generated.ts.
import type { Conjunction, ConjunctionPage, KnownObject as AnyFields } from "./generated";

export type {
  Conjunction,
  ConjunctionWithHistory,
  EventMessage,
  EventObject,
  Geometry,
  PlaneView as EncounterPlane,
  Proximity,
  RadiusCurve,
  RangeCurve,
  Rejection,
  Run,
  ScaleCurve,
  SessionState,
  Spread,
} from "./generated";

export const LEVELS = ["critical", "high", "medium", "low"] as const;
export type Level = (typeof LEVELS)[number];
export type NearLevel = Exclude<Level, "low">; // by the miss alone
// By the probability that counts; unknown: none could be computed, which is no reason to think it low.
export const UNKNOWN = "unknown";
export const PROBABILITY_LEVELS = ["critical", "high", "medium", UNKNOWN, "low"] as const;
export type ProbabilityLevel = (typeof PROBABILITY_LEVELS)[number];
export const RISKS = [...LEVELS, "none", "unknown"] as const;
export const OBJECT_TYPES = ["payload", "rocket_body", "debris", "unknown"] as const;
export type Who = "primary" | "secondary";
export type Point = readonly (number | null)[];

// A record that lacks required fields is shown as such, and the others are still shown.
export interface Unreadable {
  id: number | null;
  unreadable: string;
}

export type Page = Omit<ConjunctionPage, "conjunctions"> & { conjunctions: (Conjunction | Unreadable)[] };

// The fields that the page asks for.
export const OBJECT_FIELDS = ["norad_id", "name", "object_id", "object_type", "trajectory", "constellation", "owner"] as const;
export type KnownObject = Required<Pick<AnyFields, (typeof OBJECT_FIELDS)[number]>>;
