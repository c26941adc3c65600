// The Earth as a map: coastlines and a grid of degrees on a plain ellipsoid.
import { BufferGeometry, Color, Float32BufferAttribute, Group, LineBasicMaterial, LineSegments, Mesh, MeshBasicMaterial, SphereGeometry } from "three";
import { mesh } from "topojson-client";
import type { GeometryObject, Topology } from "topojson-specification";
import coarse from "world-atlas/land-110m.json";
import fine from "world-atlas/land-50m.json";
import { cssColor } from "../dom";
import { KM } from "./points";

const EQUATOR_KM = 6378.137;
const POLE_KM = 6356.752;
const ABOVE = 1.0008; // lines a little above the ground, so that none is hidden by it

export interface Earth {
  group: Group;
  recolor(): void;
}

export function earth(gentle: boolean): Earth {
  const sea = new MeshBasicMaterial();
  const coast = new LineBasicMaterial();
  const degrees = new LineBasicMaterial({ transparent: true });
  const ball = new Mesh(new SphereGeometry(1, 72, 48), sea);
  ball.rotation.x = Math.PI / 2; // three.js has its poles along y
  const flattened = new Group();
  flattened.scale.set(EQUATOR_KM * KM, EQUATOR_KM * KM, POLE_KM * KM);
  flattened.add(ball, new LineSegments(lines(coasts(gentle ? coarse : fine)), coast), new LineSegments(lines(graticule()), degrees));
  return {
    group: flattened,
    recolor() {
      sea.color = new Color(cssColor("--sea"));
      coast.color = new Color(cssColor("--coast"));
      degrees.color = new Color(cssColor("--degrees"));
      degrees.opacity = 0.6;
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
    const [l, b] = [(longitude * Math.PI) / 180, (latitude * Math.PI) / 180];
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
