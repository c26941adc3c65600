// The ground: land and sea, dusk, the lights of cities where it is night, and the air's light at the limb. One texture, one pass.
import { CanvasTexture, Mesh, RepeatWrapping, ShaderMaterial, SphereGeometry, type Vector3 } from "three";
import { feature } from "topojson-client";
import type { GeometryObject, Topology } from "topojson-specification";
import type cells from "derived:cities";
import { GROUND, onSphere } from "./earth_numbers";

const DUSK = 0.105; // sine of the 6° that the Sun is below the horizon at the end of civil twilight
const SHELF = 16; // pixels of the picture of land in one of its blurred copy

const VERTEX = `
  varying vec3 up;
  varying vec2 place;
  void main() {
    up = vec3(position.x, -position.z, position.y);
    place = uv;
    gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
  }`;
// Calm: land is told from sea by brightness too, and nothing is as bright as a point.
const FRAGMENT = `
  uniform sampler2D land;
  uniform vec3 sun;
  varying vec3 up;
  varying vec2 place;
  const vec3 AIR = vec3(0.36, 0.60, 0.94);
  void main() {
    vec3 here = texture2D(land, place).rgb; // land, lights, land around
    float isLand = clamp(2.0 * here.r - 0.5, 0.0, 1.0);
    float height = dot(up, sun);
    float day = smoothstep(-${DUSK}, 0.12, height);
    float dry = 1.0 - smoothstep(0.0, 0.18, abs(abs(up.z) - 0.38));
    float cold = smoothstep(0.86, 0.94, abs(up.z) + 0.05 * here.b);
    vec3 soil = mix(mix(vec3(0.17, 0.27, 0.20), vec3(0.35, 0.31, 0.21), dry * here.b), vec3(0.62, 0.68, 0.72), cold);
    vec3 sea = mix(vec3(0.035, 0.11, 0.21), vec3(0.07, 0.20, 0.31), here.b);
    vec3 toEye = normalize(cameraPosition - up * ${GROUND});
    float rim = 1.0 - max(dot(up, toEye), 0.0);
    float glint = pow(max(dot(reflect(-sun, up), toEye), 0.0), 48.0) * (1.0 - isLand);
    vec3 lit = mix(sea, soil, isLand) * (0.55 + 0.95 * clamp(height, 0.0, 1.0)) + vec3(0.24, 0.22, 0.17) * glint;
    vec3 dark = mix(vec3(0.012, 0.020, 0.036), vec3(0.026, 0.034, 0.046), isLand) + vec3(1.0, 0.76, 0.46) * here.g * (0.5 + 0.5 * here.g);
    vec3 dusk = vec3(0.30, 0.11, 0.03) * day * (1.0 - day);
    float air = rim * rim * rim * (0.06 + 0.74 * day);
    gl_FragColor = vec4(mix(mix(dark, lit, day) + dusk, AIR, air), 1.0);
  }`;

export interface Ground {
  mesh: Mesh;
  fill(land: unknown, lights: typeof cells | null, width: number): void;
  dispose(): void;
}

// `sun`: its direction, Earth-fixed, kept up to date by whoever gives it.
export function ground(sun: Vector3): Ground {
  const uniforms: { land: { value: CanvasTexture | null }; sun: { value: Vector3 } } = { land: { value: null }, sun: { value: sun } };
  const material = new ShaderMaterial({ vertexShader: VERTEX, fragmentShader: FRAGMENT, uniforms });
  const geometry = new SphereGeometry(1, 72, 48);
  const mesh = new Mesh(geometry, material);
  mesh.rotation.x = Math.PI / 2; // three.js has its poles along y
  return {
    mesh,
    fill(land, lights, width) {
      uniforms.land.value?.dispose();
      uniforms.land.value = texture(land, lights, width);
    },
    dispose() {
      uniforms.land.value?.dispose();
      geometry.dispose();
      material.dispose();
    },
  };
}

// Longitude along, latitude up. Red: land; green: lights; blue: land, blurred.
function texture(land: unknown, lights: typeof cells | null, width: number): CanvasTexture {
  const pen = paper(width);
  const around = paper(width / SHELF);
  outlines(around, land, "#00f");
  outlines(pen, land, "#f00");
  pen.globalCompositeOperation = "lighter";
  pen.imageSmoothingQuality = "high";
  pen.drawImage(around.canvas, 0, 0, width, width / 2);
  if (lights) shine(pen, lights);
  const made = new CanvasTexture(pen.canvas);
  made.flipY = made.generateMipmaps = false;
  made.minFilter = made.magFilter;
  made.wrapS = RepeatWrapping;
  return made;
}

function paper(width: number): CanvasRenderingContext2D {
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width, height: width / 2 });
  const pen = canvas.getContext("2d", { alpha: false, willReadFrequently: true }) as CanvasRenderingContext2D;
  pen.fillStyle = "#000";
  pen.fillRect(0, 0, width, width / 2);
  return pen;
}

function outlines(pen: CanvasRenderingContext2D, land: unknown, color: string): void {
  const topology = land as Topology<{ land: GeometryObject }>;
  const all = feature(topology, topology.objects.land);
  const { width, height } = pen.canvas;
  pen.fillStyle = color;
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
}

// Of each cell with many people a spot, brighter and wider the more there are.
function shine(pen: CanvasRenderingContext2D, { across, steps, doublings }: typeof cells): void {
  const { width, height } = pen.canvas;
  let cell = 0;
  steps.split(" ").forEach((step, i) => {
    cell += Number(step);
    const size = Number(doublings[i]);
    const longitude = (((cell % across) + 0.5) / across) * width;
    const latitude = ((onSphere(((Math.floor(cell / across) + 0.5) / across) * 360 - 90) + 90) / 180) * height;
    const wide = (width / 2048) * (0.8 + 0.28 * size);
    const stretch = 1 / Math.max(0.2, Math.sin((latitude / height) * Math.PI)); // towards the poles degrees of longitude are shorter
    for (const [part, light] of [[2.4, 0.025 + 0.008 * size], [0.8, 0.16 + 0.075 * size]] as const) {
      pen.fillStyle = `rgb(0 ${Math.round(255 * light)} 0)`;
      pen.beginPath();
      pen.ellipse(longitude, latitude, part * wide * stretch, part * wide, 0, 0, 2 * Math.PI);
      pen.fill();
    }
  });
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
