// The user's own satellites, whom they meet, and how each object is painted by that.
import { conjunctions } from "../api";
import * as asked from "../fleets/asked";
import { chosenOf } from "../fleets/point_of_view";
import { bestProbability, probabilityLevel } from "../levels";
import { PROBABILITY_LEVELS, RISKS, type Conjunction, type Page } from "../types";
import type { Frame } from "./frame";
import { DUST, OWN } from "./points";

export const COLORED = 40; // events, the most dangerous of a fleet or of all: who meets in them is coloured
const FLEETS = 6; // more would use up the requests of a minute

export interface PointOfView {
  isOwn: boolean; // false: there is no fleet, so it is everything
  members: ReadonlySet<number>;
  events: Conjunction[]; // most dangerous first
  hours: number; // how far the fleets look ahead; 0: no further than the run
  searching: boolean; // one of the fleets is being searched: there may be more events than these
}

// The satellites of the fleet chosen in the head, else of all fleets, and the events in their volumes; without a fleet the events of all. This alone decides
// whose point of view the globe has.
export async function mine(from: number | null): Promise<PointOfView> {
  const ahead = from === null ? {} : { tca_from: new Date(from).toISOString() };
  const worst = (of: Record<string, string>): Promise<Page> => conjunctions(new URLSearchParams({ ...of, ...ahead, limit: String(COLORED) }));
  const known = (await asked.fleets()).fleets;
  const chosen = chosenOf(known);
  const fleets = (chosen ? [chosen] : known).slice(0, FLEETS);
  if (!fleets.length) return { isOwn: false, members: new Set(), events: readable(await worst({})), hours: 0, searching: false };
  const found = await Promise.all(fleets.map(({ id }) => Promise.all([asked.satellites(String(id)), worst({ fleet: String(id) })])));
  const listed = fleets.flatMap(({ objects }) => objects); // also those added since the run
  const events = found.flatMap(([, page]) => readable(page));
  return {
    isOwn: true,
    members: new Set([...listed, ...found.flatMap(([{ satellites }]) => satellites)].map(({ norad_id }) => norad_id)),
    events: [...new Map(events.map((event) => [event.id, event])).values()].sort(byDanger),
    hours: Math.max(0, ...[...fleets, ...listed].map(({ hours }) => hours ?? 0)),
    searching: fleets.some(({ searching }) => searching),
  };
}

const readable = (page: Page): Conjunction[] => page.conjunctions.filter((event): event is Conjunction => !("unreadable" in event));

const byDanger = (a: Conjunction, b: Conjunction): number =>
  PROBABILITY_LEVELS.indexOf(probabilityLevel(a)) - PROBABILITY_LEVELS.indexOf(probabilityLevel(b)) || (bestProbability(b) ?? 0) - (bestProbability(a) ?? 0);

// One's own, whom they meet by the level of that, and the rest as dust.
export function paints(frame: Frame, { members, events }: PointOfView, selected: readonly number[]): Uint8Array {
  const painted = new Map<number, number>();
  for (const event of [...events].reverse()) {
    const level = RISKS.indexOf(probabilityLevel(event));
    for (const number of [event.primary_norad_id, event.secondary_norad_id]) painted.set(number, level);
  }
  for (const number of members) painted.set(number, OWN);
  for (const number of selected) if (!painted.has(number)) painted.set(number, OWN);
  return Uint8Array.from(frame.norad_id, (number) => painted.get(number) ?? DUST);
}
