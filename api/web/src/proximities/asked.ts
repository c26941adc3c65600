// Requests about pairs that stay close.
import { json } from "../api";
import type { Proximity } from "../types";

const MOST_PAIRS = 10_000;
const AT_ONCE = 500; // numbers in one address

export const proximities = (signal: AbortSignal): Promise<{ proximities: Proximity[]; total: number }> => json(`proximities?limit=${MOST_PAIRS}`, signal);

// Of each object: the number of the complex that flies as one body with it, and how good its data are.
export interface Body {
  norad_id: number;
  complex_id: number | null;
  manoeuvring: boolean | null;
  epoch: string | null;
  trajectory: string | null;
  hard_body_source: string | null;
}

const FIELDS = ["norad_id", "complex_id", "manoeuvring", "epoch", "trajectory", "hard_body_source"].map((name) => `&fields=${name}`).join("");

export async function bodies(numbers: readonly number[], signal: AbortSignal): Promise<Map<number, Body>> {
  const parts: Promise<{ objects: Body[] }>[] = [];
  for (let i = 0; i < numbers.length; i += AT_ONCE) {
    parts.push(json(`objects?norad_id=${numbers.slice(i, i + AT_ONCE).join(",")}${FIELDS}`, signal));
  }
  const found = (await Promise.all(parts)).flatMap((part) => part.objects);
  return new Map(found.map((body) => [body.norad_id, body]));
}
