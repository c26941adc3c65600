// The axis of a trend: time to TCA, the largest on the left; where all was made after TCA, or within a small part of the
// time to it, time since the first.
import { fixed } from "../../format";
import type { TrendPoint } from "../../generated";

export interface TrendAxis {
  x: number[]; // ascending
  order: number[]; // places of the points in this order
  label: string;
  backwards: boolean;
  text: (value: number) => string;
  at: (hours_to_tca: number) => number; // where on the axis
}

const SMALL_PART = 0.05;

const UNITS: readonly [number, number, string][] = [
  [3, 3600, "s"], // up to so many minutes, factor from hours
  [180, 60, "min"],
  [96 * 60, 1, "h"],
  [Infinity, 1 / 24, "days"],
];

// `marks`: other times to TCA, h, that it holds.
export function trendAxis(points: TrendPoint[], marks: number[]): TrendAxis {
  const hours = points.map((point) => point.hours_to_tca);
  const first = Math.max(...hours);
  const all = [...hours, ...marks];
  const after = first < 0 || Math.max(...all) - Math.min(...all) < SMALL_PART * Math.abs(first);
  const shown = after ? hours.map((value) => first - value) : hours;
  const reach_min = 60 * (after ? Math.max(...shown) : Math.max(...shown.map(Math.abs)));
  const [, factor, unit] = UNITS.find(([limit]) => reach_min <= limit) as [number, number, string];
  const order = shown.map((_, i) => i).sort((a, b) => (shown[a] as number) - (shown[b] as number));
  const at = (value: number): number => (after ? first - value : value) * factor;
  return {
    x: order.map((i) => (shown[i] as number) * factor),
    order,
    label: after ? `${unit} after the first` : `${unit} to TCA`,
    backwards: !after,
    at,
    text: (value) => `${fixed(value, 2)} ${unit} ${after ? "after the first" : value < 0 ? "to TCA (after it)" : "to TCA"}`,
  };
}
