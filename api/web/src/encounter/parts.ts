// What the picture is put together from; sizes are set when it is drawn. Colours are names of CSS variables.
import {
  BufferGeometry, CircleGeometry, ConeGeometry, CylinderGeometry, DoubleSide, Float32BufferAttribute, Group, Line, LineBasicMaterial,
  LineLoop, LineSegments, Matrix4, Mesh, MeshBasicMaterial, MeshLambertMaterial, Points, PointsMaterial, Quaternion, SphereGeometry, Vector3,
  type Material, type Object3D,
} from "three";
import type { Cloud } from "./cloud";
import type { InPlane } from "./algebra";
import type { Ellipsoid, Vector } from "./types";

export type Tinted = [Material & { color: { set(color: string): unknown } }, string][];

const ROUND = 64; // corners of a circle
const SQUARES = 6; // of the sheet, from its middle to its edge
const LINES = 0.75; // opacity
const up = new Vector3(0, 1, 0);

export interface Ball {
  object: Group;
  fade(share: number): void;
}

// A sphere of radius 1 with its three main circles, which show its form from every side.
export function ball(color: string, opacity: number, tinted: Tinted): Ball {
  const skin = new MeshLambertMaterial({ transparent: true, opacity, depthWrite: false });
  const lines = new LineBasicMaterial({ transparent: true, opacity: LINES });
  tinted.push([skin, color], [lines, color]);
  const circles = [0, 1, 2].map((axis) => new LineLoop(circle(axis), lines));
  const made = new Group().add(new Mesh(new SphereGeometry(1, 40, 24), skin), ...circles);
  made.matrixAutoUpdate = false;
  return {
    object: made,
    fade(share) {
      [skin.opacity, lines.opacity] = [opacity * share, LINES * share];
    },
  };
}

function circle(axis: number): BufferGeometry {
  const corners = Array.from({ length: ROUND }, (_, i) => {
    const [c, s] = [Math.cos((2 * Math.PI * i) / ROUND), Math.sin((2 * Math.PI * i) / ROUND)];
    return [[0, c, s], [c, 0, s], [c, s, 0]][axis] as number[];
  });
  return new BufferGeometry().setAttribute("position", new Float32BufferAttribute(corners.flat(), 3));
}

// Let a sphere of radius 1 be an ellipsoid of so many sigmas.
export function shape(object: Object3D, { semi_axes_m: a, axes: [u, v, w] }: Ellipsoid, sigma: number, r_m: Vector): void {
  const [x, y, z] = [[u, a[0]], [v, a[1]], [w, a[2]]].map(([axis, length]) => new Vector3(...(axis as Vector)).multiplyScalar((length as number) * sigma));
  object.matrix.makeBasis(x as Vector3, y as Vector3, z as Vector3).setPosition(...r_m);
  object.matrixWorldNeedsUpdate = true;
}

export function body(color: string, tinted: Tinted): Mesh {
  const skin = new MeshLambertMaterial();
  tinted.push([skin, color]);
  return new Mesh(new SphereGeometry(1, 36, 24), skin);
}

export interface Arrow {
  object: Group;
  aim(from_m: Vector, towards: Vector, length_m: number): void;
}

export function arrow(color: string, tinted: Tinted): Arrow {
  const skin = new MeshBasicMaterial();
  tinted.push([skin, color]);
  const shaft = new Mesh(new CylinderGeometry(0.006, 0.006, 1, 8).translate(0, 0.5, 0), skin);
  const head = new Mesh(new ConeGeometry(0.024, 0.08, 12).translate(0, -0.04, 0), skin);
  const object = new Group().add(shaft, head);
  return {
    object,
    // A thickness of the view, so that an arrow is as thick at every zoom.
    aim(from_m, towards, length_m) {
      const direction = new Vector3(...towards).normalize();
      object.position.set(...from_m);
      object.quaternion.copy(new Quaternion().setFromUnitVectors(up, direction));
      const unit = object.userData.unit as number;
      shaft.scale.set(unit, Math.max(length_m - 0.07 * unit, 1e-9), unit);
      head.scale.setScalar(unit);
      head.position.y = length_m;
    },
  };
}

