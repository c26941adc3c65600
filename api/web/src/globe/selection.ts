// The card of the selection beside the globe: an event with its relative geometry, or an object with its
// events.
import * as api from "../api";
import { h, replace } from "../dom";
import { planePicture } from "../event/plane";
import { relativePicture } from "../event/relative";
import { count, datum, fixed, metres, timeElement, until, utc, word } from "../format";
import { levelBadge, probabilityLevel } from "../levels";
import { markedProbability } from "../marks";
import { eventLink, link } from "../route";
import { trajectoryWords, unusual } from "../trajectories";
import type { Conjunction, Geometry, KnownObject, Unreadable, Who } from "../types";

export function eventCard(event: Conjunction, geometry: Geometry | null, problem: string, close: () => void, toTca: () => void): HTMLElement {
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
    h("div", { class: "buttons" }, h("button", { type: "button", class: "primary", onclick: toTca }, "Jump to TCA"), h("a", { class: "button", href: eventLink(event.id) }, "Open event")),
    problem ? h("p", { class: "form-message", role: "alert" }, problem) : null,
    h("h3", {}, "Relative geometry at TCA"),
    relativePicture(event),
    plane ? planePicture(plane, "sigmas") : null,
  );
}

export function objectCard(number: number, object: KnownObject | undefined, altitude_km: number | null, close: () => void, choose: (id: number) => void, now: number | null): HTMLElement {
  const events = h("div", {}, h("p", { class: "loading" }, "Loading its events…"));
  void load(number, events, choose, now);
  return h(
    "section",
    { class: "panel card", "aria-label": "Selected object" },
    head(h("span", { class: "over" }, object ? word(object.object_type) : "object"), close),
    h("h2", {}, object?.name ?? `Object ${number}`),
    h(
      "dl",
      { class: "pairs" },
      pair("Catalogue number", String(number)),
      object?.object_id ? pair("Designator", object.object_id) : null,
      altitude_km === null ? null : pair("Altitude", `${fixed(altitude_km, 0)} km`),
      object ? pair("On its", trajectoryWords(object.trajectory)) : null,
    ),
    h("h3", {}, "Its events, most dangerous first"),
    events,
    h("div", { class: "buttons" }, h("a", { class: "button", href: link("events", { norad: String(number) }) }, "All its events")),
  );
}

async function load(number: number, place: HTMLElement, choose: (id: number) => void, now: number | null): Promise<void> {
  try {
    const page = await api.conjunctions(new URLSearchParams({ norad_id: String(number), limit: "6" }));
    replace(place, page.total ? eventList(page.conjunctions, choose, now) : h("p", { class: "empty" }, "None in the window."), page.total > 6 ? h("p", { class: "help" }, `and ${count(page.total - 6)} more`) : null);
  } catch (error) {
    replace(place, h("p", { class: "form-message", role: "alert" }, (error as Error).message));
  }
}

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
