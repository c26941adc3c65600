// The card of the selection beside the globe: an event with its relative geometry, or an object with its
// events.
import { h, replace } from "../dom";
import { planePicture } from "../event/plane";
import { relativePicture } from "../event/relative";
import { count, datum, fixed, metres, named, namesOf, NOTHING, span, timeElement, word } from "../format";
import { nearFlag, probabilityBadge } from "../levels";
import { markedProbability } from "../marks";
import { severity } from "../severity";
import { dataLine } from "../objects/data_line";
import { errorsDisclosure } from "../objects/errors";
import { objectLinks } from "../objects/links";
import { eventLink, link, type From } from "../route";
import { trajectoryWords, unusual } from "../trajectories";
import type { DetectedManoeuvres, ObjectOrbit } from "../generated";
import { placeWords } from "./places";
import type { Conjunction, Geometry, KnownObject, Unreadable, Who } from "../types";
import { term } from "../words/glossary";

type When = (time: string) => string; // the page's clock, in words

interface EventActions {
  close(): void;
  toTca(): void;
  replay(): void;
}

export function eventCard(event: Conjunction, from: From, geometry: Geometry | null, problem: string, { close, toTca, replay }: EventActions): HTMLElement {
  const plane = geometry?.encounter_plane;
  return h(
    "section",
    { class: "panel card", "aria-label": "Selected event" },
    head(h("span", {}, probabilityBadge(event), " ", nearFlag(event)), close),
    h("h2", {}, h("span", { class: "key primary" }, named(event, "primary")), " × ", h("span", { class: "key secondary" }, named(event, "secondary"))),
    h(
      "dl",
      { class: "pairs" },
      pair(term("TCA"), timeElement(event.tca)),
      pair(term("miss distance", "Miss distance"), datum("miss_distance_m", event.miss_distance_m, metres, "m")),
      pair("Relative speed", datum("relative_speed_m_s", event.relative_speed_m_s, (v) => fixed(v, 0), "m/s")),
      pair(term("probability", "Probability"), markedProbability(event)),
      pair(term("pieces", "Pieces"), severity(event)),
      pair(`Path of ${event.primary_name}`, path(event, "primary")),
      pair(`Path of ${event.secondary_name}`, path(event, "secondary")),
      geometry?.place ? pair("Where", placeWords(geometry.place)) : null,
      geometry && geometry.approach_angle_deg !== null ? pair("Crossing at", `${fixed(geometry.approach_angle_deg, 0)}°`) : null,
    ),
    h("div", { class: "buttons" }, 
      h("button", { type: "button", class: "primary", onclick: toTca }, "Jump to TCA"),
      h("button", { type: "button", title: "From 30 s before TCA to 30 s after, from above both", onclick: replay }, "Replay the minute"),
      h("a", { class: "button", href: eventLink(event.id, false, from) }, "Open event")),
    problem ? h("p", { class: "form-message", role: "alert" }, problem) : null,
    h("h3", {}, "Relative geometry at TCA"),
    relativePicture(event),
    plane ? planePicture(plane, "sigmas", namesOf(event)).element : null,
  );
}

// An event that an address names, and that cannot be shown.
export const noEventCard = (id: string, why: string, close: () => void): HTMLElement =>
  h(
    "section",
    { class: "panel card", "aria-label": "Selected event" },
    head(h("span", { class: "over" }, "not shown"), close),
    h("h2", {}, `Event ${id}`),
    h("p", { class: "form-message", role: "alert" }, why),
    h("div", { class: "buttons" }, h("a", { class: "button", href: link("events") }, "All events")),
  );

export interface ObjectCard {
  element: HTMLElement;
  setName(object: KnownObject): void;
  setUnplaced(events: number): void; // of those listed: where they are is not known
  setPlace(words: string | null): void; // at the time shown
  setOrbit(orbit: ObjectOrbit | Error): void;
  setManoeuvres(found: DetectedManoeuvres): void;
  setEvents(events: (Conjunction | Unreadable)[] | Error, total?: number): void;
}

