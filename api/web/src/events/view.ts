// The list of events: filters, table, download.
import * as api from "../api";
import type { Context, View } from "../context";
import { h, replace } from "../dom";
import { download } from "../download";
import * as fleets from "../fleets/asked";
import { radiusWords } from "../fleets/radius_field";
import { count } from "../format";
import { MARKS } from "../marks";
import { objectStrip } from "../objects/card";
import { link, remember } from "../route";
import { sizesFrom } from "../severity";
import { inARow, term, wordsAndMarks, type Word } from "../words/glossary";
import { asked, satellites } from "./conditions";
import { eventFilters } from "./filters";
import { Pager } from "./pager";
import { eventTable, type Place } from "./table";

// What stands in the rows; a narrow screen has no heads that explain themselves.
const IN_ROWS: readonly (Word | readonly [Word, string])[] = ["age", "element set", "epoch", "covariance", ["covariance source", "usual errors"], "error law", "hard-body radius", "manoeuvring", "diluted", "slow encounter", "long encounter", "curved encounter", "second look", "quick analysis", "full analysis"];
const OF_HEADS: readonly Word[] = ["level", "TCA", "miss distance", "probability", "pieces"];

const MOST_NUMBERS = 500; // in one address

// What stands there is true without the answer.
function ignoreUnanswered(error: unknown): void {
  if (!(error instanceof api.ApiError)) throw error;
}

export function eventsView(context: Context, _id: string, query: URLSearchParams): View {
  let address = query;
  let pager: Pager | null = null;
  let run = "";
  let waiting = true; // for the first answer to these conditions
  let members: number[] = []; // of the fleet that the list is of
  let resumed: (Place & { run: string }) | null = null; // where the user was, on coming back

  const order = (): string => address.get("order") ?? "risk";
  const table = eventTable(context, order, (chosen) => {
    const next = new URLSearchParams(address);
    next.set("order", chosen);
    if (chosen === "risk") next.delete("order");
    change(next);
  }, () => [...satellites(address), ...members]);
  const filters = eventFilters(context, (next) => change(next));
  const total = h("span", { class: "total", role: "status", "aria-live": "polite" });
  const notice = h("div", { class: "notices" });
  const button = h("button", { type: "button", onclick: () => void save() }, "Download CSV");
  const saving = h("span", { class: "form-message", role: "status" });
  const about = h("div", { class: "about-object" });
  const radius = h("p", { class: "help", "data-part": "radius" });

  const change = (next: URLSearchParams): void => {
    if (!element.isConnected) return; // typed, and left before it counted
    remember("events", next);
    show(next);
  };
  const show = (next: URLSearchParams): void => {
    address = next;
    filters.show(next);
    void tellObject();
    void tellMembers();
    begin();
  };
  const tellMembers = async (): Promise<void> => {
    const fleet = address.get("fleet");
    members = [];
    replace(radius);
    if (!fleet) return;
    try {
      const found = await fleets.members(fleet);
      if (address.get("fleet") !== fleet) return;
      members = found.map((one) => one.norad_id);
      if (pager && !waiting) table.show(pager, table.place()); // its rows lead to them now
      const known = await fleets.fleet(fleet);
      if (address.get("fleet") !== fleet) return;
      if (known.radius !== "shadow") replace(radius, `Probabilities and levels use this fleet’s own hard-body radii, ${radiusWords(known.radius)}.`);
    } catch (error) {
      ignoreUnanswered(error); // the list tells of it
    }
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
    waiting = true;
    table.wait();
    run = context.run?.run_id ?? "";
    const mine = new Pager(asked(address), () => arrived(mine), failed);
    pager = mine;
    void mine.begin();
  };
  const arrived = (from: Pager): void => {
    if (from !== pager) return;
    table.element.hidden = from.total === 0; // no empty box below the words
    if (waiting) {
      table.show(from, resumed?.run === run ? resumed : undefined); // rows of another run are other rows
      resumed = null;
      waiting = false;
    }
    replace(total, count(from.total));
    table.refresh();
    if (!from.total) replace(notice, h("p", { class: "empty" }, "No event matches. ", ...elsewhere(), address.size ? clearButton() : ""));
  };
  const clearButton = (): HTMLElement => h("button", { type: "button", onclick: () => change(new URLSearchParams()) }, "Clear the filters");
  // Nothing found and not looked at must not look alike.
  const elsewhere = (): (HTMLElement | string)[] => {
    const fleet = address.get("fleet");
    if (fleet) return [fleetWords(fleet)];
    return satellites(address).length === 1 ? ["What stays close to it for a day is among the ", h("a", { href: link("proximities") }, "proximities"), ". "] : [];
  };
  const fleetWords = (fleet: string): HTMLElement => {
    const words = h("span", {}, "If no run has searched this fleet yet, this is not an all-clear: ", h("a", { href: link(`fleet/${fleet}`) }, "see its page"), ". ");
    void Promise.all([fleets.fleet(fleet), fleets.changes(fleet)]).then(([{ objects, unknown }, changes]) => {
      const numbers = objects.map((one) => one.norad_id).filter((number) => !unknown.includes(number));
      if (changes.run_id !== null || !numbers.length) return;
      const run = h("a", { href: link("events", { norad: numbers.slice(0, MOST_NUMBERS).join(",") }) }, "the run's own events of its satellites");
      replace(words, h("strong", {}, "No run has searched this fleet yet: this is not an all-clear."), " There are ", run, ". ");
    }, ignoreUnanswered);
    return words;
  };
  const failed = (error: unknown): void => {
    if (!(error instanceof api.ApiError) || error.status === 401) return context.failed(error);
    const text = `${error.title}: ${error.message}`;
    table.element.hidden = waiting;
    if (waiting) table.clear(); // its rows belong to other filters
    // Rows further down could not be had: those that are there, and the place, stay.
    const again = waiting || error.status !== 0 ? begin : (): void => (replace(notice), table.refresh());
    if (waiting) replace(total);
    const refused = error.status === 422 || error.status === 404; // to load it again would not help
    replace(notice, h("p", { class: "form-message", role: "alert" }, text, " ", refused ? clearButton() : h("button", { type: "button", onclick: again }, "Load again")));
  };
  const save = async (): Promise<void> => {
    button.disabled = true;
    replace(saving);
    try {
      await download(`conjunctions?${asked(address)}`, "text/csv", `skysieve-${context.run?.run_id ?? "events"}-events.csv`);
    } catch (error) {
      if (!(error instanceof api.ApiError) || error.status === 401) return context.failed(error);
      replace(saving, `Not downloaded: ${error.message}`);
    } finally {
      button.disabled = false;
    }
  };
  const forget = context.onRun(() => {
    table.retime();
    const newest = context.run?.run_id ?? "";
    if (!run || newest === run) return;
    replace(notice, h("p", { class: "note" }, `Run ${newest} is available. This list shows run ${run}. `, h("button", { type: "button", onclick: begin }, "Show the new run")));
  });

  const element = h(
    "section",
    { class: "page events" },
    h("div", { class: "title-row" }, h("h1", {}, "Events ", total), h("p", { class: "help keys" }, "↑ ↓ choose, Enter opens, g shows on the globe"), saving, button),
    filters.element,
    about,
    radius,
    notice,
    table.element,
    h("div", { class: "help list-words" },
      wordsAndMarks(
        h("p", {}, "The level is by the probability; ", term("near"), `: what the miss alone would make it. ${MARKS}.`),
        h("p", {}, inARow(...IN_ROWS), h("span", { class: "of-heads" }, " · ", inARow(...OF_HEADS)))),
      sizesFrom()),
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
