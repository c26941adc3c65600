// The ground: land and sea in two colours, darker where the Sun is down. One texture, one pass.
import { Color, DataTexture, LinearFilter, Mesh, RedFormat, RepeatWrapping, ShaderMaterial, SphereGeometry, Vector3 } from "three";
import { feature } from "topojson-client";
import type { GeometryObject, Topology } from "topojson-specification";
import { cssColor } from "../dom";
import { onSphere } from "./earth_numbers";
import { sunDirection } from "./sun";

const DUSK = 0.105; // sine of the 6° that the Sun is below the horizon at the end of civil twilight

const VERTEX = `
  varying vec3 up;
  varying vec2 place;
  void main() {
    up = vec3(position.x, -position.z, position.y);
    place = uv;
    gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
  }`;
const FRAGMENT = `
  uniform sampler2D land;
  uniform vec3 seaColor, landColor, sun;
  uniform float night;
  varying vec3 up;
  varying vec2 place;
  void main() {
    float isLand = clamp(2.0 * texture2D(land, place).r - 0.5, 0.0, 1.0);
    float day = clamp(1.0 + dot(up, sun) / ${DUSK}, 0.0, 1.0);
    gl_FragColor = vec4(mix(seaColor, landColor, isLand) * mix(night, 1.0, day), 1.0);
  }`;

export interface Ground {
  mesh: Mesh;
  shine(time: number): Vector3; // the Sun's direction, Earth-fixed
  recolor(): void;
  fill(land: unknown, width: number): void;
  dispose(): void;
}

export function ground(): Ground {
  const sun = new Vector3(1, 0, 0);
  const uniforms = {
    land: { value: texture(new Uint8Array(1), 1) },
    seaColor: { value: new Color() },
    landColor: { value: new Color() },
    sun: { value: sun },
    night: { value: 1 },
  };
  const material = new ShaderMaterial({ vertexShader: VERTEX, fragmentShader: FRAGMENT, uniforms });
  const geometry = new SphereGeometry(1, 72, 48);
  const mesh = new Mesh(geometry, material);
  mesh.rotation.x = Math.PI / 2; // three.js has its poles along y
  return {
    mesh,
    shine: (time) => sunDirection(time, sun),
    recolor() {
      // Colours as given, without lighting.
      uniforms.seaColor.value.set(cssColor("--sea")).convertLinearToSRGB();
      uniforms.landColor.value.set(cssColor("--land")).convertLinearToSRGB();
      uniforms.night.value = Number(cssColor("--night"));
    },
    fill(land, width) {
      uniforms.land.value.dispose();
      uniforms.land.value = texture(filled(land, width), width);
    },
    dispose() {
      uniforms.land.value.dispose();
      geometry.dispose();
      material.dispose();
    },
  };
}

function texture(pixels: Uint8Array, width: number): DataTexture {
  const made = new DataTexture(pixels, width, pixels.length / width, RedFormat);
  made.magFilter = made.minFilter = LinearFilter;
  made.wrapS = RepeatWrapping;
  made.needsUpdate = true;
  return made;
}

// Longitude along, latitude up, land white.
function filled(land: unknown, width: number): Uint8Array {
  const topology = land as Topology<{ land: GeometryObject }>;
  const all = feature(topology, topology.objects.land);
  const height = width / 2;
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width, height });
  const pen = canvas.getContext("2d", { willReadFrequently: true }) as CanvasRenderingContext2D;
  pen.fillStyle = "#fff";
  for (const { geometry } of "features" in all ? all.features : [all]) {
    const shapes = geometry.type === "MultiPolygon" ? geometry.coordinates : geometry.type === "Polygon" ? [geometry.coordinates] : [];
    for (const shape of shapes) {
      const rings = shape.map((ring) => unrolled(ring as [number, number][]));
      for (const shift of [-360, 0, 360]) {
        pen.beginPath();
        for (const ring of rings) {
          ring.forEach(([longitude, latitude], i) => pen[i ? "lineTo" : "moveTo"](((longitude + shift + 180) / 360) * width, ((onSphere(latitude) + 90) / 180) * height));
          pen.closePath();
        }
        pen.fill("evenodd");
      }
    }
  }
  const { data } = pen.getImageData(0, 0, width, height);
  const pixels = new Uint8Array(width * height);
  for (let i = 0; i < pixels.length; i += 1) pixels[i] = data[4 * i] as number;
  return pixels;
}

// A ring across the 180th meridian goes on beyond it; one around a pole is closed along it.
function unrolled(ring: [number, number][]): [number, number][] {
  const out: [number, number][] = [];
  for (const [longitude, latitude] of ring) {
    const before = out.at(-1)?.[0] ?? longitude;
    out.push([longitude - 360 * Math.round((longitude - before) / 360), latitude]);
  }
  const [first, last] = [out[0], out.at(-1)];
  if (!first || !last || Math.abs(last[0] - first[0]) < 180) return out;
  const pole = Math.sign(last[1]) * 90;
  return [...out, [last[0], pole], [first[0], pole]];
}
