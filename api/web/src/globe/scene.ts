// The scene: Earth, points, orbits, camera. It is drawn when something has changed.
import { BufferGeometry, Color, Float32BufferAttribute, Group, Line, LineBasicMaterial, PerspectiveCamera, Scene as ThreeScene, Vector3, WebGLRenderer } from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { cssColor, reducedMotion } from "../dom";
import type { Orbit, Point, Who } from "../types";
import { earth, type Earth } from "./earth";
import { KM, Points } from "./points";

const EARTH_RADIUS = 6.37;
const START = new Vector3(17, 22, 15);
const NEAREST = 7;
const FARTHEST = 250;
const FLIGHT_MS = 700;
const ABOVE_TCA = 9; // 9000 km above the event: shows its part of the Earth, and the approaching orbits
const SIDEREAL_DAY_S = 86_164.0905; // a stored orbit is drawn with the Earth's orientation at TCA; before and after, it turns
const MAX_RATIO = 2;
const stacked = matchMedia("(max-width: 60rem)"); // as in style.css

export class Globe {
  readonly points: Points;
  readonly canvas: HTMLCanvasElement;
  private readonly renderer: WebGLRenderer;
  private readonly scene = new ThreeScene();
  private readonly camera = new PerspectiveCamera(32, 1, 0.5, 600);
  private readonly controls: OrbitControls;
  private readonly earth: Earth;
  private readonly orbits = new Group();
  private flight: { from: Vector3; to: Vector3; begun: number } | null = null;
  private tca = 0;
  private readonly projected = new Vector3();
  dirty = true;

