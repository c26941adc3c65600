// One event: its distance, probability, the data behind them, and whether it gets worse.
import * as api from "../api";
import type { Context, View } from "../context";
import { h, replace } from "../dom";
import { download } from "../download";
import { encounterPanel } from "../encounter/panel";
import { datum, fixed, local, metres, NOTHING, probability, timeElement, until, utc, word } from "../format";
import { levelBadge, probabilityLevel, told } from "../levels";
import { markedProbability } from "../marks";
import { eventLink, globeLink, link } from "../route";
import { failure } from "../shell";
import { changes, everything, trajectoryWords } from "../trajectories";
import type { Conjunction, ConjunctionWithHistory, EventObject, Geometry, Who } from "../types";
import { whatIfPanel } from "../whatif/panel";
import { dilutionChart, dilutionSentence, historyPicture, radiusChart, rangeChart } from "./curves";
import { figure } from "./figures";
import { AGE, APPROACH, BASES, FLAGS, INTO_EPHEMERIS, NO_MANOEUVRE, OBJECT, PROBABILITIES, type Entry } from "./glossary";
import { planePicture, type Zoom } from "./plane";
import { relativePicture } from "./relative";
import { timeline } from "./timeline";

export function eventView(context: Context, id: string, query: URLSearchParams): View {
  let restricted = query.get("restricted") === "true"; // also messages that must not be handed on
  const element = h("section", { class: "page event" }, h("p", { class: "loading" }, "Loading…"));
  const ended = new AbortController();
  const load = async (): Promise<void> => {
    try {
      const event = await api.conjunction(id, ended.signal, restricted);
      const pictures = h("div", { class: "figures" }, h("p", { class: "loading" }, "Loading the geometry…"));
      const sides = h("div", { class: "columns" });
      element.dataset.event = id;
      const whatIf = told(event) ? null : whatIfPanel(event, context, ended.signal);
      replace(element, heading(event, context), strip(event, context), pictures, whatIf, numbers(event), sides);
      await loadGeometry(event, pictures, sides);
    } catch (error) {
      if (ended.signal.aborted) return;
      if (error instanceof api.ApiError && error.status === 401) context.failed(error);
      else replace(element, failure(error, () => void load()));
    }
  };
  const loadGeometry = async (event: ConjunctionWithHistory, pictures: HTMLElement, sides: HTMLElement): Promise<void> => {
    try {
      const geometry = await api.geometry(id, ended.signal, restricted);
      const inSpace = h("div", { "data-part": "encounter" }, encounterPanel(event, geometry, ended.signal));
      replace(pictures, figures(event, geometry, showRestricted), inSpace);
      replace(sides, (["primary", "secondary"] as const).map((who) => objectFacts(who, geometry.objects[who])));
    } catch (error) {
      if (ended.signal.aborted || (error instanceof api.ApiError && error.status === 401)) throw error;
      // The numbers stay, since they came with the event itself.
      replace(pictures, h("div", { class: "panel" }, failure(error, () => void loadGeometry(event, pictures, sides))));
    }
  };
  const show = (next: URLSearchParams): void => {
    const wanted = next.get("restricted") === "true";
    if (wanted === restricted) return;
    restricted = wanted;
    void load();
  };
  const showRestricted = (): void => {
    location.hash = eventLink(id, true);
  };
  void load();
  return { title: `Event ${id}`, element, update: show, destroy: () => ended.abort() };
}

