// Shared by all pictures: a frame with a title and a sentence, and uPlot in the page's colours.
import uPlot from "uplot";
import { cssColor, h } from "../dom";
import { utc } from "../format";
import { instants } from "./time_axis";

export function figure(title: string, sentence: string, picture: Element | string, extra?: HTMLElement): HTMLElement {
  const body = typeof picture === "string" ? h("p", { class: "empty" }, picture) : picture;
  return h("figure", { class: "panel" }, h("figcaption", {}, h("h2", {}, title), extra ?? null, h("p", { class: "note" }, sentence)), body);
}

export interface Curve {
  label: string;
  values: (number | null)[];
  color: string; // name of a CSS variable
  points?: boolean;
}

export interface Chart {
  x: number[];
  xLabel: string;
  xText?: (value: number) => string;
  xTime?: boolean;
  xLog?: boolean;
  yLabel: string;
  yText: (value: number) => string;
  yLog?: boolean;
  curves: Curve[];
  marks?: { x: number; text: string }[];
  limits?: { y: number; text: string; color: string }[]; // drawn where they lie in the range; color as a curve's
  summary: string; // what the picture shows, in words
}

const HEIGHT = 230;

// uPlot's own logarithmic axes never end below 1e-16 or so: powers of ten are drawn on an even axis instead.
const POWERS = [1, 2, 3, 5, 10, 20];
const scaled = (value: number | null, log: boolean): number | null => (!log || value === null ? value : value > 0 ? Math.log10(value) : null);
const restored = (value: number, log: boolean): number => (log ? 10 ** value : value);

// The canvas is redrawn when its width or the colours change.
export function chart(wanted: Chart): HTMLElement {
  const place = h("div", { class: "chart", role: "img", "aria-label": wanted.summary });
  let plot: uPlot | null = null;
  const draw = (): void => {
    plot?.destroy();
    plot = null;
    const width = place.clientWidth;
    if (width && place.isConnected) plot = new uPlot(options(wanted, width), dataOf(wanted), place);
  };
  let drawnWidth = 0;
  const observer = new ResizeObserver(() => {
    if (!place.isConnected) return stop();
    if (place.clientWidth === drawnWidth) return;
    drawnWidth = place.clientWidth;
    draw();
  });
  const recolor = (): void => (place.isConnected ? draw() : stop());
  const stop = (): void => {
    observer.disconnect();
    window.removeEventListener("skysieve:theme", recolor);
  };
  observer.observe(place);
  window.addEventListener("skysieve:theme", recolor);
  return place;
}

function dataOf(wanted: Chart): uPlot.AlignedData {
  const x = wanted.x.map((value) => scaled(value, wanted.xLog ?? false) as number);
  return [x, ...wanted.curves.map((curve) => curve.values.map((value) => scaled(value, wanted.yLog ?? false)))];
}

function options(wanted: Chart, width: number): uPlot.Options {
  const muted = cssColor("--muted");
  const font = "12px system-ui, sans-serif";
  const axis = { stroke: muted, font, labelFont: font, labelSize: 18, labelGap: 0, grid: { stroke: cssColor("--grid"), width: 1 }, ticks: { show: false } };
  const [xLog, yLog] = [wanted.xLog ?? false, wanted.yLog ?? false];
  const xText = wanted.xText ? (value: number): string => (wanted.xText as (v: number) => string)(restored(value, xLog)) : null;
  const yText = (value: number): string => wanted.yText(restored(value, yLog));
  const ticks = (format: (value: number) => string) => (_: uPlot, values: (number | null)[]) =>
    values.map((value) => (value === null ? "" : format(value)));
  const told = (format: (value: number) => string) => (_: uPlot, value: number | null) => (value === null || value === undefined ? "–" : format(value));
  return {
    width,
    height: HEIGHT,
    legend: { live: true },
    cursor: { drag: { x: false, y: false } },
    scales: {
      x: { time: wanted.xTime ?? false },
      y: { range: (_, low, high) => (yLog ? [Math.floor(low), Math.ceil(high + 0.15)] : [Math.min(0, low), high * 1.05 || 1]) },
    },
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), "Etc/UTC"),
    axes: [
      { ...axis, size: wanted.xTime ? 42 : 30, label: wanted.xLabel, ...(wanted.xTime ? instants : {}), ...(xText ? { values: ticks(xText) } : {}), ...(xLog ? { incrs: POWERS } : {}) },
      { ...axis, label: wanted.yLabel, size: 64, values: ticks(yText), ...(yLog ? { incrs: POWERS } : {}) },
    ],
    series: [
      { label: wanted.xLabel, ...(wanted.xTime ? { value: told((seconds) => utc(seconds * 1000)) } : xText ? { value: told(xText) } : {}) },
      ...wanted.curves.map((curve) => ({
        label: curve.label,
        stroke: cssColor(curve.color),
        width: 1.75,
        pxAlign: 0, // on whole pixels, a curve would go in steps
        points: { show: curve.points ?? false, size: 7, fill: cssColor(curve.color) },
        value: told(yText),
      })),
    ],
    hooks: { draw: [(plot) => drawLimits(plot, (wanted.limits ?? []).map((limit) => ({ ...limit, y: scaled(limit.y, yLog) ?? 0 }))), (plot) => drawMarks(plot, (wanted.marks ?? []).map((mark) => ({ ...mark, x: scaled(mark.x, xLog) ?? 0 })), muted)] },
  };
}

function drawLimits(plot: uPlot, limits: { y: number; text: string; color: string }[]): void {
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.setLineDash([2 * devicePixelRatio, 3 * devicePixelRatio]);
  ctx.font = `${11 * devicePixelRatio}px system-ui, sans-serif`;
  ctx.textAlign = "right";
  ctx.textBaseline = "bottom";
  for (const limit of limits) {
    const y = plot.valToPos(limit.y, "y", true);
    if (y < bbox.top || y > bbox.top + bbox.height) continue;
    ctx.strokeStyle = ctx.fillStyle = cssColor(limit.color);
    ctx.beginPath();
    ctx.moveTo(bbox.left, y);
    ctx.lineTo(bbox.left + bbox.width, y);
    ctx.stroke();
    ctx.fillText(limit.text, bbox.left + bbox.width - 4 * devicePixelRatio, y - devicePixelRatio);
  }
  ctx.restore();
}

function drawMarks(plot: uPlot, marks: { x: number; text: string }[], color: string): void {
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.strokeStyle = ctx.fillStyle = color;
  ctx.setLineDash([4 * devicePixelRatio, 4 * devicePixelRatio]);
  ctx.font = `${12 * devicePixelRatio}px system-ui, sans-serif`;
  for (const [i, mark] of marks.entries()) {
    const x = plot.valToPos(mark.x, "x", true);
    if (x < bbox.left || x > bbox.left + bbox.width) continue;
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
    const right = x > bbox.left + bbox.width * 0.7;
    ctx.textAlign = right ? "right" : "left";
    ctx.fillText(mark.text, x + (right ? -6 : 6) * devicePixelRatio, bbox.top + (14 + 16 * i) * devicePixelRatio);
  }
  ctx.restore();
}
