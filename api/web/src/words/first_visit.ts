// For whoever comes for the first time: three steps, until this browser is told to hide them.
import type { Context } from "../context";
import { h } from "../dom";
import { link } from "../route";

const KEY = "skysieve-first-visit";
const SEEN = "hidden";

export function firstVisit(context: Context): HTMLElement | null {
  if (localStorage.getItem(KEY) === SEEN) return null;
  const step = (view: string, text: string, then: string): HTMLElement => h("li", {}, h("a", { href: link(view) }, text), h("span", { class: "then" }, ` ${then}`));
  const hide = (): void => {
    localStorage.setItem(KEY, SEEN);
    element.remove();
    document.getElementById("main")?.focus({ preventScroll: true });
  };
  const first = step("fleets", "Make a fleet", "of your satellites");
  void context.anyFleet().then((any) => (first.hidden = any || context.readOnly));
  const element = h(
    "aside",
    { class: "first-visit", "aria-label": "First steps" },
    h("strong", {}, "New here?"),
    h(
      "ol",
      {},
      first,
      step("events", "Open an event", "how close, how sure, what to do"),
      step("fleets", "Get notified", "by e-mail, calendar or webhook, from the fleet"),
    ),
    h("span", { class: "note" }, "Click a dotted word for its meaning."),
    h("button", { type: "button", class: "quiet", onclick: hide }, "Hide"),
  );
  return element;
}
