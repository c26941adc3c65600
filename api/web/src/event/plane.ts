// The encounter plane: one object at the origin, the other at the miss, the ellipses of both errors and of the combined
// one, the hard-body circle around the origin. The numbers come ready from the service. An ellipse much longer than it is
// wide would be a hairline: the picture is then turned to its axes, and drawn with a scale of its own along each.
import { svg } from "../dom";
import { metres, type Names } from "../format";
import type { EncounterPlane, Spread } from "../types";
import { Labels } from "./labels";
import { lengthUnit, roundStep, stepText } from "./ticks";

const HEIGHT = 370;
const [LEFT, RIGHT, TOP, BOTTOM] = [60, 8, 22, 38]; // gutters for ticks and titles
const HIGH = HEIGHT - TOP - BOTTOM;
// Narrower on a phone, so that its letters can be read there.
const width = (): number => (matchMedia("(max-width: 44rem)").matches ? 380 : 540);
const SIGMAS = [1, 2, 3];
const SLIM = 5; // so many times as long as it is wide, an ellipse is drawn with unequal axes
const SMALLEST_PX = 6; // a smaller hard body is drawn this large, around the dot of the object, and labelled so
const NEAR_RINGS = 4; // ellipses across a close-up
const TICK_PX = 74;

export type Zoom = "sigmas" | "miss";

// From metres of the plane to px of the field; `turn`: degrees from the plane's x axis to the picture's.
interface Frame {
  wide: number; // px, of the field
  turn: number;
  sx: number; // px per m
  sy: number;
  at: (x_m: number, y_m: number) => [number, number];
}

export interface PlanePicture {
  element: SVGSVGElement;
  note: string; // where its axes are not alike, or turned
  enlarged: boolean; // the hard body
}

export function planePicture(plane: EncounterPlane, zoom: Zoom, names: Names): PlanePicture {
  const { miss_x_m: x, miss_y_m: y, combined } = plane;
  const frame = frameOf(plane, zoom);
  const { wide } = frame;
  const labels = new Labels({ left: 0, top: 0, right: wide, bottom: HIGH });
  const [origin, miss] = [frame.at(0, 0), frame.at(x, y)];
  labels.keep(...origin, SMALLEST_PX);
  labels.keep(...miss, 5);
  const called = [labels.place(names.primary, "primary", ...origin), labels.place(names.secondary, "secondary", ...miss)];
  const rings = zoom === "sigmas" ? SIGMAS : nearRings(plane, HIGH / 2 / frame.sy);
  const body = hardBody(plane, frame);
  const element = svg(
    "svg",
    { viewBox: `0 0 ${LEFT + wide + RIGHT} ${HEIGHT}`, class: "plane", role: "img", "aria-label": summary(plane, names), "data-turn": frame.turn, "data-per-metre": `${frame.sx} ${frame.sy}` },
    grid(frame),
    svg(
      "svg", // clips what reaches beyond the field
      { x: LEFT, y: TOP, width: wide, height: HIGH },
      combined ? [...rings].reverse().map((k) => svg("g", { class: `sigma sigma-${k}`, "data-sigmas": k }, ellipse(combined, k, miss, frame))) : null,
      zoom === "sigmas" ? alone(plane, frame) : null,
      svg("line", { class: "miss", x1: origin[0], y1: origin[1], x2: miss[0], y2: miss[1] }),
      body,
      svg("circle", { class: "primary", cx: origin[0], cy: origin[1], r: 2.5 }),
      svg("circle", { class: "secondary", cx: miss[0], cy: miss[1], r: 4 }),
      called,
      combined ? rings.map((k) => sigmaText(combined, k, plane, frame, labels)) : null,
    ),
  );
  return { element, note: unequal(frame), enlarged: body?.dataset.drawnLarger === "true" };
}

function unequal({ sx, sy, turn }: Frame): string {
  const stretch = sy / sx;
  const more = stretch >= 1 ? ["height", stretch, "length"] as const : ["length", 1 / stretch, "height"] as const;
  const scaled = Math.abs(stretch - 1) < 0.01 ? "" : `Unequal axes: its ${more[0]} is drawn ${more[1] < 10 ? more[1].toFixed(1) : Math.round(more[1])} times as large as its ${more[2]}.`;
  return [scaled, turned(turn) ? `The picture is turned by ${Math.round(Math.abs(turn))}° to the axes of the ellipse.` : ""].filter(Boolean).join(" ");
}

