// All objects as points, one draw call: between two frames each goes along a cubic that fits both positions and
// both velocities (over 300 s of a low orbit within 0.3 km of SGP4).
import { BufferAttribute, BufferGeometry, Color, DynamicDrawUsage, Points as ThreePoints, ShaderMaterial, type Vector3 } from "three";
import { cssColor } from "../dom";
import { RISKS } from "../types";
import type { Frame } from "./frame";
import { aligned } from "./frames";

export const KM = 1e-3; // of the scene, whose unit is 1000 km
// How an object is painted: by a risk level (its place in RISKS), as dust, or as one of the user's own.
export const DUST = RISKS.indexOf("none");
export const OWN = RISKS.length;
const COLORS = [...RISKS.map((risk) => `--point-${risk}`), "--point-own"];
const SIZES_PX = [6, 5.2, 4.2, 3.4, 1.9, 3.4, 5.2];
const OPACITY = [1, 1, 0.9, 0.85, 0.5, 0.85, 1];
const HALO = "3.2"; // of the size of all but dust
const SMALLEST = "0.7"; // of the sizes: far ones stay visible, near ones hide no others
const LARGEST = "1.8";
const WHOLE_PX = 600; // of a picture on which they have these sizes
const SMALL_PICTURE = 0.6;

const VERTEX = `
  uniform float u, seconds, ratio, dim, eye;
  uniform vec3 colors[${COLORS.length}];
  uniform float sizes[${COLORS.length}], opacity[${COLORS.length}];
  attribute vec3 v0, r1, v1;
  attribute float paint;
  varying vec4 color;
  varying float halo;
  void main() {
    float w = u - 1.0;
    vec3 r = (1.0 + 2.0 * u) * w * w * position + u * u * (3.0 - 2.0 * u) * r1
      + seconds * (u * w * w * v0 + u * u * w * v1);
    int k = int(paint + 0.5);
    bool isDust = k == ${DUST};
    halo = isDust ? 1.0 : ${HALO};
    color = vec4(colors[k], opacity[k] * (isDust ? dim : 1.0));
    vec4 seen = modelViewMatrix * vec4(r * ${KM}, 1.0);
    gl_Position = projectionMatrix * seen;
    // Nearer ones are larger; those as far as the middle of the Earth have the size of their paint.
    gl_PointSize = sizes[k] * halo * ratio * clamp(eye / -seen.z, ${SMALLEST}, ${LARGEST});
  }`;
const FRAGMENT = `
  varying vec4 color;
  varying float halo;
  void main() {
    float far = 2.0 * length(gl_PointCoord - 0.5);
    if (far > 1.0) discard;
    float core = 1.0 - smoothstep(0.7, 1.2, far * halo);
    float around = 0.45 * (1.0 - far) * (1.0 - far) * step(1.5, halo);
    gl_FragColor = vec4(mix(color.rgb, vec3(1.0), 0.35 * core * step(1.5, halo)), color.a * max(core, around));
  }`;

export class Points {
  readonly drawn: ThreePoints<BufferGeometry, ShaderMaterial>;
  first: Frame | null = null;
  private second: Frame | null = null;
  private to: { r: Float32Array; v: Float32Array } | null = null;
  private u = 0;
  private readonly places = new Map<number, number>();

  constructor() {
    const material = new ShaderMaterial({
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      transparent: true,
      depthWrite: false,
      uniforms: {
        u: { value: 0 },
        seconds: { value: 1 },
        ratio: { value: 1 },
        eye: { value: 1 },
        dim: { value: 1 },
        sizes: { value: SIZES_PX },
        opacity: { value: OPACITY },
        colors: { value: COLORS.map(() => new Color()) },
      },
    });
    this.drawn = new ThreePoints(new BufferGeometry(), material);
    this.drawn.frustumCulled = false;
  }

  // The colours of an element that is shown.
  recolor(from: Element): void {
    const colors = this.uniform("colors") as Color[];
    // Colours as given, without lighting: the points are symbols.
    COLORS.forEach((name, i) => colors[i]?.set(cssColor(name, from)).convertLinearToSRGB());
  }

