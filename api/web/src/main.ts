import "uplot/dist/uPlot.min.css";
import "./style.css";
// The styles of all rooms: those that only a view loaded later imports would not be in the bundle's one style sheet.
import "./administration/administration.css";
import "./encounter/encounter.css";
import "./event/event.css";
import "./events/events.css";
import "./fleets/fleets.css";
import "./globe/globe.css";
import "./inbox/inbox.css";
import "./objects/objects.css";
import "./overview/overview.css";
import "./print/print.css";
import "./proximities/proximities.css";
import "./sky/fragmentations.css";
import "./sky/sky.css";
import "./words/words.css";
import * as api from "./api";
import { Context, type View } from "./context";
import { h, replace } from "./dom";
import { askAheadOfEvent } from "./event/ahead";
import { fleets, forgetFleets } from "./fleets/asked";
import { CHANGED, chosenOf, OF_A_FLEET, pointOfView } from "./fleets/point_of_view";
import { bringBack, keepPlace, ownPlace, storePlaces } from "./places";
import { followPrinting } from "./print/printing";
import { arrive, link, route } from "./route";
import { failure, shell, type Shell } from "./shell";
import { returnToLink, signInDialog, signInView } from "./signin";
import { applyTheme, followSystem } from "./theme";
import type { SessionState } from "./types";

// Each view is loaded when first opened: the table needs no globe.
type Maker = (context: Context, id: string, query: URLSearchParams) => View;
const VIEWS: Record<string, () => Promise<Maker>> = {
  globe: async () => (await import("./globe/view")).globeView,
  overview: async () => (await import("./overview/view")).overviewView,
  events: async () => (await import("./events/view")).eventsView,
  event: async () => (await import("./event/view")).eventView,
  fleets: async () => (await import("./fleets/list")).fleetsView,
  fleet: async () => (await import("./fleets/home")).fleetView,
  messages: async () => (await import("./inbox/view")).inboxView,
  proximities: async () => (await import("./proximities/view")).proximitiesView,
  sky: async () => (await import("./sky/view")).skyView,
  administration: async () => (await import("./administration/view")).administrationView,
  run: async () => (await import("./run")).runView,
};

const AGAIN = ".failure button, .notices [role=alert] button";
const NUMBERED = ["event", "fleet"];
const isNumber = (id: string): boolean => /^[0-9]{1,16}$/.test(id);
const app = document.getElementById("app") as HTMLElement;
let frame: Shell | null = null;
let context: Context | null = null;
let shown: { key: string; view: View } | null = null;
let dropped: readonly File[] = []; // onto another view: Messages reads them when it is there
let turns = 0; // calls of show(): what an earlier one waited for is no longer wanted
let stopBringing = (): void => undefined; // back what was in sight
// A view's module could not be loaded. Most browsers never request such a module again (whatwg/html#6768).
let moduleMissing = false;

function stop(): void {
  stopBringing();
  shown?.view.destroy?.();
  shown = null;
  frame?.stop();
  context?.stop();
  frame = context = null;
}

// First stop everything: a request after the end of the session would be refused.
async function signOut(): Promise<void> {
  stop();
  api.endRequests();
  try {
    await api.signOut();
    leave("You are signed out.");
  } catch (error) {
    failed(error);
  }
}

function leave(reason: string): void {
  stop();
  document.title = "Sign in · skysieve";
  replace(app, signInView(reason, (state) => void enter(state)));
  document.getElementById("token")?.focus();
}

function failed(error: unknown): void {
  if (error instanceof api.ApiError && error.status === 401) {
    if (document.querySelector(".sign-in-again")) return;
    if (document.querySelector("dialog[open]")) signInDialog(error.message);
    else leave(error.message);
  }
  else if (frame) replace(frame.main, failure(error, () => void show(true)));
  else replace(app, h("main", {}, failure(error, () => void begin())));
}

// What could not be shown while there was no answer shows itself now; what is being typed stays.
function recovered(): void {
  const again = frame?.main.querySelectorAll<HTMLButtonElement>(AGAIN) ?? [];
  for (const button of again) button.click();
  const alerts = frame?.main.querySelectorAll("[role=alert]:not(:is(form, dialog, .fleets, .what-if) *)") ?? [];
  if (!again.length && [...alerts].some((alert) => alert.textContent)) void show(true);
}

async function enter(state: SessionState): Promise<void> {
  forgetFleets(); // those of whoever was signed in before
  const { view, id, query } = route();
  if (view === "event" && isNumber(id)) askAheadOfEvent(id, query);
  context = new Context(state, failed, recovered);
  frame = shell(context, signOut);
  replace(app, frame.element);
  await context.start();
  await show();
}

