// Requests about pairs that stay close.
import { json } from "../api";
import type { Proximity } from "../types";

const MOST_PAIRS = 10_000;
const AT_ONCE = 500; // numbers in one address

export const proximities = (): Promise<{ proximities: Proximity[]; total: number }> => json(`proximities?limit=${MOST_PAIRS}`);

// Of what flies as one body: the number of its complex; and who manoeuvres.
export interface Body {
  norad_id: number;
  complex_id: number | null;
  manoeuvring: boolean | null;
}

export async function bodies(numbers: readonly number[]): Promise<Map<number, Body>> {
  const parts: Promise<{ objects: Body[] }>[] = [];
  for (let i = 0; i < numbers.length; i += AT_ONCE) {
    parts.push(json(`objects?norad_id=${numbers.slice(i, i + AT_ONCE).join(",")}&fields=norad_id&fields=complex_id&fields=manoeuvring`));
  }
  const found = (await Promise.all(parts)).flatMap((part) => part.objects);
  return new Map(found.map((body) => [body.norad_id, body]));
}
