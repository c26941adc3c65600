// The air: a glow around the Earth's edge, where the Sun lights it. Only the ring outside the ground is drawn.
import { AdditiveBlending, BackSide, Mesh, ShaderMaterial, SphereGeometry, type Vector3 } from "three";
import { GROUND } from "./earth_numbers";

const HIGHEST = 1.09; // of the Earth's radius: where nothing of it is left
const SCALE = 0.16; // 160 km, in which it falls to 1/e: higher than the real air, which would be a hair line

const VERTEX = `
  varying vec3 place;
  void main() {
    place = (modelMatrix * vec4(position, 1.0)).xyz;
    gl_Position = projectionMatrix * viewMatrix * vec4(place, 1.0);
  }`;
const FRAGMENT = `
  uniform vec3 sun;
  varying vec3 place;
  void main() {
    vec3 ray = normalize(place - cameraPosition);
    vec3 nearest = cameraPosition - ray * dot(cameraPosition, ray); // of the line of sight to the Earth's middle
    float radius = length(nearest);
    float day = smoothstep(-0.32, 0.35, dot(nearest, sun) / radius);
    float thick = exp(-max(radius - ${GROUND}, 0.0) / ${SCALE});
    vec3 color = mix(vec3(0.95, 0.42, 0.20), vec3(0.30, 0.58, 1.0), smoothstep(0.05, 0.6, day));
    gl_FragColor = vec4(color * thick * (0.05 + 0.85 * day), 1.0);
  }`;

// `sun`: its direction, Earth-fixed, kept up to date by whoever gives it.
export function air(sun: Vector3): Mesh<SphereGeometry, ShaderMaterial> {
  const material = new ShaderMaterial({ vertexShader: VERTEX, fragmentShader: FRAGMENT, uniforms: { sun: { value: sun } }, side: BackSide, blending: AdditiveBlending, depthWrite: false, transparent: true });
  return new Mesh(new SphereGeometry(HIGHEST * GROUND, 48, 32), material);
}
