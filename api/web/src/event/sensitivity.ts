// The probability if the data, or the sizes of the objects, were others: with the limits of the levels.
import { h } from "../dom";
import { metres, probability, probabilityTick } from "../format";
import type { Limits } from "../generated";
import type { RadiusCurve, ScaleCurve } from "../types";
import { chart } from "./chart";
import type { Limit, Mark } from "./chart_labels";

const SMALLEST_DRAWN = 1e-30; // less says nothing more

export const levelLimits = (limits: Limits): Limit[] =>
  (["critical", "high", "medium"] as const).map((level) => ({ y: limits[level], text: level, color: `--${level}` }));

const own = (value: number): string => String(Number(value.toPrecision(3)));

export function dilutionChart(curve: ScaleCurve, limits: Limits | null): HTMLElement {
  // Far below the peak and what it is now, the curve is meaningless.
  const lowest = Math.max(Math.min(curve.probability_2d / 30, 1e-12 * curve.peak_probability), SMALLEST_DRAWN);
  const words = `${probability(curve.probability_2d)} now; at most ${probability(curve.peak_probability)}, if all sigmas are scaled by ${own(curve.peak_scale)}.`;
  if (curve.peak_probability < SMALLEST_DRAWN) return nothing(`Below ${probabilityTick(SMALLEST_DRAWN)} whatever the errors: ${words}`);
  return chart({
    x: curve.scale,
    xLog: true,
    xLabel: "all sigmas times",
    xText: (value) => `sigmas × ${own(value)}`,
    yLabel: "probability",
    yText: (value) => probability(value, 3),
    yLog: true,
    curves: [{ label: "probability", values: curve.probability.map((p) => (p >= lowest ? p : null)), color: "--accent", name: "probability" }],
    marks: [
      { x: 1, text: `as it is ${probability(curve.probability_2d)}` },
      { x: curve.peak_scale, text: `peak ${probability(curve.peak_probability)}` },
    ],
    limits: limits ? levelLimits(limits) : [],
    summary: `Probability against covariance scale: ${words}`,
  });
}

const nothing = (text: string): HTMLElement => h("p", { class: "empty" }, text);

interface Sphere extends Mark {
  radius_m: number;
  probability: number;
}

const ALIKE = 1.001; // as screening/risk/views/shapes.py: radii within this factor are one mark

// The spheres around both; null where these are no larger than the event's own radius.
export const aroundBoth = (curve: RadiusCurve): Sphere | null =>
  (curve.bounding_radius_m ?? 0) > ALIKE * curve.hard_body_radius_m ? sphere("around both, at most", curve.bounding_radius_m, curve.probability_bounding) : null;

const sphere = (called: string, radius_m: number | null, chance: number | null): Sphere | null =>
  radius_m === null || chance === null ? null : { x: radius_m, text: `${called} ${metres(radius_m)} m: ${probability(chance)}`, radius_m, probability: chance };

// What is marked besides the event's own radius.
function others(curve: RadiusCurve): Sphere[] {
  const apart = (one: Sphere | null): one is Sphere => one !== null && Math.abs(Math.log(one.radius_m / curve.hard_body_radius_m)) > Math.log(ALIKE);
  return [
    sphere("mean shadows", curve.mean_shadow_radius_m, curve.probability_mean_shadow),
    aroundBoth(curve) ?? sphere("around both", curve.bounding_radius_m, curve.probability_bounding),
  ].filter(apart);
}

export function radiusChart(curve: RadiusCurve): HTMLElement {
  const most = Math.max(...curve.probability);
  const mark = `${metres(curve.hard_body_radius_m)} m: ${probability(curve.probability_2d)}`;
  const words = `${mark} as it is, ${probability(curve.probability[0] ?? 0)} with ${metres(curve.radius_m[0] ?? 0)} m, ` +
    others(curve).map(({ text }) => `${text}, `).join("") +
    `${probability(most)} with ${metres(curve.radius_m.at(-1) ?? 0)} m.`;
  if (most < SMALLEST_DRAWN) return nothing(`Below ${probabilityTick(SMALLEST_DRAWN)} whatever the radius: ${words}`);
  const lowest = Math.max(1e-12 * most, SMALLEST_DRAWN);
  return chart({
    x: curve.radius_m,
    xLog: true,
    xLabel: "combined hard-body radius, m",
    xText: (value) => `radius ${own(value)} m`,
    yLabel: "probability",
    yText: (value) => probability(value, 3),
    yLog: true,
    curves: [{ label: "probability", values: curve.probability.map((p) => (p >= lowest ? p : null)), color: "--accent", name: "probability" }],
    marks: [{ x: curve.hard_body_radius_m, text: mark }, ...others(curve).map(({ x, text }) => ({ x, text }))],
    limits: levelLimits(curve.limits),
    summary: `Probability against the combined hard-body radius: ${words}`,
  });
}
