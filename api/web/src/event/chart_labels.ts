// Texts around a chart that no curve and no other text crosses: of marks above it, of limits on its right.
import type uPlot from "uplot";
import { canvasFont, cssColor } from "../dom";

export interface Mark {
  x: number;
  text: string;
}

export interface Limit {
  y: number;
  text: string;
  color: string; // as a curve's
}

const LINE_PX = 15;
// As many lines as texts that do not fit beside each other.
export const markSpace = (marks: readonly Mark[]): number => Math.max(2, marks.length) * LINE_PX + 4;
export const LIMIT_SPACE = 54;

export function drawLimits(plot: uPlot, limits: Limit[]): void {
  const { ctx, bbox } = plot;
  const px = devicePixelRatio;
  ctx.save();
  ctx.setLineDash([2 * px, 3 * px]);
  ctx.font = canvasFont(11 * px);
  ctx.textAlign = "left";
  ctx.textBaseline = "middle";
  let free = -Infinity; // where the next text has room, from the top
  for (const limit of [...limits].sort((a, b) => b.y - a.y)) {
    const y = plot.valToPos(limit.y, "y", true);
    ctx.strokeStyle = ctx.fillStyle = cssColor(limit.color);
    ctx.beginPath();
    ctx.moveTo(bbox.left, y);
    ctx.lineTo(bbox.left + bbox.width, y);
    ctx.stroke();
    const told = Math.max(y, free);
    ctx.fillText(limit.text, bbox.left + bbox.width + 5 * px, told);
    free = told + 13 * px;
  }
  ctx.restore();
}

export function drawMarks(plot: uPlot, marks: Mark[], color: string): void {
  const { ctx, bbox } = plot;
  const px = devicePixelRatio;
  ctx.save();
  ctx.strokeStyle = ctx.fillStyle = color;
  ctx.setLineDash([4 * px, 4 * px]);
  ctx.font = canvasFont(12 * px);
  ctx.textAlign = "left";
  ctx.textBaseline = "alphabetic";
  const right = ctx.canvas.width;
  const shown = marks.map((mark) => ({ text: mark.text, x: plot.valToPos(mark.x, "x", true) })).filter(({ x }) => x >= bbox.left - 1 && x <= bbox.left + bbox.width + 1);
  const taken: number[] = []; // of each line from below, from the left
  for (const [i, { text, x }] of shown.sort((a, b) => a.x - b.x).entries()) {
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
    const wide = ctx.measureText(text).width;
    const wanted = shown.length === 1 ? x - wide / 2 : i === 0 ? x - wide : x;
    const left = Math.min(Math.max(wanted, 0), right - wide);
    const line = shown.findIndex((_, k) => left >= (taken[k] ?? -Infinity) + 8 * px);
    ctx.fillText(text, left, bbox.top - (5 + line * LINE_PX) * px);
    taken[line] = left + wide;
  }
  ctx.restore();
}
