// The encounter plane: the primary at the origin, the secondary at the miss, the ellipses of both errors and of the
// combined one, the hard-body circle around the origin. The numbers come ready from the service.
import { svg } from "../dom";
import { metres } from "../format";
import type { EncounterPlane, Spread } from "../types";
import { Labels } from "./labels";
import { lengthUnit, roundStep, stepText } from "./ticks";

const SIZE = 400;
const MARGIN = 34;
const SIGMAS = [1, 2, 3];
const SMALLEST_PX = 6; // a smaller hard body is drawn this large, around the dot of the primary, and labelled so
const NEAR_RINGS = 4; // ellipses across a close-up

export type Zoom = "sigmas" | "miss";

interface Scale {
  x: (value_m: number) => number;
  y: (value_m: number) => number;
  perMetre: number;
  reach_m: number;
}

export function planePicture(plane: EncounterPlane, zoom: Zoom): SVGSVGElement {
  const { miss_x_m: x, miss_y_m: y, combined } = plane;
  const close = 1.3 * Math.max(Math.hypot(x, y), plane.hard_body_radius_m ?? 0, 1);
  const reach_m = zoom === "sigmas" && combined ? around(plane) : close;
  const perMetre = (SIZE / 2 - MARGIN) / reach_m;
  const to: Scale = { x: (value) => SIZE / 2 + value * perMetre, y: (value) => SIZE / 2 - value * perMetre, perMetre, reach_m };
  const labels = new Labels({ left: 44, top: 18, right: SIZE - 2, bottom: SIZE - 22 });
  labels.keep(to.x(0), to.y(0), SMALLEST_PX);
  labels.keep(to.x(x), to.y(y), 5);
  const unit = lengthUnit(reach_m)[1];
  labels.keepText(`across, ${unit}`, SIZE - 60, SIZE / 2 - 5);
  labels.keepText("radial, up", SIZE / 2 + 6, 13);
  const names = [labels.place("primary", "primary", to.x(0), to.y(0)), labels.place("secondary", "secondary", to.x(x), to.y(y))];
  const rings = zoom === "sigmas" ? SIGMAS : nearRings(plane, reach_m);
  return svg(
    "svg",
    { viewBox: `0 0 ${SIZE} ${SIZE}`, class: "plane", role: "img", "aria-label": summary(plane), "data-reach": reach_m },
    grid(to),
    combined ? [...rings].reverse().map((k) => svg("g", { class: `sigma sigma-${k}`, "data-sigmas": k }, ellipse(combined, k, to.x(x), to.y(y), perMetre))) : null,
    zoom === "sigmas" ? alone(plane, to) : null,
    svg("line", { class: "miss", x1: to.x(0), y1: to.y(0), x2: to.x(x), y2: to.y(y) }),
    hardBody(plane, to),
    svg("circle", { class: "primary", cx: to.x(0), cy: to.y(0), r: 2.5 }),
    svg("circle", { class: "secondary", cx: to.x(x), cy: to.y(y), r: 4 }),
    names,
    combined ? rings.map((k) => sigmaText(combined, k, to.x(x), to.y(y), perMetre, labels)) : null,
  );
}

function summary(plane: EncounterPlane): string {
  const sigma = plane.combined ? `, combined 1-sigma ellipse ${metres(plane.combined.sigma_major_m)} m by ${metres(plane.combined.sigma_minor_m ?? 0)} m` : "";
  const body = plane.hard_body_radius_m === null ? "" : `, hard-body radius ${metres(plane.hard_body_radius_m)} m`;
  return `Encounter plane: the secondary passes ${metres(plane.miss_x_m)} m across and ${metres(plane.miss_y_m)} m up from the primary${sigma}${body}.`;
}

// Half the side of a square around the origin that holds the 3-sigma ellipse, and both errors alone.
function around({ combined, primary, secondary, miss_x_m: x, miss_y_m: y }: EncounterPlane): number {
  const reach = (spread: Spread | null, sigmas: number, dx: number, dy: number): number => {
    if (!spread) return 0;
    const angle = (spread.major_axis_deg * Math.PI) / 180;
    const [a, b] = [sigmas * spread.sigma_major_m, sigmas * (spread.sigma_minor_m ?? 0)];
    const width = Math.hypot(a * Math.cos(angle), b * Math.sin(angle));
    const height = Math.hypot(a * Math.sin(angle), b * Math.cos(angle));
    return Math.max(Math.abs(dx) + width, Math.abs(dy) + height);
  };
  return 1.05 * Math.max(reach(combined, 3, x, y), reach(primary, 1, 0, 0), reach(secondary, 1, x, y), 1);
}

