// An event's level, and the level that its probability alone would give, as every list shows them.
import { h } from "./dom";
import { NOTHING } from "./format";
import type { Conjunction } from "./types";

// Only messages tell the event: no run has it.
export const told = (event: Conjunction): boolean => event.origin === "message" || event.origin === "restricted_message";

export const restricted = (event: Conjunction): boolean => event.origin === "restricted_message";

const rated = (event: Conjunction): boolean => event.probability !== null || event.probability_2d !== null || event.probability_mc !== null;

// The probability that counts; of rows of earlier releases the larger of theirs.
export const bestProbability = (event: Conjunction): number | null =>
  event.probability_best ?? (event.probability_2d !== null ? Math.max(event.probability_2d, event.probability ?? 0) : event.probability_mc);

// Rows of earlier releases have a probability, but not its level.
export const UNKNOWN = "unknown";
export const probabilityLevel = (event: Conjunction): string => event.probability_level ?? (rated(event) ? NOTHING : UNKNOWN);

// The level as filters, counts and files have it; but what has no probability is never called low for want of one.
export function levelBadge(event: Conjunction): HTMLElement {
  const level = event.risk_level === "low" && probabilityLevel(event) === UNKNOWN ? UNKNOWN : event.risk_level;
  return h("span", { class: `badge ${level}` }, level);
}

export const probabilityBadge = (event: Conjunction): HTMLElement => h("span", { class: `badge ${probabilityLevel(event)}` }, probabilityLevel(event));
