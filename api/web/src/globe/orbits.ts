// Lines of orbits: fixed among the stars, so they turn over the Earth as time goes.
import { BufferGeometry, Float32BufferAttribute, Group, Line, LineBasicMaterial, Vector3 } from "three";
import { cssColor } from "../dom";
import type { Point } from "../types";
import { KM } from "./points";

const SIDEREAL_DAY_S = 86_164.0905;
const NORTH = new Vector3(0, 0, 1);

export type Kind = "primary" | "secondary" | "object";

// Each with the Earth's orientation at one instant.
export interface Path {
  kind: Kind;
  r_itrf_km: readonly Point[];
}

export class Orbits {
  readonly drawn = new Group();
  private instant = 0;

  show(paths: Path[], instant: number): void {
    for (const child of [...this.drawn.children] as Line<BufferGeometry, LineBasicMaterial>[]) {
      child.geometry.dispose();
      child.material.dispose();
      child.removeFromParent();
    }
    this.instant = instant;
    for (const path of paths) this.drawn.add(line(path));
  }

  turn(time: number): void {
    this.drawn.rotation.z = -turned(time - this.instant);
  }

  recolor(): void {
    for (const child of this.drawn.children as Line<BufferGeometry, LineBasicMaterial>[]) child.material.color.set(color(child.name as Kind));
  }
}

// A place of an orbit, Earth-fixed at one time, as it lies over the Earth at another.
export function turnedTo(r: Vector3, from: number, to: number, into: Vector3): Vector3 {
  return into.copy(r).applyAxisAngle(NORTH, -turned(to - from));
}

const turned = (milliseconds: number): number => (2 * Math.PI * milliseconds) / 1000 / SIDEREAL_DAY_S;

const color = (kind: Kind): string => cssColor(`--orbit-${kind === "object" ? "primary" : kind}`);

function line({ kind, r_itrf_km }: Path): Line {
  const corners = r_itrf_km.flatMap((r) => (r.includes(null) ? [] : r.map((value) => KM * (value as number))));
  const geometry = new BufferGeometry().setAttribute("position", new Float32BufferAttribute(corners, 3));
  const made = new Line(geometry, new LineBasicMaterial({ color: color(kind) }));
  made.name = kind;
  return made;
}
