// The three pictures of a run, each with its table.
import { h, svg, type Children } from "../dom";
import { count, fixed, metres, probability, probabilityTick, utc } from "../format";
import { link } from "../route";
import { PROBABILITY_LEVELS, type ProbabilityLevel } from "../types";
import { titled } from "../words/glossary";
import { framed, ticksOf, type Tick } from "./frame";
import type { Overview } from "../generated";

const HOUR_MS = 3_600_000;
const TICKS = 7;
const READING = "Point at a bar or a cell, tap it, or reach it with the arrow keys: its contents appear below, with a link to the list where there is one.";
const BEYOND = "The outermost cells also hold what lies beyond them.";

const events = (n: number): string => `${count(n)} ${n === 1 ? "event" : "events"}`;

export function orbits({ altitude_inclination: { altitude_edges_km: up, inclination_edges_deg: across, counts, without_state: without } }: Overview): HTMLElement {
  const total = sum(counts.flat());
  const [row, column] = largest(counts);
  const cell = (r: number, c: number): string => `${fixed(up[r] as number, 0)} to ${fixed(up[r + 1] as number, 0)} km, inclination ${fixed(across[c] as number, 0)}° to ${fixed(across[c + 1] as number, 0)}°`;
  return pictured(
    "orbits",
    "Events by altitude and inclination",
    `Of the object named first, at TCA. The stronger the colour, the more events, on a logarithmic scale. ${BEYOND}`,
    without ? `${count(without)} more have no state.` : "",
    framed({
      columns: across.length - 1,
      rows: up.length - 1,
      drawn: heat(counts),
      x: { name: "inclination, °", ticks: ticksOf(across, TICKS, (edge) => fixed(edge, 0)) },
      y: { name: "altitude, km", ticks: ticksOf(up, TICKS, (edge) => fixed(edge, 0)) },
      lines: steps(up),
      summary: total ? `${events(total)} by altitude and inclination; most, ${count(counts[row]?.[column] ?? 0)}, at ${cell(row, column)}. Arrow keys move from cell to cell.` : "No events.",
      tells: (c, r) => ({ text: `${cell(r, c)}: ${events(counts[r]?.[c] ?? 0)}`, href: null }),
    }),
    heatKey(counts, "Events"),
    table("Altitude, km", across.slice(1).map((edge, c) => `${fixed(across[c] as number, 0)}° to ${fixed(edge, 0)}°`), counts.map((values, r) => [`${fixed(up[r] as number, 0)} to ${fixed(up[r + 1] as number, 0)}`, values])),
  );
}

// `only`: what a list of what is counted here must have in its address.
export function likelihood({ miss_probability: wanted, limits }: Overview, only: Record<string, string>): HTMLElement {
  const { log10_miss_edges: across, log10_probability_edges: up, counts: byMiss, below, without_probability: without } = wanted;
  const counts = up.slice(1).map((_, r) => byMiss.map((values) => values[r] ?? 0));
  const [low, high] = [up[0] as number, up.at(-1) as number];
  const told = (c: number, r: number): string => `Miss ${metres(10 ** (across[c] as number))} to ${metres(10 ** (across[c + 1] as number))} m, probability ${probability(10 ** (up[r] as number), 1)} to ${probability(10 ** (up[r + 1] as number), 1)}`;
  const lines = (["critical", "high", "medium"] as const).map((kind) => ({ kind, text: kind, at: (Math.log10(limits[kind]) - low) / (high - low) }));
  return pictured(
    "likelihood",
    "Miss against probability",
    `Each event with a probability: near is left, likely is high. Lines: from where on the probability alone makes an event critical, high or medium. ${BEYOND}`,
    `${count(sum(below))} more are less likely than ${probability(10 ** low, 1)}, ${count(without)} have no probability.`,
    framed({
      columns: across.length - 1,
      rows: up.length - 1,
      drawn: heat(counts),
      x: { name: "miss distance, m", ticks: ticksOf(across, TICKS, (edge) => short(10 ** edge)) },
      y: { name: "probability", ticks: ticksOf(up, TICKS, (edge) => probabilityTick(10 ** edge)) },
      lines: lines.filter(({ at }) => at > 0 && at < 1),
      summary: `${events(sum(counts.flat()))} by miss distance and probability; ${count(without)} more have no probability. Arrow keys move from cell to cell, Enter lists what is at least as near and as likely.`,
      tells: (c, r) => ({
        text: `${told(c, r)}: ${events(counts[r]?.[c] ?? 0)}. List all at least as near and as likely`,
        href: link("events", {
          ...(c + 2 < across.length ? { miss: String(Number((10 ** (across[c + 1] as number)).toPrecision(6))) } : {}),
          ...(r > 0 ? { p: Number((10 ** (up[r] as number)).toPrecision(6)).toExponential() } : {}),
          ...only,
        }),
      }),
    }),
    heatKey(counts, "Events"),
    table("Probability from", across.slice(1).map((edge, c) => `${short(10 ** (across[c] as number))} to ${short(10 ** edge)} m`), [["less likely", below], ...counts.map((values, r): [string, number[]] => [probability(10 ** (up[r] as number), 1), values])]),
  );
}

