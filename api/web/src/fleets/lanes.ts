// A lane for each satellite over the next days, with its events as marks; those without events by name.
import { append, h } from "../dom";
import { count, utc } from "../format";
import type { ListedAcknowledgement } from "../generated";
import { nearLevel, probabilityLevel } from "../levels";
import { eventLink, link } from "../route";
import { PROBABILITY_LEVELS } from "../types";
import { globeOf, satelliteLinks, shape, words } from "./marks";
import type { FleetEvent, Satellite } from "./types";

const MOST_MARKS = 60; // of one lane: the most dangerous
const HOUR_MS = 3_600_000;
const TICK_HOURS = [1, 2, 3, 6, 12, 24, 48];
const MOST_TICKS = 10;
const SHOWN = 12; // lanes at first
const LABEL_ROOM = 0.05; // of the axis: a label closer to its end would reach out of it

type Had = ReadonlyMap<number, ListedAcknowledgement>;

export interface Span {
  begin: number;
  end: number;
  now: number | null; // null: the catalogue is historic
}

// `change`: what happened to an event since the run before, in a word; `had`: who has which.
export function lanes(
  fleet: string, satellites: Satellite[], events: FleetEvent[], span: Span, change: (id: number) => string, had: Had,
): HTMLElement {
  const ofEach = new Map<number, FleetEvent[]>();
  for (const event of events) {
    const mine = ofEach.get(event.fleet_norad_id);
    if (mine) mine.push(event);
    else ofEach.set(event.fleet_norad_id, [event]);
  }
  const busy = satellites.filter((one) => one.events > 0);
  const danger = (one: Satellite): number => PROBABILITY_LEVELS.indexOf(one.worst ?? "low");
  const soonest = (one: Satellite): number => Date.parse(one.next_tca ?? "");
  busy.sort((a, b) => danger(a) - danger(b) || soonest(a) - soonest(b) || a.norad_id - b.norad_id);
  const laneOf = (one: Satellite): HTMLElement => lane(fleet, one, ofEach.get(one.norad_id) ?? [], span, change, had);
  const list = h("ul", {}, busy.slice(0, SHOWN).map(laneOf));
  const changed = events.some((event) => change(event.id));
  return h(
    "div",
    { class: "lanes-and-quiet" },
    busy.length
      ? h(
          "div",
          { class: "lanes", role: "region", "aria-label": "Events of each satellite over time", tabindex: "0" },
          axis(span),
          list,
        )
      : h("p", { class: "empty" }, "No event within the volumes of this fleet."),
    busy.length > SHOWN ? allButton(busy.length, () => append(list, busy.slice(SHOWN).map(laneOf))) : null,
    busy.length ? legend(events, changed, events.some((event) => had.has(event.id))) : null,
    quiet(satellites.filter((one) => one.found && one.events === 0)),
    unknown(satellites.filter((one) => !one.found)),
  );
}

function lane(fleet: string, one: Satellite, events: FleetEvent[], span: Span, change: (id: number) => string, had: Had): HTMLElement {
  const shown = events.slice(0, MOST_MARKS); // the service sends the most dangerous first
  const inTime = [...shown].sort((a, b) => Date.parse(a.tca) - Date.parse(b.tca));
  const all = link("events", { fleet, norad: String(one.norad_id) });
  return h(
    "li",
    { class: "lane", "data-norad": one.norad_id },
    h(
      "div",
      { class: "lane-name" },
      h("a", { href: all, title: `${one.name}: all its events` }, one.name || "—"),
      h(
        "small",
        {},
        `${one.norad_id} · ${count(one.events)} ${one.events === 1 ? "event" : "events"}`,
        one.events > shown.length ? `, ${count(shown.length)} drawn` : "",
        " · ",
        globeOf(one),
      ),
    ),
    h("div", { class: "lane-track" }, nowLine(span), inTime.map((event) => mark(event, span, change(event.id), had.get(event.id)?.words))),
  );
}

