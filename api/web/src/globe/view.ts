// The globe: all objects at their positions, coming events, and a selected event or object.
import * as api from "../api";
import type { Context, View } from "../context";
import { h, replace } from "../dom";
import { forgetFleets } from "../fleets/asked";
import { count } from "../format";
import { link, remember, route, step } from "../route";
import type { Conjunction, KnownObject } from "../types";
import { ShownTime } from "./clock";
import { objectFilters } from "./filters";
import { Frames } from "./frames";
import { byKeys, zoomButtons } from "./keys";
import { legend, legendOf } from "./legend";
import { markers } from "./markers";
import { mine, paints, type PointOfView } from "./mine";
import { moments } from "./moments";
import { pick } from "./picking";
import { Pictures } from "./pictures";
import { saving } from "./saving";
import { Globe } from "./scene";
import { Selecting } from "./selecting";
import { eventList } from "./selection";
import { timeBar } from "./timebar";

const COMING = 10;
const HOUR_MS = 3_600_000;
const SEARCHED_AGAIN_MS = 2_000;
const NAMED = 30; // of a larger fleet the names would hide the globe

export function globeView(context: Context, _id: string, query: URLSearchParams): View {
  const run = context.run;
  // The sky is dark in light colours too.
  const stage = h("div", { class: "stage", "data-theme": "dark" });
  const overlay = h("div", { class: "overlay", "aria-hidden": "true" });
  const note = h("p", { class: "stage-note", role: "status" }, "Loading positions…");
  const side = h("aside", { class: "selection", "aria-label": "Selection" });
  const coming = h("div", {}, h("p", { class: "loading" }, "Loading…"));
  const comingTitle = h("span", {}, "Coming, most dangerous first");
  const meaning = legend();
  const paths = h("div", { class: "overlay", "aria-hidden": "true" });
  const names = h("div", { class: "overlay", "aria-hidden": "true" });
  const told = h("p", { class: "read-out" });
  stage.append(paths, names, overlay, note, told);

  let known = new Map<number, KnownObject>();
  let view: PointOfView = { isOwn: false, members: new Set(), events: [], hours: 0, searching: false };
  const clock = new ShownTime(Date.parse(run?.window_start ?? ""), Date.parse(run?.window_end ?? ""), () => context.now(), run?.historic ?? false);
  const frames = new Frames(clock.start, clock.end, (error) => (isSignedOut(error) ? context.failed(error) : (pictures.failed(error), started())));
  const globe = newGlobe(stage, clock.time);
  const filters = objectFilters(query, () => known, () => (refilter(), remember("globe", address())), (number) => selecting.selectObject(number));
  const choose = (event: Conjunction): void => selecting.choose(event);
  const bar = timeBar(clock, () => (globe.dirty = true), () => selecting.toTca(), choose);
  const marks = markers(overlay, globe);
  const ownMarks = markers(names, globe);
  const onPath = moments(paths, globe, choose);
  const hover = pick(globe, stage, () => known, (number) => selecting.selectObject(number));

  const refilter = (): void => {
    const { first } = globe.points;
    if (first) globe.points.choose(filters.places(first, known), paints(first, view, selecting.numbers));
    const named = [...(filters.members() ?? [])];
    ownMarks.set(named.length > NAMED ? [] : named.map((number) => ({ number, text: known.get(number)?.name ?? String(number), kind: "member" })));
    globe.dirty = true;
  };
  const address = (): URLSearchParams => {
    const made = filters.address();
    if (selecting.event) made.set("event", String(selecting.event.id));
    else if (selecting.object) made.set("object", String(selecting.object));
    if (selecting.event && selecting.from) made.set("from", String(selecting.from));
    return made;
  };
  // What the user selects is a step that "back" undoes; what an address selected is that address.
  const changed = (byUser: boolean): void => (refilter(), (byUser ? step : remember)("globe", address()));
  const follow = (wanted: URLSearchParams): void => {
    filters.follow(wanted);
    selecting.follow(wanted);
    refilter();
  };
  // As far as the fleets look ahead, and to what is selected: behind the run's window there are positions too.
  const reachTo = (time: number): void => {
    if (time <= clock.end) return;
    clock.setWindow(clock.start, time);
    bar.setWindow();
    frames.reachTo(time);
    globe.dirty = true;
  };
  const selecting = new Selecting({ context, globe, clock, marks, moments: onPath, bar, side, told, known: () => known, own: () => view.members, reachTo, changed });
  const pictures = new Pictures({ globe, clock, frames, bar, marks, note, newPoints: () => (refilter(), started()), tick: (settled) => selecting.tick(settled), drawn: (complete) => (ownMarks.draw(complete), selecting.drawn(complete), saved.drawn(complete)) });
  const saved = saving({ globe, clock, stage, what: () => selecting.words || `${count(globe.points.first?.count ?? 0)} objects`, source: `skysieve, run ${run?.run_id} · element sets by SGP4 · coasts: Natural Earth · city lights: GeoNames, CC BY 4.0`, eventShown: () => selecting.event?.id ?? null, film: selecting.film });
  byKeys(globe, selecting.close);
  const tools = zoomButtons(globe);
  tools.append(saved.element);
  stage.append(tools, meaning);

  // Names and lights come after the first positions, which a slow network would otherwise delay, unless an address asks by them.
  let started = (): void => undefined;
  const first = new Promise<void>((resolve) => (started = resolve));
  if (query.size) started();
  void first.then(() => globe.refine());

  const learn = async (): Promise<void> => {
    await first;
    try {
      known = await context.objects();
      filters.learn(known);
      refilter();
      selecting.learn();
    } catch (error) {
      if (isSignedOut(error)) context.failed(error);
      else filters.nameless((error as Error).message);
    }
  };
  let left = false;
  let askAgain = 0; // while a fleet is being searched
  const listComing = async (): Promise<void> => {
    clearTimeout(askAgain);
    try {
      view = await mine(clock.hasNow ? context.now() : null);
      if (left) return;
      const { isOwn, events, hours, searching } = view;
      reachTo(clock.start + HOUR_MS * hours);
      replace(meaning, ...legendOf(isOwn));
      replace(comingTitle, isOwn ? "Coming to your satellites" : "Coming, most dangerous first");
      replace(coming, events.length ? eventList(events.slice(0, COMING), choose, (time) => context.when(time)) : h("p", { class: "empty" }, searching ? "None yet: a fleet is being searched. This is not an all-clear." : "None."));
      if (searching) askAgain = window.setTimeout(() => (forgetFleets(), void listComing()), SEARCHED_AGAIN_MS);
      refilter();
    } catch (error) {
      if (isSignedOut(error)) context.failed(error);
      else replace(coming, h("p", { class: "form-message", role: "alert" }, (error as Error).message));
    }
  };
  let shownRun = run?.run_id;
  const forget = context.onRun(() => {
    if (!context.run || context.run.run_id === shownRun) return;
    shownRun = context.run.run_id;
    clock.setWindow(Date.parse(context.run.window_start), Date.parse(context.run.window_end));
    bar.setWindow();
    frames.begin(clock.start, clock.end);
    globe.dirty = true;
    void listComing();
    void learn();
  });

  const resized = new ResizeObserver(() => globe.resize(stage.clientWidth, stage.clientHeight));
  queueMicrotask(() => {
    resized.observe(stage);
    globe.points.recolor(stage);
    pictures.begin();
    void listComing();
    if (query.has("event")) follow(query); // it needs no list of the objects
    void learn().then(() => selecting.isNothing && follow(route().query));
  });

  return {
    title: "Globe",
    update: follow,
    element: h(
      "section",
      { class: "globe-view" },
      h("h1", { class: "visually-hidden" }, "Globe"),
      h("div", { class: "left" },
        h("section", { class: "panel coming", "aria-label": "Coming events" }, h("h2", {}, comingTitle, " ", h("a", { href: link("events") }, "all")), coming),
        filters.element),
      h("div", { class: "center" }, stage, bar.element),
      side,
    ),
    destroy() {
      left = true;
      clearTimeout(askAgain);
      pictures.stop();
      filters.end();
      selecting.end();
      saved.stop();
      resized.disconnect();
      forget();
      hover.stop();
      frames.giveUp();
      globe.dispose();
    },
  };
}

const isSignedOut = (error: unknown): boolean => error instanceof api.ApiError && error.status === 401;

function newGlobe(stage: HTMLElement, time: number): Globe {
  let globe: Globe;
  try {
    globe = new Globe(stage, time);
  } catch (error) {
    console.warn(error);
    throw new api.ApiError(0, "No globe", "This browser cannot draw it: WebGL is missing or disabled. Events, proximities and the run are still available.");
  }
  return globe;
}
