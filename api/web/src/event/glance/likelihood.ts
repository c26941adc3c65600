// The probability with its honest range, on one axis for all events: a bar from errors half as large to errors twice as
// large, a mark where it is now, and the limits of the levels.
import { h, svg } from "../../dom";
import { probability, probabilityTick } from "../../format";
import { bestProbability, PROBABILITY_LIMITS } from "../../levels";
import type { ConjunctionWithHistory, Geometry, ScaleCurve } from "../../types";
import { prose } from "../../words/prose";

const [LEAST, MOST] = [-9, 0]; // powers of ten
const [TOP, HIGH] = [18, 26]; // px, of the field below the names
const TICKS = [-8, -6, -5, -4, -2];

// Where on the axis, in per cent; what lies beyond stands at its end.
const at = (p: number): number => (100 * (Math.min(MOST, Math.max(LEAST, Math.log10(p))) - LEAST)) / (MOST - LEAST);
const percent = (value: number): string => `${value.toFixed(2)}%`;

const FIELDS = [["low", 0], ["medium", PROBABILITY_LIMITS.medium], ["high", PROBABILITY_LIMITS.high], ["critical", PROBABILITY_LIMITS.critical]] as const;

export function likelihood(event: ConjunctionWithHistory, geometry: Geometry | null): HTMLElement {
  const now = bestProbability(event);
  if (now === null) return h("div", { class: "likelihood" }, h("p", { "data-told": "chance" }, prose(event.words.probability)));
  const said = geometry?.words.other_errors ?? "";
  const range = said ? within(geometry?.probability_against_scale ?? null) : null;
  const fields = FIELDS.map(([level, from], i) => {
    const [left, right] = [from ? at(from) : 0, FIELDS[i + 1] ? at((FIELDS[i + 1] as readonly [string, number])[1]) : 100];
    return [
      svg("rect", { class: `field ${level}`, x: percent(left), width: percent(right - left), y: TOP, height: HIGH }),
      level === "medium" // as wide as its field on a phone: there is room on its left
        ? svg("text", { class: level, x: percent(right), dx: -6, y: TOP - 6, "text-anchor": "end" }, level)
        : svg("text", { class: level, x: percent((left + right) / 2), y: TOP - 6, "text-anchor": "middle" }, level),
    ];
  });
  return h(
    "div",
    { class: "likelihood" },
    svg(
      "svg",
      { role: "img", "aria-label": `Probability ${probability(now, 3)}, between the limits of the levels. ${said}`, height: TOP + HIGH + 18, "data-now": now, "data-low": range?.[0], "data-high": range?.[1] },
      fields.flat(),
      TICKS.map((power) => svg("text", { class: "tick", x: percent(at(10 ** power)), y: TOP + HIGH + 14, "text-anchor": "middle" }, probabilityTick(10 ** power))),
      range ? svg("rect", { class: "range", x: percent(at(range[0])), width: percent(Math.max(at(range[1]) - at(range[0]), 0.5)), y: TOP + 8, height: HIGH - 16, rx: 3 }) : null,
      svg("line", { class: "now", x1: percent(at(now)), x2: percent(at(now)), y1: TOP, y2: TOP + HIGH }),
    ),
    said ? h("p", { class: "note", "data-told": "range" }, prose(said)) : null,
  );
}

const [HALF, DOUBLE, SLACK] = [0.5, 2, 1.001];

// The smallest and largest probability with all sigmas between half and double.
export function within(curve: ScaleCurve | null): [number, number] | null {
  const inside = curve?.probability.filter((_, i) => (curve.scale[i] as number) >= HALF / SLACK && (curve.scale[i] as number) <= DOUBLE * SLACK) ?? [];
  return inside.length ? [Math.min(...inside), Math.max(...inside)] : null;
}
