// The newest run at a glance: what is new, where, when and how near.
import * as api from "../api";
import type { Context, View } from "../context";
import { h, replace } from "../dom";
import { count, datum } from "../format";
import { link } from "../route";
import { failure } from "../shell";
import { PROBABILITY_LEVELS } from "../types";
import { overview } from "./asked";
import { newsPanels } from "./news";
import { hours, likelihood, orbits } from "./pictures";
import { verificationPanel } from "./verification";
import type { Overview } from "../generated";

export function overviewView(context: Context): View {
  const element = h("section", { class: "page overview" }, h("p", { class: "loading" }, "Loading…"));
  let turn = new AbortController(); // another load ends it
  let run = "";
  const load = async (): Promise<void> => {
    turn.abort();
    turn = new AbortController();
    const { signal } = turn;
    try {
      run = context.run?.run_id ?? "";
      const found = await overview(signal);
      if (signal.aborted) return;
      run = found.run_id;
      element.dataset.run = found.run_id;
      replace(
        element,
        h("h1", {}, "Overview ", h("span", { class: "total" }, `run ${found.run_id}`)),
        totals(found),
        newsPanels(found),
        h("p", { class: "note" }, "In the pictures, point at a bar or a cell, tap it, or reach it with the arrow keys: its contents appear below, with a link to the list where there is one."),
        hours(found),
        h("div", { class: "columns" }, orbits(found), likelihood(found)),
        verificationPanel(),
      );
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof api.ApiError && error.status === 401) context.failed(error);
      else replace(element, failure(error, () => void load()));
    }
  };
  // Another run by now: everything here is of the newest one.
  const forget = context.onRun(() => {
    if (context.run && run && context.run.run_id !== run) void load();
  });
  void load();
  return {
    title: "Overview",
    element,
    destroy() {
      turn.abort();
      forget();
    },
  };
}

// How many of each level by probability, with the list of them, and how many are near.
function totals({ by_level: counts, near }: Overview): HTMLElement {
  const badges = PROBABILITY_LEVELS.map((level) =>
    h("a", { href: link("events", { level, complexes: "rows" }), class: `badge ${level}` }, datum(level, counts[level], count), ` ${level}`));
  const nearer = h("a", { href: link("events", { miss: "1000", complexes: "rows" }) }, datum("near", near.critical + near.high + near.medium, count), " nearer than 1,000 m");
  return h("p", { class: "levels", "data-totals": "" }, badges, " ", nearer, " · ", h("a", { href: link("messages") }, "Received messages"));
}