const turned = (turn: number): boolean => Math.abs(turn) >= 0.5;

function summary(plane: EncounterPlane, names: Names): string {
  const sigma = plane.combined ? `, combined 1-sigma ellipse ${metres(plane.combined.sigma_major_m)} m by ${metres(plane.combined.sigma_minor_m ?? 0)} m` : "";
  const body = plane.hard_body_radius_m === null ? "" : `, hard-body radius ${metres(plane.hard_body_radius_m)} m`;
  return `Encounter plane: ${names.secondary} passes ${metres(plane.miss_x_m)} m across and ${metres(plane.miss_y_m)} m up from ${names.primary}${sigma}${body}.`;
}

function frameOf(plane: EncounterPlane, zoom: Zoom): Frame {
  const { combined, miss_x_m, miss_y_m } = plane;
  const whole = zoom === "sigmas" ? combined : null;
  const slim = whole !== null && whole.sigma_major_m > SLIM * (whole.sigma_minor_m ?? 0);
  const turn = slim ? whole.major_axis_deg - 90 * Math.round(whole.major_axis_deg / 90) : 0;
  const close = 1.3 * Math.max(Math.hypot(miss_x_m, miss_y_m), plane.hard_body_radius_m ?? 0, 1);
  const [reachX, reachY] = whole ? around(plane, turn) : [close, close];
  const wide = width() - LEFT - RIGHT;
  const [sx, sy] = [wide / 2 / reachX, HIGH / 2 / reachY];
  const both = Math.min(sx, sy);
  const [c, s] = [Math.cos(rad(turn)), Math.sin(rad(turn))];
  const scale = slim ? [sx, sy] as const : [both, both] as const;
  return {
    wide,
    turn,
    sx: scale[0],
    sy: scale[1],
    at: (x, y) => [wide / 2 + scale[0] * (c * x + s * y), HIGH / 2 - scale[1] * (c * y - s * x)],
  };
}

const rad = (degrees: number): number => (degrees * Math.PI) / 180;

// Half the sides of a box around the origin, turned, that holds the 3-sigma ellipse and both errors alone.
function around({ combined, primary, secondary, miss_x_m: x, miss_y_m: y }: EncounterPlane, turn: number): [number, number] {
  const [c, s] = [Math.cos(rad(turn)), Math.sin(rad(turn))];
  const [missX, missY] = [Math.abs(c * x + s * y), Math.abs(c * y - s * x)];
  const reach = (spread: Spread | null, sigmas: number, dx: number, dy: number): [number, number] => {
    if (!spread) return [0, 0];
    const angle = rad(spread.major_axis_deg - turn);
    const [a, b] = [sigmas * spread.sigma_major_m, sigmas * (spread.sigma_minor_m ?? 0)];
    return [dx + Math.hypot(a * Math.cos(angle), b * Math.sin(angle)), dy + Math.hypot(a * Math.sin(angle), b * Math.cos(angle))];
  };
  const all = [reach(combined, 3, missX, missY), reach(primary, 1, 0, 0), reach(secondary, 1, missX, missY), [1, 1]];
  return [1.06 * Math.max(...all.map((one) => one[0] as number)), 1.06 * Math.max(...all.map((one) => one[1] as number))];
}

// Of a close-up: at round parts of a sigma, so that some cross it, each in the distance from the object.
function nearRings({ combined }: EncounterPlane, reach_m: number): number[] {
  if (!combined?.sigma_minor_m) return [];
  const step = roundStep(reach_m / combined.sigma_minor_m / NEAR_RINGS);
  return Array.from({ length: NEAR_RINGS }, (_, i) => Number(((i + 1) * step).toPrecision(2)));
}

// In metres; the frame brings it onto the field.
function ellipse(spread: Spread, k: number, [cx, cy]: [number, number], { sx, sy, turn }: Frame): SVGElement {
  return svg("ellipse", {
    rx: k * spread.sigma_major_m,
    ry: Math.max(k * (spread.sigma_minor_m ?? 0), 0.5 / sy),
    transform: `translate(${cx} ${cy}) scale(${sx} ${-sy}) rotate(${spread.major_axis_deg - turn})`,
    "vector-effect": "non-scaling-stroke",
  });
}

