// uPlot in the page's colours: curves, bands between two of them, marks, limits, and what the pointer is at.
import uPlot from "uplot";
import { canvasFont, cssColor, h, replace } from "../dom";
import { probabilityTick } from "../format";
import { drawLimits, drawMarks, LIMIT_SPACE, markSpace, type Limit, type Mark } from "./chart_labels";
import { stepText } from "./ticks";

export interface Curve {
  label: string;
  values: (number | null)[];
  color: string; // name of a CSS variable
  points?: boolean;
  line?: boolean; // unless false
  edge?: boolean; // of a band: drawn without a line, and not named below the chart
  name?: string; // the service's field
}

// An error bar.
export interface Bar {
  x: number;
  low: number;
  high: number;
  color: string;
}

export interface Chart {
  x: number[]; // ascending
  xLabel: string;
  xText: (value: number) => string; // where the pointer is, in full
  xLog?: boolean;
  xBackwards?: boolean; // the largest on the left
  yLabel: string;
  yText: (value: number) => string;
  yLog?: boolean;
  yAround?: boolean; // zero is no natural end
  yLeast?: number; // the shortest span of the axis: less is drawn as what it is, next to nothing
  height?: number;
  curves: Curve[];
  bands?: { above: number; below: number; color: string }[]; // places in `curves`
  bars?: Bar[];
  marks?: Mark[];
  xMarked?: boolean; // the axis reaches to all marks
  limits?: Limit[]; // always within the range of the axis
  summary: string; // what the picture shows, in words
}

// What is drawn, in the units of the service: for whoever wants to compare.
export interface ChartElement extends HTMLElement {
  drawn: Pick<Chart, "x" | "xLabel" | "yLabel" | "curves" | "marks" | "limits" | "bars">;
  end(): void;
}

// Before charts are thrown away: uPlot keeps each one, and the window its listeners, until it is told.
export function endCharts(within: Element): void {
  for (const one of within.querySelectorAll<ChartElement>(".chart")) one.end();
}

const HEIGHT = 230;
const TICK_SPACE = 74; // px between ticks below: "15.30375" has room
const ON_PAPER = 0.7; // lower, so that an event is two sheets
const heightOf = (wanted: Chart): number => Math.round((wanted.height ?? HEIGHT) * (document.documentElement.classList.contains("printing") ? ON_PAPER : 1));

// uPlot's own logarithmic axes never end below 1e-16 or so: powers of ten are drawn on an even axis instead.
const POWERS = [1, 2, 3, 5, 10, 20];
const scaled = (value: number | null, log: boolean): number | null => (!log || value === null ? value : value > 0 ? Math.log10(value) : null);
const restored = (value: number, log: boolean): number => (log ? 10 ** value : value);

// The canvas is redrawn when its width or the colours change.
export function chart(wanted: Chart): HTMLElement {
  const canvas = h("div", { class: "chart", role: "img", "aria-label": wanted.summary, "data-height": wanted.height ?? HEIGHT }) as HTMLElement as ChartElement;
  canvas.drawn = { x: wanted.x, xLabel: wanted.xLabel, yLabel: wanted.yLabel, curves: wanted.curves, marks: wanted.marks ?? [], limits: wanted.limits ?? [], bars: wanted.bars ?? [] };
  const read = h("p", { class: "read", "aria-hidden": "true" });
  const atPointer = (index: number | null): void => replace(read, index === null ? "" : reading(wanted, index));
  let plot: uPlot | null = null;
  const draw = (): void => {
    plot?.destroy();
    plot = null;
    const width = canvas.clientWidth;
    canvas.style.height = `${heightOf(wanted)}px`;
    if (width && canvas.isConnected) plot = new uPlot(options(wanted, width, atPointer), dataOf(wanted), canvas);
  };
  let drawnWidth = 0;
  const observer = new ResizeObserver(() => {
    if (canvas.clientWidth === drawnWidth) return;
    drawnWidth = canvas.clientWidth;
    draw();
  });
  canvas.end = () => {
    observer.disconnect();
    window.removeEventListener("skysieve:theme", draw);
    plot?.destroy();
    plot = null;
  };
  observer.observe(canvas);
  window.addEventListener("skysieve:theme", draw);
  return h("div", { class: "chart-frame" }, canvas, h("div", { class: "below-chart" }, legend(wanted), read));
}

function legend({ curves }: Chart): HTMLElement | null {
  const named = curves.filter((curve) => !curve.edge);
  if (named.length < 2) return null;
  return h("ul", { class: "legend" }, named.map((curve) => {
    const key = h("span", { class: "key-line" });
    key.style.background = `var(${curve.color})`;
    return h("li", {}, key, curve.label);
  }));
}

function reading({ x, xText, yText, curves }: Chart, index: number): string {
  const at = x[index];
  if (at === undefined) return "";
  const values = curves.filter((curve) => typeof curve.values[index] === "number");
  return [xText(at), ...values.map((curve) => `${curve.label} ${yText(curve.values[index] as number)}`)].join(" · ");
}

