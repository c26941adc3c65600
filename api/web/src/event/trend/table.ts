// The numbers of a trend, one row for each run and message.
import { h } from "../../dom";
import { datum, fixed, metres, probability, timeElement } from "../../format";
import type { EventMessage } from "../../types";
import type { TrendPoint } from "./types";

const KINDS: Record<string, string> = { run: "run", second_look: "second look after", fleet: "look around fleets after", quick: "quick analysis in", full: "full analysis in" };

type Cell = HTMLElement | string;
const HEADS = ["Made", "What", "To TCA", "TCA", "Shift", "Miss", "Radial", "In-track", "Cross-track", "Distance", "P", "P from", "P to", "P claimed", "Ages, primary", "secondary", "Level", "Differs from the event"];
const WORDS = [0, 1, 3, 16, 17]; // columns of words

export function trendTable(points: TrendPoint[], messages: EventMessage[]): HTMLElement {
  const side = (i: number): string => (WORDS.includes(i) ? "" : "number");
  const differs = messages.some((message) => message.differs.length);
  const heads = differs ? HEADS : HEADS.slice(0, -1);
  return h(
    "div",
    { class: "scroll-x", role: "region", tabindex: "0", "aria-label": "Runs and messages" },
    h(
      "table",
      { class: "plain timeline" },
      h("thead", {}, h("tr", {}, heads.map((text, i) => h("th", { scope: "col", class: side(i) }, text)))),
      h("tbody", {}, points.map((point) => h("tr", {}, row(point, messages).slice(0, heads.length).map((cell, i) => h("td", { class: side(i) }, cell))))),
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
    timeElement(point.tca),
    number("tca_shift_s", (v) => fixed(v, 3), "s"),
    number("miss_distance_m", metres, "m"),
    offset(point, "radial"),
    offset(point, "in_track"),
    offset(point, "cross_track"),
    number("miss_sigmas", (v) => fixed(v, 2), "σ"),
    number("probability", p),
    number("probability_low", p),
    number("probability_high", p),
    number("claimed_probability", p),
    number("primary_age_hours", (v) => fixed(v, 1), "h"),
    number("secondary_age_hours", (v) => fixed(v, 1), "h"),
    h("span", { class: `badge ${point.risk_level}` }, point.risk_level),
    message?.differs.join("; ") ?? "",
  ];
}

function offset(point: TrendPoint, part: "radial" | "in_track" | "cross_track"): Cell {
  const [miss, sigma] = [`miss_${part}_m`, `sigma_${part}_m`] as const;
  return h("span", {}, datum(miss, point[miss], metres), point[sigma] === null ? null : " ± ", point[sigma] === null ? null : datum(sigma, point[sigma], metres), point[miss] === null ? null : h("span", { class: "unit" }, " m"));
}

function what(point: TrendPoint, message: EventMessage | undefined): Cell {
  if (point.kind !== "message") return `${KINDS[point.kind] ?? point.kind} ${point.run_id ?? ""}`;
  const name = `${point.originator || "message"} ${message?.message_id ?? point.message_id ?? ""}`.trim();
  return message?.restricted ? h("span", { title: "It must not be handed on to others" }, `${name} (restricted)`) : name;
}
