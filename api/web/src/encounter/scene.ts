// The encounter in space, drawn by three.js without perspective: one scale holds everywhere in the picture.
// Everything lies in one group in metres, in the primary's RTN; zooming changes the group's scale.
import { AmbientLight, Color, DirectionalLight, Group, Mesh, OrthographicCamera, Scene, Vector3, WebGLRenderer, type Line, type Object3D, type Points } from "three";
import { cssColor } from "../dom";
import { ellipsoid, inPlane, placeAt, plus, scaled, size, type InPlane } from "./algebra";
import { cloud, type Cloud } from "./cloud";
import { arrow, axis, ball, body, disk, dots, ellipse, line, shape, sheet, type Arrow, type Ball, type Tinted } from "./parts";
import { outside } from "./zoom";
import type { Ellipsoid, EncounterRtn, Radii, Shown, Vector } from "./types";

const MAX_RATIO = 2;
const SMALLEST_PX = 3; // a smaller body is drawn this large…
const DISK = 1.5; // …and the disk so many times as large, to be seen behind it
const LONGEST_ARROW = 0.62; // of the reach, for the largest speed
export const AXIS = 0.86; // of the reach
const DEEPEST = 20_000; // reaches before and behind the middle

// What a picture has, read from its own matrices.
export interface Drawn {
  seconds: number;
  sigma: number;
  ellipsoids: Record<string, { centre_m: number[]; semi_axes_m: number[]; axes: number[][] }>;
  bodies: Record<string, { centre_m: number[]; radius_m: number; enlarged: boolean }>;
  enlarged: boolean; // a body, or the disk
  reach_m: number;
  px_per_m: number;
}

export class EncounterScene {
  readonly canvas: HTMLCanvasElement;
  readonly plane: InPlane | null;
  readonly cloud: Cloud | null;
  private readonly renderer: WebGLRenderer;
  private readonly scene = new Scene();
  private readonly camera = new OrthographicCamera();
  private readonly metric = new Group();
  private readonly tinted: Tinted = [];
  private readonly ellipsoids: Record<"primary" | "secondary" | "combined", (Ball & { form: Ellipsoid }) | null>;
  private readonly bodies: Record<"primary" | "secondary", Mesh>;
  private readonly arrows: { arrow: Arrow; velocity: Vector; from: "primary" | "secondary" }[];
  private readonly axes: Line[];
  private readonly flat: { sheet: Group; disk: Group; ellipse: Group | null; miss: Line; dots: Group | null } | null;
  private readonly right = new Vector3();
  private readonly up = new Vector3();
  private readonly middle = new Vector3();
  private width = 1;
  private height = 1;
  private k = 1; // view units a metre
  readonly look = { azimuth: 0, elevation: 0 }; // rad; the radial direction is up

