// Warnings about the data, shown on every view.
import type { Context } from "./context";
import { h, replace } from "./dom";
import { count, span, utc } from "./format";
import type { Run } from "./types";

const limit_ms = (name: string): number =>
  1000 * Number(document.querySelector<HTMLMetaElement>(`meta[name="skysieve-${name}-after-s"]`)?.content ?? NaN);
const staleAfter_ms = limit_ms("stale");
const blindAfter_ms = limit_ms("blind");

export const age_ms = (run: Run, now: number): number => now - Date.parse(run.finished);
export const isStale = (run: Run, now: number): boolean => !run.historic && age_ms(run, now) >= staleAfter_ms;

const sets_ms = (run: Run, now: number): number => (run.catalogue_epoch === null ? NaN : now - Date.parse(run.catalogue_epoch));
export const isBlind = (run: Run, now: number): boolean => !run.historic && sets_ms(run, now) > blindAfter_ms;

interface Warning {
  kind: "blind" | "last-good" | "stale" | "historic" | "synthetic" | "down";
  title: string;
  text: string;
}

export function warnings(context: Context): Warning[] {
  const found: Warning[] = [];
  const { run, runError } = context;
  if (runError) {
    found.push({
      kind: "down",
      title: runError.status === 503 ? "No data yet" : "No answer from the service",
      text: `${runError.message}${run ? ` Shown is run ${run.run_id}.` : ""} This page tries again every few seconds.`,
    });
  }
  if (!run) return found;
  if (run.synthetic) {
    found.push({
      kind: "synthetic",
      title: "Synthetic catalogue",
      text: "These objects were generated for demonstration. None of them exists; nothing here is an alarm.",
    });
  }
  if (run.historic) {
    found.push({
      kind: "historic",
      title: "Historic catalogue",
      text: `The window begins at ${utc(run.window_start, false)} Z, not now.`,
    });
  }
  if (run.catalogue_epoch !== null && isBlind(run, context.now())) {
    found.push({
      kind: "blind",
      title: `No new element sets since ${utc(run.catalogue_epoch, false)} Z`,
      text: `Those of the newest run are ${span(sets_ms(run, context.now()))} old. ${run.catalogue_reason ?? ""}`.trim(),
    });
  } else if (run.catalogue_decision === "last_good") {
    found.push({ kind: "last-good", title: "An earlier catalogue is used", text: run.catalogue_reason ?? "" });
  }
  if (isStale(run, context.now())) {
    found.push({
      kind: "stale",
      title: "Stale",
      text:
        `The newest run finished ${span(age_ms(run, context.now()))} ago; a scheduled one is overdue. ` +
        "`skysieve status` on the server shows why.",
    });
  }
  return found;
}

export function showWarnings(place: HTMLElement, context: Context): void {
  const items = warnings(context).map(({ kind, title, text }) =>
    h("p", { class: `banner ${kind}`, "data-kind": kind }, h("strong", {}, title), " ", text),
  );
  if (place.textContent !== items.map((item) => item.textContent).join("")) replace(place, items);
}

export function runChip(context: Context): HTMLElement {
  const { run } = context;
  if (!run) return h("span", { class: "chip bad" }, "no run");
  const state = run.historic ? "historic" : `${span(age_ms(run, context.now()))} old`;
  const bad = isStale(run, context.now()) || isBlind(run, context.now());
  return h(
    "a",
    { class: `chip ${bad ? "bad" : ""}`, "data-state": run.historic ? "historic" : bad ? "stale" : "fresh", href: "#/run", title: `Run ${run.run_id}: ${count(run.objects)} objects` },
    run.historic ? null : h("span", { class: "dot", "aria-hidden": "true" }),
    `Data ${state}`,
  );
}
