// A fleet's home: what is coming for each satellite, what changed, who is told.
import type { Context, View } from "../context";
import { h, replace, type Child, type Children } from "../dom";
import { count } from "../format";
import { link } from "../route";
import { term } from "../words/glossary";
import { alertsPanel } from "./alerts";
import * as asked from "./asked";
import { changesPanel, changeWord } from "./changes";
import { filled, sureButton, told } from "./doing";
import { feedsPanel } from "./feeds";
import { fleetDialog } from "./form";
import { lanes, type Span } from "./lanes";
import { lookAhead } from "./list";
import { eventList } from "./table";
import { unseen } from "./unseen";
import { volumeWords } from "./volume";
import type { Fleet, FleetEvent } from "./types";

export function fleetView(context: Context, id: string): View {
  const head = h("div", { class: "fleet-head" });
  const body = h("div", { class: "fleet-body" });
  const notice = h("div", { class: "notices" });
  const said = told(context);
  const dialog = fleetDialog(context, () => load());
  let run = "";

  const remove = (fleet: Fleet, button: HTMLButtonElement): void =>
    void said.during(button, async () => {
      await asked.removeFleet(fleet.id);
      location.hash = link("fleets");
    });
  const heading = (fleet: Fleet): HTMLElement => {
    const parts: Children[] = [
      fleet.members === null ? [] : [`${count(fleet.members)} ${fleet.members === 1 ? "satellite" : "satellites"}`],
      fleet.volume === "handbook" ? [term("handbook volume")] : [term("screening volume", "volume"), `: ${volumeWords(fleet.volume)}`],
      [term("look-ahead", "looks ahead"), ` ${lookAhead(fleet, context)}`],
      fleet.name_pattern ? [`names like ${fleet.name_pattern}`] : [],
      [fleet.contact],
    ];
    return h(
      "div",
      {},
      h(
        "div",
        { class: "title-row" },
        h("h1", {}, fleet.name),
        h("div", { class: "buttons" },
          h("button", { type: "button", onclick: () => dialog.open(fleet) }, "Change…"),
          sureButton("Remove", `Remove the fleet ${fleet.name}, with its alerts and feeds?`, (button) => remove(fleet, button))),
      ),
      h("p", { class: "lead" }, parts.filter((part) => part[0]).flatMap((part, i) => [i ? " · " : "", ...part] as Child[])),
    );
  };
  const load = (): void => {
    run = context.run?.run_id ?? "";
    replace(notice);
    const fleet = asked.fleet(id);
    void filled(head, context, async () => heading(await fleet));
    void filled(body, context, async () => coming(context, await fleet));
  };
  const forget = context.onRun(() => {
    const newest = context.run?.run_id ?? "";
    if (!run || newest === run) return;
    replace(notice, h("p", { class: "note" }, `Run ${newest} is available. `, h("button", { type: "button", onclick: load }, "Show the new run")));
  });
  load();
  return {
    title: "Fleet",
    element: h(
      "section",
      { class: "page fleets" },
      h("p", { class: "over" }, h("a", { href: link("fleets") }, "Fleets")),
      head,
      said.element,
      notice,
      body,
      h("div", { class: "columns" }, alertsPanel(context, Number(id)), feedsPanel(context, id)),
      dialog.element,
    ),
    destroy: forget,
  };
}

async function coming(context: Context, fleet: Fleet): Promise<HTMLElement> {
  const id = String(fleet.id);
  const [found, { satellites }, changes] = await Promise.all([asked.events(id), asked.satellites(id), asked.changes(id)]);
  const waiting = await unseen(context, fleet, satellites, changes.run_id !== null);
  if (changes.run_id === null) return h("div", { class: "fleet-body" }, waiting);
  const { events, total } = found;
  const change = changeWord(changes);
  const drawn = events.length < total ? `the most dangerous ${count(events.length)} of ${count(total)} events` : inWords(events);
  return h(
    "div",
    { class: "fleet-body" },
    waiting,
    h("section", { class: "panel", "aria-label": "Changes" }, h("h2", {}, "Since the run before"), changesPanel(changes, events)),
    h("section", { class: "panel", "aria-label": "Coming" }, h("h2", {}, "Coming ", h("span", { class: "total" }, drawn)), lanes(id, satellites, events, spanOf(context, events), change)),
    total ? h("section", { class: "panel", "aria-label": "List" }, h("h2", {}, "Events"), eventList(id, events, total, change)) : null,
    found.unreadable ? h("p", { class: "flag" }, `${count(found.unreadable)} records cannot be read, and are not shown.`) : null,
  );
}

// One between two satellites of the fleet comes for each of them.
function inWords(events: FleetEvent[]): string {
  const single = new Set(events.map((event) => event.id)).size;
  const twice = events.length - single;
  return `${count(single)} ${single === 1 ? "event" : "events"}${twice ? `, ${count(twice)} of them between two of these satellites` : ""}`;
}

// The run's window, and as far as the fleet looks beyond it.
function spanOf(context: Context, events: FleetEvent[]): Span {
  const now = context.run?.historic ? null : context.now();
  const begin = Date.parse(context.run?.window_start ?? "") || context.now();
  const last = events.reduce((latest, event) => Math.max(latest, Date.parse(event.tca)), begin);
  return { begin, end: Math.max(Date.parse(context.run?.window_end ?? "") || begin, last), now };
}
