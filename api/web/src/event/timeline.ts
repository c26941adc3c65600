// Our runs and the received messages about one event on one time line: a table, and both as points over time.
import { h } from "../dom";
import { datum, metres, NOTHING, probability, probabilityTick, timeElement } from "../format";
import type { Conjunction, EventMessage } from "../types";
import { chart, type Curve } from "./figures";

// The probability that a level goes by, ours; as in storage/rows/danger.py.
const ours = (row: Conjunction): number | null => {
  const analytic = [row.probability, row.probability_2d].filter((p) => p !== null);
  return analytic.length ? Math.max(...analytic) : row.probability_mc;
};
// Where a covariance is missing there is only a bound.
const computed = (message: EventMessage): number | null => (message.missing_covariance ? null : message.probability_2d);
const made = (message: EventMessage): string => message.creation_date ?? message.received_at;

type Point = { time: number; run?: Conjunction; message?: EventMessage };

function points(rows: Conjunction[], messages: EventMessage[]): Point[] {
  const found = [
    ...rows.map((run): Point => ({ time: Date.parse(run.computed_at) / 1000, run })),
    ...messages.map((message): Point => ({ time: Date.parse(made(message)) / 1000, message })),
  ];
  return found.sort((a, b) => a.time - b.time);
}

export function timeline(rows: Conjunction[], messages: EventMessage[]): HTMLElement {
  const all = points(rows, messages);
  const curve = (label: string, color: string, value: (point: Point) => number | null | undefined): Curve =>
    ({ label, color, points: true, values: all.map((point) => value(point) ?? null) });
  const likely = [
    curve("runs", "--accent", (point) => point.run && ours(point.run)),
    curve("messages, computed", "--orbit-secondary", (point) => point.message && computed(point.message)),
    curve("messages, claimed", "--high", (point) => point.message?.claimed_probability),
  ].map((one) => ({ ...one, values: one.values.map((p) => (p && p > 0 ? p : null)) }));
  const shared = { x: all.map((point) => point.time), xTime: true, xLabel: "run or message made, UTC" };
  const words = `${rows.length} runs and ${messages.length} messages`;
  return h(
    "div",
    {},
    h(
      "div",
      { class: "two-charts" },
      chart({
        ...shared,
        yLabel: "miss, m",
        yText: metres,
        curves: [
          curve("runs", "--accent", (point) => point.run?.miss_distance_m),
          curve("messages", "--orbit-secondary", (point) => point.message?.miss_distance_m),
        ],
        summary: `Miss distance over ${words}, told in the table.`,
      }),
      likely.some((one) => one.values.some((p) => p !== null))
        ? chart({ ...shared, yLabel: "probability", yText: probabilityTick, yLog: true, curves: likely, summary: `Probability over ${words}, told in the table.` })
        : null,
    ),
    table(all),
  );
}

function table(all: Point[]): HTMLElement {
  const heads = ["Made", "What", "TCA", "Miss", "P claimed", "P computed", "Differs from the event"];
  const numeric = (i: number): string => (i >= 3 && i <= 5 ? "number" : "");
  return h(
    "div",
    { class: "scroll-x", role: "region", tabindex: "0", "aria-label": "Runs and messages" },
    h(
      "table",
      { class: "plain timeline" },
      h("thead", {}, h("tr", {}, heads.map((text, i) => h("th", { scope: "col", class: numeric(i) }, text)))),
      h("tbody", {}, all.map((point) => h("tr", {}, (point.run ? ofRun(point.run) : ofMessage(point.message as EventMessage)).map((cell, i) => h("td", { class: numeric(i) }, cell))))),
    ),
  );
}

const KINDS: Record<string, string> = { run: "run", second_look: "second look after", fleet: "look around fleets after", quick: "quick analysis in", full: "full analysis in" };

function ofRun(run: Conjunction): (HTMLElement | string)[] {
  return [
    timeElement(run.computed_at),
    `${KINDS[run.origin] ?? run.origin} ${run.run_id}`,
    timeElement(run.tca),
    datum("miss_distance_m", run.miss_distance_m, metres, "m"),
    NOTHING,
    datum("probability", ours(run), probability),
    "",
  ];
}

function ofMessage(message: EventMessage): (HTMLElement | string)[] {
  const name = `${message.originator || "message"} ${message.message_id}`.trim();
  return [
    timeElement(made(message)),
    message.restricted ? h("span", { title: "It must not be handed on to others" }, `${name} (restricted)`) : name,
    timeElement(message.tca),
    datum("miss_distance_m", message.miss_distance_m, metres, "m"),
    datum("claimed_probability", message.claimed_probability, probability),
    datum("probability_2d", computed(message), probability),
    message.differs.join("; "),
  ];
}
