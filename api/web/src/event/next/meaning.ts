// What a level means. The limits are those of screening/risk/tiers.py, which a test compares.
import { count, odds } from "../../format";
import { levelBadge } from "../../levels";
import type { Conjunction, Level } from "../../types";
import { lowByMissAlone } from "../words";

type Limits = Record<Exclude<Level, "low">, number>;

const MISS_LIMITS_M: Limits = { critical: 100, high: 500, medium: 1000 };
const PROBABILITY_LIMITS: Limits = { critical: 1e-4, high: 1e-5, medium: 1e-6 };

// While there is time left.
const SAID: Record<Level, string> = {
  critical: "Most operators decide about a manoeuvre from here on. Act now: get better data, and know what you would do.",
  high: "It may become critical with the next data. Ask for better ones, and look again after each run.",
  medium: "It deserves a look after each run; seldom more.",
  low: "It is one of thousands a day, and no reason to do anything.",
};

export function meaning(event: Conjunction, over: boolean): (HTMLElement | string)[] {
  const level = event.risk_level;
  const badge = levelBadge(event);
  if (lowByMissAlone(event)) return [badge, " The miss is beyond the limits of distance, and no probability could be computed: the level says nothing more."];
  const limit = level === "low" ? "medium" : level;
  const [near, likely] = [`${count(MISS_LIMITS_M[limit])} m`, odds(PROBABILITY_LIMITS[limit])];
  const then = over ? "." : `. ${SAID[level]}`;
  const here: Partial<Record<string, string>> = { distance: " Here it is the miss.", probability: " Here it is the probability.", monte_carlo: " Here it is the probability, by Monte Carlo." };
  return level === "low"
    ? [badge, ` A miss of ${near} or more, and a probability of no more than ${likely}${then}`]
    : [badge, ` A miss under ${near}, or a probability over ${likely}${then}${here[event.risk_basis] ?? ""}`];
}
