// The newest run at a glance: what is new, where, when and how near.
import * as api from "../api";
import type { Context, View } from "../context";
import { h, replace } from "../dom";
import * as fleets from "../fleets/asked";
import { count, datum } from "../format";
import { link } from "../route";
import { failure } from "../shell";
import { PROBABILITY_LEVELS } from "../types";
import { overview } from "./asked";
import { newsPanels } from "./news";
import { hours, likelihood, orbits } from "./pictures";
import { verificationPanel } from "./verification";
import type { Overview } from "../generated";

export function overviewView(context: Context, _id: string, query: URLSearchParams): View {
  const fleet = query.get("fleet") ?? "";
  const element = h("section", { class: "page overview" }, h("p", { class: "loading" }, "Loading…"));
  const only: Record<string, string> = { ...(fleet ? { fleet } : {}), complexes: "rows" }; // the lists of what is counted here
  let turn = new AbortController(); // another load ends it
  let run = "";
  const load = async (): Promise<void> => {
    turn.abort();
    turn = new AbortController();
    const { signal } = turn;
    try {
      run = context.run?.run_id ?? "";
      const [found, of, members, looked] = await Promise.all(fleet
        ? [overview(fleet, signal), fleets.fleet(fleet), fleets.members(fleet), fleets.changes(fleet).then((changes) => changes.run_id !== null)]
        : [overview(fleet, signal), null, [], true]);
      if (signal.aborted) return;
      run = found.run_id;
      element.dataset.run = found.run_id;
      replace(
        element,
        h("h1", {}, of ? `Overview of ${of.name} ` : "Overview ", h("span", { class: "total" }, `run ${found.run_id}`)),
        looked ? null : h("p", { class: "flag" }, "No run has searched this fleet yet: this is not an all-clear."),
        totals(found, only),
        newsPanels(found, new Set(members.map(({ norad_id }) => norad_id))),
        hours(found, only),
        h("div", { class: "columns" }, orbits(found), likelihood(found, only)),
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
function totals({ by_level: counts, near }: Overview, only: Record<string, string>): HTMLElement {
  const badges = PROBABILITY_LEVELS.map((level) =>
    h("a", { href: link("events", { level, ...only }), class: `badge ${level}` }, datum(level, counts[level], count), ` ${level}`));
  const nearer = h("a", { href: link("events", { miss: "1000", ...only }) }, datum("near", near.critical + near.high + near.medium, count), " nearer than 1,000 m");
  return h("p", { class: "levels", "data-totals": "" }, badges, " ", nearer, " · ", h("a", { href: link("messages") }, "Received messages"));
}
