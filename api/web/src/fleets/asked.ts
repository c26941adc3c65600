// Requests about fleets, their feeds and alerts.
import { change, checked, json } from "../api";
import { MISS_LIMITS_M } from "../levels";
import type {
  DeliveryList, FeedList, FleetDecision, FleetEventPage, FleetList, FleetPreview, MemberList, NewSecret, SatelliteList, StandingList,
} from "../generated";
import type { Alert, Alerts, Changes, Fleet, FleetEvent, FleetRequest, MadeAlert, MadeFeed, Member, Outside, Standing, ToDecide } from "./types";

export const MOST_EVENTS = 700; // drawn at once, the most dangerous: 0.45 MB

// The head, the point of view and the view itself each need the list as the page opens: one answer serves all.
const SHARED_MS = 10_000;
let listed: { answer: Promise<FleetList>; at: number } | null = null;
export const forgetFleets = (): void => void (listed = null);
window.addEventListener("skysieve:unreachable", forgetFleets);
export function fleets(): Promise<FleetList> {
  if (listed && performance.now() - listed.at < SHARED_MS) return listed.answer;
  const answer = json<FleetList>("fleets?limit=1000");
  listed = { answer, at: performance.now() };
  answer.catch(forgetFleets);
  return answer;
}
export const fleet = (id: string): Promise<Fleet> => json(`fleets/${id}`);
export const previewFleet = (asked: FleetRequest): Promise<FleetPreview> => change("POST", "fleets/preview", asked);
export const makeFleet = (asked: FleetRequest): Promise<Fleet> => told(change("POST", "fleets", asked));
export const changeFleet = (id: number, asked: Partial<FleetRequest>): Promise<Fleet> => told(change("PATCH", `fleets/${id}`, asked));
export const searchFleet = (id: string): Promise<Fleet> => change("POST", `fleets/${id}/search`);
export const removeFleet = (id: number): Promise<null> => told(change("DELETE", `fleets/${id}`));

// The head of the page lists them.
export const FLEETS_CHANGED = "skysieve:fleets";
async function told<T>(changing: Promise<T>): Promise<T> {
  const made = await changing;
  forgetFleets();
  window.dispatchEvent(new Event(FLEETS_CHANGED));
  return made;
}

export const satellites = (id: string): Promise<SatelliteList> => json(`fleets/${id}/satellites`);
export const changes = (id: string): Promise<Changes> => json(`fleets/${id}/changes`);

// `since`: events with an earlier TCA are left out; null: none are. Of many the most dangerous, and those that come near.
export async function events(id: string, since: number | null): Promise<{ events: FleetEvent[]; total: number; unreadable: number }> {
  const page = (only: string): Promise<FleetEventPage> =>
    json(`fleets/${id}/conjunctions?limit=${MOST_EVENTS}${since === null ? "" : `&tca_from=${new Date(since).toISOString()}`}${only}`);
  const { conjunctions: worst, total } = await page("");
  const near = total > MOST_EVENTS ? (await page(`&max_miss_m=${MISS_LIMITS_M.medium}`)).conjunctions : [];
  const known = new Set(worst.map((one) => one.id));
  const all = [...worst, ...near.filter((one) => !known.has(one.id))];
  const good = all.filter((row) => !("unreadable" in checked(row)));
  return { events: good, total, unreadable: all.length - good.length };
}

// How sure each of them is, and where it stood in former runs.
export const decision = async (id: string): Promise<Map<number, ToDecide>> =>
  new Map((await json<FleetDecision>(`fleets/${id}/decision`)).events.map((one) => [one.id, one]));

export const members = async (id: string): Promise<Member[]> =>
  (await json<MemberList>(`fleets/${id}/members`)).members;

export async function outside(id: string, limit: number): Promise<Outside> {
  const found = await json<Outside>(`fleets/${id}/outside?limit=${limit}`);
  return { ...found, conjunctions: found.conjunctions.filter((row) => !("unreadable" in checked(row))) };
}

export const standings = async (): Promise<Standing[]> =>
  (await json<StandingList>("fleet-standings?limit=1000")).fleets;

export const feeds = (id: string): Promise<FeedList> => json(`fleets/${id}/feeds`);
export const makeFeed = (id: string): Promise<MadeFeed> => change("POST", `fleets/${id}/feeds`);
export const revokeFeed = (id: string, feed: number): Promise<null> => change("DELETE", `fleets/${id}/feeds/${feed}`);

export const alerts = (fleet: number): Promise<Alerts> => json(`alerts?fleet_id=${fleet}&limit=1000`);
export const makeAlert = (asked: Partial<Alert>): Promise<MadeAlert> => change("POST", "alerts", asked);
export const switchAlert = (id: number, on: boolean): Promise<Alert> => change("PATCH", `alerts/${id}`, { on });
export const newSecret = (id: number): Promise<NewSecret> => change("POST", `alerts/${id}/secret`);
export const removeAlert = (id: number): Promise<null> => change("DELETE", `alerts/${id}`);
export const testAlert = (id: number): Promise<unknown> => change("POST", `alerts/${id}/test`);
export const deliveries = (id: number): Promise<DeliveryList> => json(`alerts/${id}/deliveries`);
export const retry = (id: string): Promise<unknown> => change("POST", `deliveries/${encodeURIComponent(id)}/retry`);