function dataOf(wanted: Chart): uPlot.AlignedData {
  const x = wanted.x.map((value) => scaled(value, wanted.xLog ?? false) as number);
  return [x, ...wanted.curves.map((curve) => curve.values.map((value) => scaled(value, wanted.yLog ?? false)))];
}

function ticks(log: boolean, power: (value: number) => string) {
  return (_: uPlot, values: (number | null)[], _axis: number, _space: number, step: number): string[] =>
    values.map((value) => (value === null ? "" : log ? power(restored(value, true)) : stepText(value, step)));
}

function options(wanted: Chart, width: number, atPointer: (index: number | null) => void): uPlot.Options {
  const muted = cssColor("--muted");
  const font = canvasFont(12);
  const axis = { stroke: muted, font, labelFont: font, labelSize: 18, labelGap: 0, grid: { stroke: cssColor("--grid"), width: 1 }, ticks: { show: false } };
  const [xLog, yLog] = [wanted.xLog ?? false, wanted.yLog ?? false];
  const marks = (wanted.marks ?? []).map((mark) => ({ ...mark, x: scaled(mark.x, xLog) ?? 0 }));
  const limits = (wanted.limits ?? []).map((limit) => ({ ...limit, y: scaled(limit.y, yLog) ?? 0 }));
  const bars = (wanted.bars ?? []).map((bar) => ({ ...bar, low: scaled(bar.low, yLog) ?? 0, high: scaled(bar.high, yLog) ?? 0 }));
  return {
    width,
    height: heightOf(wanted),
    padding: [marks.length ? markSpace(marks) : 8, limits.length ? LIMIT_SPACE : 14, 0, 0],
    legend: { show: false },
    cursor: { drag: { x: false, y: false } },
    scales: {
      x: { time: false, dir: wanted.xBackwards ? -1 : 1, range: (_, low, high) => widened(...reach(wanted.xMarked ? marks : [], low, high)) },
      y: { range: (_, low, high) => yRange(wanted, [...limits.map((limit) => limit.y), ...bars.flatMap((bar) => [bar.low, bar.high])], low, high) },
    },
    axes: [
      { ...axis, size: 30, space: TICK_SPACE, label: wanted.xLabel, values: ticks(xLog, (v) => String(Number(v.toPrecision(2)))), ...(xLog ? { incrs: POWERS } : {}) },
      { ...axis, label: wanted.yLabel, size: 58, values: ticks(yLog, probabilityTick), ...(yLog ? { incrs: POWERS } : {}) },
    ],
    series: [
      {},
      ...wanted.curves.map((curve) => ({
        label: curve.label,
        stroke: cssColor(curve.color),
        width: curve.edge || curve.line === false ? 0 : 1.75,
        spanGaps: curve.points ?? curve.edge ?? false,
        pxAlign: 0, // on whole pixels, a curve would go in steps
        points: { show: curve.points ?? false, size: 7, width: 1.5, stroke: cssColor(curve.color), fill: cssColor(curve.color) },
      })),
    ],
    bands: (wanted.bands ?? []).map((band) => ({ series: [band.above + 1, band.below + 1] as [number, number], fill: `${cssColor(band.color)}2e` })),
    hooks: {
      draw: [(plot) => drawBars(plot, bars), (plot) => drawLimits(plot, limits), (plot) => drawMarks(plot, marks, muted)],
      setCursor: [(plot) => atPointer(plot.cursor.idx ?? null)],
    },
  };
}

function drawBars({ ctx, valToPos }: uPlot, bars: Bar[]): void {
  ctx.save();
  ctx.lineWidth = 1.5 * devicePixelRatio;
  for (const bar of bars) {
    const x = valToPos(bar.x, "x", true);
    ctx.strokeStyle = cssColor(bar.color);
    ctx.beginPath();
    ctx.moveTo(x, valToPos(bar.low, "y", true));
    ctx.lineTo(x, valToPos(bar.high, "y", true));
    ctx.stroke();
  }
  ctx.restore();
}

const reach = (marks: Mark[], low: number, high: number): [number, number] => [Math.min(low, ...marks.map((mark) => mark.x)), Math.max(high, ...marks.map((mark) => mark.x))];

// A single instant has room around it.
const widened = (low: number, high: number): [number, number] => (high > low ? [low, high] : [low - 0.5, high + 0.5]);

function yRange(wanted: Chart, limits: number[], low: number | null, high: number | null): [number, number] {
  const [least, most] = [Math.min(low ?? 0, ...limits), Math.max(high ?? 0, ...limits)];
  if (wanted.yLog) {
    const within = limits.length || low !== null;
    return within ? [Math.floor(Math.min(low ?? Infinity, ...limits) - 0.1), Math.ceil(Math.max(high ?? -Infinity, ...limits) + 0.15)] : [-1, 0];
  }
  if (!wanted.yAround) return [Math.min(0, least), most * 1.05 || 1];
  const room = Math.max(0.08 * (most - least), ((wanted.yLeast ?? 0) - (most - least)) / 2) || 1;
  return [least - room, most + room];
}
