// The stage: the picture, its names, its scale bar; turned by dragging and by keys. It draws when something changes.
import { h } from "../dom";
import { AXES, length, roundLength, speed } from "./words";
import { placeAt, plus, size } from "./algebra";
import { Labels, type Label } from "./labels";
import { AXIS, EncounterScene, squareOf, type Drawn } from "./scene";
import type { EncounterRtn, Radii, Shown, Vector } from "./types";

const TURN = Math.PI / 24; // rad, a press of an arrow key
const DRAG = 0.008; // rad a pixel
const STEEPEST = Math.PI / 2;
const ASIDE = 0.9; // rad, from the flight: shows the sheet from the side
const ABOVE = 0.38;
const SHORT_PX = 45; // seen nearly from its end, an arrow or axis has no name
const AXIS_NAMES = ["radial, up", "in-track, forward", "cross-track"];

export type Look = "aside" | "along" | (typeof AXES)[number];

export interface Stage {
  show(shown: Shown): void;
  look(from: Look): void;
  dispose(): void;
}

// The element tells what its picture has, for whoever wants to compare.
export interface StageElement extends HTMLElement {
  drawn(): Drawn | null;
}

export interface Told {
  turned(): void; // by hand
  drawn(enlarged: boolean): void;
  lost(lost: boolean): void; // the graphics card took the picture away, or gave it back
}

export function stage(place: HTMLElement, record: EncounterRtn, radii: Radii, tell: Told): Stage {
  const scene = new EncounterScene(place, record, radii);
  const labels = new Labels();
  const bar = h("div", { class: "scale-bar", "aria-hidden": "true" }, h("span", {}), h("i", {}));
  place.append(labels.element, bar);
  let shown: Shown | null = null;
  let inPicture: Shown | null = null; // when it was last drawn
  let asked = 0;
  const draw = (): void => {
    asked = 0;
    if (!shown || !place.clientWidth) return;
    scene.draw(shown);
    inPicture = shown;
    place.dataset.pictures = String(Number(place.dataset.pictures ?? 0) + 1);
    tell.drawn(scene.enlarged(shown));
    labels.show(named(scene, record, shown), place.clientWidth, place.clientHeight);
    measure(bar, squareOf(shown.reach_m), scene.pxPerReach / shown.reach_m, shown.sheet || shown.explained);
  };
  const again = (): void => {
    asked ||= requestAnimationFrame(draw);
  };
  const sized = new ResizeObserver(() => {
    if (!place.clientWidth || !place.clientHeight) return;
    scene.resize(place.clientWidth, place.clientHeight);
    draw();
  });
  sized.observe(place);
  const recolor = (): void => (scene.recolor(), again());
  window.addEventListener("skysieve:theme", recolor);
  turning(place, scene, () => (tell.turned(), again()));
  (place as StageElement).drawn = () => inPicture && scene.drawn(inPicture);
  const lost = (event: Event): void => tell.lost(event.type === "webglcontextlost");
  const restored = (event: Event): void => (lost(event), scene.recolor(), again());
  scene.canvas.addEventListener("webglcontextlost", lost);
  scene.canvas.addEventListener("webglcontextrestored", restored);
  return {
    show(next) {
      shown = next;
      again();
    },
    look(from) {
      Object.assign(scene.look, directionOf(from, record));
      again();
    },
    dispose() {
      cancelAnimationFrame(asked);
      sized.disconnect();
      window.removeEventListener("skysieve:theme", recolor);
      scene.canvas.removeEventListener("webglcontextlost", lost);
      scene.canvas.removeEventListener("webglcontextrestored", restored);
      scene.dispose();
    },
  };
}

