// The globe: all objects where they are, what is coming, and one event or object in particular.
import { Vector3 } from "three";
import * as api from "../api";
import type { Context, View } from "../context";
import { h, reducedMotion, replace } from "../dom";
import { link, remember } from "../route";
import type { Conjunction, Geometry, KnownObject } from "../types";
import { ShownTime } from "./clock";
import { objectFilters } from "./filters";
import { Frames } from "./frames";
import { markers } from "./markers";
import { pick } from "./picking";
import { Globe } from "./scene";
import { eventCard, eventList, objectCard, unknownObjectCard } from "./selection";
import { timeBar } from "./timebar";

const STEP_MS = 300_000;
const FAST_STEP_MS = 600_000;
const FAST = 60;
const LIVE_PICTURE_MS = 50; // in real time nothing moves a pixel in less
const CALM_PICTURE_MS = 1000; // for who wants less motion
const COMING = 10;

interface Selected {
  object: number | null;
  event: Conjunction | null;
  geometry: Geometry | null;
}

export function globeView(context: Context, _id: string, query: URLSearchParams): View {
  const run = context.run;
  const stage = h("div", { class: "stage" });
  const overlay = h("div", { class: "overlay", "aria-hidden": "true" });
  const note = h("p", { class: "stage-note", role: "status" }, "Loading positions…");
  const side = h("aside", { class: "selection", "aria-label": "Selection" });
  const coming = h("div", {}, h("p", { class: "loading" }, "Loading…"));
  stage.append(overlay, note);

  const clock = new ShownTime(Date.parse(run?.window_start ?? ""), Date.parse(run?.window_end ?? ""), () => context.now(), run?.historic ?? false);
  const frames = new Frames(clock.start, (error) => failed(error));
  const selected: Selected = { object: null, event: null, geometry: null };
  let known = new Map<number, KnownObject>();
  let globe: Globe;
  try {
    globe = new Globe(stage);
  } catch (error) {
    console.warn(error);
    throw new api.ApiError(0, "No globe", "This browser cannot draw it: WebGL is missing or switched off. Events, proximities and the run are there all the same.");
  }
  globe.canvas.setAttribute("role", "img");
  globe.canvas.setAttribute("aria-label", "Globe with all objects at their positions. The lists beside it have the same events.");

  const filters = objectFilters(query, () => known, () => (refilter(), store()), (number) => selectObject(number));
  const bar = timeBar(clock, () => (globe.dirty = true), () => toTca());
  const marks = markers(overlay, globe);
  const hover = pick(globe, stage, () => known, (number) => selectObject(number));

  const failed = (error: unknown): void => {
    if (error instanceof api.ApiError && error.status === 401) context.failed(error);
    else problem = error instanceof api.ApiError ? error.message : String(error);
  };
  const refilter = (): void => {
    const { first } = globe.points;
    if (first) globe.points.choose(filters.places(first, known));
    globe.dirty = true;
  };
  const store = (): void => {
    const address = filters.address();
    if (selected.event) address.set("event", String(selected.event.id));
    else if (selected.object) address.set("object", String(selected.object));
    remember("globe", address);
  };
  const clear = (): void => {
    Object.assign(selected, { object: null, event: null, geometry: null });
    globe.showOrbits(null, 0);
    bar.setTca(null);
    marks.set([]);
    replace(side);
    globe.dirty = true;
  };
  const close = (): void => (clear(), store());

  const now = (): number | null => (context.run?.historic ? null : context.now());
  const selectObject = (number: number): void => {
    clear();
    if (known.size && !known.has(number)) {
      replace(side, unknownObjectCard(String(number), context.run?.run_id ?? "", close));
      return;
    }
    selected.object = number;
    marks.set([{ number, text: known.get(number)?.name ?? String(number), kind: "object" }]);
    const place = globe.points.place(number);
    const altitude = place === undefined ? null : (globe.points.first?.altitude_km[place] ?? null);
    replace(side, objectCard(number, known.get(number), altitude, close, (id) => void selectEvent(String(id), true), now()));
    store();
  };
  const selectEvent = async (id: string, jump: boolean): Promise<void> => {
    try {
      const event = await api.conjunction(id);
      clear();
      selected.event = event;
      store();
      bar.setTca(Date.parse(event.tca));
      marks.set([
        { number: event.primary_norad_id, text: event.primary_name, kind: "primary" },
        { number: event.secondary_norad_id, text: event.secondary_name, kind: "secondary" },
      ]);
      showEvent("");
      try {
        const geometry = await api.geometry(id);
        if (selected.event !== event) return;
        selected.geometry = geometry;
        globe.showOrbits(geometry.orbits, Date.parse(geometry.tca));
        showEvent("");
      } catch (error) {
        if (selected.event === event) showEvent((error as Error).message);
      }
      if (jump) toTca();
    } catch (error) {
      if (error instanceof api.ApiError && error.status === 401) context.failed(error);
      else replace(side, h("p", { class: "panel form-message", role: "alert" }, (error as Error).message));
    }
  };
  const showEvent = (problem: string): void => {
    if (selected.event) replace(side, eventCard(selected.event, selected.geometry, problem, close, toTca));
  };
  const toTca = (): void => {
    const { event, geometry } = selected;
    if (!event) return;
    clock.seek(Date.parse(event.tca));
    const orbit = geometry?.orbits.primary ?? geometry?.orbits.secondary;
    const middle = orbit?.r_itrf_at_tca_km[orbit.seconds_from_tca.indexOf(0)];
    if (middle && !middle.includes(null)) globe.flyTo(new Vector3(...(middle as [number, number, number])));
    globe.dirty = true;
  };

  let last = performance.now();
  let drawn = 0;
  let request = 0;
  let pictures = 0;
  let complete = false; // the positions of the time shown are there
  let problem = "";
  const waitingText = (): string => {
    if (problem) return `${problem} Trying again in ${Math.ceil(frames.pause_ms / 1000)} s.`;
    const wait_s = Math.ceil(frames.pause_ms / 1000);
    return wait_s ? `Many requests: positions wait ${wait_s} s, so that the lists need not.` : "Loading positions…";
  };
  const say = (text: string): void => {
    if (note.textContent !== text) replace(note, text);
  };
  const picture = (at: number): void => {
    request = requestAnimationFrame(picture);
    // A time that runs waits for its positions; the present does not.
    if (complete || clock.isLive) clock.advance(at - last);
    last = at;
    const pause = reducedMotion() ? CALM_PICTURE_MS : clock.rate === 1 ? LIVE_PICTURE_MS : 0;
    if (!globe.dirty && complete && !(clock.playing && at - drawn >= pause)) return;
    bar.tick();
    const fast = clock.rate >= FAST;
    const pair = frames.around(clock.time, fast ? FAST_STEP_MS : STEP_MS, clock.playing, bar.settled());
    if (!pair && !complete && !globe.dirty) return say(waitingText());
    complete = pair !== null;
    if (pair) {
      if (globe.points.show(pair, clock.time)) refilter();
      problem = "";
    } else globe.points.hide();
    say(pair ? "" : waitingText());
    globe.render(clock.time);
    marks.draw(pair !== null);
    drawn = at;
    globe.canvas.toggleAttribute("data-still", pair !== null && !globe.flying);
    pictures += 1;
    globe.canvas.dataset.pictures = String(pictures);
    globe.canvas.dataset.objects = String(pair ? (globe.points.first?.count ?? 0) : 0);
  };

  const resized = new ResizeObserver(() => {
    globe.resize(stage.clientWidth, stage.clientHeight);
  });
  const recolor = (): void => globe.recolor();
  let shownRun = run?.run_id;
  const forget = context.onRun(() => {
    if (!context.run || context.run.run_id === shownRun) return;
    shownRun = context.run.run_id;
    clock.setWindow(Date.parse(context.run.window_start), Date.parse(context.run.window_end));
    bar.setWindow();
    frames.begin(clock.start);
    globe.dirty = true;
    void learn();
  });
  const learn = async (): Promise<void> => {
    const query = new URLSearchParams({ limit: String(COMING) });
    if (clock.hasNow) query.set("tca_from", new Date(context.now()).toISOString());
    try {
      known = await context.objects();
      refilter();
      const page = await api.conjunctions(query);
      replace(coming, page.conjunctions.length ? eventList(page.conjunctions, (id) => void selectEvent(String(id), true), now()) : h("p", { class: "empty" }, "None."));
    } catch (error) {
      if (error instanceof api.ApiError && error.status === 401) context.failed(error);
      else replace(coming, h("p", { class: "form-message", role: "alert" }, (error as Error).message));
    }
  };

  queueMicrotask(() => {
    resized.observe(stage);
    window.addEventListener("skysieve:theme", recolor);
    request = requestAnimationFrame(picture);
    void learn().then(() => follow(query));
  });
  const follow = (wanted: URLSearchParams): void => {
    const [event, object] = [wanted.get("event"), wanted.get("object")];
    if (event && event !== String(selected.event?.id)) void selectEvent(event, true);
    else if (!event && object && !/^[1-9][0-9]{0,8}$/.test(object)) replace(side, unknownObjectCard(object, context.run?.run_id ?? "", close));
    else if (!event && object && Number(object) !== selected.object) selectObject(Number(object));
  };

  return {
    title: "Globe",
    update: follow,
    element: h(
      "section",
      { class: "globe-view" },
      h("h1", { class: "visually-hidden" }, "Globe"),
      h("div", { class: "left" },
        h("section", { class: "panel coming", "aria-label": "Coming events" }, h("h2", {}, "Coming, worst first ", h("a", { href: link("events") }, "all")), coming),
        filters.element),
      h("div", { class: "center" }, stage, bar.element),
      side,
    ),
    destroy() {
      cancelAnimationFrame(request);
      resized.disconnect();
      window.removeEventListener("skysieve:theme", recolor);
      forget();
      hover.stop();
      frames.giveUp();
      globe.dispose();
    },
  };
}
