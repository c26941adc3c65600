// A fleet's home: what is coming for each satellite, what changed, who is told.
import type { Context, View } from "../context";
import { h, replace, type Child, type Children } from "../dom";
import { download } from "../download";
import { count } from "../format";
import { link } from "../route";
import { term } from "../words/glossary";
import { alertsPanel } from "./alerts";
import * as asked from "./asked";
import { changesPanel, changeWord } from "./changes";
import { decisionPlot } from "./decision/plot";
import { filled, onlyReads, sureButton, told, writing } from "./doing";
import { feedsPanel } from "./feeds";
import { CLASSES, fleetDialog } from "./form";
import { lanes, type Span } from "./lanes";
import { lookAhead } from "./list";
import { outsideNote, outsideRows } from "./outside";
import { eachOnce, eventList } from "./table";
import type { Fleet, FleetEvent, FleetRow, Satellite } from "./types";
import { unseen } from "./unseen";
import { radiusWords } from "./radius_field";
import { volumesLookedAt, volumeWords } from "./volume";

const MOST_OUTSIDE = 50;
const ASK_AGAIN_MS = 1000; // while it is being searched

export function fleetView(context: Context, id: string): View {
  const head = h("div", { class: "fleet-head" });
  const body = h("div", { class: "fleet-body" });
  const notice = h("div", { class: "notices" });
  const said = told(context);
  const dialog = fleetDialog(context, () => load());
  // A demonstration keeps addresses for itself.
  const panels = context.demo ? null : { alerts: alertsPanel(context, Number(id)), feeds: feedsPanel(context, id) };
  const watching = h("div", { class: "columns" }, panels?.alerts, panels?.feeds);
  let run = "";
  let asking = 0;
  let shown: Coming | null = null;

  const lookNow = (): HTMLButtonElement => {
    const button = h("button", { type: "button", title: "Search its volumes again in the newest run.", onclick: () => void said.during(button, async () => {
      await asked.searchFleet(id);
      await load();
    }) }, "Look now");
    return button;
  };
  const remove = (fleet: Fleet, button: HTMLButtonElement): void =>
    void said.during(button, async () => {
      await asked.removeFleet(fleet.id);
      location.hash = link("fleets");
    });
  const save = (name: string, path: string, accept: string, ending: string): HTMLElement => {
    const button = h("button", {
      type: "button",
      onclick: () => void said.during(button, () => download(path, accept, `fleet-${id}.${ending}`)),
    }, name);
    return button;
  };
  const heading = (fleet: Fleet): HTMLElement =>
    h(
      "div",
      {},
      h(
        "div",
        { class: "title-row" },
        h("h1", {}, fleet.name),
        writing(context,
          h("button", { type: "button", onclick: () => dialog.open(fleet) }, "Change…"),
          lookNow(),
          sureButton("Remove fleet", `Remove the fleet ${fleet.name}, with its alerts and feeds?`, (button) => remove(fleet, button))),
      ),
      onlyReads(context),
      h("p", { class: "lead" }, about(fleet, context)),
      search(fleet),
      notInCatalogue(fleet),
      h(
        "nav",
        { class: "on-page", "aria-label": "On this page" },
        jump("Events", () => body.querySelector("[aria-label=List]") ?? body),
        panels ? [jump("Alerts", () => panels.alerts), jump("Calendar", () => panels.feeds)] : null,
        h("span", { class: "saving" },
          save("Report (PDF)", `fleets/${id}/report?format=pdf`, "application/pdf", "pdf"),
          save("Events (CSV)", `fleets/${id}/conjunctions`, "text/csv", "csv")),
      ),
    );
  const load = (): void => {
    run = context.run?.run_id ?? "";
    replace(notice);
    window.clearTimeout(asking);
    const fleet = asked.fleet(id);
    void filled(head, context, async () => heading(await fleet), load);
    const found = (here: boolean): void => [body, watching].forEach((part) => (part.hidden = !here));
    fleet.then(
      (made) => {
        found(true);
        void filled(body, context, async () => {
          const found = await coming(context, made);
          shown?.end();
          shown = found;
          return found.element;
        });
        if (made.searching) askAgain();
      },
      () => found(false), // the head says why
    );
  };
  const askAgain = (): void => {
    asking = window.setTimeout(() => void asked.fleet(id).then((fleet) => (fleet.searching ? askAgain() : load()), load), ASK_AGAIN_MS);
  };
  const forget = context.onRun(() => {
    shown?.show(context.now());
    const newest = context.run?.run_id ?? "";
    if (!run || newest === run) return;
    const show = h("button", { type: "button", onclick: load }, "Show the new run");
    replace(notice, h("p", { class: "note" }, `Run ${newest} is available. `, show));
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
      watching,
      dialog.element,
    ),
    destroy: () => {
      window.clearTimeout(asking);
      shown?.end();
      forget();
    },
  };
}

function about(fleet: Fleet, context: Context): Child[] {
  const parts: Children[] = [
    fleet.members === null ? [] : [`${count(fleet.members)} ${fleet.members === 1 ? "satellite" : "satellites"}`],
    [term("screening volume", "volume"), `: ${volumeWords(fleet.volume)}`],
    [term("look-ahead", "looks ahead"), ` ${lookAhead(fleet, context)}`],
    fleet.radius === "shadow" ? [] : [term("hard-body radius"), ` ${radiusWords(fleet.radius)}`],
    fleet.name_pattern ? [`names like ${fleet.name_pattern}`] : [],
    fleet.manoeuvre_class === "unknown" ? [] : [`avoid others: ${CLASSES[fleet.manoeuvre_class].toLowerCase()}`],
    fleet.contact ? [`contact ${fleet.contact}`] : [],
    [`made by ${fleet.made_by}`],
  ];
  return parts.filter((part) => part[0]).flatMap((part, i) => [i ? " · " : "", ...part] as Child[]);
}

