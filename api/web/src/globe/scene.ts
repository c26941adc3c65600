// The scene: Earth, points, orbits, camera. It is drawn when something has changed.
import { Color, PerspectiveCamera, Scene as ThreeScene, Vector3, WebGLRenderer } from "three";
import { cssColor } from "../dom";
import { Camera } from "./camera";
import { earth, type Earth } from "./earth";
import { GROUND } from "./earth_numbers";
import { Orbits } from "./orbits";
import { Points } from "./points";

const MAX_RATIO = 2;
const stacked = matchMedia("(max-width: 60rem)"); // as in style.css

export class Globe {
  readonly points: Points;
  readonly orbits = new Orbits();
  readonly canvas: HTMLCanvasElement;
  readonly camera: Camera;
  private readonly renderer: WebGLRenderer;
  private readonly scene = new ThreeScene();
  private readonly eye = new PerspectiveCamera(32, 1, 0.5, 600);
  private readonly earth: Earth;
  private readonly projected = new Vector3();
  private isGone = false;
  dirty = true;

  constructor(place: HTMLElement) {
    const gentle = drawnBySoftware();
    this.renderer = new WebGLRenderer({ antialias: !gentle, powerPreference: "low-power" });
    this.earth = earth();
    this.canvas = this.renderer.domElement;
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, MAX_RATIO));
    this.points = new Points(this.renderer.getPixelRatio());
    place.append(this.canvas);
    // Where the page scrolls below the globe the wheel scrolls it; with Ctrl, or by a pinch, it zooms.
    place.addEventListener("wheel", (event) => !event.ctrlKey && stacked.matches && event.stopPropagation(), { capture: true });
    this.camera = new Camera(this.eye, this.canvas, () => (this.dirty = true));
    this.scene.add(this.earth.group, this.orbits.drawn, this.points.drawn);
    this.recolor();
    if (!gentle) void this.refine();
  }

  recolor(): void {
    this.scene.background = new Color(cssColor("--space"));
    this.earth.recolor();
    this.points.recolor();
    this.orbits.recolor();
    this.dirty = true;
  }

  resize(width: number, height: number): void {
    if (!width || !height) return;
    this.renderer.setSize(width, height);
    this.points.drawnOn(Math.min(width, height));
    this.eye.aspect = width / height;
    // The Earth fits into the shorter side.
    this.eye.fov = width < height ? 32 * Math.min(2, height / width) : 32;
    this.eye.updateProjectionMatrix();
    this.dirty = true;
  }

  // The position of something on the canvas, px; null if it is behind the Earth or out of sight.
  onCanvas(r: Vector3): { x: number; y: number } | null {
    const projected = r.clone().project(this.eye);
    if (projected.z > 1 || Math.abs(projected.x) > 1 || Math.abs(projected.y) > 1 || this.isHidden(r)) return null;
    return { x: ((projected.x + 1) / 2) * this.canvas.clientWidth, y: ((1 - projected.y) / 2) * this.canvas.clientHeight };
  }

  // Its distance from a place on the canvas, px, if less than `within`; hidden or not.
  roughly(r: Vector3, x: number, y: number, within: number): number | null {
    const { x: px, y: py, z } = this.projected.copy(r).project(this.eye);
    const dx = ((px + 1) / 2) * this.canvas.clientWidth - x;
    const dy = ((1 - py) / 2) * this.canvas.clientHeight - y;
    const distance = Math.hypot(dx, dy);
    return z > 1 || distance >= within ? null : distance;
  }

  // Returns the Sun's direction, Earth-fixed.
  render(time: number): Vector3 {
    this.orbits.turn(time);
    const sun = this.earth.shine(time);
    this.camera.move();
    this.points.seenFrom(this.eye.position.length());
    this.renderer.render(this.scene, this.eye);
    this.dirty = this.camera.flying;
    return sun;
  }

  dispose(): void {
    this.isGone = true;
    this.camera.dispose();
    this.earth.dispose();
    this.orbits.show([], 0);
    this.points.dispose();
    this.renderer.dispose();
    this.renderer.forceContextLoss();
  }

  // The coarse coasts stay where the finer ones cannot be loaded.
  private async refine(): Promise<void> {
    try {
      await this.earth.refine();
    } catch (error) {
      console.warn(error);
    }
    if (!this.isGone) this.dirty = true;
  }

  // Whether the Earth lies between it and the camera.
  private isHidden(r: Vector3): boolean {
    const eye = this.eye.position;
    const ray = r.clone().sub(eye);
    const along = -eye.dot(ray) / ray.lengthSq();
    if (along <= 0 || along >= 1) return false;
    return eye.clone().addScaledVector(ray, along).length() < GROUND;
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
