// The selection on the globe: an object or an event, its card beside the globe, its marks and its orbits.
import { Vector3 } from "three";
import * as api from "../api";
import type { Context } from "../context";
import { h, replace } from "../dom";
import { unknownObjectCard } from "../objects/card";
import type { Conjunction, Geometry, KnownObject } from "../types";
import type { ShownTime } from "./clock";
import type { Markers } from "./markers";
import type { Globe } from "./scene";
import { eventCard, objectCard } from "./selection";

interface Surroundings {
  context: Context;
  globe: Globe;
  clock: ShownTime;
  marks: Markers;
  side: HTMLElement;
  known(): Map<number, KnownObject>;
  setTca(time: number | null): void;
  changed(): void; // the address must follow
}

export class Selecting {
  object: number | null = null;
  event: Conjunction | null = null;
  private geometry: Geometry | null = null;
  private readonly close = (): void => (this.clear(), this.at.changed());
  readonly toTca = (): void => this.goToTca();

  constructor(private readonly at: Surroundings) {}

  // Selects what a link names; an existing selection stays unchanged.
  follow(wanted: URLSearchParams): void {
    const [event, object] = [wanted.get("event"), wanted.get("object")];
    if (event && event !== String(this.event?.id)) void this.selectEvent(event, true);
    else if (!event && object && !/^[1-9][0-9]{0,8}$/.test(object)) this.showUnknown(object);
    else if (!event && object && Number(object) !== this.object) this.selectObject(Number(object));
  }

  selectObject(number: number): void {
    const { globe, marks, side } = this.at;
    const known = this.at.known();
    this.clear();
    if (known.size && !known.has(number)) return this.showUnknown(String(number));
    this.object = number;
    marks.set([{ number, text: known.get(number)?.name ?? String(number), kind: "object" }]);
    const place = globe.points.place(number);
    const altitude = place === undefined ? null : (globe.points.first?.altitude_km[place] ?? null);
    replace(side, objectCard(number, known.get(number), altitude, this.close, (id) => void this.selectEvent(String(id), true), this.now()));
    this.at.changed();
  }

  async selectEvent(id: string, jump: boolean): Promise<void> {
    const { context, side } = this.at;
    try {
      const event = await api.conjunction(id);
      this.beginEvent(event);
      await this.addGeometry(event);
      if (jump && this.event === event) this.goToTca();
    } catch (error) {
      if (error instanceof api.ApiError && error.status === 401) context.failed(error);
      else replace(side, h("p", { class: "panel form-message", role: "alert" }, (error as Error).message));
    }
  }

  // The present, if the run's window contains it.
  now(): number | null {
    const { context } = this.at;
    return context.run?.historic ? null : context.now();
  }

  private clear(): void {
    const { globe, marks, side, setTca } = this.at;
    this.object = this.event = this.geometry = null;
    globe.showOrbits(null, 0);
    setTca(null);
    marks.set([]);
    replace(side);
    globe.dirty = true;
  }

  private beginEvent(event: Conjunction): void {
    this.clear();
    this.event = event;
    this.at.changed();
    this.at.setTca(Date.parse(event.tca));
    this.at.marks.set([
      { number: event.primary_norad_id, text: event.primary_name, kind: "primary" },
      { number: event.secondary_norad_id, text: event.secondary_name, kind: "secondary" },
    ]);
    this.showEvent("");
  }

  private async addGeometry(event: Conjunction): Promise<void> {
    try {
      const geometry = await api.geometry(String(event.id));
      if (this.event !== event) return;
      this.geometry = geometry;
      this.at.globe.showOrbits(geometry.orbits, Date.parse(geometry.tca));
      this.showEvent("");
    } catch (error) {
      if (this.event === event) this.showEvent((error as Error).message);
    }
  }

  private showEvent(problem: string): void {
    if (this.event) replace(this.at.side, eventCard(this.event, this.geometry, problem, this.close, this.toTca));
  }

  private showUnknown(number: string): void {
    replace(this.at.side, unknownObjectCard(number, this.at.context.run?.run_id ?? "", this.close));
  }

  private goToTca(): void {
    const { clock, globe } = this.at;
    if (!this.event) return;
    clock.seek(Date.parse(this.event.tca));
    const orbit = this.geometry?.orbits.primary ?? this.geometry?.orbits.secondary;
    const middle = orbit?.r_itrf_at_tca_km[orbit.seconds_from_tca.indexOf(0)];
    if (middle && !middle.includes(null)) globe.flyTo(new Vector3(...(middle as [number, number, number])));
    globe.dirty = true;
  }
}
