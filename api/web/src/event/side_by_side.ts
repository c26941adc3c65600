// The encounter as ours and each sender tell it, which to trust, and who was asked for messages: as the service says.
import { h } from "../dom";
import { datum, fixed, metres, NOTHING, probability, timeElement } from "../format";
import type { SideBySide, SideRow } from "../generated";
import type { ConjunctionWithHistory } from "../types";
import { term } from "../words/glossary";

type Cell = HTMLElement | string;

// The table; one column for each row tells how far apart two are.
export function sideBySide(found: SideBySide): HTMLElement {
  const names = found.rows.map((row) => (row.message_id ? row.who : "ours"));
  const heads: Cell[] = ["From", "Made", "TCA", "Miss, m", "Probability", "σ along the miss, m", "Covariances", ...names.map((name) => h("span", {}, term("Mahalanobis distance", "σ"), ` from ${name}`))];
  const numeric = (i: number): string => (i > 2 && i !== 6 ? "number" : "");
  return h("div", { class: "scroll-x", role: "region", tabindex: "0", "aria-label": "Side by side" },
    h("table", { class: "plain side-by-side" },
      h("thead", {}, h("tr", {}, heads.map((text, i) => h("th", { scope: "col", class: numeric(i) }, text)))),
      h("tbody", {}, found.rows.map((row, n) => h("tr", { "data-who": row.who }, cells(row, names[n] ?? "").map((cell, i) => (i ? h("td", { class: numeric(i) }, cell) : h("th", { scope: "row" }, cell))))))));
}

function cells(row: SideRow, name: string): Cell[] {
  const of = row.on_ephemerides_of;
  return [
    h("span", {}, name, row.newest ? h("small", {}, " newest") : null),
    timeElement(row.made_at, false),
    timeElement(row.tca),
    datum("miss_distance_m", row.miss_distance_m, metres),
    datum("probability", row.probability, probability),
    datum("miss_sigma_m", row.miss_sigma_m, metres),
    of.length ? `${row.covariance}, on the ephemeris of ${of.join(" and ")}` : row.covariance,
    ...row.sigmas_apart.map((sigmas) => (sigmas === null ? NOTHING : datum("sigmas_apart", sigmas, (value) => fixed(value, 1)))),
  ];
}

export const origins = (event: ConjunctionWithHistory): HTMLElement =>
  h("ul", { class: "note origins", "aria-label": "Asked for messages" }, event.origins.map((one) => h("li", { "data-origin": one.name }, one.words)));
