// An event's level, and the level that its probability alone would give, as every list shows them.
import { h } from "./dom";
import { NOTHING } from "./format";
import { NOT_COMPUTED } from "./marks";
import type { Conjunction } from "./types";

const rated = (event: Conjunction): boolean => event.probability !== null || event.probability_2d !== null || event.probability_mc !== null;

// Without a probability `low` says only that the miss is no nearer than the limits.
export const levelBadge = (event: Conjunction): HTMLElement =>
  h("span", { class: `badge ${event.risk_level}` }, event.risk_level === "low" && !rated(event) ? NOT_COMPUTED : event.risk_level);

// Rows of earlier releases have a probability, but not its level.
export const probabilityLevel = (event: Conjunction): string => (rated(event) ? event.probability_level ?? NOTHING : NOT_COMPUTED);