function mark(event: FleetEvent, span: Span, change: string, had = ""): HTMLElement {
  const text = words(event, change, had);
  const leading = h(
    "a",
    {
      class: `lane-mark ${probabilityLevel(event)}${nearLevel(event) ? " near" : ""}${change ? " changed" : ""}${had ? " had" : ""}`,
      href: eventLink(event.id, false, event.fleet_norad_id),
      title: text,
      "aria-label": text,
      "data-event": event.id,
    },
    shape(probabilityLevel(event)),
    had ? h("span", { class: "had-key", "aria-hidden": "true" }, "✓") : null,
  );
  return at(Date.parse(event.tca), span, leading);
}

function allButton(all: number, show: () => void): HTMLElement {
  const button = h("button", { type: "button", onclick: () => (show(), button.remove()) }, `All ${count(all)} satellites with events`);
  return button;
}

// Attributes of style are refused by the page's own policy; properties are not.
function at<E extends HTMLElement>(time: number, span: Span, element: E): E {
  const inside = Math.min(Math.max(time, span.begin), span.end);
  element.style.left = `${((100 * (inside - span.begin)) / Math.max(span.end - span.begin, 1)).toFixed(3)}%`;
  return element;
}

const within = (span: Span): boolean => span.now !== null && span.now >= span.begin && span.now <= span.end;

const nowLine = (span: Span): HTMLElement | null =>
  within(span) ? at(span.now as number, span, h("span", { class: "now-line", "aria-hidden": "true" })) : null;

function axis(span: Span): HTMLElement {
  const hours = (span.end - span.begin) / HOUR_MS;
  const step = (TICK_HOURS.find((one) => hours / one <= MOST_TICKS) ?? 48 * Math.ceil(hours / 48 / MOST_TICKS)) * HOUR_MS;
  const ticks: HTMLElement[] = [];
  for (let time = Math.ceil(span.begin / step) * step; time <= span.end; time += step) {
    const text = utc(time, false);
    const midnight = text.endsWith("00:00");
    const room = span.end - time > LABEL_ROOM * (span.end - span.begin);
    const day = midnight && room ? h("span", { class: "day" }, text.slice(0, 10)) : null;
    ticks.push(at(time, span, h("span", { class: day ? "tick midnight" : "tick" }, day, room ? text.slice(11) : "")));
  }
  const now = within(span) ? at(span.now as number, span, h("span", { class: "now-word" }, "now")) : null;
  return h(
    "div",
    { class: "lane axis", role: "group", "aria-label": `From ${utc(span.begin, false)} to ${utc(span.end, false)} UTC` },
    h("div", { class: "lane-name" }, h("small", {}, `UTC, from ${utc(span.begin, false)}`)),
    h("div", { class: "lane-track" }, ticks, now),
  );
}

// Of what is drawn.
const legend = (events: FleetEvent[], changed: boolean, anyHad: boolean): HTMLElement =>
  h(
    "p",
    { class: "lane-legend help" },
    PROBABILITY_LEVELS.filter((level) => events.some((event) => probabilityLevel(event) === level)).map((level) =>
      h("span", {}, shape(level), ` ${level}`)),
    events.some(nearLevel) ? h("span", {}, h("span", { class: "near-bar", "aria-hidden": "true" }), " near: a miss under 1,000 m") : null,
    changed ? h("span", {}, h("span", { class: "ring", "aria-hidden": "true" }), " new or raised since the run before") : null,
    anyHad ? h("span", {}, h("span", { class: "had-key", "aria-hidden": "true" }, "✓"), " a person has it") : null,
  );

function quiet(satellites: Satellite[]): HTMLElement | null {
  if (!satellites.length) return null;
  return h(
    "details",
    { class: "quiet-ones", open: satellites.length <= 12 },
    h("summary", {}, h("h3", {}, `Nothing coming: ${count(satellites.length)} ${satellites.length === 1 ? "satellite" : "satellites"}`)),
    h("ul", { class: "names-in-columns" }, satellites.map((one) => h("li", { "data-norad": one.norad_id }, satelliteLinks(one)))),
  );
}

const unknown = (satellites: Satellite[]): HTMLElement | null =>
  satellites.length
    ? h("p", { class: "flag" }, "Not in the catalogue of this run: ", satellites.map((one) => one.norad_id).join(", "), ".")
    : null;
