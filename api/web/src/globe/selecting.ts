// The selection on the globe: an object or an event, its card beside the globe, its marks and its orbits.
import { Vector3 } from "three";
import * as api from "../api";
import type { Context } from "../context";
import { h, replace } from "../dom";
import { unknownObjectCard } from "../objects/card";
import type { Conjunction, Geometry, KnownObject } from "../types";
import type { ShownTime } from "./clock";
import type { Markers } from "./markers";
import type { Moments } from "./moments";
import { ObjectShown } from "./object";
import type { Globe } from "./scene";
import { eventCard } from "./selection";
import type { TimeBar } from "./timebar";

const REPLAYED_MS = 30_000; // before TCA, and after

export interface Surroundings {
  context: Context;
  globe: Globe;
  clock: ShownTime;
  marks: Markers;
  moments: Moments;
  bar: TimeBar;
  side: HTMLElement;
  known(): Map<number, KnownObject>;
  changed(byUser: boolean): void; // the address must follow
}

export class Selecting {
  object: number | null = null;
  event: Conjunction | null = null;
  private geometry: Geometry | null = null;
  private shown: ObjectShown | null = null;
  private pending: string | null = null; // an event that is being loaded
  readonly close = (): void => (this.clear(), this.at.changed(true));
  readonly toTca = (): void => this.goToTca();
  readonly choose = (id: number): void => void this.selectEvent(String(id));

  constructor(private readonly at: Surroundings) {}

  get isNothing(): boolean {
    return this.object === null && this.event === null && this.pending === null;
  }

  // Selects what an address names, and nothing if it names nothing.
  follow(wanted: URLSearchParams): void {
    const [event, object] = [wanted.get("event"), wanted.get("object")];
    if (event) {
      if (event !== (this.pending ?? String(this.event?.id))) void this.selectEvent(event, false);
    } else if (!object) this.clear();
    else if (!/^[1-9][0-9]{0,8}$/.test(object)) this.showUnknown(object);
    else if (Number(object) !== this.object) this.selectObject(Number(object), false);
  }

  selectObject(number: number, byUser = true): void {
    const known = this.at.known();
    this.clear();
    if (known.size && !known.has(number)) return this.showUnknown(String(number));
    this.object = number;
    this.at.marks.set([{ number, text: known.get(number)?.name ?? String(number), kind: "object" }]);
    this.shown = new ObjectShown(number, this.at, this.close, this.choose, this.now());
    this.at.changed(byUser);
  }

  // What is selected while it is loaded is not overwritten.
  async selectEvent(id: string, byUser = true): Promise<void> {
    const { context, side } = this.at;
    this.pending = id;
    try {
      const event = await api.conjunction(id);
      if (this.pending !== id) return;
      this.beginEvent(event, byUser);
      await this.addGeometry(event);
      if (this.event === event) this.goToTca();
    } catch (error) {
      if (error instanceof api.ApiError && error.status === 401) return context.failed(error);
      if (this.pending !== id) return;
      this.clear();
      replace(side, h("p", { class: "panel form-message", role: "alert" }, (error as Error).message));
    }
  }

  tick(settled: boolean): void {
    this.shown?.tick(settled);
  }

  // For each picture.
  drawn(complete: boolean): void {
    this.shown?.drawn(complete);
  }

  // The present, if the run's window contains it.
  now(): number | null {
    const { context } = this.at;
    return context.run?.historic ? null : context.now();
  }

  end(): void {
    this.pending = null;
    this.shown?.end();
    this.shown = null;
  }

  private clear(): void {
    const { globe, marks, moments, side, bar } = this.at;
    this.end();
    this.object = this.event = this.geometry = null;
    globe.orbits.show([], 0);
    globe.points.dim(1);
    globe.camera.stay();
    bar.setTca(null);
    bar.setMoments([]);
    marks.set([]);
    moments.set([]);
    replace(side);
    globe.dirty = true;
  }

  private beginEvent(event: Conjunction, byUser: boolean): void {
    this.clear();
    this.event = event;
    this.at.changed(byUser);
    this.at.bar.setTca(Date.parse(event.tca));
    this.at.bar.setMoments([event]);
    this.at.marks.set([
      { number: event.primary_norad_id, text: event.primary_name, kind: "primary" },
      { number: event.secondary_norad_id, text: event.secondary_name, kind: "secondary" },
    ]);
    this.showEvent("");
  }

  private async addGeometry(event: Conjunction): Promise<void> {
    const { globe } = this.at;
    try {
      const geometry = await api.geometry(String(event.id));
      if (this.event !== event) return;
      this.geometry = geometry;
      const paths = (["primary", "secondary"] as const).flatMap((kind) => {
        const orbit = geometry.orbits[kind];
        return orbit ? [{ kind, r_itrf_km: orbit.r_itrf_at_tca_km }] : [];
      });
      globe.orbits.show(paths, Date.parse(geometry.tca));
      globe.points.dim(0.45);
      globe.dirty = true;
      this.showEvent("");
    } catch (error) {
      if (this.event === event) this.showEvent((error as Error).message);
    }
  }

  private showEvent(problem: string): void {
    if (this.event) replace(this.at.side, eventCard(this.event, this.geometry, problem, { close: this.close, toTca: this.toTca, replay: () => this.replay() }));
  }

  private showUnknown(number: string): void {
    this.clear();
    replace(this.at.side, unknownObjectCard(number, this.at.context.run?.run_id ?? "", this.close));
  }

  private goToTca(): void {
    const { clock, globe } = this.at;
    if (!this.event) return;
    clock.seek(Date.parse(this.event.tca));
    const orbit = this.geometry?.orbits.primary ?? this.geometry?.orbits.secondary;
    const middle = orbit?.r_itrf_at_tca_km[orbit.seconds_from_tca.indexOf(0)];
    if (middle && !middle.includes(null)) globe.camera.flyTo(new Vector3(...(middle as [number, number, number])));
    globe.dirty = true;
  }

  // The minute around TCA, from above the two.
  private replay(): void {
    const { clock, globe } = this.at;
    if (!this.event) return;
    const { primary_norad_id, secondary_norad_id, tca } = this.event;
    clock.replay(Date.parse(tca) - REPLAYED_MS, Date.parse(tca) + REPLAYED_MS);
    globe.camera.follow((into) => {
      if (!globe.points.drawn.visible) return null;
      const place = globe.points.place(primary_norad_id) ?? globe.points.place(secondary_norad_id);
      return place === undefined ? null : globe.points.position(place, into);
    });
    globe.dirty = true;
  }
}
