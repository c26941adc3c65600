// What changes in the sky as a whole, besides close approaches: one section for each kind of change.
import * as api from "../api";
import type { Context, View } from "../context";
import { h, replace } from "../dom";
import { failure } from "../shell";
import { titled, wordList } from "../words/glossary";
import { reEntries } from "./re_entries";
import type { Section } from "./section";

const SECTIONS: readonly Section[] = [reEntries];

export function skyView(context: Context): View {
  const ended = new AbortController();
  const notice = h("div", { class: "notices" });
  const panels = SECTIONS.map((section) => panel(section, context, ended.signal));
  let run = "";
  const load = (): void => {
    run = context.run?.run_id ?? "";
    replace(notice);
    for (const one of panels) void one.load();
  };
  const forget = context.onRun(() => {
    const newest = context.run?.run_id ?? "";
    if (!run || newest === run) return;
    replace(notice, h("p", { class: "note" }, `Run ${newest} is available. `, h("button", { type: "button", onclick: load }, "Show the new run")));
  });
  load();
  return {
    title: "Sky",
    element: h(
      "section",
      { class: "page sky" },
      titled(h("h1", {}, "Sky"), "What changes in the catalogue as a whole, by the newest run."),
      notice,
      panels.map((one) => one.element),
      wordList(...new Set(SECTIONS.flatMap((section) => section.words))),
    ),
    destroy() {
      ended.abort();
      forget();
    },
  };
}

// A section loads by itself: what fails in one does not hide another.
function panel(section: Section, context: Context, signal: AbortSignal): { element: HTMLElement; load: () => Promise<void> } {
  const body = h("div", { class: "panel scroll-x", role: "region", "aria-label": section.title, tabindex: "0" }, h("p", { class: "loading" }, "Loading…"));
  const load = async (): Promise<void> => {
    try {
      replace(body, await section.draw(context, signal));
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof api.ApiError && error.status === 401) context.failed(error);
      else replace(body, failure(error, () => void load()));
    }
  };
  return { element: h("section", { id: section.id }, titled(h("h2", {}, section.title), section.about), body), load };
}