async function show(anew = false): Promise<void> {
  if (!frame || !context) return;
  const turn = (turns += 1);
  if (shown) keepPlace(frame.main, shown.view);
  stopBringing();
  if (!route().view) await goHome();
  else if (OF_A_FLEET.includes(route().view) && !route().query.size) await seeFromFleet();
  if (!frame || !context || turn !== turns) return;
  const { view: name, id, query } = route();
  const key = `${name}/${id}`;
  const entry = arrive();
  if (shown?.key === key && !anew && shown.view.update) {
    shown.view.resume?.(ownPlace(entry));
    return shown.view.update(query);
  }
  shown?.view.destroy?.();
  shown = null;
  frame.mark(name);
  const make = VIEWS[name];
  try {
    if (!make) throw new api.ApiError(404, "No such view", `There is nothing at ${location.hash}.`);
    if (NUMBERED.includes(name) && !isNumber(id)) throw new api.ApiError(404, `No such ${name}`, `${name === "event" ? "An event" : "A fleet"} has a number, and "${id}" is not one.`);
    if (!context.run && context.runError) throw context.runError;
    if (anew && moduleMissing) {
      await api.session(); // throws while the service is away, when a reload would show nothing
      location.reload();
      return;
    }
    const maker = await loaded(make);
    if (!frame || !context || turn !== turns) return;
    const view = maker(context, id, query);
    view.resume?.(ownPlace(entry));
    shown = { key, view };
    document.title = `${view.title} · skysieve`;
    replace(frame.main, view.element);
    if (view.drop && dropped.length) (view.drop(dropped), dropped = []);
    stopBringing = bringBack(frame.main, entry);
  } catch (error) {
    if (turn === turns) failed(error);
  }
}

// The first screen: the fleet that the page is seen from, or the list of all; without one, or without an answer, the globe.
async function goHome(): Promise<void> {
  let home = "globe";
  try {
    const known = (await fleets()).fleets;
    const chosen = chosenOf(known);
    if (known.length) home = chosen ? `fleet/${chosen.id}` : "fleets";
  } catch (error) {
    if (!(error instanceof api.ApiError)) throw error;
    if (error.status === 401) return failed(error);
  }
  if (!route().view) history.replaceState(history.state, "", link(home));
}

// A view without conditions is of the fleet that the page is seen from. Its address says so.
async function seeFromFleet(): Promise<void> {
  const { view } = route();
  try {
    const chosen = await pointOfView();
    if (chosen && route().view === view && !route().query.size) history.replaceState(history.state, "", link(view, { fleet: String(chosen.id) }));
  } catch (error) {
    if (!(error instanceof api.ApiError)) throw error; // the view tells of it
  }
}

// Another point of view was chosen: the same view, seen from there.
function seeFrom(id: string): void {
  const { view, query } = route();
  if (OF_A_FLEET.includes(view)) {
    if (id) query.set("fleet", id);
    else query.delete("fleet");
    location.hash = link(view, query);
  } else if (view === "fleet" || view === "fleets") location.hash = link(id ? `fleet/${id}` : "overview");
  else void show(true);
}

// A part of the page is not loaded yet: the service may be stopped, or have another version by now.
async function loaded(make: () => Promise<Maker>): Promise<Maker> {
  try {
    return await make();
  } catch (error) {
    console.warn(error);
    moduleMissing = true;
    throw api.unreachable();
  }
}

async function begin(): Promise<void> {
  VIEWS[route().view]?.().catch(() => undefined); // loads beside the first answers; show() says if it cannot be loaded
  try {
    const state = await api.session();
    if (state.signed_in) returnToLink();
    if (state.signed_in) await enter(state);
    else leave("");
  } catch (error) {
    failed(error);
  }
}

applyTheme();
followSystem();
followPrinting();
const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes("Files") ?? false;
// Whatever view is shown: the browser would open the file in its place.
window.addEventListener("dragover", (event) => hasFiles(event) && event.preventDefault());
window.addEventListener("drop", (event) => {
  if (!hasFiles(event)) return;
  event.preventDefault();
  const files = [...(event.dataTransfer?.files ?? [])];
  if (!context || !files.length) return;
  if (shown?.view.drop) return shown.view.drop(files);
  dropped = files;
  location.hash = link("messages");
});
window.addEventListener("hashchange", () => void show());
window.addEventListener(CHANGED, (event) => seeFrom((event as CustomEvent<string>).detail));
window.addEventListener("pagehide", () => {
  if (frame && shown) keepPlace(frame.main, shown.view);
  storePlaces();
});
void begin();
