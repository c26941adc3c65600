// Pairs that stay close, put together: a station of seven parts is one assembly, not 21 pairs.
import type { Proximity } from "../types";

export interface Member {
  norad_id: number;
  name: string;
}

export interface Assembly {
  members: Member[]; // by number
  pairs: Proximity[]; // the nearest first
  nearest: Proximity;
  farthest: Proximity;
  leaves_at: string | null; // the first time that two of them are more than 10 km apart
  kinds: string[];
}

// Objects belong together if pairs connect them, over others too. The nearest assemblies first, as the pairs are.
export function assemblies(pairs: readonly Proximity[]): Assembly[] {
  const above = new Map<number, number>();
  const top = (number: number): number => {
    let at = number;
    for (let next = above.get(at); next !== undefined && next !== at; next = above.get(at)) at = next;
    return at;
  };
  for (const pair of pairs) {
    const [one, other] = [top(pair.primary_norad_id), top(pair.secondary_norad_id)];
    above.set(Math.max(one, other), Math.min(one, other));
  }
  const found = new Map<number, Proximity[]>();
  for (const pair of pairs) {
    const of = top(pair.primary_norad_id);
    const mine = found.get(of);
    if (mine) mine.push(pair);
    else found.set(of, [pair]);
  }
  return [...found.values()].map(assembly);
}

function assembly(pairs: Proximity[]): Assembly {
  const names = new Map<number, string>();
  for (const pair of pairs) {
    names.set(pair.primary_norad_id, pair.primary_name);
    names.set(pair.secondary_norad_id, pair.secondary_name);
  }
  const least = (one: Proximity, other: Proximity): Proximity => (other.min_distance_m < one.min_distance_m ? other : one);
  const most = (one: Proximity, other: Proximity): Proximity => (other.max_distance_m > one.max_distance_m ? other : one);
  return {
    members: [...names].sort(([a], [b]) => a - b).map(([norad_id, name]) => ({ norad_id, name })),
    pairs,
    nearest: pairs.reduce(least),
    farthest: pairs.reduce(most),
    leaves_at: pairs.map((pair) => pair.leaves_at).filter((time) => time !== null).sort()[0] ?? null,
    kinds: [...new Set(pairs.map((pair) => pair.kind))].sort(),
  };
}
