// The card of the selection beside the globe: an event with its relative geometry, or an object with its
// events.
import { h, replace } from "../dom";
import { planePicture } from "../event/plane";
import { relativePicture } from "../event/relative";
import { count, datum, fixed, metres, NOTHING, span, timeElement, until, utc, word } from "../format";
import { levelBadge, probabilityLevel } from "../levels";
import { markedProbability } from "../marks";
import { eventLink, link } from "../route";
import { trajectoryWords, unusual } from "../trajectories";
import type { ObjectOrbit } from "./orbit";
import type { Conjunction, Geometry, KnownObject, Unreadable, Who } from "../types";

interface EventActions {
  close(): void;
  toTca(): void;
  replay(): void;
}

export function eventCard(event: Conjunction, geometry: Geometry | null, problem: string, { close, toTca, replay }: EventActions): HTMLElement {
  const plane = geometry?.encounter_plane;
  return h(
    "section",
    { class: "panel card", "aria-label": "Selected event" },
    head(levelBadge(event), close),
    h("h2", {}, h("span", { class: "key primary" }, event.primary_name), " × ", h("span", { class: "key secondary" }, event.secondary_name)),
    h(
      "dl",
      { class: "pairs" },
      pair("TCA", timeElement(event.tca)),
      pair("Miss distance", datum("miss_distance_m", event.miss_distance_m, metres, "m")),
      pair("Relative speed", datum("relative_speed_m_s", event.relative_speed_m_s, (v) => fixed(v, 0), "m/s")),
      pair("Probability", markedProbability(event)),
      pair("Level by it alone", probabilityLevel(event)),
      pair("Primary on its", trajectoryWords(event.primary_trajectory)),
      pair("Secondary on its", trajectoryWords(event.secondary_trajectory)),
      geometry?.place ? pair("Crossing at", `${fixed(geometry.approach_angle_deg ?? 0, 0)}°, ${fixed(geometry.place.altitude_km, 0)} km up`) : null,
    ),
    h("div", { class: "buttons" }, 
      h("button", { type: "button", class: "primary", onclick: toTca }, "Jump to TCA"),
      h("button", { type: "button", title: "From 30 s before TCA to 30 s after, from above both", onclick: replay }, "Replay the minute"),
      h("a", { class: "button", href: eventLink(event.id) }, "Open event")),
    problem ? h("p", { class: "form-message", role: "alert" }, problem) : null,
    h("h3", {}, "Relative geometry at TCA"),
    relativePicture(event),
    plane ? planePicture(plane, "sigmas") : null,
  );
}

export interface ObjectCard {
  element: HTMLElement;
  setPlace(words: string | null): void; // at the time shown
  setOrbit(orbit: ObjectOrbit | Error): void;
  setEvents(events: (Conjunction | Unreadable)[] | Error, total?: number): void;
}

export function objectCard(number: number, object: KnownObject | undefined, close: () => void, choose: (id: number) => void, now: number | null): ObjectCard {
  const place = h("span", { "data-part": "place" }, NOTHING);
  const orbit = h("div", { "data-part": "orbit" }, h("p", { class: "loading" }, "Loading its orbit…"));
  const events = h("div", {}, h("p", { class: "loading" }, "Loading its events…"));
  const alert = (error: Error): HTMLElement => h("p", { class: "form-message", role: "alert" }, error.message);
  const element = h(
    "section",
    { class: "panel card", "aria-label": "Selected object" },
    head(h("span", { class: "over" }, object ? word(object.object_type) : "object"), close),
    h("h2", {}, object?.name ?? `Object ${number}`),
    h(
      "dl",
      { class: "pairs" },
      pair("Catalogue number", String(number)),
      object?.object_id ? pair("Designator", object.object_id) : null,
      pair("At the time shown", place),
      object ? pair("On its", trajectoryWords(object.trajectory)) : null,
    ),
    orbit,
    h("h3", {}, "Its coming events, most dangerous first"),
    events,
    h("div", { class: "buttons" }, h("a", { class: "button", href: link("events", { norad: String(number) }) }, "All its events")),
  );
  return {
    element,
    setPlace(words) {
      const text = words ?? NOTHING;
      if (place.textContent !== text) replace(place, text);
    },
    setOrbit(found) {
      replace(orbit, found instanceof Error ? alert(found) : orbitFacts(found));
    },
    setEvents(found, total = 0) {
      if (found instanceof Error) return replace(events, alert(found));
      const more = total - found.length;
      replace(
        events,
        found.length ? eventList(found, choose, now) : h("p", { class: "empty" }, "None in the window."),
        found.length ? h("p", { class: "help" }, `The marks on the globe are where it will be at these${more > 0 ? `; ${count(more)} more` : ""}.`) : null,
      );
    },
  };
}

function orbitFacts(orbit: ObjectOrbit): HTMLElement {
  return h(
    "dl",
    { class: "pairs" },
    pair("Epoch of its elements", timeElement(orbit.epoch)),
    pair("Their age at the time shown", datum("age_hours", orbit.age_hours, ageWords)),
    pair("Period", datum("period_min", orbit.period_min, (value) => fixed(value, 1), "min")),
    pair("Perigee and apogee", h("span", {}, datum("perigee_km", orbit.perigee_km, count), " and ", datum("apogee_km", orbit.apogee_km, count, "km"))),
    pair("Inclination", datum("inclination_deg", orbit.inclination_deg, (value) => `${fixed(value, 1)}°`)),
  );
}

const HOURS_MS = 3_600_000;
const ageWords = (hours: number): string => (hours < 0 ? `${span(hours * HOURS_MS)} ahead of it` : span(hours * HOURS_MS));

export function eventList(rows: (Conjunction | Unreadable)[], choose: (id: number) => void, now: number | null): HTMLElement {
  return h(
    "ul",
    { class: "event-list" },
    rows.map((event) =>
      "unreadable" in event
        ? h("li", { class: "note" }, `Event ${event.id ?? ""}: ${event.unreadable}.`)
        : h(
            "li",
            {},
            h(
              "button",
              { type: "button", "data-event": event.id, onclick: () => choose(event.id) },
              levelBadge(event),
              h("span", { class: "names" }, h("span", {}, called(event, "primary")), h("span", {}, `× ${called(event, "secondary")}`)),
              h("span", { class: "meta" }, `${metres(event.miss_distance_m)} m · ${now === null ? `${utc(event.tca, false)} Z` : until(event.tca, now)} · P: ${probabilityLevel(event)}`),
            ),
          ),
    ),
  );
}

const called = (event: Conjunction, who: Who): string => [event[`${who}_name`], unusual(event[`${who}_trajectory`])].filter(Boolean).join(", ");

const head = (first: HTMLElement, close: () => void): HTMLElement =>
  h("div", { class: "card-head" }, first, h("button", { type: "button", class: "quiet", "aria-label": "Close", onclick: close }, "×"));

const pair = (name: string, value: HTMLElement | string): HTMLElement => h("div", {}, h("dt", {}, name), h("dd", {}, value));
