// Numbers and times for readers. The exact number stays in the element: <data value="…">.
import { h } from "./dom";
import type { Conjunction, Who } from "./types";

const MINUS = "−";
export const NOTHING = "—";

// An object's name; of one without a name its catalogue number.
export const named = (pair: Pick<Conjunction, `${Who}_name` | `${Who}_norad_id`>, who: Who): string =>
  pair[`${who}_name`].trim() || String(pair[`${who}_norad_id`]);

export type Names = Record<Who, string>;
export const namesOf = (pair: Pick<Conjunction, `${Who}_name` | `${Who}_norad_id`>): Names => ({ primary: named(pair, "primary"), secondary: named(pair, "secondary") });

const grouped = new Map<number, Intl.NumberFormat>();

export function fixed(value: number, decimals: number): string {
  let format = grouped.get(decimals);
  if (!format) {
    format = new Intl.NumberFormat("en", { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
    grouped.set(decimals, format);
  }
  return format.format(value).replace("-", MINUS);
}

export const count = (value: number): string => fixed(value, 0);

// Three digits or more, down to the precision of the unit.
export function metres(value: number): string {
  const size = Math.abs(value);
  return fixed(value, size < 10 ? 2 : size < 100 ? 1 : 0);
}

const SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹";

const SMALLEST_TOLD = 1e-30; // less says nothing more: "it cannot happen by these data"

export function probability(value: number | null, shown = 2): string {
  if (value === null) return NOTHING;
  if (value === 0) return "0";
  if (value < SMALLEST_TOLD) return `< ${probabilityTick(SMALLEST_TOLD)}`;
  const [digits, power] = value.toExponential(shown - 1).split("e") as [string, string];
  if (Number(power) >= -2) return value.toPrecision(shown);
  return `${digits} × 10${raised(power)}`;
}

const LEAST_ODDS = 1.001e-9; // less often, "1 in so many" adds nothing; as in the report
const MOST_ODDS = 0.5;

// "1 in 7,960"; nothing where that adds nothing.
export function odds(value: number | null): string {
  if (value === null || !(value >= LEAST_ODDS && value <= MOST_ODDS)) return "";
  const chances = 1 / value;
  if (chances >= 1e6) return `1 in ${Number((chances / 1e6).toPrecision(3))} million`;
  return `1 in ${count(Number(chances.toPrecision(3)))}`;
}

const raised = (power: string): string => [...power].map((sign) => (sign === "-" ? "⁻" : SUPERSCRIPTS[Number(sign)])).join("");

// For an axis, where most numbers are powers of ten.
export function probabilityTick(value: number): string {
  const power = Math.log10(value);
  return Math.abs(power - Math.round(power)) < 1e-9 ? `10${raised(String(Math.round(power)))}` : probability(value);
}

// ISO 8601 without the T, in UTC.
export function utc(time: string | number | Date, seconds = true): string {
  const text = new Date(time).toISOString();
  return `${text.slice(0, 10)} ${text.slice(11, seconds ? 19 : 16)}`;
}

export const utcTime = (time: string | number): string => new Date(time).toISOString().slice(11, 19);

const localFormat = new Intl.DateTimeFormat(undefined, {
  weekday: "short",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  hourCycle: "h23",
  timeZoneName: "short",
});

export const local = (time: string | number | Date): string => localFormat.format(new Date(time));

export function span(milliseconds: number): string {
  const minutes = Math.round(Math.abs(milliseconds) / 60_000);
  if (minutes < 1) return `${Math.round(Math.abs(milliseconds) / 1000)} s`;
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return `${hours} h ${String(minutes % 60).padStart(2, "0")} min`;
  return `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

export function until(time: string | number, now: number): string {
  const left = new Date(time).getTime() - now;
  return left >= 0 ? `in ${span(left)}` : `${span(left)} ago`;
}

// In a historic store there is no "now": times are told from the start of the run's window.
export function intoWindow(time: string | number, start: string): string {
  const since = new Date(time).getTime() - Date.parse(start);
  return since >= 0 ? `${span(since)} into the window` : `${span(since)} before the window`;
}

export function timeElement(time: string, seconds = true): HTMLElement {
  return h("time", { datetime: time, title: `${local(time)} local time` }, `${utc(time, seconds)} Z`);
}

// A number with its unit; `name` is the service's field that it comes from.
export function datum(name: string, value: number | null, text: (value: number) => string, unit = ""): HTMLElement {
  if (value === null || value === undefined) return h("data", { value: "", "data-field": name, class: "none" }, NOTHING);
  const suffix = unit ? h("span", { class: "unit" }, ` ${unit}`) : null;
  return h("data", { value, "data-field": name }, text(value), suffix);
}

const words: Record<string, string> = {
  rocket_body: "rocket body",
  co_orbiting: "co-orbiting",
  same_elements: "same element set",
  monte_carlo: "Monte Carlo",
  non_positive_definite: "non-positive-definite",
};
export const word = (text: string | null): string => (text === null ? NOTHING : (words[text] ?? text));
