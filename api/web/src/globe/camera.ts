// The camera: turned by the pointer and by keys, flying to a place, or staying above an object that moves.
import { MathUtils, type PerspectiveCamera, Quaternion, Spherical, Vector3 } from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { reducedMotion } from "../dom";
import { GROUND } from "./earth_numbers";

const START_FAR = 29; // 29,000 km from the middle of the Earth
const START_EAST_DEG = 78; // of the Sun: the evening's terminator is in sight, with the lights beyond it
const START_NORTH_DEG = 22;
const KEY = "skysieve-globe"; // of this tab: from where its user last chose to look
const NEAREST = 6.6;
const FARTHEST = 250;
const FLIGHT_MS = 700; // and more for a long way
const HALF_TURN_MS = 900;
const RISE = 5; // of a flight half around the Earth, at its middle: not through what is low
const ABOVE_PLACE = 9; // 9000 km above it: shows its part of the Earth, and the approaching orbits
const ABOVE_FOLLOWED = 2; // shows the half minute before TCA at any relative speed of low orbits
const MOST_NORTH_DEG = 89;

interface Flight {
  from: Vector3;
  to: Vector3;
  begun: number;
  milliseconds: number;
  rise: number;
}

export class Camera {
  private readonly controls: OrbitControls;
  private flight: Flight | null = null;
  private above: ((into: Vector3) => Vector3 | null) | null = null;
  private readonly place = new Vector3();
  acts = 0; // of the user, who then wants to look where he looks

  constructor(
    private readonly eye: PerspectiveCamera,
    canvas: HTMLCanvasElement,
    private readonly sun: Vector3, // its direction, Earth-fixed, now and later
    private readonly moved: () => void,
  ) {
    eye.up.set(0, 0, 1);
    eye.position.copy(lastView() ?? atDusk(sun));
    this.controls = new OrbitControls(eye, canvas);
    this.controls.enablePan = false;
    this.controls.minDistance = NEAREST;
    this.controls.maxDistance = FARTHEST;
    this.controls.rotateSpeed = 0.5;
    this.controls.addEventListener("change", moved);
    this.controls.addEventListener("start", () => this.act());
    this.controls.addEventListener("end", () => this.keep());
  }

  get flying(): boolean {
    return this.flight !== null;
  }

  // Look down on a place, Earth-fixed.
  flyTo(r: Vector3): void {
    this.stay();
    this.fly(r, ABOVE_PLACE);
  }

  whole(): void {
    this.act();
    sessionStorage.removeItem(KEY);
    this.begin(atDusk(this.sun));
  }

  // Stay above what moves: `place` says where it is, or null while that is not known.
  follow(place: (into: Vector3) => Vector3 | null): void {
    const at = place(this.place);
    this.above = place;
    if (at) this.fly(at, ABOVE_FOLLOWED);
  }

  stay(): void {
    this.above = null;
    this.flight = null;
  }

  turn(east_deg: number, north_deg: number): void {
    this.act();
    const { x, y, z } = this.eye.position;
    const at = new Spherical().setFromCartesianCoords(y, z, x); // three.js has its poles along y
    at.theta += MathUtils.degToRad(east_deg);
    at.phi = MathUtils.clamp(at.phi - MathUtils.degToRad(north_deg), MathUtils.degToRad(90 - MOST_NORTH_DEG), MathUtils.degToRad(90 + MOST_NORTH_DEG));
    const to = new Vector3().setFromSpherical(at);
    this.eye.position.set(to.z, to.x, to.y);
    this.keep();
    this.moved();
  }

  zoom(by: number): void {
    this.act();
    const height = (this.eye.position.length() - GROUND) * by;
    this.eye.position.setLength(MathUtils.clamp(GROUND + height, NEAREST, FARTHEST));
    this.keep();
    this.moved();
  }

  // For the next picture.
  move(): void {
    const at = this.above?.(this.place) ?? null;
    if (this.flight && at) this.flight.to = over(at, ABOVE_FOLLOWED);
    if (this.flight) this.advance(this.flight);
    else if (at) this.eye.position.copy(over(at, ABOVE_FOLLOWED));
    this.controls.update();
    // What is near must not be cut off; far away, lines on the ground need the precision.
    const near = MathUtils.clamp(0.1 * (this.eye.position.length() - GROUND), 0.02, 0.5);
    if (Math.abs(near / this.eye.near - 1) < 0.05) return;
    this.eye.near = near;
    this.eye.updateProjectionMatrix();
  }

  dispose(): void {
    this.controls.dispose();
  }

  private keep(): void {
    sessionStorage.setItem(KEY, JSON.stringify(this.eye.position.toArray()));
  }

  private act(): void {
    this.acts += 1;
    this.stay();
  }

  private fly(r: Vector3, above: number): void {
    this.begin(over(r, above));
  }

  private begin(to: Vector3): void {
    const turn = this.eye.position.angleTo(to) / Math.PI; // of half a turn
    const begun = reducedMotion() ? -Infinity : performance.now();
    this.flight = { from: this.eye.position.clone(), to: to.clone(), begun, milliseconds: FLIGHT_MS + HALF_TURN_MS * turn, rise: RISE * turn };
    this.moved();
  }

  private advance({ from, to, begun, milliseconds, rise }: Flight): void {
    const part = Math.min(1, (performance.now() - begun) / milliseconds);
    const eased = MathUtils.smootherstep(part, 0, 1);
    const length = from.length() + (to.length() - from.length()) * eased + rise * Math.sin(Math.PI * eased);
    const way = new Quaternion().setFromUnitVectors(from.clone().normalize(), to.clone().normalize());
    const turned = new Quaternion().slerp(way, eased);
    this.eye.position.copy(from).applyQuaternion(turned).setLength(length);
    if (part < 1) return;
    this.eye.position.copy(to);
    this.flight = null;
  }
}

function lastView(): Vector3 | null {
  const kept = sessionStorage.getItem(KEY);
  return kept === null ? null : new Vector3().fromArray(JSON.parse(kept) as number[]);
}

// Where the Sun has set, most of the lit side in sight.
function atDusk(sun: Vector3): Vector3 {
  const east = Math.atan2(sun.y, sun.x) + MathUtils.degToRad(START_EAST_DEG);
  const to = new Vector3().setFromSphericalCoords(START_FAR, MathUtils.degToRad(90 - START_NORTH_DEG), east);
  return new Vector3(to.z, to.x, to.y); // three.js has its poles along y
}

const over = (r: Vector3, above: number): Vector3 => r.clone().setLength(Math.max(NEAREST, r.length() + above));
