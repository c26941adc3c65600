// The charts of a trend. Runs and what follows them are joined by a line, messages are points.
import { h } from "../../dom";
import { fixed, metres, probability, type Names } from "../../format";
import { term } from "../../words/glossary";
import { chart, type Bar, type Chart, type Curve } from "../chart";
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

const ENOUGH = 3; // points: two are no curve, and the first chart and the table tell them

export function trendCharts(trend: Trend, names: Names): HTMLElement[] {
  const axis = marked(trend, names);
  const first = likely(trend, axis);
  if (first && new Set(axis.x).size < ENOUGH) return [first];
  return [first, ...misses(trend, axis, names), distances(trend, axis), shifts(trend, axis), ages(trend, axis, names)].filter((one) => one !== null);
}

// Where an object has manoeuvred, what was found before has another path; and where better data usually come.
interface Marked extends TrendAxis {
  marks: Mark[];
  coming: Mark[]; // on the first chart
}

function marked(trend: Trend, names: Names): Marked {
  const ahead = trend.better_data.expected.filter((one) => one.kind !== "run").map((one) => ({ ...one, hours: (Date.parse(trend.tca) - Date.parse(one.at)) / 3.6e6 }));
  const axis = trendAxis(trend.points, [...[...trend.manoeuvres, ...trend.planned].map((one) => one.hours_to_tca), ...ahead.map((one) => one.hours)]);
  const who = (number: number): string => names[number === trend.primary_norad_id ? "primary" : "secondary"];
  const burns = trend.manoeuvres.map((one) => ({ x: axis.at(one.hours_to_tca), text: `${who(one.norad_id)} manoeuvred` }));
  const coming = ahead.map((one) => ({ x: axis.at(one.hours), text: one.norad_id === null ? "next message" : `next set, ${who(one.norad_id)}` }));
  const planned = trend.planned.map((one) => ({ x: axis.at(one.hours_to_tca), text: `planned burn, ${who(one.norad_id)}` }));
  return { ...axis, marks: burns, coming: [...coming, ...planned] };
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

// Of messages, which no band joins.
function bars(trend: Trend, axis: TrendAxis, low: Value, high: Value): Bar[] {
  return trend.points.filter(isMessage).flatMap((point) => {
    const ends = [low(point), high(point)] as const;
    return ends[0] === null || ends[1] === null ? [] : [{ x: axis.at(point.hours_to_tca), low: ends[0], high: ends[1], color: "--orbit-secondary" }];
  });
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
    bars: bars(trend, axis, least, (point) => drawn(point.probability_high)),
  });
}

const PARTS = [
  ["Miss, radial", "radial", "Above", "below"],
  ["Miss, in-track", "in_track", "Ahead of", "behind"],
  ["Miss, cross-track", "cross_track", "Left of", "right"],
] as const;

function misses(trend: Trend, axis: Marked, { primary }: Names): (HTMLElement | null)[] {
  return PARTS.map(([title, part, plus, minus]) => {
    const value: Value = (point) => point[`miss_${part}_m`];
    const sigma = (point: TrendPoint, sign: 1 | -1): number | null => {
      const [miss, spread] = [value(point), point[`sigma_${part}_m`]];
      return miss === null || spread === null ? null : miss + sign * spread;
    };
    const curves = [...both(trend, axis, `miss_${part}_m`, value, "--accent")];
    if (none(curves)) return null;
    const edges = [edge(trend, axis, (point) => sigma(point, 1)), edge(trend, axis, (point) => sigma(point, -1))];
    const [factor, unit] = lengthUnit(Math.max(...[...curves, ...edges].map((curve) => largest(curve.values))));
    const ends = bars(trend, axis, (point) => sigma(point, -1), (point) => sigma(point, 1)).map((bar) => ({ ...bar, low: bar.low * factor, high: bar.high * factor }));
    const scaled = [...curves, ...edges].map((curve) => ({ ...curve, values: inUnit(curve.values, factor) }));
    return panel(axis, title, `${plus} ${primary}, or ${minus} (−); band: 1 σ of both together.`, {
      yLabel: unit, yText: (v) => `${unit === "m" ? metres(v) : fixed(v, 2)} ${unit}`, yAround: true,
      curves: scaled, bands: [{ above: curves.length, below: curves.length + 1, color: "--accent" }], limits: [{ y: 0, text: "0", color: "--muted" }], bars: ends,
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

function ages(trend: Trend, axis: Marked, names: Names): HTMLElement | null {
  const of = (label: string, name: "primary_age_hours" | "secondary_age_hours", color: string): Curve =>
    ({ label, name, color, points: true, values: axis.order.map((i) => (trend.points[i] as TrendPoint)[name]) });
  const curves = [of(names.primary, "primary_age_hours", "--orbit-primary"), of(names.secondary, "secondary_age_hours", "--orbit-secondary")];
  return none(curves) ? null : panel(axis, "Age of the element sets", "At TCA: where it falls, a newer element set came in.", { yLabel: "h", yText: (v) => `${fixed(v, 1)} h`, curves });
}

export const chartsOf = (trend: Trend, names: Names): HTMLElement => h("div", { class: "trend-charts" }, trendCharts(trend, names));
