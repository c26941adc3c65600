// What alerts and feeds tell: a level by the probability, or a miss under a distance. As storage/rows/limits.py.
import { field, h } from "../dom";
import { LEVELS, type ProbabilityLevel } from "../types";

export const NEAR_M = 500; // as the service has it
const NEAREST_M = 1;
const FARTHEST_M = 200_000;

export interface Limits {
  level: ProbabilityLevel;
  near_m: number | null; // null: distance does not count
}

// "high or worse by probability, or nearer than 500 m"
export function limitsWords({ level, near_m }: Limits): string {
  if (level === "low") return "everything";
  const near = near_m === null ? "" : `, or nearer than ${near_m.toLocaleString("en")} m`;
  return `${level}${level === "critical" ? "" : " or worse"} by probability${near}`;
}

export const HELP =
  "An unknown probability is reported at every level. A slow visit has none and is reported by its distance. Without a distance, only the probability counts.";

interface LimitsFields {
  elements: HTMLElement[];
  inputs: HTMLElement[];
  given(): Limits;
}

export function limitsFields(): LimitsFields {
  const level = h("select", {}, LEVELS.map((one) =>
    h("option", { value: one, selected: one === "high" }, one === "low" ? "low: everything" : one)));
  const near = h("input", { type: "number", min: NEAREST_M, max: FARTHEST_M, step: "any", value: NEAR_M, placeholder: "any distance" });
  return {
    elements: [field("Level at least", level), field("Or nearer than, m", near)],
    inputs: [level, near],
    given: () => ({ level: level.value as ProbabilityLevel, near_m: near.value ? near.valueAsNumber : null }),
  };
}
