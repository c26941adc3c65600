// How the probability went from run to run, small: each point with its range, the limits of the levels, and when better
// data usually come before TCA, which is the right edge.
import { h, svg } from "../../dom";
import { probability, probabilityTick } from "../../format";
import type { Trend, TrendPoint } from "../../generated";

const [TOP, HIGH, LEFT, RIGHT] = [20, 84, 12, 98]; // px; per cent of the width
const SMALLEST = 1e-9;
const STEPS_H = [0.5, 1, 2, 3, 6, 12, 24, 48];
const LIMITS = ["medium", "high", "critical"] as const;

type Rated = TrendPoint & { probability: number };

export function sparkline({ points, better_data, limits, tca }: Trend): HTMLElement | null {
  const rated = points.filter((point): point is Rated => point.probability !== null && point.hours_to_tca >= 0).sort((a, b) => b.hours_to_tca - a.hours_to_tca);
  const first = rated[0];
  if (!first) return null;
  const power = (p: number): number => Math.log10(Math.max(p, SMALLEST));
  const all = rated.flatMap((point) => [point.probability, point.probability_low ?? point.probability, point.probability_high ?? point.probability].map(power));
  const [low, high] = [Math.floor(Math.min(-6, ...all)), Math.ceil(Math.max(-4, ...all))];
  const span_h = first.hours_to_tca * 1.02 || 1;
  const x = (hours: number): string => `${(RIGHT - ((RIGHT - LEFT) * hours) / span_h).toFixed(2)}%`;
  const y = (p: number): number => TOP + (HIGH * (high - power(p))) / (high - low);
  const coming = better_data.expected.filter((one) => one.kind !== "run").map((one) => (Date.parse(tca) - Date.parse(one.at)) / 3.6e6).filter((hours) => hours <= span_h);
  const hours = [0, ...ticks(span_h)];
  const joined = rated.filter((point) => point.kind !== "message");
  const last = rated.at(-1) as Rated;
  return h(
    "figure",
    { class: "sparkline" },
    svg(
      "svg",
      { role: "img", height: TOP + HIGH + 36, "data-points": rated.length, "aria-label": `Probability over ${rated.length} runs and messages: from ${probability(first.probability)} to ${probability(last.probability)}.` },
      LIMITS.map((level) => [
        svg("line", { class: `limit ${level}`, x1: `${LEFT}%`, x2: `${RIGHT}%`, y1: y(limits[level]), y2: y(limits[level]) }),
        svg("text", { class: "tick", x: `${LEFT - 0.8}%`, y: y(limits[level]) + 4, "text-anchor": "end" }, probabilityTick(limits[level])),
      ]).flat(),
      coming.map((hours) => svg("line", { class: "coming", x1: x(hours), x2: x(hours), y1: TOP, y2: TOP + HIGH })),
      svg("line", { class: "tca", x1: x(0), x2: x(0), y1: TOP, y2: TOP + HIGH }),
      joined.slice(1).map((point, i) => svg("line", { class: "joined", x1: x((joined[i] as Rated).hours_to_tca), y1: y((joined[i] as Rated).probability), x2: x(point.hours_to_tca), y2: y(point.probability) })),
      rated.map((point) => (point.probability_high === null ? null : svg("line", { class: "range", x1: x(point.hours_to_tca), x2: x(point.hours_to_tca), y1: y(point.probability_low ?? SMALLEST), y2: y(point.probability_high) }))),
      rated.map((point) => svg("circle", { class: point.kind === "message" ? "message" : "run", cx: x(point.hours_to_tca), cy: y(point.probability), r: 3.5, "data-value": point.probability })),
      svg("text", { class: "tick", x: 0, y: 11 }, "Probability"),
      hours.map((one) => svg("text", { class: "tick", x: x(one), y: TOP + HIGH + 16, "text-anchor": one ? "middle" : "end" }, one ? String(one) : "TCA")),
      svg("text", { class: "tick", x: `${(LEFT + RIGHT) / 2}%`, y: TOP + HIGH + 31, "text-anchor": "middle" }, "hours before TCA"),
    ),
    h("figcaption", { class: "legend" }, key("run", "runs, from half to double the errors"), rated.length > joined.length ? key("message", "messages") : null, coming.length ? key("coming", "better data usually come") : null),
  );
}

// Round hours inside the span, three or four, none so near its ends that their texts meet.
function ticks(span_h: number): number[] {
  const step = STEPS_H.find((one) => span_h / one <= 4.5) ?? Math.ceil(span_h / 4);
  return Array.from({ length: Math.floor(span_h / step) }, (_, i) => Number(((i + 1) * step).toFixed(1)));
}

const key = (kind: string, text: string): HTMLElement => h("span", {}, h("i", { class: kind }), text);
