// What is asked: who, not before, which goal; folded below them a burn in numbers, and how it is computed.
import type { Context } from "../context";
import { field, h, replace } from "../dom";
import { named, utc } from "../format";
import type { From } from "../route";
import type { Conjunction, EventObject, Who } from "../types";
import type { Burn, Question } from "./types";

const LONGEST_HOURS = 1000; // as the service takes them, with the sizes below
const FIRST_HOURS = 12;
const FIRST_M_S = 0.05;
// As the service's own.
const FIRST_GOAL = "1e-6";
const [FIRST_DAYS, LONGEST_DAYS] = [3, 14];
const [FIRST_SIZE_ERROR_PERCENT, FIRST_DIRECTION_ERROR_DEG] = [1, 1];
const HOUR_MS = 3_600_000;
const INSTANT = String.raw`\s*\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?Z?\s*`;
const SIDES = ["primary", "secondary"] as const;

export interface Inputs {
  element: HTMLElement;
  burn(): Burn; // NaN where no number is given
  goal(): number;
  question(): Question;
  set(before_hours: number, dv_t_m_s: number): void;
  open(): void; // unfold the burn
  burns(side: Who): void; // as the service chose where nobody had
  show(objects: Record<Who, EventObject>): void; // which of the two can burn, and why one cannot; what they weigh
  mass_kg(who: Who): number | null; // null: not known
  // `another`: object that burns, or errors, so that what was computed is of something else
  listen(moved: () => void, another: () => void): void;
}

// `check` stands below the burn.
export function burnInputs(event: Conjunction, from: From, context: Context, check: HTMLElement): Inputs {
  const number = (value: number | string, bounds: Record<string, unknown>): HTMLInputElement =>
    h("input", { type: "number", step: "any", required: true, value, ...bounds });
  const before = number(firstHours(event, context), { min: 0.001, max: LONGEST_HOURS });
  const [along, radial, across] = [FIRST_M_S, 0, 0].map((value) => number(value, { min: -100, max: 100 })) as [HTMLInputElement, HTMLInputElement, HTMLInputElement];
  // A field for times has the order of the browser's language: this one is the same for all.
  const earliest = h("input", { type: "text", placeholder: "2026-11-21 14:05", pattern: INSTANT, maxlength: 20, spellcheck: "false", title: "Year-month-day hour:minute, UTC; empty: now" });
  const instant = h("p", { class: "help", "data-part": "burn-at" });
  const showInstant = (): void => {
    const at = Date.parse(event.tca) - before.valueAsNumber * HOUR_MS;
    replace(instant, Number.isFinite(at) ? `Burn at ${utc(at)} UTC` : "");
  };
  before.addEventListener("input", showInstant);
  showInstant();
  const goal = number(FIRST_GOAL, { min: 1e-30, max: 1 });
  const days = number(FIRST_DAYS, { min: 0, max: LONGEST_DAYS });
  const sizeError = number(FIRST_SIZE_ERROR_PERCENT, { min: 0, max: 100 });
  const directionError = number(FIRST_DIRECTION_ERROR_DEG, { min: 0, max: 90 });
  const who = h("select", {},
    h("option", { value: "" }, "the one that can; if both can, the one launched later"),
    SIDES.map((side) => h("option", { value: side }, named(event, side))));
  if (from) who.value = "primary";
  const more = h("details", { class: "what-if-more" },
    h("summary", {}, "More: a burn of your own, days, errors"),
    h("div", { class: "what-if-fields" },
      field("Before TCA, h", before),
      field("Along the track, m/s", along),
      field("Radial, m/s", radial),
      field("Cross-track, m/s", across)),
    instant,
    h("div", { class: "buttons" }, check),
    h("div", { class: "what-if-fields" },
      field("Days after TCA to screen", days),
      field("Error of the burn’s size, %, 1 sigma", sizeError),
      field("Error of its direction, degrees, 1 sigma", directionError)));
  more.addEventListener("invalid", () => (more.open = true), true); // what is folded could not be pointed at
  const element = h("div", {},
    h("div", { class: "what-if-fields" }, field("Who burns", who), field("Not before, UTC", earliest), field("Goal: probability below", goal)),
    more);
  let changed = (): void => undefined;
  let known: Record<Who, EventObject> | null = null;
  return {
    element,
    burn: () => ({ before_hours: before.valueAsNumber, dv_r_m_s: radial.valueAsNumber, dv_t_m_s: along.valueAsNumber, dv_n_m_s: across.valueAsNumber }),
    goal: () => goal.valueAsNumber,
    question: () => ({
      goal: goal.valueAsNumber,
      days: days.valueAsNumber,
      size_error: sizeError.valueAsNumber / 100,
      direction_error_deg: directionError.valueAsNumber,
      ...(earliest.value.trim() ? { not_before: `${earliest.value.trim().replace(" ", "T").replace("Z", "")}Z` } : {}),
      ...(who.value ? { object: who.value as Who } : {}),
    }),
    set(before_hours, dv_t_m_s) {
      before.value = String(Number(before_hours.toFixed(4)));
      along.value = String(Number(dv_t_m_s.toPrecision(4)));
      showInstant();
      changed();
    },
    open() {
      more.open = true;
    },
    burns(side) {
      who.value = side;
    },
    mass_kg: (side) => known?.[side].mass_kg ?? null,
    show(objects) {
      known = objects;
      for (const option of who.options) {
        const object = objects[option.value as Who];
        if (object?.can_manoeuvre !== "no") continue;
        option.textContent = `${named(event, option.value as Who)} (${object.can_manoeuvre_reason ?? ""})`;
        option.disabled = object.object_type !== "payload"; // of a payload its operator may know better
        if (option.disabled && option.selected) who.value = "";
      }
    },
    listen(moved, another) {
      changed = moved;
      for (const input of [before, along, radial, across, goal]) input.addEventListener("input", moved);
      for (const input of [who, earliest, sizeError, directionError]) input.addEventListener("change", another);
    },
  };
}

// Half of the time that is left, at most half a day.
function firstHours(event: Conjunction, context: Context): number {
  const begins = context.run?.historic ? Date.parse(context.run.window_start) : context.now();
  const left_h = (Date.parse(event.tca) - begins) / HOUR_MS;
  return Number(Math.max(0.1, Math.min(FIRST_HOURS, left_h / 2)).toFixed(2));
}
