// The scene: Earth, points, orbits, camera. It is drawn when something has changed.
import { PerspectiveCamera, Scene as ThreeScene, Vector3, WebGLRenderer } from "three";
import { Camera } from "./camera";
import { Detail, STEPS } from "./detail";
import { earth, type Earth } from "./earth";
import { GROUND } from "./earth_numbers";
import { Orbits } from "./orbits";
import { Points } from "./points";
import { sunDirection } from "./sun";

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
  private readonly gentle = drawnBySoftware();
  private readonly sun: Vector3; // its direction, Earth-fixed
  private readonly detail = new Detail();
  private isGone = false;
  private isDirty = true;

  constructor(place: HTMLElement, time: number) {
    this.sun = sunDirection(time);
    this.renderer = new WebGLRenderer({ antialias: !this.gentle, powerPreference: "low-power" });
    this.earth = earth(this.sun);
    this.canvas = this.renderer.domElement;
    this.points = new Points();
    this.simplify(this.detail.step);
    place.append(this.canvas);
    // Where the page scrolls below the globe the wheel scrolls it; with Ctrl, or by a pinch, it zooms.
    place.addEventListener("wheel", (event) => !event.ctrlKey && stacked.matches && event.stopPropagation(), { capture: true });
    this.camera = new Camera(this.eye, this.canvas, this.sun, () => (this.dirty = true));
    this.scene.add(this.earth.group, this.orbits.drawn, this.points.drawn);
  }

  // Whether what the canvas shows is out of date: the next picture is still to come.
  get dirty(): boolean {
    return this.isDirty;
  }

  set dirty(dirty: boolean) {
    this.isDirty = dirty;
    if (dirty) this.canvas.removeAttribute("data-still");
  }

  resize(width: number, height: number): void {
    if (!width || !height) return;
    this.renderer.setSize(width, height);
    this.points.drawnOn(Math.min(width, height), this.renderer.getPixelRatio());
    this.eye.aspect = width / height;
    // The Earth fits into the shorter side.
    this.eye.fov = width < height ? 32 * Math.min(2, height / width) : 32;
    this.eye.updateProjectionMatrix();
    this.dirty = true;
  }

  // How long the last picture took: if they come too slowly, there is less in the next.
  took(milliseconds: number): void {
    if (!this.detail.took(milliseconds)) return;
    this.simplify(this.detail.step);
    this.resize(this.canvas.clientWidth, this.canvas.clientHeight);
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
    this.orbits.turn(time, this.points);
    sunDirection(time, this.sun);
    this.camera.move();
    this.points.seenFrom(this.eye.position.length());
    this.renderer.render(this.scene, this.eye);
    this.dirty = this.camera.flying;
    return this.sun;
  }

  // A picture with all detail, for as long as `use` takes.
  inFull(time: number, use: () => void): void {
    const { step } = this.detail;
    const again = (wanted: number): void => {
      this.simplify(wanted);
      this.resize(this.canvas.clientWidth, this.canvas.clientHeight);
      this.render(time);
    };
    again(0);
    use();
    again(step);
  }

  // What may come later: the lights of cities, and finer coasts. Without them, where they cannot be loaded.
  async refine(): Promise<void> {
    try {
      await this.earth.refine(this.gentle);
    } catch (error) {
      console.warn(error);
    }
    if (!this.isGone) this.dirty = true;
  }

  dispose(): void {
    this.isGone = true;
    this.camera.dispose();
    this.earth.dispose();
    this.orbits.dispose();
    this.points.dispose();
    this.renderer.dispose();
    this.renderer.forceContextLoss();
  }

  private simplify(step: number): void {
    const { ratio, plain } = STEPS[step] as (typeof STEPS)[number];
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, ratio));
    this.earth.plain(plain);
    this.canvas.dataset.detail = String(step);
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
