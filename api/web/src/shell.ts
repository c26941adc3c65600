// The frame around every view: navigation, state of the data, the time.
import * as api from "./api";
import type { Context } from "./context";
import { h, replace } from "./dom";
import { fleets, FLEETS_CHANGED } from "./fleets/asked";
import { chosenOf, choosePointOfView, CHANGED, OF_A_FLEET } from "./fleets/point_of_view";
import { local, utc } from "./format";
import { link } from "./route";
import { runChip, showWarnings } from "./status";
import { themeControl } from "./theme";
import { firstVisit } from "./words/first_visit";

const VIEWS = [
  ["globe", "Globe"],
  ["overview", "Overview"],
  ["events", "Events"],
  ["fleets", "Fleets"],
  ["messages", "Messages"],
  ["proximities", "Proximities"],
  ["sky", "Sky"],
  ["run", "Run"],
  ["administration", "Administration"],
] as const;

export interface Shell {
  element: HTMLElement;
  main: HTMLElement;
  mark(view: string): void;
  stop(): void;
}

export function shell(context: Context, signOut: () => Promise<void>): Shell {
  const main = h("main", { id: "main", tabindex: "-1" });
  const banners = h("div", { class: "banners", role: "status" });
  const chip = h("span", { class: "chip-place" });
  const universal = h("time", { class: "utc" });
  const local_ = h("span", { class: "local" });
  const clock = h("span", { class: "clock" }, universal, local_);
  const waiting = h("span", { class: "waiting", role: "status" });
  const links = VIEWS.map(([view, label]) => h("a", { href: `#/${view}`, hidden: (context.demo && view === "messages") || (!context.admin && view === "administration") }, label));

  // Everything, or one fleet: the links to the views follow it.
  const seenFrom = h("select", { class: "point-of-view", "aria-label": "Point of view", onchange: () => choosePointOfView(seenFrom.value) });
  seenFrom.hidden = true;
  const listFleets = async (): Promise<void> => {
    try {
      const known = (await fleets()).fleets;
      const chosen = String(chosenOf(known)?.id ?? "");
      replace(seenFrom, h("option", { value: "" }, "Everything"), known.map(({ id, name }) => h("option", { value: id }, name)));
      seenFrom.value = chosen;
      seenFrom.hidden = !known.length;
      for (const [index, [view]] of VIEWS.entries())
        if (OF_A_FLEET.includes(view)) links[index]?.setAttribute("href", link(view, chosen ? { fleet: chosen } : {}));
    } catch (error) {
      if (!(error instanceof api.ApiError)) throw error; // the view tells of it
    }
  };
  const changing = [FLEETS_CHANGED, CHANGED];
  for (const name of changing) window.addEventListener(name, listFleets);
  void listFleets();

  const tick = (): void => {
    const now = context.now();
    universal.dateTime = new Date(now).toISOString();
    replace(universal, `${utc(now)} UTC`);
    replace(local_, `${local(now)}`);
    wait();
  };
  const wait = (): void => {
    const until = api.waitingUntil();
    const text = until === null ? "" : `Many requests: continuing in ${Math.max(0, Math.ceil((until - Date.now()) / 1000))} s`;
    if (waiting.textContent !== text) replace(waiting, text);
  };
  const show = (): void => {
    // Next to the time of a historic catalogue, today's time would be confusing.
    clock.hidden = context.run?.historic ?? false;
    replace(chip, runChip(context));
    showWarnings(banners, context);
  };
  window.addEventListener("skysieve:waiting", wait);
  const timer = window.setInterval(tick, 1000);
  const forget = context.onRun(show);
  tick();
  show();

  // On a phone all of it is behind one button; wider, it is part of the head.
  const menu = h("div", { class: "menu", popover: "auto", id: "menu", onclick: (event: Event) => event.target instanceof HTMLAnchorElement && closeMenu() },
    h("nav", { "aria-label": "Views" }, links),
    clock,
    themeControl(),
    context.demo ? null : h("button", { class: "quiet", type: "button", onclick: () => void signOut(), title: `Signed in with ${context.name}` }, "Sign out"));
  const closeMenu = (): void => {
    if (menu.matches(":popover-open")) menu.hidePopover();
  };
  const element = h(
    "div",
    { class: "shell" },
    h("a", { class: "skip", href: "#main", onclick: (event: Event) => (event.preventDefault(), main.focus()) }, "Skip to content"),
    h(
      "header",
      { class: "top" },
      h("a", { class: "brand", href: "#/" }, h("img", { src: "assets/icon.svg", alt: "", width: 20, height: 20 }), "skysieve"),
      seenFrom,
      chip,
      context.demo ? h("span", { class: "chip", title: "Anyone may look around here; nothing can be changed." }, "Demonstration") : null,
      waiting,
      menu,
      h("button", { class: "quiet menu-button", type: "button", popovertarget: menu.id }, "Menu"),
    ),
    banners,
    context.demo ? null : firstVisit(context),
    main,
  );
  return {
    element,
    main,
    mark(view) {
      for (const [index, [name]] of VIEWS.entries()) {
        const here = name === view || name === `${view}s`;
        if (here) links[index]?.setAttribute("aria-current", "page");
        else links[index]?.removeAttribute("aria-current");
      }
    },
    stop() {
      clearInterval(timer);
      forget();
      window.removeEventListener("skysieve:waiting", wait);
      for (const name of changing) window.removeEventListener(name, listFleets);
    },
  };
}

const GONE = [404, 422]; // to ask once more would not help

// Shown in place of a view that failed: what happened, and what to do.
export function failure(error: unknown, again: () => void): HTMLElement {
  const known = error instanceof api.ApiError;
  if (!known) console.error(error);
  return h(
    "section",
    { class: "failure", role: "alert" },
    h("h1", {}, known ? error.title : "This view failed"),
    h("p", {}, known ? error.message : "This is a fault of the page; the data are not affected. The browser's console says more."),
    known && GONE.includes(error.status)
      ? h("p", { class: "buttons" }, h("a", { class: "button", href: "#/events" }, "All events"), h("a", { class: "button", href: "#/" }, "First screen"))
      : h("button", { type: "button", onclick: again }, "Try again"),
  );
}
