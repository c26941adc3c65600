// Fleets, their alerts and feeds.
import type { FleetEvent, ListedFleet, ListedFleetObject } from "../generated";

export type {
  AlertList as Alerts,
  ChangesOfFleet as Changes,
  EventToDecide as ToDecide,
  FleetEvent,
  ListedAlert as Alert,
  ListedDelivery as Delivery,
  ListedFeed as Feed,
  ListedFleet as Fleet,
  ListedFleetObject as FleetObject,
  MadeAlert,
  MadeFeed,
  Member,
  OutsideEvents as Outside,
  Satellite,
  Standing,
} from "../generated";

export interface FleetRequest {
  name: string;
  norad_ids: number[];
  objects: ListedFleetObject[];
  name_pattern: string;
  volume: string;
  hours: number | null;
  radius: string;
  contact: string;
  manoeuvre_class: ListedFleet["manoeuvre_class"];
}

// In one list with those inside the volumes: an event outside them, which is not measured from the fleet's object.
type OfTheFleet = "volume" | "fleet_miss_radial_km" | "fleet_miss_in_track_km" | "fleet_miss_cross_track_km";
export type FleetRow = Omit<FleetEvent, OfTheFleet> & { [name in OfTheFleet]: FleetEvent[name] | null };
