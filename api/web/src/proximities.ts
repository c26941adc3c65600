// Pairs that stay close for a day: docked, in formation, one element set under two numbers. No alarm.
import * as api from "./api";
import type { Context, View } from "./context";
import { h, replace } from "./dom";
import { count, datum, metres, NOTHING, timeElement, word } from "./format";
import { link } from "./route";
import { failure } from "./shell";
import type { Proximity } from "./types";

const KINDS: Record<string, string> = {
  same_elements: "One element set under two numbers.",
  co_orbiting: "Docked, or flying in formation.",
};

export function proximitiesView(context: Context): View {
  const body = h("div", { class: "panel scroll-x" }, h("p", { class: "loading" }, "Loading…"));
  const load = async (): Promise<void> => {
    try {
      const { proximities, total } = await api.proximities();
      replace(body, total ? table(proximities) : h("p", { class: "empty" }, "The newest run has no co-orbiting pairs."));
      replace(total_, count(total), total > proximities.length ? `, the nearest ${count(proximities.length)}` : "");
    } catch (error) {
      if (error instanceof api.ApiError && error.status === 401) context.failed(error);
      else replace(body, failure(error, () => void load()));
    }
  };
  const total_ = h("span", { class: "total" });
  void load();
  return {
    title: "Proximities",
    element: h(
      "section",
      { class: "page" },
      h("h1", {}, "Proximities ", total_),
      h("p", { class: "lead" }, "Pairs that stay within 10 km for a day. They fly together intentionally and raise no alarm."),
      body,
    ),
  };
}

function table(pairs: Proximity[]): HTMLElement {
  const object = (name: string, number: number): HTMLElement =>
    h("td", {}, h("a", { href: link("globe", { object: String(number) }) }, name), h("small", {}, ` ${number}`));
  return h(
    "table",
    { class: "plain" },
    h(
      "thead",
      {},
      h("tr", {}, ["Primary", "Secondary", "Kind", "Smallest distance", "at", "Largest distance", "Beyond 10 km from"].map((text, i) =>
        h("th", { scope: "col", class: i === 3 || i === 5 ? "number" : "" }, text))),
    ),
    h(
      "tbody",
      {},
      pairs.map((pair) =>
        h(
          "tr",
          {},
          object(pair.primary_name, pair.primary_norad_id),
          object(pair.secondary_name, pair.secondary_norad_id),
          h("td", { title: KINDS[pair.kind] ?? "" }, word(pair.kind)),
          h("td", { class: "number" }, datum("min_distance_m", pair.min_distance_m, metres, "m")),
          h("td", {}, timeElement(pair.tca)),
          h("td", { class: "number" }, datum("max_distance_m", pair.max_distance_m, metres, "m")),
          h("td", {}, pair.leaves_at ? timeElement(pair.leaves_at) : NOTHING),
        ),
      ),
    ),
  );
}
