// An event's probability and its level by it, as every list and view shows them, and how near it comes. As in
// storage/rows/danger.py.
import { h } from "./dom";
import { UNKNOWN, type Conjunction, type NearLevel, type ProbabilityLevel } from "./types";

// Those of screening/risk/tiers.py, which a test compares. Strict: a miss below, a probability above.
type Limits = Record<NearLevel, number>;
export const MISS_LIMITS_M: Limits = { critical: 100, high: 500, medium: 1000 };
export const PROBABILITY_LIMITS: Limits = { critical: 1e-4, high: 1e-5, medium: 1e-6 };
const RATED = ["critical", "high", "medium"] as const;

// Only messages tell the event: no run has it.
export const told = (event: Conjunction): boolean => event.origin === "message" || event.origin === "restricted_message";

export const restricted = (event: Conjunction): boolean => event.origin === "restricted_message";

// The probability that counts; of rows of earlier releases the larger of theirs.
export function bestProbability(event: Conjunction): number | null {
  const earlier = [event.probability, event.probability_2d].filter((one) => one !== null);
  return event.probability_best ?? (earlier.length ? Math.max(...earlier) : event.probability_mc);
}

// The encounter plane's integral is the one that counts: its sigmas and its largest value say something of it.
export const inPlane = (event: Conjunction): boolean => event.probability_2d !== null && ["2d", null].includes(event.probability_method);
export const diluted = (event: Conjunction): boolean => event.diluted === true && inPlane(event);

// Only that it is no more than this is known.
export const bound = (event: Conjunction): boolean => event.probability_best !== null && event.probability_method === "bound";

// Rows of earlier releases have no level by the probability, or none that is called unknown.
export function probabilityLevel(event: Conjunction): ProbabilityLevel {
  if (event.probability_level) return event.probability_level;
  const best = bestProbability(event);
  return best === null ? UNKNOWN : RATED.find((level) => best > PROBABILITY_LIMITS[level]) ?? "low";
}

// What the miss alone would make it, whatever its probability; null: not near.
export const nearLevel = (event: Conjunction): NearLevel | null =>
  event.near_level ?? RATED.find((level) => event.miss_distance_m < MISS_LIMITS_M[level]) ?? null;

// It is worth a look for its probability, for the want of one, or for its miss.
export const notable = (event: Conjunction): boolean => probabilityLevel(event) !== "low" || nearLevel(event) !== null;

export const probabilityBadge = (event: Conjunction): HTMLElement => h("span", { class: `badge ${probabilityLevel(event)}` }, probabilityLevel(event));

// Beside the level: it says nothing of the probability.
export function nearFlag(event: Conjunction): HTMLElement | null {
  const near = nearLevel(event);
  return near ? h("small", { class: "near", title: `The miss alone would make it ${near}` }, `near: ${near}`) : null;
}

// The mission's level, as runs count it; but what has no probability is never called low for want
// of one.
export const riskLevel = (event: Conjunction): string => (event.risk_level === "low" && probabilityLevel(event) === UNKNOWN ? UNKNOWN : event.risk_level);
export const levelBadge = (event: Conjunction): HTMLElement => h("span", { class: `badge ${riskLevel(event)}` }, riskLevel(event));
