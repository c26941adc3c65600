// The globe: all objects at their positions, coming events, and a selected event or object.
import * as api from "../api";
import type { Context, View } from "../context";
import { h, replace } from "../dom";
import { link, remember } from "../route";
import type { KnownObject } from "../types";
import { ShownTime } from "./clock";
import { objectFilters } from "./filters";
import { Frames } from "./frames";
import { markers } from "./markers";
import { pick } from "./picking";
import { Pictures } from "./pictures";
import { Globe } from "./scene";
import { Selecting } from "./selecting";
import { eventList } from "./selection";
import { timeBar } from "./timebar";

const COMING = 10;

export function globeView(context: Context, _id: string, query: URLSearchParams): View {
  const run = context.run;
  const stage = h("div", { class: "stage" });
  const overlay = h("div", { class: "overlay", "aria-hidden": "true" });
  const note = h("p", { class: "stage-note", role: "status" }, "Loading positions…");
  const side = h("aside", { class: "selection", "aria-label": "Selection" });
  const coming = h("div", {}, h("p", { class: "loading" }, "Loading…"));
  stage.append(overlay, note);

  let known = new Map<number, KnownObject>();
  const clock = new ShownTime(Date.parse(run?.window_start ?? ""), Date.parse(run?.window_end ?? ""), () => context.now(), run?.historic ?? false);
  const frames = new Frames(clock.start, (error) => (isSignedOut(error) ? context.failed(error) : pictures.failed(error)));
  const globe = newGlobe(stage);
  const filters = objectFilters(query, () => known, () => (refilter(), store()), (number) => selecting.selectObject(number));
  const bar = timeBar(clock, () => (globe.dirty = true), () => selecting.toTca());
  const marks = markers(overlay, globe);
  const hover = pick(globe, stage, () => known, (number) => selecting.selectObject(number));

  const refilter = (): void => {
    const { first } = globe.points;
    if (first) globe.points.choose(filters.places(first, known));
    globe.dirty = true;
  };
  const store = (): void => {
    const address = filters.address();
    if (selecting.event) address.set("event", String(selecting.event.id));
    else if (selecting.object) address.set("object", String(selecting.object));
    remember("globe", address);
  };
  const selecting = new Selecting({ context, globe, clock, marks, side, known: () => known, setTca: (time) => bar.setTca(time), changed: store });
  const pictures = new Pictures({ globe, clock, frames, bar, marks, note, newPoints: refilter });

  const learn = async (): Promise<void> => {
    const query = new URLSearchParams({ limit: String(COMING) });
    if (clock.hasNow) query.set("tca_from", new Date(context.now()).toISOString());
    try {
      known = await context.objects();
      refilter();
      const page = await api.conjunctions(query);
      const choose = (id: number): void => void selecting.selectEvent(String(id), true);
      replace(coming, page.conjunctions.length ? eventList(page.conjunctions, choose, selecting.now()) : h("p", { class: "empty" }, "None."));
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
    frames.begin(clock.start);
    globe.dirty = true;
    void learn();
  });

  const resized = new ResizeObserver(() => globe.resize(stage.clientWidth, stage.clientHeight));
  const recolor = (): void => globe.recolor();
  queueMicrotask(() => {
    resized.observe(stage);
    window.addEventListener("skysieve:theme", recolor);
    pictures.begin();
    void learn().then(() => selecting.follow(query));
  });

  return {
    title: "Globe",
    update: (wanted) => selecting.follow(wanted),
    element: h(
      "section",
      { class: "globe-view" },
      h("h1", { class: "visually-hidden" }, "Globe"),
      h("div", { class: "left" },
        h("section", { class: "panel coming", "aria-label": "Coming events" }, h("h2", {}, "Coming, most dangerous first ", h("a", { href: link("events") }, "all")), coming),
        filters.element),
      h("div", { class: "center" }, stage, bar.element),
      side,
    ),
    destroy() {
      pictures.stop();
      resized.disconnect();
      window.removeEventListener("skysieve:theme", recolor);
      forget();
      hover.stop();
      frames.giveUp();
      globe.dispose();
    },
  };
}

const isSignedOut = (error: unknown): boolean => error instanceof api.ApiError && error.status === 401;

function newGlobe(stage: HTMLElement): Globe {
  let globe: Globe;
  try {
    globe = new Globe(stage);
  } catch (error) {
    console.warn(error);
    throw new api.ApiError(0, "No globe", "This browser cannot draw it: WebGL is missing or disabled. Events, proximities and the run are still available.");
  }
  globe.canvas.setAttribute("role", "img");
  globe.canvas.setAttribute("aria-label", "Globe with all objects at their positions. The lists beside it have the same events.");
  return globe;
}
