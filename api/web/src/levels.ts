// An event's level, and the level that its probability alone would give, as every list shows them.
import { h } from "./dom";
import { NOTHING } from "./format";
import { NOT_COMPUTED } from "./marks";
import type { Conjunction } from "./types";

// Only messages tell the event: no run has it.
export const told = (event: Conjunction): boolean => event.origin === "message" || event.origin === "restricted_message";

export const restricted = (event: Conjunction): boolean => event.origin === "restricted_message";

const rated = (event: Conjunction): boolean => event.probability !== null || event.probability_2d !== null || event.probability_mc !== null;

// The level as filters, counts and files have it. Without a probability `low` says only that the miss is no nearer
// than the limits; that there is none stands where the probability would.
export const levelBadge = (event: Conjunction): HTMLElement => h("span", { class: `badge ${event.risk_level}` }, event.risk_level);

// Rows of earlier releases have a probability, but not its level.
export const probabilityLevel = (event: Conjunction): string => event.probability_level ?? (rated(event) ? NOTHING : NOT_COMPUTED);
