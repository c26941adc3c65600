// What the page of an event asks first, asked while its script is still on the way.
import { askAhead, asking } from "../api";
import { fromOf, type From } from "../route";

// From which object, and whether also by messages that must not be handed on.
export const asked = (query: URLSearchParams): [From, boolean] => [fromOf(query), query.get("restricted") === "true"];

export function askAheadOfEvent(id: string, query: URLSearchParams): void {
  for (const part of ["", "/geometry", "/trend"]) askAhead(`conjunctions/${id}${part}${asking(...asked(query))}`);
}