// Thousands of harmless events would hide the dangerous ones: these have a scale of their own.
export function hours(found: Overview, only: Record<string, string>): HTMLElement {
  const { starts, outside_window: outside } = found.per_hour;
  return pictured(
    "hours",
    "Events per hour",
    `By the hour of TCA, UTC. Top: events not known to be low; bottom: all events; each with its own scale.`,
    outside ? `${count(outside)} more lie outside the run’s window.` : "",
    perHour(found, PROBABILITY_LEVELS.slice(0, -1), "critical, high, medium, unknown", only),
    perHour(found, PROBABILITY_LEVELS, "all events", only),
    table("Hour from, UTC", PROBABILITY_LEVELS, starts.map((start, i) => [utc(start, false), PROBABILITY_LEVELS.map((level) => found.per_hour.counts[level][i] ?? 0)])),
  );
}

function perHour({ per_hour: wanted }: Overview, levels: readonly ProbabilityLevel[], name: string, only: Record<string, string>): HTMLElement {
  const { starts } = wanted;
  const totals = starts.map((_, i) => sum(levels.map((level) => wanted.counts[level][i] ?? 0)));
  const largest = Math.max(...totals, 1);
  const most = roundUp(largest);
  const busiest = starts[totals.indexOf(largest)];
  const end = (i: number): number => Math.min(Date.parse(starts[i] as string) + HOUR_MS, Date.parse(wanted.end)); // the last may be shorter
  const shares = (i: number): string => levels.filter((level) => wanted.counts[level][i]).map((level) => `${count(wanted.counts[level][i] as number)} ${level}`).join(", ");
  const rated = levels.length < PROBABILITY_LEVELS.length ? { level: levels.join(",") } : {};
  return framed({
    columns: starts.length,
    rows: 1,
    drawn: starts.flatMap((_, i) => bar(levels.map((level) => wanted.counts[level][i] ?? 0), most, i)),
    x: { name: `TCA, UTC, ${starts[0]?.slice(0, 4) ?? ""}`, ticks: days(starts) },
    y: { name, ticks: [0, 0.5, 1].map((share) => ({ at: share, text: count(share * most) })) },
    summary: `${events(sum(totals))}, ${name}, in ${starts.length} hours${busiest ? `; the most, ${count(largest)}, from ${utc(busiest, false)} UTC` : ""}. Arrow keys move from hour to hour, Enter lists the hour.`,
    tells: (i) => ({
      text: `${utc(starts[i] as string, false)} to ${utc(end(i), false).slice(11)} UTC: ${events(totals[i] ?? 0)}${totals[i] ? ` (${shares(i)})` : ""}`,
      href: !totals[i] ? null : link("events", { ...rated, from: utc(starts[i] as string), to: utc(end(i)), ...only }),
    }),
  });
}

// The worst stands at the foot, the others upon it.
function bar(values: number[], most: number, column: number): SVGElement[] {
  let top = 1;
  return values.flatMap((value, i) => {
    if (!value) return [];
    top -= value / most;
    return [svg("rect", { class: `bar-${PROBABILITY_LEVELS[i]}`, "data-count": value, x: column + 0.08, width: 0.84, y: top, height: value / most })];
  });
}

