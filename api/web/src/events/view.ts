// The list of events: filters, table, download.
import * as api from "../api";
import type { Context, View } from "../context";
import { h, replace } from "../dom";
import { download } from "../download";
import { count } from "../format";
import { MARKS } from "../marks";
import { objectStrip } from "../objects/card";
import { remember } from "../route";
import { whatIs } from "../words/glossary";
import { asked, satellites } from "./conditions";
import { eventFilters } from "./filters";
import { Pager } from "./pager";
import { eventTable, type Place } from "./table";

export function eventsView(context: Context, _id: string, query: URLSearchParams): View {
  let address = query;
  let pager: Pager | null = null;
  let run = "";
  let resumed: (Place & { run: string }) | null = null; // where the user was, on coming back

  const order = (): string => address.get("order") ?? "risk";
  const table = eventTable(context, order, (chosen) => {
    const next = new URLSearchParams(address);
    next.set("order", chosen);
    if (chosen === "risk") next.delete("order");
    change(next);
  });
  const filters = eventFilters(context, (next) => change(next));
  const total = h("span", { class: "total", role: "status", "aria-live": "polite" });
  const notice = h("div", { class: "notices" });
  const button = h("button", { type: "button", onclick: () => void save() }, "Download CSV");
  const about = h("div", { class: "about-object" });

  const change = (next: URLSearchParams): void => {
    remember("events", next);
    show(next);
  };
  const show = (next: URLSearchParams): void => {
    address = next;
    filters.show(next);
    void tellObject();
    begin();
  };
  // Of one satellite alone: what it is, and where else to read about it.
  const tellObject = async (): Promise<void> => {
    const [only, second] = satellites(address);
    if (only === undefined || second !== undefined) return replace(about);
    try {
      const object = await context.object(only);
      if (satellites(address)[0] === only) replace(about, objectStrip(only, object, context.run?.run_id ?? ""));
    } catch (error) {
      if (!(error instanceof api.ApiError)) throw error; // the list tells of it
    }
  };
  const begin = (): void => {
    pager?.end();
    replace(notice);
    replace(total, "…");
    run = context.run?.run_id ?? "";
    const mine = new Pager(asked(address), () => arrived(mine), failed);
    pager = mine;
    void mine.begin();
  };
  const arrived = (from: Pager): void => {
    if (from !== pager) return;
    if (total.textContent === "…") {
      table.show(from, resumed?.run === run ? resumed : undefined); // rows of another run are other rows
      resumed = null;
    }
    replace(total, count(from.total));
    table.refresh();
    if (!from.total) replace(notice, h("p", { class: "empty" }, "No event matches."));
  };
  const failed = (error: unknown): void => {
    if (!(error instanceof api.ApiError) || error.status === 401) return context.failed(error);
    const text = `${error.title}: ${error.message}`;
    if (total.textContent === "…") table.clear(); // its rows belong to other filters
    replace(total);
    replace(notice, h("p", { class: "form-message", role: "alert" }, text, " ", h("button", { type: "button", onclick: begin }, "Load again")));
  };
  const save = async (): Promise<void> => {
    button.disabled = true;
    try {
      await download(`conjunctions?${asked(address)}`, "text/csv", `skysieve-${context.run?.run_id ?? "events"}-events.csv`);
    } catch (error) {
      failed(error);
    } finally {
      button.disabled = false;
    }
  };
  const forget = context.onRun(() => {
    const newest = context.run?.run_id ?? "";
    if (!run || newest === run) return;
    replace(notice, h("p", { class: "note" }, `Run ${newest} is available. This list is of run ${run}. `, h("button", { type: "button", onclick: begin }, "Show the new run")));
  });

  const element = h(
    "section",
    { class: "page events" },
    h("div", { class: "title-row" }, h("h1", {}, "Events ", total), h("p", { class: "help keys" }, "↑ ↓ choose, Enter opens, g shows on the globe"), button),
    filters.element,
    about,
    notice,
    table.element,
    h("p", { class: "help list-words" }, `P: the level by the probability alone. ${MARKS}. `, whatIs("risk level", "TCA", "miss distance", "probability", "diluted", "element set", "epoch", "covariance", "error law", "hard-body radius", "manoeuvring", "slow encounter")),
  );
  queueMicrotask(() => show(address));
  return {
    title: "Events",
    element,
    update: show,
    place: () => ({ ...table.place(), run }),
    resume: (place) => (resumed = (place ?? null) as typeof resumed),
    destroy() {
      pager?.end();
      table.destroy();
      forget();
    },
  };
}