export function objectCard(number: number, object: KnownObject | undefined, close: () => void, choose: (event: Conjunction) => void, when: When): ObjectCard {
  const about = h("div", { class: "about" });
  const setName = (known: KnownObject | undefined): void => replace(about, ...objectFacts(number, known, place));
  const place = h("span", { "data-part": "place" }, NOTHING);
  const unplaced = h("p", { class: "help", role: "status" });
  const orbit = h("div", { "data-part": "orbit" }, h("p", { class: "loading" }, "Loading its orbit…"));
  const burns = h("div", { "data-part": "manoeuvres" });
  const events = h("div", {}, h("p", { class: "loading" }, "Loading its events…"));
  const alert = (error: Error): HTMLElement => h("p", { class: "form-message", role: "alert" }, error.message);
  const element = h(
    "section",
    { class: "panel card", "aria-label": "Selected object" },
    head(h("span", { class: "over" }, "Selected object"), close),
    about,
    orbit,
    burns,
    errorsDisclosure(number),
    h("h3", {}, "Its coming events, most dangerous first"),
    events,
    unplaced,
    h("div", { class: "buttons" }, h("a", { class: "button", href: link("events", { norad: String(number) }) }, "All its events")),
  );
  setName(object);
  return {
    element,
    setName,
    setUnplaced(missing) {
      replace(unplaced, missing ? `${count(missing)} of these cannot be marked: their position at that time could not be computed.` : "");
    },
    setPlace(words) {
      const text = words ?? NOTHING;
      if (place.textContent !== text) replace(place, text);
    },
    setOrbit(found) {
      replace(orbit, found instanceof Error ? alert(found) : orbitFacts(found));
    },
    setManoeuvres(found) {
      if (found.total) replace(burns, h("h3", {}, "Its last manoeuvres"), manoeuvreList(found));
    },
    setEvents(found, total = 0) {
      if (found instanceof Error) return replace(events, alert(found));
      const more = total - found.length;
      replace(
        events,
        found.length ? eventList(found, choose, when) : h("p", { class: "empty" }, "None in the window."),
        found.length ? h("p", { class: "help" }, `The marks on the globe are where it will be at these${more > 0 ? `; ${count(more)} more` : ""}.`) : null,
      );
    },
  };
}

const objectFacts = (number: number, object: KnownObject | undefined, place: HTMLElement): HTMLElement[] => [
  h("h2", {}, object?.name ?? `Object ${number}`),
  h(
    "dl",
    { class: "pairs" },
    object ? pair("Type", word(object.object_type)) : null,
    object?.constellation ? pair("Constellation", object.constellation) : null,
    object?.owner ? pair("Owner", object.owner) : null,
    pair("Catalogue number", String(number)),
    object?.object_id ? pair("Designator", object.object_id) : null,
    pair("Path from", trajectoryWords(object?.trajectory)),
    pair("At the time shown", h("span", {}, place, h("small", {}, "above the ellipsoid"))),
  ),
  h("p", { class: "help" }, "Elsewhere: ", objectLinks(number, object?.name)),
];

function orbitFacts(orbit: ObjectOrbit): HTMLElement {
  return h(
    "dl",
    { class: "pairs" },
    pair(h("span", {}, term("epoch", "Epoch"), " of its ", term("element set", "elements")), timeElement(orbit.epoch)),
    pair("Their age at the time shown", datum("age_hours", orbit.age_hours, ageWords)),
    pair("Period", datum("period_min", orbit.period_min, (value) => fixed(value, 1), "min")),
    pair("Perigee and apogee", h("span", {}, datum("perigee_km", orbit.perigee_km, count), " and ", datum("apogee_km", orbit.apogee_km, count, "km"), h("small", { title: "The Earth's equatorial radius is 6,378.1 km." }, "above the equatorial radius"))),
    pair("Inclination", datum("inclination_deg", orbit.inclination_deg, (value) => `${fixed(value, 1)}°`)),
  );
}

const manoeuvreList = ({ manoeuvres }: DetectedManoeuvres): HTMLElement =>
  h("dl", { class: "pairs" }, manoeuvres.map((one) => pair(timeElement(one.at), datum("dv_m_s", one.dv_m_s, (v) => String(Number(v.toPrecision(2))), "m/s"))));

const HOURS_MS = 3_600_000;
const ageWords = (hours: number): string => (hours < 0 ? `${span(hours * HOURS_MS)} ahead of it` : span(hours * HOURS_MS));

export function eventList(rows: (Conjunction | Unreadable)[], choose: (event: Conjunction) => void, when: When): HTMLElement {
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
              { type: "button", "data-event": event.id, onclick: () => choose(event) },
              probabilityBadge(event),
              h("span", { class: "names" }, h("span", {}, called(event, "primary")), h("span", {}, `× ${called(event, "secondary")}`)),
              h("span", { class: "meta" }, ...meta(event, when)),
            ),
          ),
    ),
  );
}

// Lists are narrow: two lines, none broken within a fact.
const meta = (event: Conjunction, when: When): (HTMLElement | string)[] => [
  h("span", {}, `${metres(event.miss_distance_m)} m`), " · ", h("span", {}, when(event.tca)), " ",
  nearFlag(event) ?? "",
];

const called = (event: Conjunction, who: Who): string => [named(event, who), unusual(event[`${who}_trajectory`])].filter(Boolean).join(", ");

const path = (event: Conjunction, who: Who): HTMLElement => h("span", {}, trajectoryWords(event[`${who}_trajectory`]), dataLine(event, who));

const head = (first: HTMLElement, close: () => void): HTMLElement =>
  h("div", { class: "card-head" }, first, h("button", { type: "button", class: "quiet", "aria-label": "Close", onclick: close }, "×"));

const pair = (name: HTMLElement | string, value: HTMLElement | string): HTMLElement => h("div", {}, h("dt", {}, name), h("dd", {}, value));
