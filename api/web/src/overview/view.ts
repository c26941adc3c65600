// The newest run at a glance: what is new, where, when and how near.
import * as api from "../api";
import type { Context, View } from "../context";
import { h, replace } from "../dom";
import { failure } from "../shell";
import { overview } from "./asked";
import { newsPanels } from "./news";
import { hours, likelihood, orbits } from "./pictures";

export function overviewView(context: Context): View {
  const element = h("section", { class: "page overview" }, h("p", { class: "loading" }, "Loading…"));
  const ended = new AbortController();
  let run = "";
  const load = async (): Promise<void> => {
    try {
      run = context.run?.run_id ?? "";
      const found = await overview(ended.signal);
      run = found.run_id;
      element.dataset.run = found.run_id;
      replace(
        element,
        h("h1", {}, "Overview ", h("span", { class: "total" }, `run ${found.run_id}`)),
        newsPanels(found),
        hours(found),
        h("div", { class: "columns" }, orbits(found), likelihood(found)),
      );
    } catch (error) {
      if (ended.signal.aborted) return;
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
      ended.abort();
      forget();
    },
  };
}
