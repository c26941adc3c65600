// The selection on the globe: an object or an event, its card beside the globe, its marks and its orbits.
import { Vector3 } from "three";
import * as api from "../api";
import type { Context } from "../context";
import { replace } from "../dom";
import { metres, named, utc } from "../format";
import { unknownObjectCard } from "../objects/card";
import { fromOf, seenFrom, type From } from "../route";
import type { Conjunction, Geometry, KnownObject } from "../types";
import type { ShownTime } from "./clock";
import type { Markers } from "./markers";
import type { Moments } from "./moments";
import { ObjectShown } from "./object";
import { readOut } from "./readout";
import type { Globe } from "./scene";
import { eventCard, noEventCard } from "./selection";
import type { TimeBar } from "./timebar";

const REPLAYED_MS = 30_000; // before TCA, and after
const FILMED_MS = 50_000;
const FILMED_RATE = 10; // ten seconds in all

export interface Surroundings {
  context: Context;
  globe: Globe;
  clock: ShownTime;
  marks: Markers;
  moments: Moments;
  bar: TimeBar;
  side: HTMLElement;
  told: HTMLElement; // on the picture, about a selected event
  known(): Map<number, KnownObject>;
  own(): ReadonlySet<number>; // satellites of the fleets
  reachTo(time: number): void; // lengthen the time bar
  changed(byUser: boolean): void; // the address must follow
}

export class Selecting {
  object: number | null = null;
  event: Conjunction | null = null;
  from: From; // the object from which the event is seen
  private geometry: Geometry | null = null;
  private shown: ObjectShown | null = null;
  private pending: string | null = null; // an event that is being loaded
  private ended = new AbortController(); // aborted when something else is selected
  private flight: { acts: number } | null = null; // due when the picture shows the TCA
  private readonly place = new Vector3();
  readonly close = (): void => (this.clear(), this.at.changed(true));
  readonly toTca = (): void => (this.inSight(), this.goToTca());
  readonly film = (): void => this.replay(FILMED_MS, FILMED_RATE);
  // From a list or a mark: seen from one's own satellite, else from the selected object.
  readonly choose = (event: Conjunction): void => {
    const selected = this.object === null ? [] : [this.object];
    void this.selectEvent(String(event.id), true, seenFrom(event, this.at.own()) ?? seenFrom(event, new Set(selected)));
  };

  constructor(private readonly at: Surroundings) {}

  // What is selected, in words for a picture.
  get words(): string {
    if (this.event) return `${this.event.primary_name} × ${this.event.secondary_name}: ${metres(this.event.miss_distance_m)} m at TCA, ${utc(this.event.tca)} UTC`;
    return this.object === null ? "" : (this.at.known().get(this.object)?.name ?? String(this.object));
  }

  get numbers(): number[] {
    if (this.event) return [this.event.primary_norad_id, this.event.secondary_norad_id];
    return this.object === null ? [] : [this.object];
  }

  get isNothing(): boolean {
    return this.object === null && this.event === null && this.pending === null;
  }

  // Selects what an address names, and nothing if it names nothing.
  follow(wanted: URLSearchParams): void {
    const [event, object] = [wanted.get("event"), wanted.get("object")];
    if (event) {
      if (event !== (this.pending ?? String(this.event?.id))) void this.selectEvent(event, false, fromOf(wanted));
    } else if (!object) this.leave();
    else if (!/^[1-9][0-9]{0,8}$/.test(object)) this.showUnknown(object);
    else if (Number(object) !== this.object) this.selectObject(Number(object), false);
  }

  selectObject(number: number, byUser = true): void {
    const known = this.at.known();
    this.clear();
    if (known.size && !known.has(number)) return this.showUnknown(String(number));
    this.object = number;
    this.at.marks.set([{ number, text: known.get(number)?.name ?? String(number), kind: "object" }]);
    this.shown = new ObjectShown(number, this.at, this.close, this.choose, this.at.clock.hasNow ? this.at.context.now() : null);
    this.at.changed(byUser);
  }

  // What was selected stays until the event is here; what is selected meanwhile is not overwritten.
  async selectEvent(id: string, byUser = true, from?: From): Promise<void> {
    const { context, side } = this.at;
    const { signal } = this.ended;
    this.pending = id;
    let event: Conjunction;
    try {
      event = await api.conjunction(id, signal, from);
    } catch (error) {
      if (error instanceof api.ApiError && error.status === 401) return context.failed(error);
      if (signal.aborted || this.pending !== id) return;
      this.clear();
      return replace(side, noEventCard(id, (error as Error).message, this.close));
    }
    if (signal.aborted || this.pending !== id) return;
    this.beginEvent(event, from, byUser);
    await this.addGeometry(event);
  }

