// Units and steps of axes.
import { fixed } from "../format";

// The unit that fits: factor from s, and its name; as in the report.
export function timeUnit(largest_s: number): [number, string] {
  if (largest_s < 1) return [1e3, "ms"];
  if (largest_s < 240) return [1, "s"];
  return largest_s < 10_800 ? [1 / 60, "min"] : [1 / 3600, "h"];
}

export const lengthUnit = (largest_m: number): [number, string] => (largest_m < 10_000 ? [1, "m"] : [1e-3, "km"]);

export const largest = (values: (number | null)[]): number => Math.max(...values.map((value) => Math.abs(value ?? 0)));

export const inUnit = (values: (number | null)[], factor: number): (number | null)[] => values.map((value) => (value === null ? null : value * factor));

// The next larger of 1, 2, 5, 10, 20 …
export function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  return ([1, 2, 5, 10].find((factor) => factor * power >= least * (1 - 1e-9)) ?? 10) * power;
}

const MOST_DECIMALS = 12;

// As many decimals as the step has: 0.025 has three.
export function stepText(value: number, step: number): string {
  let decimals = 0;
  while (decimals < MOST_DECIMALS && Math.abs(step - Number(step.toFixed(decimals))) > 1e-6 * step) decimals += 1;
  return signless(value, decimals);
}

// No minus before nothing but zeros.
export const signless = (value: number, decimals: number): string => fixed(Number(value.toFixed(decimals)) === 0 ? 0 : value, decimals);