  constructor(
    place: HTMLElement,
    private readonly record: EncounterRtn,
    private readonly radii: Radii,
  ) {
    this.renderer = new WebGLRenderer({ antialias: true, powerPreference: "low-power", preserveDrawingBuffer: true });
    this.canvas = this.renderer.domElement;
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, MAX_RATIO));
    place.append(this.canvas);
    this.plane = inPlane(record);
    this.cloud = this.plane && cloud(this.plane, radii.combined);
    const round = (who: "primary" | "secondary" | "combined", color: string, opacity: number): (Ball & { form: Ellipsoid }) | null => {
      const form = ellipsoid(record[`covariance_${who}_m2`]);
      return form && { form, ...ball(color, opacity, this.tinted) };
    };
    this.ellipsoids = {
      primary: round("primary", "--orbit-primary", 0.3),
      secondary: round("secondary", "--orbit-secondary", 0.3),
      combined: round("combined", "--accent", 0.12),
    };
    this.bodies = { primary: body("--orbit-primary", this.tinted), secondary: body("--orbit-secondary", this.tinted) };
    this.arrows = this.velocities();
    this.axes = ([[1, 0, 0], [0, 1, 0], [0, 0, 1]] as const).map((direction) => axis(direction, this.tinted));
    this.flat = this.flatParts();
    this.compose();
    this.recolor();
  }

  private velocities(): { arrow: Arrow; velocity: Vector; from: "primary" | "secondary" }[] {
    const { primary_velocity_m_s: own, relative_velocity_m_s: relative } = this.record;
    const made = (color: string, velocity: Vector, from: "primary" | "secondary") => ({ arrow: arrow(color, this.tinted), velocity, from });
    const absolute = [made("--orbit-primary", own, "primary"), made("--orbit-secondary", plus(own, relative), "secondary")];
    return [...absolute, made("--text", relative, "secondary")].filter(({ velocity }) => size(velocity) > 0);
  }

  private flatParts(): typeof this.flat {
    const { x_axis: x, y_axis: y, secondary_m: miss } = this.record;
    if (!x || !y) return null;
    return {
      sheet: sheet(x, y, this.tinted),
      disk: disk(x, y, "--critical", 0.35, this.tinted),
      ellipse: this.plane && ellipse(this.plane, this.tinted),
      miss: line("--text", this.tinted, [[0, 0, 0], miss]),
      dots: this.plane && this.cloud && dots(this.cloud, this.plane, this.tinted),
    };
  }

  private compose(): void {
    const times = this.record.path?.seconds_from_tca ?? [-5, 5];
    const flight = line("--orbit-secondary", this.tinted, times.map((seconds) => placeAt(this.record, seconds).r_m), 0.6);
    const flat = this.flat ? [this.flat.sheet, this.flat.ellipse, this.flat.disk, this.flat.miss, this.flat.dots] : [];
    const round = Object.values(this.ellipsoids).map((one) => one?.object ?? null);
    // Transparent things in this order: what is drawn first is seen through what comes later.
    const order = [...flat, ...round].filter((one): one is Group | Line => one !== null);
    order.forEach((one, i) => one.traverse((part) => (part.renderOrder = i + 1)));
    this.metric.add(flight, ...this.axes, ...Object.values(this.bodies), ...this.arrows.map(({ arrow: { object } }) => object), ...order);
    const light = new DirectionalLight(0xffffff, 2.2);
    this.camera.add(light.translateX(-0.5).translateY(0.8).translateZ(1));
    this.scene.add(this.metric, this.camera, new AmbientLight(0xffffff, 1.4));
  }

  recolor(): void {
    this.scene.background = new Color(cssColor("--space"));
    for (const [material, name] of this.tinted) material.color.set(cssColor(name));
  }

  resize(width: number, height: number): void {
    [this.width, this.height] = [width, height];
    this.renderer.setSize(width, height);
    const shorter = Math.min(width, height);
    [this.camera.right, this.camera.top] = [width / shorter, height / shorter];
    [this.camera.left, this.camera.bottom] = [-this.camera.right, -this.camera.top];
  }

  get pxPerReach(): number {
    return Math.min(this.width, this.height) / 2;
  }

  draw(shown: Shown): void {
    const { r_m } = placeAt(this.record, shown.seconds);
    this.k = 1 / shown.reach_m;
    const middle: Vector = shown.around === "secondary" ? r_m : [0, 0, 0];
    this.metric.scale.setScalar(this.k);
    this.metric.position.set(...scaled(middle, -this.k));
    this.middle.set(...middle);
    this.placeRound(shown, r_m);
    this.placeFlat(shown);
    const fastest = Math.max(...this.arrows.map(({ velocity }) => size(velocity)));
    for (const { arrow: { object, aim }, velocity, from } of this.arrows) {
      object.visible = !shown.explained;
      object.userData.unit = shown.reach_m;
      aim(from === "primary" ? [0, 0, 0] : r_m, velocity, (LONGEST_ARROW * shown.reach_m * size(velocity)) / fastest);
    }
    for (const one of this.axes) {
      one.position.set(...middle);
      one.scale.setScalar(AXIS * shown.reach_m);
    }
    this.point();
    const widest = Math.max(0, ...Object.values(this.ellipsoids).map((one) => (one ? shown.sigma * one.form.semi_axes_m[0] : 0)));
    const depth = Math.min(DEEPEST, 3 + this.k * (widest + size(r_m)));
    [this.camera.near, this.camera.far] = [-depth, depth];
    this.camera.updateProjectionMatrix();
    this.renderer.render(this.scene, this.camera);
  }

  private placeRound(shown: Shown, r_m: Vector): void {
    const places: Record<"primary" | "secondary" | "combined", Vector> = { primary: [0, 0, 0], secondary: r_m, combined: this.record.secondary_m };
    for (const who of ["primary", "secondary", "combined"] as const) {
      const one = this.ellipsoids[who];
      if (!one) continue;
      shape(one.object, one.form, shown.sigma, places[who]);
      const share = outside(shown, one.form);
      one.fade(share);
      one.object.visible = (who === "combined") === shown.explained && share > 0;
    }
    for (const who of ["primary", "secondary"] as const) {
      this.bodies[who].visible = !shown.explained;
      this.bodies[who].position.set(...places[who]);
      this.bodies[who].scale.setScalar(Math.max(this.radii[who] ?? 0, this.smallest_m(shown)));
    }
  }

  private readonly smallest_m = (shown: Shown): number => (SMALLEST_PX / this.pxPerReach) * shown.reach_m;

  // Something that is seen is drawn larger than it is.
  enlarged(shown: Shown): boolean {
    const least_m = this.smallest_m(shown);
    const round = (this.flat && (shown.sheet || shown.explained)) ? (this.radii.combined ?? 0) < DISK * least_m : false;
    return round || (!shown.explained && Math.min(this.radii.primary ?? 0, this.radii.secondary ?? 0) < least_m);
  }

  private placeFlat(shown: Shown): void {
    if (!this.flat) return;
    const { sheet: paper, disk: round, ellipse: spread, miss, dots: places } = this.flat;
    for (const one of [paper, round, spread, miss]) if (one) one.visible = shown.sheet || shown.explained;
    if (places) places.visible = shown.explained;
    paper.scale.setScalar(squareOf(shown.reach_m));
    round.scale.setScalar(Math.max(this.radii.combined ?? 0, DISK * this.smallest_m(shown)));
    if (!spread || !this.plane) return;
    spread.visible &&= shown.explained || shown.reach_m > 0.4 * shown.sigma * this.plane.semi_axes_m[1]; // else it tints all
    spread.position.set(...plus(scaled(this.plane.x, this.plane.miss_m[0]), this.plane.y, this.plane.miss_m[1]));
    spread.scale.set(shown.sigma * this.plane.semi_axes_m[0], shown.sigma * this.plane.semi_axes_m[1], 1);
  }

  private point(): void {
    const { azimuth: a, elevation: e } = this.look;
    const towards = new Vector3(Math.sin(e), Math.cos(e) * Math.cos(a), Math.cos(e) * Math.sin(a));
    this.up.set(Math.cos(e), -Math.sin(e) * Math.cos(a), -Math.sin(e) * Math.sin(a));
    this.right.copy(this.up).cross(towards);
    this.camera.matrix.makeBasis(this.right, this.up, towards);
    this.camera.quaternion.setFromRotationMatrix(this.camera.matrix);
  }

  // Where a place is on the canvas, px.
  onCanvas(r_m: Vector): { x: number; y: number } {
    const view = new Vector3(...r_m).sub(this.middle).multiplyScalar(this.k * this.pxPerReach);
    return { x: this.width / 2 + view.dot(this.right), y: this.height / 2 - view.dot(this.up) };
  }

  drawn(shown: Shown): Drawn {
    const round = Object.entries(this.ellipsoids).filter((entry): entry is [string, Ball & { form: Ellipsoid }] => !!entry[1]?.object.visible);
    return {
      seconds: shown.seconds,
      sigma: shown.sigma,
      ellipsoids: Object.fromEntries(round.map(([who, { object }]) => {
        const columns = [0, 1, 2].map((i) => new Vector3().setFromMatrixColumn(object.matrixWorld, i));
        return [who, { centre_m: this.centre(object), semi_axes_m: columns.map((one) => one.length() / this.k), axes: columns.map((one) => one.clone().normalize().toArray()) }];
      })),
      bodies: Object.fromEntries(Object.entries(this.bodies).map(([who, object]) => {
        const radius_m = new Vector3().setFromMatrixColumn(object.matrixWorld, 0).length() / this.k;
        return [who, { centre_m: this.centre(object), radius_m, enlarged: radius_m > 1.000001 * (this.radii[who as "primary" | "secondary"] ?? 0) }];
      })),
      enlarged: this.enlarged(shown),
      reach_m: 1 / this.k,
      px_per_m: this.k * this.pxPerReach,
    };
  }

  private centre(object: Object3D): number[] {
    return new Vector3().setFromMatrixPosition(object.matrixWorld).divideScalar(this.k).add(this.middle).toArray();
  }

  get speeds(): { r: Vector; velocity: Vector; from: "primary" | "secondary"; share: number }[] {
    const fastest = Math.max(...this.arrows.map(({ velocity }) => size(velocity)));
    return this.arrows.map(({ velocity, from }) => ({ velocity, from, r: scaled(velocity, 1 / size(velocity)), share: (LONGEST_ARROW * size(velocity)) / fastest }));
  }

  dispose(): void {
    this.scene.traverse((part) => {
      const { geometry } = part as Partial<Mesh | Line | Points>;
      geometry?.dispose();
    });
    for (const [material] of this.tinted) material.dispose();
    this.renderer.dispose();
    this.renderer.forceContextLoss();
  }
}

// The largest round length of which six go into the reach.
export function squareOf(reach_m: number): number {
  const power = 10 ** Math.floor(Math.log10(reach_m / 6));
  return ([5, 2, 1].find((factor) => factor * power <= reach_m / 6) ?? 1) * power;
}