function directionOf(from: Look, record: EncounterRtn): { azimuth: number; elevation: number } {
  const i = (AXES as readonly string[]).indexOf(from);
  const z = record.z_axis ?? [0, 1, 0];
  const [r, t, n]: Vector = i >= 0 ? ([0, 1, 2].map((k) => (k === i ? 1 : 0)) as unknown as Vector) : z;
  const azimuth = from === "radial" ? Math.PI : Math.atan2(n, t); // from above, forward is up in the picture
  const elevation = Math.asin(Math.max(-1, Math.min(1, r)));
  return from === "aside" ? { azimuth: azimuth + ASIDE, elevation: ABOVE } : { azimuth, elevation };
}

// Sideways and up and down; a finger moved up or down scrolls the page.
function turning(place: HTMLElement, scene: EncounterScene, again: () => void): void {
  const turn = (azimuth: number, elevation: number): void => {
    scene.look.azimuth += azimuth;
    scene.look.elevation = Math.max(-STEEPEST, Math.min(STEEPEST, scene.look.elevation + elevation));
    again();
  };
  place.addEventListener("pointerdown", (event) => place.setPointerCapture(event.pointerId));
  place.addEventListener("pointermove", (event) => {
    if (place.hasPointerCapture(event.pointerId)) turn(event.movementX * DRAG, event.movementY * DRAG);
  });
  const keys: Record<string, [number, number]> = { ArrowLeft: [-TURN, 0], ArrowRight: [TURN, 0], ArrowUp: [0, TURN], ArrowDown: [0, -TURN] };
  place.addEventListener("keydown", (event) => {
    const by = keys[event.key];
    if (!by || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    turn(...by);
  });
}

// A round length of the sheet's squares, so that one bar measures both.
function measure(bar: HTMLElement, length_m: number, px_per_m: number, squares: boolean): void {
  const [text, ruler] = bar.children as unknown as [HTMLElement, HTMLElement];
  text.textContent = `${roundLength(length_m)}${squares ? ", one grid square" : ""}`;
  ruler.style.width = `${length_m * px_per_m}px`;
  Object.assign(bar.dataset, { metres: String(length_m), px: String(length_m * px_per_m) });
}

function named(scene: EncounterScene, record: EncounterRtn, shown: Shown): Label[] {
  const { r_m } = placeAt(record, shown.seconds);
  const at = (who: "primary" | "secondary"): Vector => (who === "primary" ? [0, 0, 0] : r_m);
  const far = length(size(r_m));
  const ends = shown.explained ? [] : scene.speeds.flatMap(({ r, velocity, from, share }, i): Label[] => {
    const relative = i === scene.speeds.length - 1;
    const [start, end] = [scene.onCanvas(at(from)), scene.onCanvas(plus(at(from), r, share * shown.reach_m))];
    const text = `${relative ? "relative " : ""}${speed(size(velocity))}`;
    return relative || apart(start, end) ? [{ key: `speed ${relative ? "relative" : from}`, text, ...end }] : [];
  });
  const axes = AXIS_NAMES.flatMap((text, i): Label[] => {
    const direction = [0, 1, 2].map((k) => (k === i ? 1 : 0)) as unknown as Vector;
    const end = scene.onCanvas(plus(at(shown.around), direction, AXIS * shown.reach_m));
    return apart(scene.onCanvas(at(shown.around)), end) ? [{ key: `axis axis-${i}`, text, ...end }] : [];
  });
  const miss = record.secondary_m;
  if (shown.explained) {
    const nominal = { key: "secondary", text: `${record.names.secondary}, as computed`, ...scene.onCanvas(miss) };
    return [{ key: "disk", text: `disk of both bodies, at ${record.names.primary}`, ...scene.onCanvas([0, 0, 0]) }, nominal, ...axes];
  }
  return [
    { key: "primary", text: record.names.primary, outside: `${record.names.primary}, ${far} away`, ...scene.onCanvas([0, 0, 0]) },
    { key: "secondary", text: record.names.secondary, outside: `${record.names.secondary}, ${far} away`, ...scene.onCanvas(r_m) },
    ...axes,
    ...ends,
  ];
}

const apart = (one: { x: number; y: number }, other: { x: number; y: number }): boolean => Math.hypot(one.x - other.x, one.y - other.y) > SHORT_PX;
