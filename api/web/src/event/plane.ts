// The encounter plane: the primary at the origin, the secondary at the miss, the ellipses of their combined
// covariance around it, the hard-body circle around the origin. The numbers come ready from the service.
import { svg } from "../dom";
import { metres } from "../format";
import type { EncounterPlane } from "../types";

const SIZE = 460;
const MARGIN = 34;
const SIGMAS = [1, 2, 3];
const SMALLEST_PX = 3; // anything smaller is drawn as a dot, and labelled so

export type Zoom = "sigmas" | "miss";

export function planePicture(plane: EncounterPlane, zoom: Zoom): SVGSVGElement {
  const { miss_x_m: x, miss_y_m: y, combined } = plane;
  const reach_m = zoom === "sigmas" && combined ? around(plane) : 1.3 * Math.max(Math.hypot(x, y), plane.hard_body_radius_m ?? 0, 1);
  const scale = (SIZE / 2 - MARGIN) / reach_m;
  const px = (value: number): number => SIZE / 2 + value * scale;
  const py = (value: number): number => SIZE / 2 - value * scale;
  const step = tick(reach_m);

  return svg(
    "svg",
    { viewBox: `0 0 ${SIZE} ${SIZE}`, class: "plane", role: "img", "aria-label": summary(plane) },
    grid(reach_m, step, px, py),
    combined ? SIGMAS.map((k) => ellipse(plane, k, px(x), py(y), scale)).reverse() : null,
    svg("line", { class: "miss", x1: px(0), y1: py(0), x2: px(x), y2: py(y) }),
    hardBody(plane, px(0), py(0), scale),
    svg("circle", { class: "primary", cx: px(0), cy: py(0), r: 3 }),
    svg("circle", { class: "secondary", cx: px(x), cy: py(y), r: 4 }),
    label("primary", px(0), py(0), -1, px(x) >= px(0)),
    label("secondary", px(x), py(y), 1, px(x) < px(0)),
    svg("text", { class: "tick", x: SIZE - 4, y: SIZE - 6, "text-anchor": "end" }, `grid ${metres(step)} m`),
    svg("text", { class: "tick", x: SIZE / 2 + 6, y: 14 }, "radial, up"),
  );
}

function summary(plane: EncounterPlane): string {
  const sigma = plane.combined ? `, combined 1-sigma ellipse ${metres(plane.combined.sigma_major_m)} m by ${metres(plane.combined.sigma_minor_m ?? 0)} m` : "";
  const body = plane.hard_body_radius_m === null ? "" : `, hard-body radius ${metres(plane.hard_body_radius_m)} m`;
  return `Encounter plane: the secondary passes ${metres(plane.miss_x_m)} m across and ${metres(plane.miss_y_m)} m up from the primary${sigma}${body}.`;
}

// Half the side of a square around the origin that holds the 3-sigma ellipse.
function around({ combined, miss_x_m: x, miss_y_m: y }: EncounterPlane): number {
  if (!combined) return 1;
  const angle = (combined.major_axis_deg * Math.PI) / 180;
  const [a, b] = [3 * combined.sigma_major_m, 3 * (combined.sigma_minor_m ?? 0)];
  const width = Math.hypot(a * Math.cos(angle), b * Math.sin(angle));
  const height = Math.hypot(a * Math.sin(angle), b * Math.cos(angle));
  return 1.05 * Math.max(Math.abs(x) + width, Math.abs(y) + height, 1);
}

function ellipse(plane: EncounterPlane, k: number, cx: number, cy: number, scale: number): SVGElement | null {
  const { combined } = plane;
  if (!combined || combined.sigma_minor_m === null) return null;
  return svg(
    "g",
    { class: `sigma sigma-${k}` },
    svg("ellipse", {
      cx,
      cy,
      rx: k * combined.sigma_major_m * scale,
      ry: k * combined.sigma_minor_m * scale,
      // the picture's y points down
      transform: `rotate(${-combined.major_axis_deg} ${cx} ${cy})`,
    }),
    sigmaText(plane, k, cx, cy, scale),
  );
}

function sigmaText(plane: EncounterPlane, k: number, cx: number, cy: number, scale: number): SVGElement | null {
  const { combined } = plane;
  if (!combined) return null;
  const angle = (combined.major_axis_deg * Math.PI) / 180;
  const along = k * combined.sigma_major_m * scale;
  // At the upper end of the major axis.
  const sign = Math.sin(angle) >= 0 ? 1 : -1;
  const [x, y] = [cx + sign * along * Math.cos(angle), cy - sign * along * Math.sin(angle)];
  if (x < 12 || x > SIZE - 12 || y < 18 || y > SIZE - 6) return null;
  return svg("text", { x: x + 4, y: y - 4 }, `${k}σ`);
}

function hardBody(plane: EncounterPlane, cx: number, cy: number, scale: number): SVGElement | null {
  const radius_m = plane.hard_body_radius_m;
  if (radius_m === null) return null;
  const small = radius_m * scale < SMALLEST_PX;
  const r = Math.max(radius_m * scale, SMALLEST_PX);
  const text = `hard body ${metres(radius_m)} m${small ? ", drawn larger" : ""}`;
  return svg("g", { class: "hard-body" }, svg("circle", { cx, cy, r }), svg("text", { x: cx, y: plane.miss_y_m < 0 ? cy - r - 16 : cy + r + 24, "text-anchor": "middle" }, text));
}

function label(text: string, x: number, y: number, side: number, left: boolean): SVGElement {
  return svg("text", { class: `name ${text}`, x: x + (left ? -8 : 8), y: y + side * -8, "text-anchor": left ? "end" : "start" }, text);
}

function grid(reach_m: number, step: number, px: (v: number) => number, py: (v: number) => number): SVGElement {
  const lines: SVGElement[] = [];
  const count = Math.floor((reach_m * SIZE) / (SIZE - 2 * MARGIN) / step);
  for (let i = -count; i <= count; i += 1) {
    const kind = i === 0 ? "axis" : "line";
    lines.push(svg("line", { class: kind, x1: px(i * step), x2: px(i * step), y1: 0, y2: SIZE }));
    lines.push(svg("line", { class: kind, x1: 0, x2: SIZE, y1: py(i * step), y2: py(i * step) }));
  }
  return svg("g", { "aria-hidden": "true" }, lines);
}

// A round step that gives some four squares from the middle to the edge.
function tick(reach_m: number): number {
  const power = 10 ** Math.floor(Math.log10(reach_m / 4));
  return ([1, 2, 5, 10].find((factor) => factor * power >= reach_m / 4) ?? 10) * power;
}