function days(starts: string[]): Tick[] {
  const midnights = starts.flatMap((start, i) => (new Date(start).getUTCHours() === 0 ? [{ at: i / starts.length, text: utc(start).slice(5, 10) }] : []));
  const every = Math.ceil(starts.length / 4);
  return midnights.length > 2 ? midnights : starts.flatMap((start, i) => (i % every === 0 ? [{ at: i / starts.length, text: utc(start, false).slice(5) }] : []));
}

const opacity = (value: number, most: number): string => (0.12 + (0.88 * Math.log1p(value)) / Math.log1p(most)).toFixed(3);

// How many a colour is.
export function heatKey(counts: number[][], what: string): HTMLElement {
  const most = Math.max(...counts.flat(), 1);
  const values = [1, 10, 100, 1000, 10_000, 100_000].filter((value) => value < most / 2);
  const swatch = (value: number): HTMLElement =>
    h("span", {}, svg("svg", { viewBox: "0 0 1 1", "aria-hidden": "true" }, svg("rect", { class: "key-heat", width: 1, height: 1, "fill-opacity": opacity(value, most) })), count(value));
  return h("p", { class: "heat-key note" }, `${what} in a cell: `, [...values, most].map(swatch));
}

// Where the even steps of the altitude end.
export function steps(edges: readonly number[]): (Tick & { kind: string })[] {
  const even = (edges[1] as number) - (edges[0] as number);
  const last = edges.findIndex((edge, i) => i > 0 && edge - (edges[i - 1] as number) > even) - 1;
  return last > 0 ? [{ kind: "steps", text: `above ${count(edges[last] as number)} km: larger steps`, at: last / (edges.length - 1) }] : [];
}

// The next larger round number, whose half is a whole one.
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  const factors = power < 10 ? [2, 4, 6, 8, 10] : [1, 1.2, 1.6, 2, 3, 4, 5, 6, 8, 10];
  return (factors.find((factor) => factor * power >= value) ?? 10) * power;
}

export function heat(counts: number[][]): SVGElement[] {
  const most = Math.max(...counts.flat(), 1);
  return counts.flatMap((values, r) => values.flatMap((value, c) =>
    value ? [svg("rect", { class: "heat", x: c, y: counts.length - 1 - r, width: 1, height: 1, "fill-opacity": opacity(value, most), "data-count": value })] : []));
}

export function largest(counts: number[][]): [number, number] {
  const most = Math.max(...counts.flat(), 0);
  const row = Math.max(0, counts.findIndex((values) => values.includes(most)));
  return [row, Math.max(0, counts[row]?.indexOf(most) ?? 0)];
}

const sum = (values: number[]): number => values.reduce((total, value) => total + value, 0);
const short = (m: number): string => (m >= 10 ? count(Number(m.toPrecision(2))) : String(Number(m.toPrecision(2))));

// `left`: what is not in the picture.
function pictured(name: string, title: string, explained: string, left: string, ...children: Children): HTMLElement {
  return h("figure", { class: "panel", "data-picture": name }, h("figcaption", {}, titled(h("h2", {}, title), `${explained} ${READING}`), left ? h("p", { class: "note" }, left) : null), ...children);
}

// Rows and columns without any event are left out.
export function table(head: string, columns: readonly string[], rows: [string, number[]][]): HTMLElement {
  const kept = columns.flatMap((_, i) => (rows.some(([, values]) => values[i]) ? [i] : []));
  const told = rows.filter(([, values]) => values.some(Boolean));
  return h(
    "details",
    {},
    h("summary", {}, "As a table"),
    h("div", { class: "scroll-x table-place", tabindex: "0", role: "region", "aria-label": "As a table" },
      h("table", { class: "plain" },
        h("thead", {}, h("tr", {}, h("th", { scope: "col" }, head), kept.map((i) => h("th", { scope: "col", class: "number" }, columns[i] as string)))),
        h("tbody", {}, told.map(([name, values]) => h("tr", {}, h("th", { scope: "row" }, name), kept.map((i) => h("td", { class: "number" }, count(values[i] ?? 0)))))))),
  );
}
