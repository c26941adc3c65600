// Whose satellites the page is seen from: those of one fleet, or everything. Kept in this browser between visits; until
// it is chosen, the only fleet there is.
import * as asked from "./asked";
import type { Fleet } from "./types";

const KEY = "skysieve-point-of-view";
const EVERYTHING = "everything";
export const CHANGED = "skysieve:point-of-view";
// The views that are of a fleet if their address names one.
export const OF_A_FLEET = ["events", "overview"];

// Of these fleets the one chosen; null: everything.
export function chosenOf(fleets: readonly Fleet[]): Fleet | null {
  const kept = localStorage.getItem(KEY);
  if (kept === EVERYTHING) return null;
  return fleets.find(({ id }) => String(id) === kept) ?? (kept === null && fleets.length === 1 ? (fleets[0] ?? null) : null);
}

export const pointOfView = async (): Promise<Fleet | null> => chosenOf((await asked.fleets()).fleets);

// "": everything.
export function choosePointOfView(id: string): void {
  localStorage.setItem(KEY, id || EVERYTHING);
  window.dispatchEvent(new CustomEvent(CHANGED, { detail: id }));
}
