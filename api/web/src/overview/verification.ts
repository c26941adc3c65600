// How earlier predictions did: the service's sentences, their pictures, and the numbers of these.
import { disclosure } from "../disclosure";
import { h } from "../dom";
import { count } from "../format";
import type { Verification } from "../generated";
import { percent, pictures, ratioText } from "./forecasts";

const NAMED = 5; // objects that stand out

export const verificationPanel = (): HTMLElement =>
  h("section", { class: "panel", "aria-label": "How our forecasts did" }, disclosure<Verification>("verification", "How our forecasts did", "verification", told));

function told(found: Verification): (HTMLElement | null)[] {
  const { since, until, encounters, words, suspects } = found;
  const said = [...words, ...suspects.slice(0, NAMED).map((one) => one.words)];
  return [
    since ? h("p", {}, `${count(encounters)} encounters of all objects that passed from ${since} to ${until ?? since} (UTC), each judged by the element sets of 12 hours later or more.`) : null,
    h("ul", { "data-part": "words" }, said.map((sentence) => h("li", {}, sentence))),
    ...(since ? [pictures(found), h("details", { "data-part": "numbers" }, h("summary", {}, "Numbers"), ...tables(found))] : []),
  ];
}

function tables({ warnings, regions, errors }: Verification): (HTMLElement | null)[] {
  return [
    warnings.length
      ? table("What became of each level", ["days ahead", "level then", "encounters", "at the end critical or high", "medium", "low", "beyond the threshold"],
          warnings.map((one) => [String(one.days_ahead), one.level, ...[one.encounters, one.red, one.medium, one.low, one.vanished].map(count)]))
      : null,
    regions.length
      ? table("Errors inside the regions that should hold them", ["pairs", "days ahead", "encounters", "50 %", "80 %", "95 %", "99 %"],
          regions.map((one) => [one.kind, String(one.days_ahead), count(one.encounters), ...[one.inside_50, one.inside_80, one.inside_95, one.inside_99].map((share) => percent(share))]))
      : null,
    errors.length
      ? table("Median errors of objects over their law’s", ["law", "counted from", "days ahead", "predictions", "radial", "in-track", "cross-track"],
          errors.map((one) => [one.error_law, one.since, String(one.days_ahead), count(one.predictions), ...[one.radial, one.in_track, one.cross_track].map(ratioText)]))
      : null,
  ];
}

const table = (caption: string, heads: string[], rows: string[][]): HTMLElement =>
  h("div", { class: "scroll-x", tabindex: "0", role: "region", "aria-label": caption },
    h("table", { class: "plain" },
      h("caption", {}, caption),
      h("thead", {}, h("tr", {}, heads.map((head, place) => h("th", { scope: "col", class: /\d/.test(rows[0]?.[place] ?? "") ? "number" : "" }, head)))),
      h("tbody", {}, rows.map((row) => h("tr", {}, row.map((cell) => h("td", { class: /\d/.test(cell) ? "number" : "" }, cell)))))));