// Of a close-up: at round parts of a sigma, so that some cross it, each in the distance from the secondary.
function nearRings({ combined }: EncounterPlane, reach_m: number): number[] {
  if (!combined?.sigma_minor_m) return [];
  const step = roundStep(reach_m / combined.sigma_minor_m / NEAR_RINGS);
  return Array.from({ length: NEAR_RINGS }, (_, i) => Number(((i + 1) * step).toPrecision(2)));
}

function ellipse(spread: Spread, k: number, cx: number, cy: number, perMetre: number): SVGElement {
  return svg("ellipse", {
    cx,
    cy,
    rx: k * spread.sigma_major_m * perMetre,
    ry: Math.max(k * (spread.sigma_minor_m ?? 0) * perMetre, 0.5),
    // the picture's y points down
    transform: `rotate(${-spread.major_axis_deg} ${cx} ${cy})`,
  });
}

// 1 sigma of each object alone, around where it is.
function alone(plane: EncounterPlane, to: Scale): SVGElement[] {
  const { primary, secondary, miss_x_m: x, miss_y_m: y } = plane;
  return [
    ...(primary ? [svg("g", { class: "alone primary" }, ellipse(primary, 1, to.x(0), to.y(0), to.perMetre))] : []),
    ...(secondary ? [svg("g", { class: "alone secondary" }, ellipse(secondary, 1, to.x(x), to.y(y), to.perMetre))] : []),
  ];
}

// At an end of one of its axes, where there is room.
function sigmaText(spread: Spread, k: number, cx: number, cy: number, perMetre: number, labels: Labels): SVGElement | null {
  const angle = (spread.major_axis_deg * Math.PI) / 180;
  for (const [length, turn] of [[spread.sigma_major_m, 0], [spread.sigma_major_m, Math.PI], [spread.sigma_minor_m ?? 0, Math.PI / 2], [spread.sigma_minor_m ?? 0, -Math.PI / 2]] as const) {
    const [x, y] = [cx + k * length * perMetre * Math.cos(angle + turn), cy - k * length * perMetre * Math.sin(angle + turn)];
    const text = labels.place(`${k}σ`, "sigma-name", x, y, 4);
    if (text) return text;
  }
  return null;
}

function hardBody(plane: EncounterPlane, to: Scale): SVGElement | null {
  const radius_m = plane.hard_body_radius_m;
  if (radius_m === null) return null;
  const drawnLarger = radius_m * to.perMetre < SMALLEST_PX;
  return svg("g", { class: "hard-body", "data-drawn-larger": drawnLarger ? "true" : null }, svg("circle", { cx: to.x(0), cy: to.y(0), r: Math.max(radius_m * to.perMetre, SMALLEST_PX) }));
}

function grid(to: Scale): SVGElement {
  const reach_m = (to.reach_m * SIZE) / (SIZE - 2 * MARGIN);
  const step = roundStep(to.reach_m / 2.5);
  const [factor, unit] = lengthUnit(to.reach_m);
  const drawn: SVGElement[] = [];
  const count = Math.floor(reach_m / step);
  for (let i = -count; i <= count; i += 1) {
    const kind = i === 0 ? "axis" : "line";
    drawn.push(svg("line", { class: kind, x1: to.x(i * step), x2: to.x(i * step), y1: 0, y2: SIZE }));
    drawn.push(svg("line", { class: kind, x1: 0, x2: SIZE, y1: to.y(i * step), y2: to.y(i * step) }));
    if (Math.abs(i * step) < 0.94 * reach_m) drawn.push(svg("text", { class: "tick", x: to.x(i * step), y: SIZE - 6, "text-anchor": "middle" }, stepText(i * step * factor, step * factor)));
    if (i !== 0 && Math.abs(i * step) < 0.86 * reach_m) drawn.push(svg("text", { class: "tick", x: 4, y: to.y(i * step) - 4 }, stepText(i * step * factor, step * factor)));
  }
  drawn.push(svg("text", { class: "tick", x: SIZE - 4, y: SIZE / 2 - 5, "text-anchor": "end" }, `across, ${unit}`));
  drawn.push(svg("text", { class: "tick", x: SIZE / 2 + 6, y: 13 }, "radial, up"));
  return svg("g", { "aria-hidden": "true" }, drawn);
}
