// The charts of a trend. Runs and what follows them are joined by a line, messages are points.
import { h } from "../../dom";
import { fixed, metres, probability } from "../../format";
import { term } from "../../words/glossary";
import { chart, type Chart, type Curve } from "../chart";
import type { Mark } from "../chart_labels";
import { figure, type Words } from "../figure";
import { levelLimits } from "../sensitivity";
import { inUnit, largest, lengthUnit, signless } from "../ticks";
import { trendAxis, type TrendAxis } from "./axis";
import type { Trend, TrendPoint } from "../../generated";

const HEIGHT = 190;
const LEAST_SHIFT_S = 0.1; // less is noise of the computation
const SMALLEST_DRAWN = 1e-30;

type Value = (point: TrendPoint) => number | null;

const drawn = (p: number | null): number | null => (p !== null && p >= SMALLEST_DRAWN ? p : null);

export function trendCharts(trend: Trend): HTMLElement[] {
  const axis = marked(trend);
  return [
    likely(trend, axis),
    ...misses(trend, axis),
    distances(trend, axis),
    shifts(trend, axis),
    ages(trend, axis),
  ].filter((one) => one !== null);
}

// Where an object has manoeuvred, what was found before has another path; and where better data usually come.
interface Marked extends TrendAxis {
  marks: Mark[];
  coming: Mark[]; // on the first chart
}

function marked(trend: Trend): Marked {
  const axis = trendAxis(trend.points);
  const who = (number: number): string => (number === trend.primary_norad_id ? "primary" : "secondary");
  const burns = trend.manoeuvres.map((one) => ({ x: axis.at(one.hours_to_tca), text: `${who(one.norad_id)} manoeuvred` }));
  const ahead = trend.better_data.expected.filter((one) => one.kind !== "run");
  const coming = ahead.map((one) => ({ x: axis.at((Date.parse(trend.tca) - Date.parse(one.at)) / 3.6e6), text: one.norad_id === null ? "next message" : `next set, ${who(one.norad_id)}` }));
  return { ...axis, marks: burns, coming };
}

const isMessage = (point: TrendPoint): boolean => point.kind === "message";

// One curve for what we found, one for what messages tell.
function both(trend: Trend, axis: TrendAxis, name: string, value: Value, color: string): Curve[] {
  const of = (wanted: (point: TrendPoint) => boolean): (number | null)[] =>
    axis.order.map((i) => (wanted(trend.points[i] as TrendPoint) ? value(trend.points[i] as TrendPoint) : null));
  const runs = { label: "runs", color, points: true, name, values: of((point) => !isMessage(point)) };
  const messages = { label: "messages", color: "--orbit-secondary", points: true, line: false, name, values: of(isMessage) };
  return [runs, ...(trend.points.some(isMessage) ? [messages] : [])];
}

// Between runs without a band there is none: a gap only where a message stands between two runs is bridged.
function edge(trend: Trend, axis: TrendAxis, value: Value): Curve {
  const points = axis.order.map((i) => trend.points[i] as TrendPoint);
  const ends = points.map((point) => (isMessage(point) ? null : value(point)));
  const bridged = ends.map((end, i) => (isMessage(points[i] as TrendPoint) ? between(points, ends, axis.x, i) : end));
  return { label: "", edge: true, color: "--muted", values: bridged };
}

// On the straight line from the run before to the run after, where both have a band.
function between(points: TrendPoint[], ends: (number | null)[], x: number[], place: number): number | null {
  const before = points.findLastIndex((point, i) => i < place && !isMessage(point));
  const after = points.findIndex((point, i) => i > place && !isMessage(point));
  const [low, high] = [ends[before] ?? null, ends[after] ?? null];
  if (low === null || high === null) return null;
  const share = ((x[place] as number) - (x[before] as number)) / ((x[after] as number) - (x[before] as number));
  return low > 0 && high > 0 ? low * (high / low) ** share : low + (high - low) * share;
}

const none = (curves: Curve[]): boolean => curves.every((curve) => curve.values.every((value) => value === null));

function panel(axis: TrendAxis & { marks: Mark[] }, title: string, sentence: Words, rest: Omit<Chart, "x" | "xLabel" | "xText" | "xBackwards" | "marks" | "summary">): HTMLElement {
  const summary = `${title} over runs and messages, as in the table.`;
  const made = figure(title, sentence, chart({ x: axis.x, xLabel: axis.label, xText: axis.text, xBackwards: axis.backwards, marks: axis.marks, xMarked: true, height: HEIGHT, summary, ...rest }));
  made.classList.remove("panel");
  return made;
}

