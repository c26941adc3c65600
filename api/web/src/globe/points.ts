// All objects as points, one draw call: between two frames each goes along a cubic that fits both positions and
// both velocities (over 300 s of a low orbit within 0.3 km of SGP4).
import { BufferAttribute, BufferGeometry, Color, Points as ThreePoints, ShaderMaterial, type Vector3 } from "three";
import { cssColor } from "../dom";
import { RISKS } from "../types";
import type { Frame } from "./frame";
import { aligned } from "./frames";

export const KM = 1e-3; // of the scene, whose unit is 1000 km
const SIZES_PX = [7, 5.5, 4, 2.1, 2.1, 2.1];
const SMALLEST = "0.7"; // of the sizes: far ones stay visible, near ones hide no others
const LARGEST = "1.8";
const WHOLE_PX = 600; // of a picture on which they have these sizes
const SMALL_PICTURE = 0.6;
const OPACITY = [1, 1, 0.95, 0.7, 0.55, 0.5];

const VERTEX = `
  uniform float u, seconds, ratio, dim, eye;
  uniform vec3 colors[6];
  uniform float sizes[6], opacity[6];
  attribute vec3 r0, v0, r1, v1;
  attribute float risk;
  varying vec4 paint;
  void main() {
    float w = u - 1.0;
    vec3 r = (1.0 + 2.0 * u) * w * w * r0 + u * u * (3.0 - 2.0 * u) * r1
      + seconds * (u * w * w * v0 + u * u * w * v1);
    int k = int(risk + 0.5);
    paint = vec4(colors[k], opacity[k] * dim);
    vec4 seen = modelViewMatrix * vec4(r * ${KM}, 1.0);
    gl_Position = projectionMatrix * seen;
    // Nearer ones are larger; those as far as the middle of the Earth have the size of their risk.
    gl_PointSize = sizes[k] * ratio * clamp(eye / -seen.z, ${SMALLEST}, ${LARGEST});
  }`;
const FRAGMENT = `
  varying vec4 paint;
  void main() {
    vec2 d = gl_PointCoord - 0.5;
    if (dot(d, d) > 0.25) discard;
    gl_FragColor = paint;
  }`;

export class Points {
  readonly drawn: ThreePoints<BufferGeometry, ShaderMaterial>;
  first: Frame | null = null;
  private second: Frame | null = null;
  private to: { r: Float32Array; v: Float32Array } | null = null;
  private u = 0;
  private readonly places = new Map<number, number>();

  constructor(private readonly ratio: number) {
    const material = new ShaderMaterial({
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      transparent: true,
      depthWrite: false,
      uniforms: {
        u: { value: 0 },
        seconds: { value: 1 },
        ratio: { value: ratio },
        eye: { value: 1 },
        dim: { value: 1 },
        sizes: { value: SIZES_PX },
        opacity: { value: OPACITY },
        colors: { value: RISKS.map(() => new Color()) },
      },
    });
    this.drawn = new ThreePoints(new BufferGeometry(), material);
    this.drawn.frustumCulled = false;
    this.recolor();
  }

  recolor(): void {
    const colors = this.uniform("colors") as Color[];
    RISKS.forEach((risk, i) => colors[i]?.set(cssColor(`--point-${risk}`)));
    // Colours as given, without lighting: the points are symbols.
    colors.forEach((color) => color.convertLinearToSRGB());
  }

  dim(by: number): void {
    this.set("dim", by);
  }

  // On a small picture they are smaller, or they would hide the Earth.
  drawnOn(shorter_px: number): void {
    this.set("ratio", this.ratio * Math.min(1, Math.max(SMALL_PICTURE, shorter_px / WHOLE_PX)));
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

  // Only these objects are drawn (places in the first frame), the most dangerous last, on top.
  choose(places: Uint32Array): void {
    this.drawn.geometry.setIndex(new BufferAttribute(places, 1));
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
    const attributes: Record<string, BufferAttribute> = {
      // three.js counts vertices by `position`.
      position: new BufferAttribute(first.r_itrf_km, 3),
      r0: new BufferAttribute(first.r_itrf_km, 3),
      v0: new BufferAttribute(first.v_itrf_km_s, 3),
      r1: new BufferAttribute(this.to.r, 3),
      v1: new BufferAttribute(this.to.v, 3),
      risk: new BufferAttribute(first.risk, 1),
    };
    geometry.dispose();
    for (const [name, attribute] of Object.entries(attributes)) geometry.setAttribute(name, attribute);
    this.set("seconds", (second.time - first.time) / 1000);
  }

  private uniform(name: string): unknown {
    return this.drawn.material.uniforms[name]?.value;
  }

  private set(name: string, value: number): void {
    const uniform = this.drawn.material.uniforms[name];
    if (uniform) uniform.value = value;
  }
}
