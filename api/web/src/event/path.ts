// The path of the secondary around the primary, in the primary's frame at each instant: from the side, and from above.
import { h, svg } from "../dom";
import { fixed, type Names } from "../format";
import type { RangeCurve } from "../types";
import { Labels } from "./labels";
import { inUnit, largest, lengthUnit, roundStep, stepText } from "./ticks";

const [WIDTH, HEIGHT] = [400, 250];
const [LEFT, RIGHT, TOP, BOTTOM] = [74, 30, 14, 40];
const MOST_STRETCHED = 4; // up to this, both axes have one scale

export function relativePath(curve: RangeCurve, names: Names): HTMLElement {
  return h("div", { class: "paths-drawn" }, view(curve, "radial_m", "radial, up", names), view(curve, "cross_track_m", "cross-track, left", names));
}

interface Axis {
  at: (value: number) => number; // px
  ticks: number[];
  step: number;
}

function view(curve: RangeCurve, upwards: "radial_m" | "cross_track_m", name: string, names: Names): HTMLElement {
  const [factor, unit] = lengthUnit(Math.max(largest(curve.in_track_m), largest(curve[upwards])));
  const [along, up] = [inUnit(curve.in_track_m, factor), inUnit(curve[upwards], factor)];
  const { x, y, one } = axes(along, up);
  const points = along.flatMap((value, i) => (value === null || up[i] === null ? [] : [[x.at(value), y.at(up[i] as number)] as const]));
  const middle = curve.seconds_from_tca.indexOf(0);
  const [tcaX, tcaY] = [x.at(along[middle] ?? 0), y.at(up[middle] ?? 0)];
  const labels = new Labels({ left: LEFT, top: TOP, right: WIDTH - RIGHT, bottom: HEIGHT - BOTTOM });
  labels.keep(x.at(0), y.at(0), 6);
  labels.keep(tcaX, tcaY, 6);
  for (const [px, py] of points) labels.keep(px, py, 2);
  const picture = svg(
    "svg",
    { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "plane path", role: "img", "data-plane": upwards, "aria-label": `Path of ${names.secondary} around ${names.primary}, ${name} against in-track, ${unit}.` },
    x.ticks.map((tick) => [
      svg("line", { class: "line", x1: x.at(tick), x2: x.at(tick), y1: TOP, y2: HEIGHT - BOTTOM }),
      svg("text", { class: "tick", x: x.at(tick), y: HEIGHT - BOTTOM + 15, "text-anchor": "middle" }, stepText(tick, x.step)),
    ]).flat(),
    y.ticks.map((tick) => [
      svg("line", { class: "line", x1: LEFT, x2: WIDTH - RIGHT, y1: y.at(tick), y2: y.at(tick) }),
      svg("text", { class: "tick", x: LEFT - 5, y: y.at(tick) + 4, "text-anchor": "end" }, stepText(tick, y.step)),
    ]).flat(),
    svg("text", { class: "tick", x: (LEFT + WIDTH - RIGHT) / 2, y: HEIGHT - 6, "text-anchor": "middle" }, `in-track, ahead (${unit})`),
    svg("text", { class: "tick", x: 12, y: (TOP + HEIGHT - BOTTOM) / 2, "text-anchor": "middle", transform: `rotate(-90 12 ${(TOP + HEIGHT - BOTTOM) / 2})` }, `${name} (${unit})`),
    svg("polyline", { class: "track-line", points: points.map((point) => point.map((v) => v.toFixed(2)).join(",")).join(" ") }),
    svg("circle", { class: "primary", cx: x.at(0), cy: y.at(0), r: 4 }),
    svg("circle", { class: "secondary", cx: tcaX, cy: tcaY, r: 4 }),
    arrow(points),
    labels.place(names.primary, "primary", x.at(0), y.at(0)),
    labels.place("TCA", "secondary", tcaX, tcaY),
  );
  return h("div", { class: "path-view", "data-unit": unit }, picture, one ? null : h("p", { class: "note" }, `Its height is drawn ${fixed(stretch(along, up), 0)} times as large as its length.`));
}

// The head of the path at its end: where the secondary goes.
function arrow(points: (readonly [number, number])[]): SVGElement | null {
  const [before, end] = [points.at(-4), points.at(-1)];
  if (!before || !end) return null;
  const angle = (Math.atan2(end[1] - before[1], end[0] - before[0]) * 180) / Math.PI;
  return svg("path", { class: "arrow", d: "M 0 0 L -10 -4 L -10 4 Z", transform: `translate(${end[0]} ${end[1]}) rotate(${angle})` });
}

const extent = (values: (number | null)[]): [number, number] => {
  const known = [0, ...values.filter((value) => value !== null)];
  return [Math.min(...known), Math.max(...known)];
};

const [ROOM_X, ROOM_Y] = [WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM];

function stretch(along: (number | null)[], up: (number | null)[]): number {
  const [[x0, x1], [y0, y1]] = [extent(along), extent(up)];
  return (ROOM_Y / (1.16 * (y1 - y0) || 1)) / (ROOM_X / (1.16 * (x1 - x0) || 1));
}

function axes(along: (number | null)[], up: (number | null)[]): { x: Axis; y: Axis; one: boolean } {
  const [[x0, x1], [y0, y1]] = [extent(along), extent(up)];
  const perX = ROOM_X / (1.16 * (x1 - x0) || 1);
  const perY = ROOM_Y / (1.16 * (y1 - y0) || 1);
  const one = Math.max(perX / perY, perY / perX) <= MOST_STRETCHED || perX > perY;
  const both = Math.min(perX, perY);
  return {
    x: axis((x0 + x1) / 2, one ? both : perX, LEFT, ROOM_X, 1, 4),
    y: axis((y0 + y1) / 2, one ? both : perY, TOP, ROOM_Y, -1, 4),
    one,
  };
}

function axis(middle: number, perUnit: number, start: number, room: number, sign: 1 | -1, wanted: number): Axis {
  const half = room / perUnit / 2;
  const step = roundStep((2 * half) / wanted);
  const ticks: number[] = [];
  for (let i = Math.ceil((middle - half) / step); i * step <= middle + half; i += 1) ticks.push(i * step);
  return { at: (value) => start + room / 2 + sign * (value - middle) * perUnit, ticks, step };
}