export function line(color: string, tinted: Tinted, points: readonly Vector[], opacity = 1): Line {
  const ink = new LineBasicMaterial({ transparent: opacity < 1, opacity });
  tinted.push([ink, color]);
  return new Line(new BufferGeometry().setAttribute("position", new Float32BufferAttribute(points.flat(), 3)), ink);
}

// The encounter plane: a sheet ruled in squares of 1, so that its scale is the size of a square.
export function sheet(x: Vector, y: Vector, tinted: Tinted): Group {
  const paper = new MeshBasicMaterial({ transparent: true, opacity: 0.1, side: DoubleSide, depthWrite: false });
  const rules = new LineBasicMaterial({ transparent: true, opacity: 0.35 });
  tinted.push([paper, "--accent"], [rules, "--muted"]);
  const corners: number[] = [];
  for (let i = -SQUARES; i <= SQUARES; i += 1) corners.push(i, -SQUARES, 0, i, SQUARES, 0, -SQUARES, i, 0, SQUARES, i, 0);
  const ruled = new LineSegments(new BufferGeometry().setAttribute("position", new Float32BufferAttribute(corners, 3)), rules);
  const made = new Group().add(new Mesh(square(), paper), ruled);
  made.quaternion.setFromRotationMatrix(planeMatrix(x, y));
  return made;
}

function square(): BufferGeometry {
  const s = SQUARES;
  const corners = [-s, -s, 0, s, -s, 0, s, s, 0, -s, -s, 0, s, s, 0, -s, s, 0];
  return new BufferGeometry().setAttribute("position", new Float32BufferAttribute(corners, 3));
}

function planeMatrix(x: Vector, y: Vector): Matrix4 {
  const [one, other] = [new Vector3(...x), new Vector3(...y)];
  return new Matrix4().makeBasis(one, other, one.clone().cross(other));
}

// A disk of radius 1 in the plane, with its edge.
export function disk(x: Vector, y: Vector, color: string, opacity: number, tinted: Tinted): Group {
  const paper = new MeshBasicMaterial({ transparent: true, opacity, side: DoubleSide, depthWrite: false });
  const edge = new LineBasicMaterial();
  tinted.push([paper, color], [edge, color]);
  const made = new Group().add(new Mesh(new CircleGeometry(1, ROUND), paper), new LineLoop(circle(2), edge));
  made.quaternion.setFromRotationMatrix(planeMatrix(x, y));
  return made;
}

// The ellipse of the combined error: a disk, turned and stretched in the plane.
export function ellipse(plane: InPlane, tinted: Tinted): Group {
  const along = (c: number, s: number): Vector => [0, 1, 2].map((i) => c * (plane.x[i] as number) + s * (plane.y[i] as number)) as unknown as Vector;
  const [c, s] = plane.major;
  return disk(along(c, s), along(-s, c), "--accent", 0.14, tinted);
}

// Dots in the plane, those inside of the disk in its colour.
export function dots(made: Cloud, plane: InPlane, tinted: Tinted): Group {
  const of = (wanted: boolean): Float32BufferAttribute => {
    const places = made.inside.flatMap((inside, i) =>
      inside === wanted ? [0, 1, 2].map((k) => (made.x_m[i] as number) * (plane.x[k] as number) + (made.y_m[i] as number) * (plane.y[k] as number)) : []);
    return new Float32BufferAttribute(places, 3);
  };
  const [missed, hit] = [new PointsMaterial({ size: 2, sizeAttenuation: false, transparent: true, opacity: 0.55 }), new PointsMaterial({ size: 4, sizeAttenuation: false, depthTest: false })];
  tinted.push([missed, "--accent"], [hit, "--critical"]);
  return new Group().add(
    new Points(new BufferGeometry().setAttribute("position", of(false)), missed),
    new Points(new BufferGeometry().setAttribute("position", of(true)), hit),
  );
}

export function axis(direction: Vector, tinted: Tinted): Line {
  return line("--muted", tinted, [direction.map((one) => -one) as unknown as Vector, direction]);
}
