// The Earth: ground with its night side, coastlines and a grid of degrees, on an ellipsoid.
import { BufferGeometry, Color, Float32BufferAttribute, Group, LineBasicMaterial, LineSegments, type Vector3 } from "three";
import { mesh } from "topojson-client";
import type { GeometryObject, Topology } from "topojson-specification";
import coarse from "world-atlas/land-110m.json";
import { cssColor } from "../dom";
import { EQUATOR_KM, onSphere, POLE_KM } from "./earth_numbers";
import { ground } from "./ground";
import { KM } from "./points";

const ABOVE = 1.0008; // lines a little above the ground, so that none is hidden by it
const COARSE_PX = 2048;
const FINE_PX = 4096;

export interface Earth {
  group: Group;
  shine(time: number): Vector3; // the Sun's direction, Earth-fixed
  refine(): Promise<void>; // finer coasts, which take longer to load and to draw
  recolor(): void;
  dispose(): void;
}

export function earth(): Earth {
  const coast = new LineBasicMaterial();
  const degrees = new LineBasicMaterial({ transparent: true });
  const soil = ground();
  soil.fill(coarse, COARSE_PX);
  const coastlines = new LineSegments(lines(coasts(coarse)), coast);
  const grid = new LineSegments(lines(graticule()), degrees);
  const flattened = new Group();
  flattened.scale.set(EQUATOR_KM * KM, EQUATOR_KM * KM, POLE_KM * KM);
  flattened.add(soil.mesh, coastlines, grid);
  return {
    group: flattened,
    shine: (time) => soil.shine(time),
    async refine() {
      const { default: fine } = await import("world-atlas/land-50m.json");
      soil.fill(fine, FINE_PX);
      coastlines.geometry.dispose();
      coastlines.geometry = lines(coasts(fine));
    },
    recolor() {
      soil.recolor();
      coast.color = new Color(cssColor("--coast"));
      degrees.color = new Color(cssColor("--degrees"));
      degrees.opacity = 0.6;
    },
    dispose() {
      soil.dispose();
      for (const line of [coastlines, grid]) line.geometry.dispose();
      coast.dispose();
      degrees.dispose();
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