function heading(event: Conjunction, context: Context): HTMLElement {
  const copied = h("span", { role: "status", class: "help" });
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(new URL(eventLink(event.id), document.baseURI).href);
    replace(copied, "Copied");
  };
  const object = (name: string, number: number): HTMLElement =>
    h("span", { class: "object" }, h("a", { href: link("events", { norad: String(number) }), title: "All events of this object" }, name), h("small", {}, ` ${number}`));
  return h(
    "header",
    { class: "event-head" },
    h("div", {},
      h("p", { class: "over" }, levelBadge(event), ` ${BASES[event.risk_basis] ?? event.risk_basis}; by the probability alone: ${probabilityLevel(event)}`),
      h("h1", {}, object(event.primary_name, event.primary_norad_id), h("span", { class: "times", "aria-label": "and" }, "×"), object(event.secondary_name, event.secondary_norad_id)),
      h("p", { class: "help" }, `Event ${event.id} · `, event.encounter, ` encounter · ${foundBy(event)}`, context.run && context.run.run_id !== event.run_id && !told(event) ? " · the newest run no longer has it" : ""),
      told(event) ? null : h("p", { class: "help paths" }, `Primary on its ${trajectoryWords(event.primary_trajectory)}, secondary on its ${trajectoryWords(event.secondary_trajectory)}`),
    ),
    h("div", { class: "buttons" },
      h("a", { class: "button primary", href: globeLink(event.id) }, "Show on the globe"),
      h("button", { type: "button", onclick: () => void copy() }, "Copy link"),
      copied,
      told(event) ? null : messages(event.id, context),
    ),
  );
}

const FOUND: Record<string, string> = {
  run: "found by run",
  second_look: "found by a second look, on operators' ephemerides, after run",
  fleet: "found around a fleet, beyond the threshold or the window, after run",
  message: "no run has it: told by a received message since run",
  restricted_message: "no run has it: told by a received message that must not be handed on, since run",
};
const foundBy = (event: Conjunction): string => `${FOUND[event.origin] ?? `found by ${event.origin} analysis in run`} ${event.run_id}`;

// The event as a conjunction data message, in the three forms; endings as `skysieve cdm` names its files.
function messages(id: number, context: Context): HTMLElement {
  const told = h("span", { role: "status", class: "help" });
  const save = async (type: string, ending: string): Promise<void> => {
    replace(told);
    try {
      await download(`conjunctions/${id}/cdm`, type, `${id}.${ending}`);
    } catch (error) {
      if (!(error instanceof api.ApiError)) throw error;
      if (error.status === 401) context.failed(error);
      else replace(told, error.message);
    }
  };
  const button = (form: string, type: string, ending: string): HTMLElement =>
    h("button", { type: "button", title: `Save as a conjunction data message, ${form}`, onclick: () => void save(type, ending) }, form);
  return h("span", { class: "messages", role: "group", "aria-label": "Conjunction data message" }, "Message: ",
    button("KVN", "text/plain", "cdm"), " ", button("XML", "application/xml", "xml"), " ", button("JSON", "application/json", "json"), " ", told);
}

function strip(event: Conjunction, context: Context): HTMLElement {
  const cell = (label: string, value: HTMLElement | string, note: string): HTMLElement =>
    h("div", { class: "figure-cell" }, h("span", { class: "label" }, label), h("span", { class: "big" }, value), h("span", { class: "note" }, note));
  const historic = context.run?.historic ? "" : `${until(event.tca, context.now())} · `;
  return h(
    "div",
    { class: "strip" },
    cell("TCA", timeElement(event.tca), `${historic}${local(event.tca)}`),
    cell("Miss distance", datum("miss_distance_m", event.miss_distance_m, metres, "m"), "at TCA"),
    cell("Probability", markedProbability(event), event.probability === null ? "not defined here" : "of collision"),
    cell("Largest", datum("probability_max", event.probability_max, probability), event.diluted ? "at a smaller ellipse: diluted" : "at another size of the ellipse"),
    cell("Relative speed", datum("relative_speed_m_s", event.relative_speed_m_s, (v) => fixed(v, 0), "m/s"), event.encounter),
  );
}

