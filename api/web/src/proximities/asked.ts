// Requests about pairs that stay close.
import { json } from "../api";
import type { KnownObject, ProximityList } from "../generated";

const MOST_PAIRS = 10_000;
const AT_ONCE = 500; // numbers in one address

export const proximities = (signal: AbortSignal): Promise<ProximityList> => json(`proximities?limit=${MOST_PAIRS}`, signal);

// Of each object: the number of the complex that flies as one body with it, and how good its data are.
const FIELDS = ["norad_id", "complex_id", "manoeuvring", "epoch", "trajectory", "hard_body_source"] as const;
export type Body = Required<Pick<KnownObject, (typeof FIELDS)[number]>>;

export async function bodies(numbers: readonly number[], signal: AbortSignal): Promise<Map<number, Body>> {
  const parts: Promise<{ objects: Body[] }>[] = [];
  for (let i = 0; i < numbers.length; i += AT_ONCE) {
    parts.push(json(`objects?norad_id=${numbers.slice(i, i + AT_ONCE).join(",")}${FIELDS.map((name) => `&fields=${name}`).join("")}`, signal));
  }
  const found = (await Promise.all(parts)).flatMap((part) => part.objects);
  return new Map(found.map((body) => [body.norad_id, body]));
}
