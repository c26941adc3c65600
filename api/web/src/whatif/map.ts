// The trade space as a picture: time before TCA across, size along the track upwards, the probability as
// colour, the goal as a line around what is not enough. A burn is chosen by dragging.
import { cssColor, h } from "../dom";
import { fixed, probability, utc } from "../format";
import { estimate, placeOf, valueAt } from "./space";
import type { Found, TradeSpace } from "./types";

const PARTS = 4; // rows of colour between two computed sizes
const [CELL_PX, ROW_PX] = [14, 3];
const FAINTEST = 1e-12; // no colour below
const HOURS = [0.5, 1, 2, 4, 8, 12, 24, 48, 72];
const SIZES_M_S = [-1, -0.1, -0.01, 0, 0.01, 0.1, 1];
const APART = 0.07; // of labels, as a share of the axis
const INSTANTS_APART = 0.17; // and of those with day and time
const HALVES_APART = 0.012; // marks of half revolutions that lie nearer are left out
const HOUR_MS = 3_600_000;

export interface SpaceMap {
  element: HTMLElement;
  show(before_hours: number, dv_t_m_s: number, goal: number): void;
}

export function spaceMap(found: Found, chosen: (before_hours: number, dv_t_m_s: number) => void): SpaceMap {
  const space = found.trade_space;
  const [times, rows] = [space.before_tca_hours.length, PARTS * (space.dv_t_m_s.length - 1) + 1];
  // Early is left. Shares of the width and, from the top, of the height; null outside.
  const across = (hours: number): number | null => share(placeOf(space.before_tca_hours, hours), (i) => (times - 0.5 - i) / times);
  const down = (size: number): number | null => share(placeOf(space.dv_t_m_s, size), (j) => (rows - 0.5 - PARTS * j) / rows);
  const likely = probabilities(space, rows);
  const canvas = h("canvas", { width: times * CELL_PX, height: rows * ROW_PX });
  const dot = h("span", { class: "chosen-burn", hidden: true });
  const marks = found.candidates.map((one, i) => {
    const burn = one.burns[0];
    const place = burn && { x: across(burn.before_tca_hours), y: down(burn.dv_t_m_s) };
    return place && mark(place.x, place.y, i === found.best);
  });
  const take = (event: PointerEvent): void => {
    const box = plot.getBoundingClientRect();
    const column = Math.floor(((event.clientX - box.left) / box.width) * times);
    const row = ((event.clientY - box.top) / box.height) * rows - 0.5;
    const time = Math.min(Math.max(times - 1 - column, 0), times - 1); // one that was computed
    const size = Math.min(Math.max((rows - 1 - row) / PARTS, 0), space.dv_t_m_s.length - 1);
    chosen(space.before_tca_hours[time] as number, valueAt(space.dv_t_m_s, size));
  };
  const plot = h(
    "div",
    {
      class: "space-plot",
      role: "img",
      "aria-label": summary(found),
      onpointerdown: (event: PointerEvent) => (plot.setPointerCapture(event.pointerId), take(event)),
      onpointermove: (event: PointerEvent) => plot.hasPointerCapture(event.pointerId) && take(event),
    },
    canvas,
    halves(space, across),
    marks,
    dot,
  );
  let drawnGoal: number | null = null;
  const draw = (): void => (drawCells(canvas, likely), drawGoal(canvas, likely, drawnGoal ?? NaN));
  const recolor = (): void => (element.isConnected ? draw() : window.removeEventListener("skysieve:theme", recolor));
  window.addEventListener("skysieve:theme", recolor);
  const element = h(
    "div",
    { class: "space-map" },
    h("span", { class: "axis-name" }, "delta-v along the track, m/s"),
    h("div", { class: "space-sizes", "aria-hidden": "true" }, labels(SIZES_M_S, down, "top", signed)),
    plot,
    h("div", { class: "space-hours", "aria-hidden": "true" }, labels(HOURS, across, "left", String)),
    h("div", { class: "space-instants", "aria-hidden": "true" }, labels(HOURS, across, "left", instantOf(space), INSTANTS_APART)),
    h("span", { class: "axis-name" }, "hours before TCA, and UTC"),
  );
  return {
    element,
    show(before_hours, dv_t_m_s, goal) {
      const [x, y] = [across(before_hours), down(dv_t_m_s)];
      dot.hidden = x === null || y === null;
      if (x !== null && y !== null) put(dot, x, y);
      if (drawnGoal !== null && Object.is(goal, drawnGoal)) return;
      drawnGoal = goal;
      draw();
    },
  };
}

const share = (place: number | null, of: (place: number) => number): number | null => (place === null ? null : of(place));
// By script: the service's policy forbids style attributes.
const put = (element: HTMLElement, x: number, y: number): HTMLElement => {
  element.style.left = `${100 * x}%`;
  element.style.top = `${100 * y}%`;
  return element;
};
const mark = (x: number | null, y: number | null, best: boolean): HTMLElement | null =>
  x === null || y === null ? null : put(h("span", { class: best ? "candidate best" : "candidate", "aria-hidden": "true" }), x, y);

