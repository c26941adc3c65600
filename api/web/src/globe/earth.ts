// The Earth: ground, air, coastlines and a grid of degrees, on an ellipsoid.
import { BufferGeometry, Float32BufferAttribute, Group, LineBasicMaterial, LineSegments, type Vector3 } from "three";
import { mesh } from "topojson-client";
import type { GeometryObject, Topology } from "topojson-specification";
import coarse from "world-atlas/land-110m.json";
import { air } from "./air";
import { EQUATOR_KM, onSphere, POLE_KM } from "./earth_numbers";
import { ground } from "./ground";
import { KM } from "./points";

const ABOVE = 1.0008; // lines a little above the ground, so that none is hidden by it
const COARSE_PX = 2048;
const FINE_PX = 4096;

export interface Earth {
  group: Group;
  refine(gentle: boolean): Promise<void>; // the lights of cities, and unless `gentle` finer coasts, which take longer to draw
  plain(on: boolean): void; // without air and lines
  dispose(): void;
}

// `sun`: its direction, Earth-fixed, kept up to date by whoever gives it.
export function earth(sun: Vector3): Earth {
  const coast = new LineBasicMaterial({ color: 0x7f9db5, transparent: true, opacity: 0.28 });
  const degrees = new LineBasicMaterial({ color: 0x9fc4e8, transparent: true, opacity: 0.07 });
  const soil = ground(sun);
  soil.fill(coarse, null, COARSE_PX);
  const glow = air(sun);
  const coastlines = new LineSegments(lines(coasts(coarse)), coast);
  const grid = new LineSegments(lines(graticule()), degrees);
  const flattened = new Group();
  flattened.scale.set(EQUATOR_KM * KM, EQUATOR_KM * KM, POLE_KM * KM);
  flattened.add(soil.mesh, coastlines, grid);
  const group = new Group();
  group.add(flattened, glow);
  return {
    group,
    async refine(gentle) {
      const { default: lights } = await import("derived:cities");
      if (gentle) return soil.fill(coarse, lights, COARSE_PX);
      const { default: fine } = await import("derived:coasts");
      soil.fill(fine, lights, FINE_PX);
      coastlines.geometry.dispose();
      coastlines.geometry = lines(coasts(fine));
    },
    plain(on) {
      for (const part of [glow, coastlines, grid]) part.visible = !on;
    },
    dispose() {
      soil.dispose();
      for (const { geometry } of [glow, coastlines, grid]) geometry.dispose();
      for (const material of [glow.material, coast, degrees]) material.dispose();
    },
  };
}

type Path = [number, number][]; // longitude, latitude, degrees

function coasts(land: unknown): Path[] {
  const topology = land as Topology<{ land: GeometryObject }>;
  return mesh(topology, topology.objects.land).coordinates as Path[];
}

function graticule(): Path[] {
  const paths: Path[] = [];
  const along = (from: number, to: number): number[] => Array.from({ length: (to - from) / 5 + 1 }, (_, i) => from + 5 * i);
  for (let longitude = -180; longitude < 180; longitude += 30) paths.push(along(-85, 85).map((latitude) => [longitude, latitude]));
  for (let latitude = -60; latitude <= 60; latitude += 30) paths.push(along(-180, 180).map((longitude) => [longitude, latitude]));
  return paths;
}

function lines(paths: Path[]): BufferGeometry {
  const corners: number[] = [];
  const push = ([longitude, latitude]: [number, number]): void => {
    const [l, b] = [(longitude * Math.PI) / 180, (onSphere(latitude) * Math.PI) / 180];
    corners.push(ABOVE * Math.cos(b) * Math.cos(l), ABOVE * Math.cos(b) * Math.sin(l), ABOVE * Math.sin(b));
  };
  for (const path of paths) {
    for (let i = 1; i < path.length; i += 1) {
      push(path[i - 1] as [number, number]);
      push(path[i] as [number, number]);
    }
  }
  return new BufferGeometry().setAttribute("position", new Float32BufferAttribute(corners, 3));
}