function figures(event: ConjunctionWithHistory, geometry: Geometry, showRestricted: () => void): HTMLElement[] {
  const missing = (part: string): string => geometry.missing[part] ?? "Not available for this event.";
  const { encounter_plane: plane, range, probability_against_scale: curve, probability_against_radius: byRadius } = geometry;
  const planeFigure = plane
    ? switched(
        "Encounter plane",
        "Seen along the relative velocity, the primary at the origin. Ellipses: 1, 2, 3 σ of the combined position error, around the secondary.",
        { sigmas: "Whole ellipses", miss: "Close-up" },
        (zoom: Zoom) => planePicture(plane, zoom),
        plane.combined ? "" : missing("encounter_plane.covariance"),
      )
    : figure("Encounter plane", "The plane normal to the relative velocity.", missing("encounter_plane"));
  const others = (["primary", "secondary"] as const).map((who) => geometry.missing[`objects.${who}.trajectory_id`]).filter(Boolean).join(" ");
  const rangeSentence = `Distance of the two around TCA, from ${pathsOf(geometry)}.`;
  const rangeFigure = range
    ? switched("Range against time", rangeSentence, { near: "Near", wide: "Wide" }, (which: "near" | "wide") => rangeChart(range[which], event.tca), others)
    : figure("Range against time", rangeSentence, missing("range"));
  const angle = geometry.approach_angle_deg;
  const crossing = angle === null ? missing("approach_angle_deg") : `Where the secondary is at TCA. The paths cross at ${fixed(angle, 0)}°: 0 is overtaking, 180 head-on.`;
  return [
    h("div", { class: "stack" }, planeFigure, figure("Miss in the primary's frame", crossing, relativePicture(event))),
    h("div", { class: "stack" }, rangeFigure, figure("Probability against covariance scale", dilutionSentence(geometry), curve ? dilutionChart(curve) : missing("probability_against_scale"))),
    figure("Probability against radius", "The size of the objects is the least known input. While it is small against the errors, the probability grows as its square.", byRadius ? radiusChart(byRadius) : missing("probability_against_radius")),
    historyOf(event, showRestricted),
  ];
}

function pathsOf(geometry: Geometry): string {
  if (geometry.objects.primary.epoch === null) return "two-body motion from the states of a message";
  const given = (["primary", "secondary"] as const).map((who) => geometry.objects[who].trajectory_id !== null);
  if (given[0] && given[1]) return "both operators' ephemerides";
  const named = given.map((one) => (one ? "the operator's ephemeris" : "SGP4"));
  return given[0] || given[1] ? `${named[0]} (primary) and ${named[1]} (secondary)` : "SGP4";
}

function historyOf(event: ConjunctionWithHistory, showRestricted: () => void): HTMLElement {
  const rows = everything(event, event.history).filter((row) => !told(row));
  const left = event.restricted_messages;
  const hidden = left
    ? h("p", { class: "note" }, `${left} received ${left === 1 ? "message" : "messages"} left out, which must not be handed on. `, h("button", { type: "button", onclick: showRestricted }, "Show for your own use"))
    : null;
  if (event.messages.length) {
    const sentence = "What each run found of this encounter, and what received messages claim and their own data give: does it get worse, and do all agree?";
    return figure("Runs and messages", sentence, h("div", {}, timeline(rows, event.messages), hidden, changes(rows)));
  }
  const picture = historyPicture(rows);
  const body = h("div", {}, typeof picture === "string" ? h("p", { class: "empty" }, picture) : picture, hidden, changes(rows));
  return figure("History over runs", "What each run found of this encounter: does it get worse?", body);
}

// A picture with two alternative views.
function switched<K extends string>(title: string, sentence: string, labels: Record<K, string>, draw: (key: K) => Element, missing: string): HTMLElement {
  const keys = Object.keys(labels) as K[];
  const place = h("div", {});
  const show = (key: K): void => {
    replace(place, draw(key), missing ? h("p", { class: "note" }, missing) : null);
    buttons.forEach((button, i) => button.setAttribute("aria-pressed", String(keys[i] === key)));
  };
  const buttons = keys.map((key) => h("button", { type: "button", onclick: () => show(key) }, labels[key]));
  show(keys[0] as K);
  return figure(title, sentence, place, h("div", { class: "switch", role: "group", "aria-label": title }, buttons));
}