function likely(trend: Trend, axis: Marked): HTMLElement | null {
  const curves = both(trend, axis, "probability", (point) => drawn(point.probability), "--accent");
  const claimed: Curve = { label: "claimed", color: "--high", points: true, line: false, name: "claimed_probability", values: axis.order.map((i) => drawn((trend.points[i] as TrendPoint).claimed_probability)) };
  const shown = [...curves, claimed].filter((curve) => !none([curve]));
  if (!shown.length) return null;
  // A band that reaches down to nothing ends at the smallest that is drawn.
  const least = (point: TrendPoint): number | null => (drawn(point.probability_high) === null ? null : Math.max(point.probability_low ?? 0, SMALLEST_DRAWN));
  const [low, high] = [edge(trend, axis, least), edge(trend, axis, (point) => drawn(point.probability_high))];
  const band = trend.points.some((point) => point.band) ? "; band: all sigmas between half and double" : "";
  return panel({ ...axis, marks: [...axis.marks, ...axis.coming] }, "Probability", `With the limits of the levels${band}.`, {
    yLabel: "probability", yText: (p) => probability(p, 3), yLog: true, limits: levelLimits(trend.limits),
    curves: [...shown, high, low], bands: [{ above: shown.length, below: shown.length + 1, color: "--accent" }],
  });
}

const PARTS = [
  ["Miss, radial", "radial", "Above the primary, or below (−)"],
  ["Miss, in-track", "in_track", "Ahead of the primary, or behind (−)"],
  ["Miss, cross-track", "cross_track", "To the primary's left, or right (−)"],
] as const;

function misses(trend: Trend, axis: Marked): (HTMLElement | null)[] {
  return PARTS.map(([title, part, sentence]) => {
    const value: Value = (point) => point[`miss_${part}_m`];
    const sigma = (point: TrendPoint, sign: 1 | -1): number | null => {
      const [miss, spread] = [value(point), point[`sigma_${part}_m`]];
      return miss === null || spread === null ? null : miss + sign * spread;
    };
    const curves = [...both(trend, axis, `miss_${part}_m`, value, "--accent")];
    if (none(curves)) return null;
    const edges = [edge(trend, axis, (point) => sigma(point, 1)), edge(trend, axis, (point) => sigma(point, -1))];
    const [factor, unit] = lengthUnit(Math.max(...[...curves, ...edges].map((curve) => largest(curve.values))));
    const scaled = [...curves, ...edges].map((curve) => ({ ...curve, values: inUnit(curve.values, factor) }));
    return panel(axis, title, `${sentence}; band: 1 σ of both together.`, {
      yLabel: unit, yText: (v) => `${unit === "m" ? metres(v) : fixed(v, 2)} ${unit}`, yAround: true,
      curves: scaled, bands: [{ above: curves.length, below: curves.length + 1, color: "--accent" }], limits: [{ y: 0, text: "0", color: "--muted" }],
    });
  });
}

function distances(trend: Trend, axis: Marked): HTMLElement | null {
  const curves = both(trend, axis, "miss_sigmas", (point) => point.miss_sigmas, "--accent");
  return none(curves) ? null : panel(axis, "Miss in sigmas", [term("Mahalanobis distance"), " in the encounter plane: how far out in its own error the miss lies."], { yLabel: "σ", yText: (v) => `${fixed(v, 2)} σ`, curves });
}

function shifts(trend: Trend, axis: Marked): HTMLElement | null {
  const curves = both(trend, axis, "tca_shift_s", (point) => point.tca_shift_s, "--accent");
  return none(curves) ? null : panel(axis, "Shift of TCA", "Against the event as it is now: while it jumps, the paths do too.", { yLabel: "s", yText: (v) => `${signless(v, 3)} s`, yAround: true, yLeast: LEAST_SHIFT_S, curves });
}

function ages(trend: Trend, axis: Marked): HTMLElement | null {
  const of = (label: string, name: "primary_age_hours" | "secondary_age_hours", color: string): Curve =>
    ({ label, name, color, points: true, values: axis.order.map((i) => (trend.points[i] as TrendPoint)[name]) });
  const curves = [of("primary", "primary_age_hours", "--orbit-primary"), of("secondary", "secondary_age_hours", "--orbit-secondary")];
  return none(curves) ? null : panel(axis, "Age of the element sets", "At TCA: where it falls, a newer element set came in.", { yLabel: "h", yText: (v) => `${fixed(v, 1)} h`, curves });
}

export const chartsOf = (trend: Trend): HTMLElement => h("div", { class: "trend-charts" }, trendCharts(trend));