  constructor(place: HTMLElement) {
    const gentle = drawnBySoftware();
    this.renderer = new WebGLRenderer({ antialias: !gentle, powerPreference: "low-power" });
    this.earth = earth(gentle);
    this.canvas = this.renderer.domElement;
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, MAX_RATIO));
    this.points = new Points(this.renderer.getPixelRatio());
    place.append(this.canvas);
    // Where the page scrolls below the globe the wheel scrolls it; with Ctrl, or by a pinch, it zooms.
    place.addEventListener("wheel", (event) => !event.ctrlKey && stacked.matches && event.stopPropagation(), { capture: true });
    this.camera.up.set(0, 0, 1);
    this.camera.position.copy(START);
    this.controls = new OrbitControls(this.camera, this.canvas);
    this.controls.enablePan = false;
    this.controls.minDistance = NEAREST;
    this.controls.maxDistance = FARTHEST;
    this.controls.rotateSpeed = 0.5;
    this.controls.addEventListener("change", () => (this.dirty = true));
    this.scene.add(this.earth.group, this.orbits, this.points.drawn);
    this.recolor();
  }

  recolor(): void {
    this.scene.background = new Color(cssColor("--space"));
    this.earth.recolor();
    this.points.recolor();
    this.orbits.children.forEach((child) => {
      if (child instanceof Line) (child.material as LineBasicMaterial).color.set(cssColor(`--orbit-${child.name}`));
    });
    this.dirty = true;
  }

  resize(width: number, height: number): void {
    if (!width || !height) return;
    this.renderer.setSize(width, height);
    this.camera.aspect = width / height;
    // The Earth fits into the shorter side.
    this.camera.fov = width < height ? 32 * Math.min(2, height / width) : 32;
    this.camera.updateProjectionMatrix();
    this.dirty = true;
  }

  showOrbits(orbits: Record<Who, Orbit | null> | null, tca: number): void {
    for (const child of [...this.orbits.children]) {
      if (child instanceof Line) child.geometry.dispose();
      child.removeFromParent();
    }
    this.tca = tca;
    this.points.dim(orbits ? 0.45 : 1);
    for (const who of ["primary", "secondary"] as const) {
      const orbit = orbits?.[who];
      if (orbit) this.orbits.add(orbitLine(orbit.r_itrf_at_tca_km, who));
    }
    this.dirty = true;
  }

  // Look down on a place in km, Earth-fixed.
  flyTo(r_km: Vector3): void {
    const to = r_km.clone().multiplyScalar(KM);
    to.setLength(Math.max(NEAREST, to.length() + ABOVE_TCA));
    this.flight = { from: this.camera.position.clone(), to, begun: reducedMotion() ? -Infinity : performance.now() };
    this.dirty = true;
  }

  // The position of something on the canvas, px; null if it is behind the Earth or out of sight.
  onCanvas(r: Vector3): { x: number; y: number } | null {
    const projected = r.clone().project(this.camera);
    if (projected.z > 1 || Math.abs(projected.x) > 1 || Math.abs(projected.y) > 1 || this.isHidden(r)) return null;
    return { x: ((projected.x + 1) / 2) * this.canvas.clientWidth, y: ((1 - projected.y) / 2) * this.canvas.clientHeight };
  }

  // Its distance from a place on the canvas, px, if less than `within`; hidden or not.
  roughly(r: Vector3, x: number, y: number, within: number): number | null {
    const { x: px, y: py, z } = this.projected.copy(r).project(this.camera);
    const dx = ((px + 1) / 2) * this.canvas.clientWidth - x;
    const dy = ((1 - py) / 2) * this.canvas.clientHeight - y;
    const distance = Math.hypot(dx, dy);
    return z > 1 || distance >= within ? null : distance;
  }

  get flying(): boolean {
    return this.flight !== null;
  }

  render(time: number): void {
    this.orbits.rotation.z = (-2 * Math.PI * (time - this.tca)) / 1000 / SIDEREAL_DAY_S;
    if (this.flight) this.fly(this.flight);
    this.controls.update();
    this.renderer.render(this.scene, this.camera);
    this.dirty = this.flight !== null;
  }

  dispose(): void {
    this.controls.dispose();
    this.points.dispose();
    this.renderer.dispose();
    this.renderer.forceContextLoss();
  }

  private fly(flight: { from: Vector3; to: Vector3; begun: number }): void {
    const part = Math.min(1, (performance.now() - flight.begun) / FLIGHT_MS);
    const eased = 1 - (1 - part) ** 3;
    const length = flight.from.length() + (flight.to.length() - flight.from.length()) * eased;
    const direction = flight.from.clone().normalize().lerp(flight.to.clone().normalize(), eased);
    this.camera.position.copy(direction.setLength(length));
    if (part === 1) {
      this.camera.position.copy(flight.to);
      this.flight = null;
    }
  }

  // Whether the Earth lies between it and the camera.
  private isHidden(r: Vector3): boolean {
    const eye = this.camera.position;
    const ray = r.clone().sub(eye);
    const along = -eye.dot(ray) / ray.lengthSq();
    if (along <= 0 || along >= 1) return false;
    return eye.clone().addScaledVector(ray, along).length() < EARTH_RADIUS;
  }
}

// Without a graphics card smooth edges and fine coastlines halve the frame rate.
function drawnBySoftware(): boolean {
  const context = document.createElement("canvas").getContext("webgl2");
  const details = context?.getExtension("WEBGL_debug_renderer_info");
  const name = details && context ? String(context.getParameter(details.UNMASKED_RENDERER_WEBGL)) : "";
  context?.getExtension("WEBGL_lose_context")?.loseContext();
  return /swiftshader|llvmpipe|software/i.test(name);
}

function orbitLine(points: readonly Point[], who: Who): Line {
  const corners = points.flatMap((r) => (r.includes(null) ? [] : r.map((value) => KM * (value as number))));
  const geometry = new BufferGeometry().setAttribute("position", new Float32BufferAttribute(corners, 3));
  const line = new Line(geometry, new LineBasicMaterial({ color: cssColor(`--orbit-${who}`) }));
  line.name = who;
  return line;
}