function numbers(event: Conjunction): HTMLElement {
  const flags = (event.probability_flag ?? "").split(" ").filter(Boolean);
  return h(
    "div",
    { class: "columns numbers" },
    h("div", { class: "panel" }, h("h2", {}, "Approach"), list(APPROACH, event), slowTimes(event)),
    h(
      "div",
      { class: "panel" },
      h("h2", {}, "Probability"),
      flags.map((flag) => h("p", { class: "flag" }, FLAGS[flag] ?? flag)),
      list(PROBABILITIES, event),
      h("p", { class: "note" }, NO_MANOEUVRE),
    ),
  );
}

function slowTimes(event: Conjunction): HTMLElement | null {
  if (!event.inside_from || !event.inside_to) return null;
  return h("p", { class: "note" }, "Inside the threshold from ", timeElement(event.inside_from), " to ", timeElement(event.inside_to), ".");
}

function list<T>(entries: readonly Entry<T>[], record: T): HTMLElement {
  return h("dl", { class: "facts" }, entries.map((entry) =>
    h("div", {}, h("dt", {}, entry.label), h("dd", {}, datum(entry.field, record[entry.field] as number | null, entry.text, entry.unit)), h("dd", { class: "note" }, entry.note))));
}

function objectFacts(who: Who, object: EventObject): HTMLElement {
  const source = (text: string | null): string => ({ default: "measured error law", differenced: "from its own element sets", trajectory: "of its operator", cdm: "from a message", table: "published table", rcs: "radar cross-section", class: "by its class", type: "by its type", override: "set by hand" })[text ?? ""] ?? "not known";
  const onEphemeris = object.trajectory === "ephemeris";
  const words: [string, string | HTMLElement, string][] = [
    ["Catalogue number", String(object.norad_id), object.object_id ?? ""],
    ["Type", word(object.object_type), object.status ?? "Status not known."],
    ["Path", trajectoryWords(object.trajectory), pathNote(object)],
    onEphemeris
      ? ["Begins", instant(object.epoch), "The first state of the ephemeris that the event rests on."]
      : ["Epoch", instant(object.epoch), object.epoch ? "Of the element set that the event rests on." : "A message tells the event, no element set."],
    ["Covariance", onEphemeris && !object.covariance_source ? "none" : source(object.covariance_source), "Source of the position error."],
    ...(object.manoeuvring ? [["Manoeuvring", "often or lately", "Its element set may be tens of kilometres off."] as [string, string, string]] : []),
    ["Radius", source(object.hard_body_source), "Source of the hard-body radius."],
    ...(object.last_manoeuvre ? [["Last manoeuvre", timeElement(object.last_manoeuvre), "Seen in its element sets."] as [string, HTMLElement, string]] : []),
  ];
  return h(
    "div",
    { class: "panel", "data-object": who },
    h("h2", {}, who === "primary" ? "Primary: " : "Secondary: ", object.name),
    h("dl", { class: "facts" }, words.map(([name, value, note]) => h("div", {}, h("dt", {}, name), h("dd", {}, value), h("dd", { class: "note" }, note)))),
    list([onEphemeris ? INTO_EPHEMERIS : AGE, ...OBJECT], object),
  );
}

const instant = (time: string | null): HTMLElement | string => (time === null ? NOTHING : timeElement(time));

function pathNote(object: EventObject): string {
  if (object.trajectory === "supgp") return "Fitted to its operator's ephemeris, published by CelesTrak.";
  if (object.trajectory !== "ephemeris") return "As everybody has it, from the catalogue.";
  if (!object.trajectory_id) return "No longer in the store.";
  return `${object.trajectory_id}, added ${object.trajectory_added ? `${utc(object.trajectory_added)} Z` : NOTHING}.`;
}