  dim(by: number): void {
    this.set("dim", by);
  }

  // On a small picture they are smaller, or they would hide the Earth.
  drawnOn(shorter_px: number, ratio: number): void {
    this.set("ratio", ratio * Math.min(1, Math.max(SMALL_PICTURE, shorter_px / WHOLE_PX)));
  }

  // How far the camera is from the middle of the Earth.
  seenFrom(distance: number): void {
    this.set("eye", distance);
  }

  // Without frames for the time shown no point is drawn: old positions would appear under a new time.
  hide(): void {
    this.drawn.visible = false;
  }

  // True if these are other frames than before.
  show(frames: [Frame, Frame], time: number): boolean {
    const changed = frames[0] !== this.first || frames[1] !== this.second;
    if (changed) this.take(...frames);
    this.drawn.visible = true;
    this.u = (time - frames[0].time) / (frames[1].time - frames[0].time);
    this.set("u", this.u);
    return changed;
  }

  // Only these objects are drawn (places in the first frame), the last on top; each with its paint.
  choose(places: Uint32Array, paints: Uint8Array): void {
    const { geometry } = this.drawn;
    if (!geometry.index) geometry.setIndex(new BufferAttribute(new Uint32Array(paints.length), 1).setUsage(DynamicDrawUsage));
    const index = geometry.index as BufferAttribute;
    (index.array as Uint32Array).set(places);
    index.needsUpdate = true;
    geometry.setDrawRange(0, places.length);
    this.keep("paint", paints, 1);
  }

  place(norad_id: number): number | undefined {
    return this.places.get(norad_id);
  }

  position(place: number, into: Vector3): Vector3 {
    const { first, second, to, u } = this;
    if (!first || !second || !to) return into.set(0, 0, 0);
    const w = u - 1;
    const seconds = (second.time - first.time) / 1000;
    const [a, b, c, d] = [(1 + 2 * u) * w * w, u * u * (3 - 2 * u), seconds * u * w * w, seconds * u * u * w];
    const at = (axis: number): number => {
      const i = 3 * place + axis;
      return KM * (a * (first.r_itrf_km[i] as number) + b * (to.r[i] as number) + c * (first.v_itrf_km_s[i] as number) + d * (to.v[i] as number));
    };
    return into.set(at(0), at(1), at(2));
  }

  dispose(): void {
    this.drawn.geometry.dispose();
    this.drawn.material.dispose();
  }

  private take(first: Frame, second: Frame): void {
    const { geometry } = this.drawn;
    this.first = first;
    this.second = second;
    this.to = aligned(first, second);
    this.places.clear();
    first.norad_id.forEach((id, i) => this.places.set(id, i));
    // A new run may have other objects.
    if (geometry.getAttribute("position")?.count !== first.count) this.clear();
    this.keep("position", first.r_itrf_km, 3);
    this.keep("v0", first.v_itrf_km_s, 3);
    this.keep("r1", this.to.r, 3);
    this.keep("v1", this.to.v, 3);
    this.set("seconds", (second.time - first.time) / 1000);
  }

  // Into the memory of the frames before: new memory for each would only be freed now and then.
  private keep(name: string, values: Float32Array | Uint8Array, each: number): void {
    const { geometry } = this.drawn;
    const kept = geometry.getAttribute(name) as BufferAttribute | undefined;
    if (kept) {
      kept.array.set(values);
      kept.needsUpdate = true;
    } else geometry.setAttribute(name, new BufferAttribute(values.slice(), each).setUsage(DynamicDrawUsage));
  }

  private clear(): void {
    const { geometry } = this.drawn;
    geometry.dispose();
    geometry.setIndex(null);
    for (const name of Object.keys(geometry.attributes)) geometry.deleteAttribute(name);
  }

  private uniform(name: string): unknown {
    return this.drawn.material.uniforms[name]?.value;
  }

  private set(name: string, value: number): void {
    const uniform = this.drawn.material.uniforms[name];
    if (uniform) uniform.value = value;
  }
}