function search({ searching, search_problem }: Fleet): HTMLElement | null {
  if (searching) return h("p", { class: "note", role: "status", "data-part": "searching" }, "Searching now: its events appear here.");
  return search_problem ? h("p", { class: "flag", "data-part": "search-problem" }, `Not searched since it was changed. ${search_problem}`) : null;
}

// A mistyped number is a satellite that nobody watches.
function notInCatalogue({ unknown }: Fleet): HTMLElement | null {
  if (!unknown.length) return null;
  const [is, it] = unknown.length === 1 ? ["is", "it"] : ["are", "them"];
  return h("p", { class: "flag", "data-part": "unknown" },
    `${unknown.join(", ")} ${is} not in the newest catalogue: runs do not screen ${it}. Correct ${it}, or wait for the catalogue.`);
}

// The address names the view, so a place on the page has none of its own.
const jump = (name: string, place: () => Element): HTMLElement =>
  h("button", {
    type: "button",
    class: "quiet",
    onclick: () => {
      const found = place() as HTMLElement;
      found.tabIndex = -1;
      found.focus({ preventScroll: true });
      found.scrollIntoView({ block: "start" });
    },
  }, `↓ ${name}`);

interface Coming {
  element: HTMLElement;
  show(now: number): void; // as time goes on: what has passed is no longer there
  end(): void;
}

async function coming(context: Context, fleet: Fleet): Promise<Coming> {
  const id = String(fleet.id);
  const since = context.run?.historic ? null : context.now();
  const [found, { satellites }, changes, members, outside, sure] = await Promise.all([
    asked.events(id, since), asked.satellites(id), asked.changes(id), asked.members(id), asked.outside(id, MOST_OUTSIDE), asked.decision(id),
  ]);
  const looked = changes.run_id !== null && satellites.length > 0;
  const waiting = unseen(context, fleet, members, satellites, looked, outside);
  const still = { show: () => undefined, end: () => undefined };
  if (!looked) return { element: h("div", { class: "fleet-body" }, waiting ?? nobody(fleet)), ...still };
  const { events, total } = found;
  const change = changeWord(changes);
  const further = outsideRows(outside, members);
  const volumes = volumesLookedAt(satellites);
  const list = eventList(context, allOf(id, since), events, total, further, change);
  const time = spanOf(context, [...events, ...further]);
  const each = [...eachOnce(events), ...further];
  const heading = h("span", { class: "total" }, inWords(events, total));
  const plot = decisionPlot(context, each, sure, change, time.now ?? time.begin, time.end, (span) => list.show(span ?? { from: -Infinity, to: Infinity }));
  const passed = (now: number): number => eachOnce(events).filter(({ tca }) => Date.parse(tca) < now).length;
  const element = h(
    "div",
    { class: "fleet-body" },
    waiting,
    h(
      "section",
      { class: "panel", "aria-label": "Coming" },
      h("h2", {}, context.run?.historic ? "In the window " : "Coming ", heading),
      each.length ? plot.element : h("p", { class: "empty" }, "No event within the volumes of this fleet."),
      volumes.length ? h("p", { class: "help" }, `Inside these volumes: ${volumes.join("; ")}.`) : null,
      outsideNote(outside, members),
      h("details", { class: "fold" }, h("summary", {}, `Each satellite over time${quietWords(satellites)}`), lanes(id, satellites, events, time, change, context.had)),
    ),
    h("section", { class: "panel", "aria-label": "Changes" }, h("h2", {}, "Since the run before"), changesPanel(changes, events)),
    each.length ? h("section", { class: "panel", "aria-label": "List" }, h("h2", {}, "Events"), list.element) : null,
    found.unreadable ? h("p", { class: "flag" }, `${count(found.unreadable)} records cannot be read, and are not shown.`) : null,
  );
  return {
    element,
    show(now) {
      if (since === null) return;
      replace(heading, inWords(events, total), passed(now) ? `, ${count(passed(now))} passed since` : "");
      plot.show(now);
    },
    end: plot.end,
  };
}

function quietWords(satellites: Satellite[]): string {
  const quiet = satellites.filter((one) => one.found && !one.events).length;
  return quiet ? `; ${count(quiet)} ${quiet === 1 ? "satellite has" : "satellites have"} nothing coming` : "";
}

const MINUTE = "2026-01-01T00:00".length;
const allOf = (fleet: string, since: number | null): string =>
  link("events", { fleet, ...(since === null ? {} : { from: new Date(since).toISOString().slice(0, MINUTE) }) });

const nobody = (fleet: Fleet): HTMLElement =>
  h("p", { class: "flag" }, fleet.members === null
    ? "Its name pattern matches too many objects, so runs skip this fleet."
    : "The newest catalogue has none of its satellites, so runs do not screen them.");

function inWords(events: FleetEvent[], total: number): string {
  const single = eachOnce(events);
  if (single.length < total) return `${count(single.length)} of ${count(total)} events, the most dangerous and the nearest`;
  const twice = events.length - single.length;
  const between = twice ? `, ${count(twice)} of them between two of these satellites` : "";
  return `${count(total)} ${total === 1 ? "event" : "events"}${between}`;
}

// The run's window, and as far as the fleet looks beyond it.
function spanOf(context: Context, events: FleetRow[]): Span {
  const now = context.run?.historic ? null : context.now();
  const begin = Date.parse(context.run?.window_start ?? "") || context.now();
  const last = events.reduce((latest, event) => Math.max(latest, Date.parse(event.tca)), begin);
  return { begin, end: Math.max(Date.parse(context.run?.window_end ?? "") || begin, last), now };
}
