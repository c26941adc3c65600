// The newest run: age and source of its data, rejected records, times of its stages.
import { runNow } from "./administration/run_now";
import * as api from "./api";
import type { Context, View } from "./context";
import { h, replace, svg, type Children } from "./dom";
import { count, datum, fixed, span, timeElement } from "./format";
import { link } from "./route";
import { age_ms } from "./status";
import { term, wordList } from "./words/glossary";
import { LEVELS, type Rejection, type Run } from "./types";

const SGP4_ERRORS: Record<string, string> = {
  1: "mean eccentricity or semi-major axis out of range",
  2: "mean motion not positive",
  3: "perturbed eccentricity out of range",
  4: "semi-latus rectum negative",
  5: "sub-orbital at the epoch",
  6: "decayed",
  7: "no longer in orbit",
};

export function runView(context: Context): View {
  const element = h("section", { class: "page run" });
  const words = wordList("run", "risk level", "element set", "ephemeris", "full analysis");
  const licences = h("p", { class: "note" }, h("a", { href: "assets/licences.txt" }, "Licences of libraries and typeface"));
  const another = context.admin ? runNow(context) : null;
  let shown = "";
  const show = (): void => {
    const { run } = context;
    if (!run) return;
    const age = element.querySelector("[data-age]");
    // A word that is open, and the focus, stay.
    if (run.run_id === shown && age) return replace(age, span(age_ms(run, context.now())));
    if (run.run_id === shown) return;
    shown = run.run_id;
    replace(element, ...content(run, context.now()), another?.element ?? null, rejectedPlace, words, licences);
  };
  const rejectedPlace = h("div", { class: "panel" });
  void loadRejections(rejectedPlace, context);
  const forget = context.onRun(show);
  show();
  return { title: "Run", element, destroy: () => (forget(), another?.stop()) };
}

function content(run: Run, now: number): Children {
  return [
    h("h1", {}, "Run ", h("span", { class: "total" }, run.run_id)),
    h(
      "div",
      { class: "columns" },
      facts("Data", [
        ["Source", run.source, ""],
        // Next to the time of a historic window, today's time would be a second clock.
        ...(run.historic ? [] : [["Age of the run", h("span", { "data-age": "" }, span(age_ms(run, now))), ""] as Fact]),
        [term("epoch", "Newest epoch"), run.catalogue_epoch === null ? "not known" : timeElement(run.catalogue_epoch), "99 % of the element sets are no newer."],
        ...(run.catalogue_decision === null ? [] : [["Taken as", run.catalogue_decision, run.catalogue_reason ?? ""] as Fact]),
        ["Finished", timeElement(run.finished), ""],
        [term("window", "Window"), h("span", {}, timeElement(run.window_start, false), " to ", timeElement(run.window_end, false)), ""],
        [term("threshold", "Threshold"), datum("threshold_km", run.threshold_km, (v) => fixed(v, 1), "km"), ""],
        ["Its SHA-256", h("code", { title: run.catalogue_sha256 }, run.catalogue_sha256.slice(0, 16)), ""],
      ]),
      facts("Objects", [
        [term("run", "Screened"), datum("objects", run.objects, count), ""],
        [term("rejected", "Rejected"), datum("rejected", run.rejected, count), ""],
        [term("SGP4", "Not propagated"), datum("failed", run.failed, count), failures(run)],
        [term("quick analysis", "Quick analyses"), ephemeris(run), ephemerisNote(run)],
        [term("epoch", "Old element sets"), datum("flagged_old_epoch", run.flagged_old_epoch, count), "Epoch more than 30 days from the window: positions are doubtful."],
      ]),
      facts("Found", [
        ...LEVELS.map((level): Fact => [
          h("a", { class: `badge ${level}`, href: link("events", { risk: level }) }, level),
          datum(level, run[level], count),
          "",
        ]),
        [term("fast encounter", "Fast"), datum("conjunctions", run.conjunctions, count), ""],
        [term("slow encounter", "Slow"), datum("slow", run.slow, count), ""],
        [term("proximity", "Proximities"), datum("proximities", run.proximities, count), ""],
      ]),
      timing(run),
    ),
  ];
}

type Fact = readonly [string | HTMLElement, string | HTMLElement, string | HTMLElement];

function facts(title: string, rows: readonly Fact[]): HTMLElement {
  return h(
    "div",
    { class: "panel" },
    h("h2", {}, title),
    h("dl", { class: "facts" }, rows.map(([name, value, note]) =>
      h("div", {}, h("dt", {}, name), h("dd", {}, value), note ? h("dd", { class: "note" }, note) : null))),
  );
}

function failures(run: Run): string {
  const reasons = Object.entries(run.failed_by_code).map(([code, n]) => `${count(n)} ${SGP4_ERRORS[code] ?? `code ${code}`}`);
  return reasons.length ? `SGP4: ${reasons.join(", ")}.` : "SGP4 propagated all.";
}

function ephemeris(run: Run): string {
  return { all: "of all objects", payloads: "of payloads", none: "none", unknown: "not known" }[run.ephemeris ?? "unknown"];
}

function ephemerisNote(run: Run): string {
  if (run.ephemeris_reason) return `The ephemeris that they search: ${run.ephemeris_reason}.`;
  return "";
}

function timing(run: Run): HTMLElement {
  const stages = Object.entries(run.seconds_by_stage);
  const most = Math.max(...stages.map(([, seconds]) => seconds), 1e-9);
  return h(
    "div",
    { class: "panel" },
    h("h2", {}, "Timing"),
    h("table", { class: "plain bars" }, h("caption", {}, "Wall time by stage, seconds"), h("tbody", {}, stages.map(([stage, seconds]) =>
      h(
        "tr",
        {},
        h("th", { scope: "row" }, stage),
        h("td", { class: "number" }, fixed(seconds, 2)),
        h("td", { class: "bar" }, svg("svg", { viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true" }, svg("rect", { class: "value", width: (100 * seconds) / most, y: 2, height: 6 }))),
      )))),
    h("p", { class: "note" }, Object.entries(run.versions).map(([name, version]) => `${name} ${version}`).join(" · ")),
  );
}

async function loadRejections(place: HTMLElement, context: Context): Promise<void> {
  replace(place, h("h2", {}, "Rejected records"), h("p", { class: "loading" }, "Loading…"));
  try {
    const { rejections, total } = await api.rejections();
    replace(place, h("h2", {}, "Rejected records ", h("span", { class: "total" }, count(total))), total ? rejectionTable(rejections) : h("p", { class: "empty" }, "None."));
  } catch (error) {
    if (error instanceof api.ApiError && error.status === 401) return context.failed(error);
    replace(place, h("h2", {}, "Rejected records"), h("p", { class: "form-message", role: "alert" }, String((error as Error).message)));
  }
}

function rejectionTable(rows: Rejection[]): HTMLElement {
  return h(
    "div",
    { class: "scroll-x" },
    h(
      "table",
      { class: "plain" },
      h("thead", {}, h("tr", {}, h("th", { scope: "col", class: "number" }, "Line"), h("th", { scope: "col" }, "Record"), h("th", { scope: "col" }, "Why"))),
      h("tbody", {}, rows.map((row) => h("tr", {}, h("td", { class: "number" }, count(row.line)), h("td", {}, row.record), h("td", {}, row.reason)))),
    ),
  );
}