// 1 sigma of each object alone, around where it is.
function alone({ primary, secondary, miss_x_m: x, miss_y_m: y }: EncounterPlane, frame: Frame): SVGElement[] {
  return [
    ...(primary ? [svg("g", { class: "alone primary" }, ellipse(primary, 1, frame.at(0, 0), frame))] : []),
    ...(secondary ? [svg("g", { class: "alone secondary" }, ellipse(secondary, 1, frame.at(x, y), frame))] : []),
  ];
}

// At an end of one of its axes, where there is room.
function sigmaText(spread: Spread, k: number, { miss_x_m, miss_y_m }: EncounterPlane, frame: Frame, labels: Labels): SVGElement | null {
  const angle = rad(spread.major_axis_deg);
  const [major, minor] = [k * spread.sigma_major_m, k * (spread.sigma_minor_m ?? 0)];
  for (const [length, axis] of [[minor, Math.PI / 2], [minor, -Math.PI / 2], [major, 0], [major, Math.PI]] as const) {
    const [x, y] = frame.at(miss_x_m + length * Math.cos(angle + axis), miss_y_m + length * Math.sin(angle + axis));
    const text = labels.place(`${k}σ`, "sigma-name", x, y, 4);
    if (text) return text;
  }
  return null;
}

function hardBody(plane: EncounterPlane, { sx, sy, at }: Frame): SVGElement | null {
  const radius_m = plane.hard_body_radius_m;
  if (radius_m === null) return null;
  const [cx, cy] = at(0, 0);
  const drawnLarger = radius_m * Math.min(sx, sy) < SMALLEST_PX;
  return svg("g", { class: "hard-body", "data-drawn-larger": drawnLarger ? "true" : null }, svg("ellipse", { cx, cy, rx: Math.max(radius_m * sx, SMALLEST_PX), ry: Math.max(radius_m * sy, SMALLEST_PX) }));
}

// Ticks and titles stand in the gutters, where nothing else is drawn.
function grid({ wide, sx, sy, turn }: Frame): SVGElement {
  const [across, up] = [ticks(wide, sx), ticks(HIGH, sy)];
  const names = turned(turn) ? ["along one axis of the ellipse", "along the other"] : ["across", "radial, up"];
  return svg(
    "g",
    { "aria-hidden": "true" },
    across.at.map(({ px, text, zero }) => [
      svg("line", { class: zero ? "axis" : "line", x1: LEFT + wide / 2 + px, x2: LEFT + wide / 2 + px, y1: TOP, y2: TOP + HIGH }),
      svg("text", { class: "tick", x: LEFT + wide / 2 + px, y: TOP + HIGH + 14, "text-anchor": "middle" }, text),
    ]).flat(),
    up.at.map(({ px, text, zero }) => [
      svg("line", { class: zero ? "axis" : "line", x1: LEFT, x2: LEFT + wide, y1: TOP + HIGH / 2 - px, y2: TOP + HIGH / 2 - px }),
      svg("text", { class: "tick", x: LEFT - 5, y: TOP + HIGH / 2 - px + 4, "text-anchor": "end" }, text),
    ]).flat(),
    svg("text", { class: "tick", x: LEFT + wide / 2, y: HEIGHT - 6, "text-anchor": "middle" }, `${names[0]}, ${across.unit}`),
    svg("text", { class: "tick", x: 4, y: 13 }, `${names[1]}, ${up.unit}`),
  );
}

interface Tick {
  px: number; // from the middle
  text: string;
  zero: boolean;
}

function ticks(room: number, perMetre: number): { at: Tick[]; unit: string } {
  const step = roundStep(TICK_PX / perMetre);
  const [factor, unit] = lengthUnit(room / 2 / perMetre);
  const count = Math.floor((room / 2 - 8) / perMetre / step);
  const at = Array.from({ length: 2 * count + 1 }, (_, i) => i - count);
  return { unit, at: at.map((i) => ({ px: i * step * perMetre, text: stepText(i * step * factor, step * factor), zero: i === 0 })) };
}