  tick(settled: boolean): void {
    this.shown?.tick(settled);
    const { bar, clock } = this.at;
    bar.setLeft(this.event ? Date.parse(this.event.tca) - clock.time : null);
  }

  // Names have come.
  learn(): void {
    this.shown?.learn();
    const known = this.object === null ? undefined : this.at.known().get(this.object);
    if (known) this.at.marks.set([{ number: known.norad_id, text: known.name, kind: "object" }]);
  }

  // For each picture.
  drawn(complete: boolean): void {
    this.shown?.drawn(complete);
    const { globe, clock } = this.at;
    readOut(this.at.told, this.event, globe.points);
    if (!this.flight || !complete || !this.event) return;
    const place = this.placeOf(this.event);
    const wanted = clock.time === Date.parse(this.event.tca) && globe.camera.acts === this.flight.acts;
    this.flight = null;
    if (wanted && place !== undefined) globe.camera.flyTo(globe.points.position(place, this.place));
  }

  end(): void {
    this.ended.abort();
    this.ended = new AbortController();
    this.flight = null;
    this.pending = null;
    this.shown?.end();
    this.shown = null;
  }

  // A link to the globe itself leads to the whole of it.
  private leave(): void {
    if (this.isNothing) return;
    this.clear();
    this.at.globe.camera.whole();
    if (this.at.clock.hasNow) this.at.clock.goLive();
  }

  private clear(): void {
    const { globe, marks, moments, side, bar } = this.at;
    this.end();
    this.object = this.event = this.geometry = null;
    globe.orbits.dispose();
    globe.points.dim(1);
    globe.camera.stay();
    bar.setTca(null);
    bar.setMoments([]);
    marks.set([]);
    moments.set([]);
    replace(side);
    globe.dirty = true;
  }

  private beginEvent(event: Conjunction, from: From, byUser: boolean): void {
    this.clear();
    this.event = event;
    this.from = from;
    this.at.changed(byUser);
    this.at.reachTo(Date.parse(event.tca) + FILMED_MS);
    this.at.bar.setTca(Date.parse(event.tca));
    this.at.bar.setMoments([event]);
    this.at.marks.set([
      { number: event.primary_norad_id, text: named(event, "primary"), kind: "primary" },
      { number: event.secondary_norad_id, text: named(event, "secondary"), kind: "secondary" },
    ]);
    this.showEvent("");
    this.goToTca();
  }

  private async addGeometry(event: Conjunction): Promise<void> {
    const { globe } = this.at;
    const { signal } = this.ended;
    try {
      const geometry = await api.geometry(String(event.id), signal, this.from);
      if (signal.aborted) return;
      this.geometry = geometry;
      const paths = (["primary", "secondary"] as const).flatMap((kind) => {
        const orbit = geometry.orbits[kind];
        return orbit ? [{ kind, norad_id: event[`${kind}_norad_id`], r_itrf_km: orbit.r_itrf_at_tca_km }] : [];
      });
      globe.orbits.show(paths, Date.parse(geometry.tca), globe.canvas);
      globe.points.dim(0.45);
      globe.dirty = true;
      this.showEvent("");
    } catch (error) {
      if (!signal.aborted) this.showEvent((error as Error).message);
    }
  }

  // On a phone its card lies below the globe.
  private inSight(): void {
    this.at.globe.canvas.scrollIntoView({ block: "nearest" });
  }

  private placeOf(event: Conjunction): number | undefined {
    const { points } = this.at.globe;
    return points.place(event.primary_norad_id) ?? points.place(event.secondary_norad_id);
  }

  private showEvent(problem: string): void {
    if (this.event) replace(this.at.side, eventCard(this.event, this.from, this.geometry, problem, { close: this.close, toTca: this.toTca, replay: () => this.replay() }));
  }

  private showUnknown(number: string): void {
    this.clear();
    replace(this.at.side, unknownObjectCard(number, this.at.context.run?.run_id ?? "", this.close));
  }

  private goToTca(): void {
    const { clock, globe } = this.at;
    if (!this.event) return;
    clock.seek(Date.parse(this.event.tca));
    globe.camera.stay();
    this.flight = { acts: globe.camera.acts };
    globe.dirty = true;
  }

  // The time around TCA, from above the two.
  private replay(around_ms = REPLAYED_MS, rate = 1): void {
    const { clock, globe } = this.at;
    if (!this.event) return;
    const { event, event: { tca } } = this;
    this.flight = null;
    this.inSight();
    clock.replay(Date.parse(tca) - around_ms, Date.parse(tca) + around_ms, rate);
    globe.camera.follow((into) => {
      if (!globe.points.drawn.visible) return null;
      const place = this.placeOf(event);
      return place === undefined ? null : globe.points.position(place, into);
    });
    globe.dirty = true;
  }
}
