// The revolution of an object around an instant, as the service computes it, and where it will be at its events.
import { Vector3 } from "three";
import * as api from "../api";
import type { DetectedManoeuvres, ObjectOrbit, PositionList } from "../generated";
import type { Conjunction } from "../types";
import { KM } from "./points";

export const orbitOf = (number: number, time: number, signal: AbortSignal): Promise<ObjectOrbit> =>
  api.json(`objects/${number}/orbit?at=${encodeURIComponent(whole(time))}`, signal);

// Its events that are still to come, most dangerous first.
export function eventsOf(number: number, from: number | null, limit: number, signal: AbortSignal): ReturnType<typeof api.conjunctions> {
  const query = new URLSearchParams({ norad_id: String(number), limit: String(limit) });
  if (from !== null) query.set("tca_from", new Date(from).toISOString());
  return api.conjunctions(query, signal);
}

// What its element sets show that it did last.
export const manoeuvresOf = (number: number, limit: number, signal: AbortSignal): Promise<DetectedManoeuvres> =>
  api.json(`objects/${number}/manoeuvres?limit=${limit}`, signal);

// Where it is at the TCA of an event, Earth-fixed, in the scene; null if it cannot be propagated there.
export async function placeAt(number: number, event: Conjunction, signal: AbortSignal): Promise<Vector3 | null> {
  const query = new URLSearchParams({ at: event.tca, norad_id: String(number) });
  const answer = await api.json<PositionList>(`positions?${query}`, signal);
  const [found] = answer.satellites;
  return found ? new Vector3(found.x, found.y, found.z).multiplyScalar(KM) : null;
}

const whole = (time: number): string => `${new Date(time).toISOString().slice(0, 19)}Z`;
