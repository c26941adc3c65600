// The curves of one event: range against time, the event over runs, probability against the covariance scale.
import { h } from "../dom";
import { fixed, metres, probability, probabilityTick, utc } from "../format";
import type { Conjunction, Geometry, RadiusCurve, RangeCurve, ScaleCurve } from "../types";
import { chart } from "./figures";

export function rangeChart(curve: RangeCurve, tca: string): HTMLElement {
  const wide = Math.max(...curve.seconds_from_tca) > 120;
  const minutes = curve.seconds_from_tca.map((s) => (wide ? s / 60 : s));
  const kilometres = Math.max(...curve.range_m.map((r) => r ?? 0)) > 20_000;
  const shown = (values: (number | null)[]) => (kilometres ? values.map((v) => (v === null ? null : v / 1000)) : values);
  return chart({
    x: minutes,
    xLabel: wide ? "minutes from TCA" : "seconds from TCA",
    xText: (v) => fixed(v, wide || Math.max(...minutes) >= 5 ? 0 : 2),
    yLabel: kilometres ? "range, km" : "range, m",
    yText: (v) => (kilometres ? fixed(v, 0) : metres(v)),
    curves: [{ label: "range", values: shown(curve.range_m), color: "--accent" }],
    marks: [{ x: 0, text: "TCA" }],
    summary: `Range against time around ${utc(tca)} UTC; the smallest is ${metres(Math.min(...curve.range_m.map((r) => r ?? Infinity)))} m.`,
  });
}

export function dilutionChart(curve: ScaleCurve): HTMLElement {
  // Below a trillionth of the peak the curve is meaningless.
  const positive = curve.probability.map((p) => (p > 1e-12 * curve.peak_probability ? p : null));
  return chart({
    x: curve.scale,
    xLog: true,
    xLabel: "all sigmas times",
    xText: (v) => String(Number(v.toPrecision(3))),
    yLabel: "probability",
    yText: probabilityTick,
    yLog: true,
    curves: [{ label: "probability", values: positive, color: "--accent" }],
    marks: [
      { x: 1, text: `as it is: ${probability(curve.probability_2d)}` },
      { x: curve.peak_scale, text: `peak: ${probability(curve.peak_probability)}` },
    ],
    summary:
      `Probability against covariance scale: ${probability(curve.probability_2d)} as it is, largest ` +
      `${probability(curve.peak_probability)} where all sigmas are ${curve.peak_scale.toPrecision(2)} times as large.`,
  });
}

export function radiusChart(curve: RadiusCurve): HTMLElement {
  const largest = Math.max(...curve.probability);
  const own = `${metres(curve.hard_body_radius_m)} m: ${probability(curve.probability_2d)}`;
  return chart({
    x: curve.radius_m,
    xLog: true,
    xLabel: "combined radius, m",
    xText: (v) => String(Number(v.toPrecision(2))),
    yLabel: "probability",
    yText: probabilityTick,
    yLog: true,
    curves: [{ label: "probability", values: curve.probability.map((p) => (p > 1e-12 * largest ? p : null)), color: "--accent" }],
    marks: [{ x: curve.hard_body_radius_m, text: own }],
    limits: (["critical", "high", "medium"] as const).map((level) => ({ y: curve.limits[level], text: level, color: `--${level}` })),
    summary: `Probability against the combined hard-body radius: ${own} as it is, ` +
      `${probability(curve.probability[0] ?? 0)} with ${metres(curve.radius_m[0] ?? 0)} m, ${probability(largest)} with ${metres(curve.radius_m.at(-1) ?? 0)} m.`,
  });
}

export function dilutionSentence(geometry: Geometry): string {
  const curve = geometry.probability_against_scale;
  if (!curve) return "How the probability would change with better or worse data.";
  return curve.diluted
    ? "Diluted: the peak lies at smaller sigmas. The data are too poor to tell, as for most critical events; better data could raise the probability."
    : "Not diluted: better data would lower the probability.";
}

export function historyPicture(history: Conjunction[]): HTMLElement | string {
  if (history.length < 2) return "Only one run has found this event so far: there is no trend yet.";
  const x = history.map((row) => Date.parse(row.computed_at) / 1000);
  const likely = history.map((row) => row.probability ?? row.probability_2d);
  const miss = chart({
    x,
    xTime: true,
    xLabel: "run, UTC",
    yLabel: "miss, m",
    yText: metres,
    curves: [{ label: "miss distance", values: history.map((row) => row.miss_distance_m), color: "--accent", points: true }],
    summary: `Miss distance over ${history.length} runs: ${history.map((row) => `${metres(row.miss_distance_m)} m`).join(", ")}.`,
  });
  if (likely.every((p) => p === null || p <= 0)) return miss;
  const p = chart({
    x,
    xTime: true,
    xLabel: "run, UTC",
    yLabel: "probability",
    yText: probabilityTick,
    yLog: true,
    curves: [{ label: "probability", values: likely, color: "--high", points: true }],
    summary: `Probability over ${history.length} runs: ${likely.map((p) => probability(p)).join(", ")}.`,
  });
  return h("div", { class: "two-charts" }, miss, p);
}
