// For whoever comes for the first time: three steps, each until it is done, all until this browser is told to hide them.
import { json } from "../api";
import type { Context } from "../context";
import { h } from "../dom";
import { FLEETS_CHANGED } from "../fleets/asked";
import { link, route } from "../route";

const KEY = "skysieve-first-visit";
const SEEN = "hidden";
const OPENED = "skysieve-event-opened";

export function firstVisit(context: Context): HTMLElement | null {
  if (localStorage.getItem(KEY) === SEEN) return null;
  const step = (view: string, text: string): HTMLElement => h("li", {}, h("a", { href: link(view) }, text));
  const stop = (): void => WHEN.forEach((name) => window.removeEventListener(name, look));
  const end = (): void => {
    localStorage.setItem(KEY, SEEN);
    element.remove();
    stop();
  };
  const hide = (): void => {
    end();
    document.getElementById("main")?.focus({ preventScroll: true });
  };
  const fleet = step("fleets", "Make a fleet");
  const event = step("events", "Open an event");
  const alert = step("fleets", "Get notified");
  let begun = false;
  const look = (): void => {
    if (begun && !element.isConnected) return stop(); // signed out
    begun = true;
    if (route().view === "event") localStorage.setItem(OPENED, "yes");
    event.hidden = localStorage.getItem(OPENED) !== null;
    void Promise.all([context.anyFleet(), anyAlert()]).then(([made, told]) => {
      fleet.hidden = made || context.readOnly;
      alert.hidden = told;
      if (made && told && event.hidden) end();
    });
  };
  const element = h(
    "aside",
    { class: "first-visit", "aria-label": "First steps" },
    h("strong", {}, "New here?"),
    h("ol", {}, fleet, event, alert),
    h("button", { type: "button", class: "quiet", onclick: hide }, "Hide"),
  );
  for (const name of WHEN) window.addEventListener(name, look);
  look();
  return element;
}

const WHEN = ["hashchange", FLEETS_CHANGED];

// Without an answer there is none.
const anyAlert = (): Promise<boolean> => json<{ total: number }>("alerts?limit=1").then(({ total }) => total > 0, () => false);
