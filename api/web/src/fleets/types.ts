// Fleets, and who is told of what happens to them: answers of the service.
import type { Conjunction, NearLevel, ProbabilityLevel } from "../types";
import type { Limits } from "./limits";

export interface FleetObject {
  norad_id: number;
  volume: string | null;
  hours: number | null;
}

export interface Fleet {
  id: number;
  name: string;
  created: string;
  made_by: string;
  contact: string;
  volume: string;
  hours: number | null;
  radius: string; // shadow, bounding, or metres
  name_pattern: string;
  objects: FleetObject[];
  members: number | null;
  unknown: number[];
  searching: boolean; // in the newest run, since it was saved
  search_problem: string | null;
}

export interface FleetRequest {
  name: string;
  norad_ids: number[];
  objects: FleetObject[];
  name_pattern: string;
  volume: string;
  hours: number | null;
  radius: string;
  contact: string;
}

// An object of a fleet in the newest run.
export interface Satellite {
  norad_id: number;
  name: string;
  found: boolean;
  volume?: string; // around it, with the handbook's regime
  events: number; // inside its volume, drawn or not
  worst: ProbabilityLevel | null;
  next_tca: string | null;
}

// An object of the newest run that is a fleet's, looked at or not.
export interface Member {
  norad_id: number;
  name: string;
}

// Its names begin with `fleet_` where the event has others: those are seen from its primary.
export interface FleetEvent extends Conjunction {
  fleet_norad_id: number;
  volume: string;
  fleet_miss_radial_km: number;
  fleet_miss_in_track_km: number;
  fleet_miss_cross_track_km: number;
  fleet_hard_body_radius_m: number | null; // of both, by which the fleet goes; null: the run's
}

// In one list with those inside the volumes: an event outside them, which is not measured from the fleet's object.
export interface FleetRow extends Conjunction {
  fleet_norad_id: number;
  volume: string | null; // null: it is inside none
  fleet_miss_radial_km: number | null;
  fleet_miss_in_track_km: number | null;
  fleet_miss_cross_track_km: number | null;
  fleet_hard_body_radius_m: number | null;
}

// What the newest run has of a fleet's objects outside its volumes; all, if it has not looked at the fleet.
export interface Outside {
  total: number;
  by_level: Record<ProbabilityLevel, number>;
  events: Conjunction[]; // the most dangerous
}

// How a fleet stands at the newest run.
export interface Standing {
  id: number;
  coming: { events: number; worst: ProbabilityLevel | null; next_tca: string | null; new: number | null } | null; // null: not looked at
  outside: { events: number; worst: ProbabilityLevel | null };
  alerts_on: number;
  alerts_off: number;
}

// Against the run before.
export interface Changes {
  run_id: string | null;
  before_run_id: string | null;
  new: number[];
  raised: { id: number; before: ProbabilityLevel }[];
  gone: { id: number; norad_id: number; name: string; other_name: string; tca: string; probability_level: ProbabilityLevel; near_level: NearLevel | null }[];
}

export interface Feed {
  id: number;
  created: string;
  made_by: string;
  ended: boolean;
}

export interface MadeFeed extends Feed {
  calendar: string;
  atom: string;
}

export interface Alert extends Limits {
  id: number;
  fleet_id: number;
  fleet: string;
  channel: "webhook" | "slack" | "email";
  address: string;
  min_probability: number | null;
  digest_hours: number | null;
  daily: boolean;
  created: string;
  made_by: string;
  off_since: string | null;
  off_reason: string;
  waiting: number;
  last_delivered: string | null;
  secret?: string | null;
}

export interface Alerts {
  alerts: Alert[];
  mail_server: boolean; // whether the service is told of one
  last_delivering: string | null; // when a process that delivers was last seen
}

export interface Delivery {
  id: string;
  kind: string;
  created: string;
  state: "waiting" | "delivered" | "failed" | "superseded" | "cancelled";
  due: string;
  finished: string | null;
  attempts: { at: string; status: number | null; error: string }[];
}
