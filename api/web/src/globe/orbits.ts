// Lines of orbits: fixed among the stars, so they turn over the Earth as time goes. Behind the object a trail fades.
import { BufferGeometry, Color, Float32BufferAttribute, Group, Line, ShaderMaterial, Vector3 } from "three";
import { cssColor } from "../dom";
import type { Point } from "../types";
import { KM, type Points } from "./points";

const SIDEREAL_DAY_S = 86_164.0905;
const NORTH = new Vector3(0, 0, 1);

const VERTEX = `
  attribute float along;
  varying float part;
  void main() {
    part = along;
    gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
  }`;
const FRAGMENT = `
  uniform vec3 color;
  uniform float head;
  varying float part;
  void main() {
    float behind = fract(head - part);
    float trail = 1.0 - behind / 0.4;
    gl_FragColor = vec4(color, 0.3 + 0.7 * max(trail, 0.0) * max(trail, 0.0));
  }`;

export type Kind = "primary" | "secondary" | "object";

// A revolution from one time on, with the Earth's orientation at one instant.
export interface Path {
  kind: Kind;
  norad_id: number;
  r_itrf_km: readonly Point[];
}

interface Drawn {
  line: Line<BufferGeometry, ShaderMaterial>;
  corners: Vector3[];
  norad_id: number;
}

export class Orbits {
  readonly drawn = new Group();
  private lines: Drawn[] = [];
  private instant = 0;
  private readonly r = new Vector3();

  // With the colours of an element that is shown.
  show(paths: Path[], instant: number, from: Element): void {
    this.dispose();
    this.instant = instant;
    this.lines = paths.map((path) => made(path, from));
    for (const { line } of this.lines) this.drawn.add(line);
  }

  turn(time: number, points: Points): void {
    this.drawn.rotation.z = -turned(time - this.instant);
    for (const { line, corners, norad_id } of this.lines) {
      const place = points.place(norad_id);
      const head = line.material.uniforms.head;
      if (place !== undefined && head) head.value = nearest(turnedTo(points.position(place, this.r), time, this.instant, this.r), corners);
    }
  }

  dispose(): void {
    for (const { line } of this.lines) {
      line.geometry.dispose();
      line.material.dispose();
      line.removeFromParent();
    }
    this.lines = [];
  }
}

// A place of an orbit, Earth-fixed at one time, as it lies over the Earth at another.
export function turnedTo(r: Vector3, from: number, to: number, into: Vector3): Vector3 {
  return into.copy(r).applyAxisAngle(NORTH, -turned(to - from));
}

const turned = (milliseconds: number): number => (2 * Math.PI * milliseconds) / 1000 / SIDEREAL_DAY_S;

// How far along the line the nearest of it is to a place, from 0 to 1.
function nearest(r: Vector3, corners: Vector3[]): number {
  let [best, least] = [0, Infinity];
  const on = new Vector3();
  for (let i = 1; i < corners.length; i += 1) {
    const [a, b] = [corners[i - 1] as Vector3, corners[i] as Vector3];
    const way = on.subVectors(b, a);
    const part = Math.min(1, Math.max(0, (r.x - a.x) * way.x + (r.y - a.y) * way.y + (r.z - a.z) * way.z) / way.lengthSq());
    const distance = way.multiplyScalar(part).add(a).distanceToSquared(r);
    if (distance < least) [best, least] = [i - 1 + part, distance];
  }
  return best / (corners.length - 1);
}

function made({ kind, norad_id, r_itrf_km }: Path, from: Element): Drawn {
  const corners = r_itrf_km.flatMap((r) => (r.includes(null) ? [] : [new Vector3(...(r as [number, number, number])).multiplyScalar(KM)]));
  const geometry = new BufferGeometry().setFromPoints(corners);
  geometry.setAttribute("along", new Float32BufferAttribute(corners.map((_, i) => i / (corners.length - 1)), 1));
  const color = new Color(cssColor(`--orbit-${kind === "object" ? "primary" : kind}`, from)).convertLinearToSRGB();
  const material = new ShaderMaterial({ vertexShader: VERTEX, fragmentShader: FRAGMENT, transparent: true, depthWrite: false, uniforms: { color: { value: color }, head: { value: 0 } } });
  return { line: new Line(geometry, material), corners, norad_id };
}