// By column from the left, then by row from the top.
function probabilities(space: TradeSpace, rows: number): (number | null)[][] {
  return [...space.before_tca_hours].reverse().map((hours) =>
    Array.from({ length: rows }, (_, row) => estimate(space, hours, valueAt(space.dv_t_m_s, (rows - 1 - row) / PARTS))?.probability ?? null));
}

function drawCells(canvas: HTMLCanvasElement, likely: (number | null)[][]): void {
  const ink = canvas.getContext("2d") as CanvasRenderingContext2D;
  const depth = (p: number): number => Math.log10(Math.max(p, FAINTEST) / FAINTEST);
  const deepest = Math.max(...likely.flat().map((p) => depth(p ?? 0)), 1);
  ink.clearRect(0, 0, canvas.width, canvas.height);
  for (const [column, values] of likely.entries()) {
    for (const [row, p] of values.entries()) {
      ink.globalAlpha = p === null ? 1 : 0.85 * (depth(p) / deepest) ** 3;
      ink.fillStyle = p === null ? cssColor("--line") : cssColor("--critical");
      ink.fillRect(column * CELL_PX, row * ROW_PX, CELL_PX, ROW_PX);
    }
  }
  ink.globalAlpha = 1;
}

// A line wherever one side is enough and the other is not.
function drawGoal(canvas: HTMLCanvasElement, likely: (number | null)[][], goal: number): void {
  const ink = canvas.getContext("2d") as CanvasRenderingContext2D;
  const enough = likely.map((values) => values.map((p) => (p === null ? null : p < goal)));
  ink.fillStyle = cssColor("--text");
  for (const [column, values] of enough.entries()) {
    for (const [row, here] of values.entries()) {
      const [right, below] = [enough[column + 1]?.[row], values[row + 1]];
      if (differ(here, right)) ink.fillRect((column + 1) * CELL_PX - 1, row * ROW_PX, 2, ROW_PX);
      if (differ(here, below)) ink.fillRect(column * CELL_PX, (row + 1) * ROW_PX - 1, CELL_PX, 2);
    }
  }
}

const differ = (one: boolean | null | undefined, other: boolean | null | undefined): boolean =>
  typeof one === "boolean" && typeof other === "boolean" && one !== other;

const signed = (value: number): string => (value > 0 ? `+${value}` : String(value).replace("-", "−"));

// The day, and below it the time.
function instantOf(space: TradeSpace): (before_hours: number) => (Node | string)[] {
  const tca = Date.parse(space.at[0] as string) + (space.before_tca_hours[0] as number) * HOUR_MS;
  return (before_hours) => {
    const text = utc(tca - before_hours * HOUR_MS, false);
    return [text.slice(5, 10), h("br"), text.slice(11, 16)];
  };
}

// Whole and half revolutions before TCA, from TCA on for as long as they can be told apart.
function halves(space: TradeSpace, across: (hours: number) => number | null): HTMLElement[] {
  const [made, latest] = [[] as HTMLElement[], space.before_tca_hours[0] as number];
  let last = Infinity;
  for (let k = 1; ; k += 1) {
    const hours = (k * space.revolution_hours) / 2;
    if (hours < latest) continue;
    const here = across(hours);
    if (here === null || last - here < HALVES_APART) return made;
    last = here;
    const mark = h("span", { class: k % 2 ? "half-revolution" : "half-revolution whole", "aria-hidden": "true", "data-hours": hours });
    mark.style.left = `${100 * here}%`;
    made.push(mark);
  }
}

// Round values that the axis has; of two that are too near, the first.
function labels(values: number[], place: (value: number) => number | null, side: "left" | "top", text: (value: number) => string | (Node | string)[], apart = APART): HTMLElement[] {
  const placed: number[] = [];
  return values.flatMap((value) => {
    const here = place(value);
    if (here === null || placed.some((there) => Math.abs(there - here) < apart)) return [];
    placed.push(here);
    const label = h("span", {}, text(value));
    label.style[side] = `${100 * here}%`;
    return [label];
  });
}

export const legend = (): HTMLElement =>
  h("p", { class: "note" }, h("span", { class: "ramp", "aria-hidden": "true" }),
    ` Probability, from ${probability(FAINTEST, 1)} up. The line is the goal, small dots are candidates, the square one the best. Long ticks: half, one and a half, … revolutions before TCA, where a burn changes the height at TCA most; short ones: whole revolutions, where it changes none. Drag to choose a burn.`);

function summary(found: Found): string {
  const { before_tca_hours: hours, dv_t_m_s: sizes } = found.trade_space;
  const best = found.best === null ? undefined : found.candidates[found.best];
  const burn = best?.burns[0];
  const told = burn ? `The cheapest sufficient burn: ${(burn.dv_t_m_s).toPrecision(3)} m/s, ${fixed(burn.before_tca_hours, 2)} hours before TCA.` : "None of them is sufficient without raising another event.";
  return `Probability after burns along the track, ${fixed(hours[0] ?? 0, 1)} to ${fixed(hours.at(-1) ?? 0, 1)} hours before TCA, ` +
    `${sizes[0]?.toPrecision(2)} to ${sizes.at(-1)?.toPrecision(2)} m/s. ${told}`;
}
