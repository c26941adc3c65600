// Requests about fleets, their feeds and alerts.
import { change, checked, json } from "../api";
import type { Conjunction } from "../types";
import type {
  Alert, Alerts, Changes, Delivery, Feed, Fleet, FleetEvent, FleetRequest, MadeFeed, Member, Outside, Satellite, Standing,
} from "./types";

export const MOST_EVENTS = 2000; // drawn at once: the most dangerous

export const fleets = (): Promise<{ fleets: Fleet[]; total: number }> => json("fleets?limit=1000");
export const fleet = (id: string): Promise<Fleet> => json(`fleets/${id}`);
export const makeFleet = (asked: FleetRequest): Promise<Fleet> => change("POST", "fleets", asked);
export const changeFleet = (id: number, asked: Partial<FleetRequest>): Promise<Fleet> => change("PATCH", `fleets/${id}`, asked);
export const removeFleet = (id: number): Promise<null> => change("DELETE", `fleets/${id}`);

export const satellites = (id: string): Promise<{ satellites: Satellite[] }> => json(`fleets/${id}/satellites`);
export const changes = (id: string): Promise<Changes> => json(`fleets/${id}/changes`);

// `since`: events with an earlier TCA are left out; null: none are.
export async function events(id: string, since: number | null): Promise<{ events: FleetEvent[]; total: number; unreadable: number }> {
  const ahead = since === null ? "" : `&tca_from=${new Date(since).toISOString()}`;
  const page = await json<{ conjunctions: unknown[]; total: number }>(`fleets/${id}/conjunctions?limit=${MOST_EVENTS}${ahead}`);
  const good = page.conjunctions.filter((row) => !("unreadable" in checked(row))) as FleetEvent[];
  return { events: good, total: page.total, unreadable: page.conjunctions.length - good.length };
}

export const members = async (id: string): Promise<Member[]> =>
  (await json<{ members: Member[] }>(`fleets/${id}/members`)).members;

export async function outside(id: string, limit: number): Promise<Outside> {
  const found = await json<{ total: number; by_level: Outside["by_level"]; conjunctions: unknown[] }>(
    `fleets/${id}/outside?limit=${limit}`,
  );
  const events = found.conjunctions.map(checked).filter((row): row is Conjunction => !("unreadable" in row));
  return { total: found.total, by_level: found.by_level, events };
}

export const standings = async (): Promise<Standing[]> =>
  (await json<{ fleets: Standing[] }>("fleet-standings?limit=1000")).fleets;

export const feeds = (id: string): Promise<{ feeds: Feed[] }> => json(`fleets/${id}/feeds`);
export const makeFeed = (id: string): Promise<MadeFeed> => change("POST", `fleets/${id}/feeds`);
export const revokeFeed = (id: string, feed: number): Promise<null> => change("DELETE", `fleets/${id}/feeds/${feed}`);

export const alerts = (fleet: number): Promise<Alerts> => json(`alerts?fleet_id=${fleet}&limit=1000`);
export const makeAlert = (asked: Partial<Alert>): Promise<Alert> => change("POST", "alerts", asked);
export const switchAlert = (id: number, on: boolean): Promise<Alert> => change("PATCH", `alerts/${id}`, { on });
export const newSecret = (id: number): Promise<{ secret: string }> => change("POST", `alerts/${id}/secret`);
export const removeAlert = (id: number): Promise<null> => change("DELETE", `alerts/${id}`);
export const testAlert = (id: number): Promise<unknown> => change("POST", `alerts/${id}/test`);
export const deliveries = (id: number): Promise<{ deliveries: Delivery[]; total: number }> => json(`alerts/${id}/deliveries`);
export const retry = (id: string): Promise<unknown> => change("POST", `deliveries/${encodeURIComponent(id)}/retry`);
