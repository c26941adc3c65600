// The numbers of a trend, one row for each run and message.
import { h } from "../../dom";
import { datum, fixed, metres, probability, timeElement, type Names } from "../../format";
import { atMost, methodWords } from "../../marks";
import { term } from "../../words/glossary";
import { signless } from "../ticks";
import type { EventMessage } from "../../types";
import type { TrendPoint } from "../../generated";

const KINDS: Record<string, string> = { run: "run", second_look: "second look after", fleet: "search around fleets after", quick: "quick analysis in", full: "full analysis in" };

type Cell = HTMLElement | string;
// The first columns are those that tell most: narrow screens scroll to the others.
const heads = (names: Names): Cell[] => [
  "Made", "What", "To TCA", "Level", "P", "P claimed", "Miss", term("Mahalanobis distance", "Miss in σ"), "Radial", "In-track", "Cross-track", "P from", "P to",
  "TCA", "Shift of TCA", `Age, ${names.primary}`, `Age, ${names.secondary}`, "Differs from the event",
];
const WORDS = [0, 1, 3, 13, 17]; // columns of words
const CHARTED = [11, 12, 13, 14, 17]; // on paper, columns are left out that the charts have too, and the last;
const ON_PAPER = 6; // and of a long history all rows but so many

export function trendTable(points: TrendPoint[], messages: EventMessage[], names: Names): HTMLElement {
  const side = (i: number): string => `${WORDS.includes(i) ? "" : "number"} ${CHARTED.includes(i) ? "off-paper" : ""}`.trim();
  const differs = messages.some((message) => message.differs.length);
  const shown = heads(names).slice(0, differs ? undefined : -1);
  return h(
    "div",
    { class: "scroll-x", role: "region", tabindex: "0", "aria-label": "Runs and messages" },
    h(
      "table",
      { class: "plain timeline" },
      points.length > ON_PAPER ? h("caption", { class: "on-paper" }, `The newest ${ON_PAPER} of ${points.length} rows; the page shows them all.`) : null,
      h("thead", {}, h("tr", {}, shown.map((text, i) => h("th", { scope: "col", class: side(i) }, text)))),
      h("tbody", {}, points.map((point, n) => h("tr", { class: n < points.length - ON_PAPER ? "off-paper" : "" }, row(point, messages).slice(0, shown.length).map((cell, i) => h("td", { class: side(i) }, cell))))),
    ),
  );
}

function row(point: TrendPoint, messages: EventMessage[]): Cell[] {
  const message = messages.find((one) => one.id === point.received_id);
  const number = (name: keyof TrendPoint, text: (value: number) => string, unit = ""): Cell => datum(name, point[name] as number | null, text, unit);
  const p = (value: number): string => probability(value);
  return [
    timeElement(point.made),
    what(point, message),
    number("hours_to_tca", (v) => fixed(v, 1), "h"),
    h("span", {}, h("span", { class: `badge ${point.probability_level}` }, point.probability_level), point.near_level ? h("small", { class: "near" }, ` near: ${point.near_level}`) : null),
    chance(point),
    number("claimed_probability", p),
    number("miss_distance_m", metres, "m"),
    number("miss_sigmas", (v) => fixed(v, 2), "σ"),
    offset(point, "radial"),
    offset(point, "in_track"),
    offset(point, "cross_track"),
    number("probability_low", p),
    number("probability_high", p),
    timeElement(point.tca),
    number("tca_shift_s", (v) => signless(v, 3), "s"),
    number("primary_age_hours", (v) => fixed(v, 1), "h"),
    number("secondary_age_hours", (v) => fixed(v, 1), "h"),
    message?.differs.join("; ") ?? "",
  ];
}

// With its method where it is no integral in the plane; what is unknown is no dash.
function chance(point: TrendPoint): Cell {
  const flag = point.probability_flag ? `: ${point.probability_flag.replaceAll("_", " ")}` : "";
  if (point.probability === null) return h("data", { value: "", "data-field": "probability", class: "none" }, `unknown${flag}`);
  const found = { probability_best: point.probability, probability_method: point.probability_method };
  return h("span", {}, atMost(found), datum("probability", point.probability, probability), h("small", {}, ` ${methodWords(found)}`.trimEnd()));
}

function offset(point: TrendPoint, part: "radial" | "in_track" | "cross_track"): Cell {
  const [miss, sigma] = [`miss_${part}_m`, `sigma_${part}_m`] as const;
  return h("span", {}, datum(miss, point[miss], (v) => (Math.abs(v) < 0.005 ? "0" : metres(v))), point[sigma] === null ? null : " ± ", point[sigma] === null ? null : datum(sigma, point[sigma], metres), point[miss] === null ? null : h("span", { class: "unit" }, " m"));
}

function what(point: TrendPoint, message: EventMessage | undefined): Cell {
  if (point.kind !== "message") return `${KINDS[point.kind] ?? point.kind} ${point.run_id ?? ""}`;
  const name = `${point.originator || "message"} ${message?.message_id ?? point.message_id ?? ""}`.trim();
  return message?.restricted ? h("span", { title: "It must not be shared" }, `${name} (restricted)`) : name;
}
