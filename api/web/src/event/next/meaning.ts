// What a level means.
import { count, odds } from "../../format";
import { MISS_LIMITS_M, nearLevel, PROBABILITY_LIMITS, probabilityBadge, probabilityLevel } from "../../levels";
import { UNKNOWN, type Conjunction, type ProbabilityLevel } from "../../types";

// While there is time left.
const SAID: Record<ProbabilityLevel, string> = {
  critical: "Most operators decide about a manoeuvre from here on. Act now: get better data, and know what you would do.",
  high: "It may become critical with the next data. Ask for better ones, and check again after each run.",
  medium: "Check it after each run; it rarely needs more.",
  unknown: "Judge it by the miss, and ask for better data.",
  low: "It is one of thousands a day, and no reason to do anything.",
};

export function meaning(event: Conjunction, over: boolean): (HTMLElement | string)[] {
  const [level, near] = [probabilityLevel(event), nearLevel(event)];
  const limit = near ? ` The miss alone, under ${count(MISS_LIMITS_M[near])} m, would make it ${near}.` : "";
  // Of what is near nobody says that it is no reason to do anything.
  const then = over || (near && level === "low") ? "" : ` ${SAID[level]}`;
  const badge = probabilityBadge(event);
  if (level === UNKNOWN) return [badge, ` No probability could be computed, which does not mean low.${limit}${then}`];
  const likely = odds(PROBABILITY_LIMITS[level === "low" ? "medium" : level]);
  return [badge, ` A probability ${level === "low" ? "of no more than" : "over"} ${likely}.${limit}${then}`];
}
