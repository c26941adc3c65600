// The selected object: the camera flies to it; its orbit, the age of its elements and its coming events are shown.
import { Vector3 } from "three";
import * as api from "../api";
import { replace } from "../dom";
import type { Conjunction } from "../types";
import { eventsOf, manoeuvresOf, orbitOf, placeAt } from "./orbit";
import { geodetic, placeWords } from "./places";
import { KM } from "./points";
import type { Surroundings } from "./selecting";
import { objectCard, type ObjectCard } from "./selection";

const LISTED = 6; // these are marked on the path too
const BURNS = 3;
const ON_BAR = 100;
const VALID_MS = 1_800_000; // the plane of a low orbit turns by 0.15° in half an hour: about a pixel
const AGAIN_MS = 10_000;

export class ObjectShown {
  private readonly ended = new AbortController();
  private readonly card: ObjectCard;
  private readonly place = new Vector3();
  private asking = false;
  private orbitAt = NaN; // of the orbit shown
  private notBefore_ms = 0;
  private flown = false;

  constructor(
    private readonly number: number,
    private readonly at: Surroundings,
    close: () => void,
    choose: (event: Conjunction) => void,
    private readonly from: number | null, // its events before are over
  ) {
    this.card = objectCard(number, at.known().get(number), close, choose, (time) => at.context.when(time));
    replace(at.side, this.card.element);
    void this.loadEvents();
    void this.loadManoeuvres();
  }

  end(): void {
    this.ended.abort();
  }

  // Names may come later than the selection.
  learn(): void {
    const known = this.at.known().get(this.number);
    if (known) this.card.setName(known);
  }

  // Often: the orbit of the time shown, unless that is being moved.
  tick(settled: boolean): void {
    const time = this.at.clock.time;
    const old = !(Math.abs(time - this.orbitAt) < VALID_MS);
    if (!old || !settled || this.asking || Date.now() < this.notBefore_ms) return;
    this.notBefore_ms = Date.now() + api.pauseForOthers_ms();
    if (Date.now() >= this.notBefore_ms) void this.loadOrbit(time);
  }

  // For each picture: what it shows of the object.
  drawn(complete: boolean): void {
    const { globe, clock, moments } = this.at;
    moments.draw(clock.time);
    const place = complete ? globe.points.place(this.number) : undefined;
    this.card.setPlace(place === undefined ? null : this.placeText(place));
    if (place !== undefined && !this.flown) {
      this.flown = true;
      globe.camera.flyTo(this.place);
    }
  }

  private placeText(place: number): string {
    const { x, y, z } = this.at.globe.points.position(place, this.place);
    return placeWords(geodetic(x / KM, y / KM, z / KM));
  }

  private async loadOrbit(time: number): Promise<void> {
    const { globe } = this.at;
    this.asking = true;
    try {
      const orbit = await orbitOf(this.number, time, this.ended.signal);
      if (this.ended.signal.aborted) return;
      this.orbitAt = Date.parse(orbit.at);
      globe.orbits.show([{ kind: "object", norad_id: this.number, r_itrf_km: orbit.r_itrf_at_instant_km }], this.orbitAt, globe.canvas);
      globe.points.dim(0.6);
      this.card.setOrbit(orbit);
      globe.dirty = true;
    } catch (error) {
      if (this.ended.signal.aborted) return;
      this.failed(error);
      this.notBefore_ms = Date.now() + AGAIN_MS;
      globe.orbits.dispose(); // the orbit of another time would be wrong
      this.orbitAt = NaN;
      this.card.setOrbit(error as Error);
    } finally {
      this.asking = false;
    }
  }

  private async loadEvents(): Promise<void> {
    const { signal } = this.ended;
    try {
      const page = await eventsOf(this.number, this.from, ON_BAR, signal);
      if (signal.aborted) return;
      this.card.setEvents(page.conjunctions.slice(0, LISTED), page.total);
      const events = page.conjunctions.filter((event): event is Conjunction => !("unreadable" in event));
      this.at.reachTo(Math.max(...events.map(({ tca }) => Date.parse(tca))));
      this.at.bar.setMoments(events);
      void this.mark(events.slice(0, LISTED));
    } catch (error) {
      if (signal.aborted) return;
      this.failed(error);
      this.card.setEvents(error as Error);
    }
  }

  private async loadManoeuvres(): Promise<void> {
    const { signal } = this.ended;
    try {
      const found = await manoeuvresOf(this.number, BURNS, signal);
      if (!signal.aborted) this.card.setManoeuvres(found);
    } catch (error) {
      if (!signal.aborted) this.failed(error); // a card without them stays as it is
    }
  }

  // A place that cannot be told leaves the list as it is, and is named below it.
  private async mark(events: Conjunction[]): Promise<void> {
    const { signal } = this.ended;
    const asked = await Promise.allSettled(events.map((event) => placeAt(this.number, event, signal)));
    if (signal.aborted) return;
    const found = asked.flatMap((answer, i) => {
      if (answer.status === "rejected") this.failed(answer.reason);
      const r = answer.status === "fulfilled" ? answer.value : null;
      return r ? [{ event: events[i] as Conjunction, r }] : [];
    });
    this.at.moments.set(found);
    this.card.setUnplaced(events.length - found.length);
    this.at.globe.dirty = true;
  }

  private failed(error: unknown): void {
    if (error instanceof api.ApiError && error.status === 401) this.at.context.failed(error);
  }
}
