// What is known about one of the two, and where it is from.
import { h } from "../dom";
import { named, NOTHING, timeElement, utc, word } from "../format";
import { objectLinks } from "../objects/links";
import { trajectoryWords } from "../trajectories";
import type { Conjunction, EventObject, Who } from "../types";
import { term, type Word } from "../words/glossary";
import { list } from "./facts";
import { INTO_EPHEMERIS, OBJECT } from "./fields";

const WORDS: Record<string, Word> = {
  "Catalogue number": "catalogue number",
  Epoch: "epoch",
  Covariance: "covariance source",
  Manoeuvring: "manoeuvring",
  Radius: "hard-body radius",
};

const STATUSES: Record<string, string> = { active: "In use.", inactive: "Out of use." };
const DIMENSIONS: Record<string, string> = { gcat: "its own, of GCAT", series: "of its series", stages: "of its type of stage" };

const PATHS: Record<string, Word> = { gp: "element set", supgp: "supplemental element set", ephemeris: "ephemeris" };

export function objectFacts(who: Who, object: EventObject, event: Conjunction): HTMLElement {
  const source = (text: string | null): string => ({ default: "measured error law", differenced: "from its own element sets", own: "from its own element sets", constellation: "measured for its constellation", trajectory: "of its operator", cdm: "from a message", body: "published dimensions", table: "published table", stage: "its type of stage", rcs: "radar cross-section", class: "by its class", type: "by its type", override: "set by hand" })[text ?? ""] ?? "not known";
  const onEphemeris = object.trajectory === "ephemeris";
  const words: [string, string | HTMLElement, string][] = [
    ["Catalogue number", String(object.norad_id), object.object_id ?? ""],
    ["Type", word(object.object_type), STATUSES[object.status ?? ""] ?? "Whether it is in use is not known."],
    ["Can manoeuvre", object.can_manoeuvre ?? NOTHING, object.can_manoeuvre_reason ?? "Not in the newest run."],
    ["Path", trajectoryWords(object.trajectory), pathNote(object)],
    onEphemeris
      ? ["Begins", instant(object.epoch), "The first state of the ephemeris that the event rests on."]
      : ["Epoch", instant(object.epoch), object.epoch ? "" : "The event comes from a message, not from an element set."],
    ["Covariance", onEphemeris && !object.covariance_source ? "none" : source(object.covariance_source), ""],
    ...(object.manoeuvring ? [["Manoeuvring", "often or lately", "Its element set may be tens of kilometres off."] as [string, string, string]] : []),
    ["Radius", source(object.hard_body_source), ""],
    ...(object.body_source ? [["Dimensions", DIMENSIONS[object.body_source] ?? object.body_source, ""] as [string, string, string]] : []),
    ...(object.last_manoeuvre ? [["Last manoeuvre", timeElement(object.last_manoeuvre), ""] as [string, HTMLElement, string]] : []),
  ];
  return h(
    "div",
    { class: "panel", "data-object": who },
    h("h2", {}, named(event, who)),
    h("p", { class: "note" }, objectLinks(event[`${who}_norad_id`], event[`${who}_name`].trim())),
    h("dl", { class: "facts" }, words.map(([name, value, note]) => h("div", {}, h("dt", {}, explained(name, object)), h("dd", {}, value), note ? h("dd", { class: "note" }, note) : null))),
    list(onEphemeris ? INTO_EPHEMERIS : OBJECT, { ...ofSide(event, who), ...object }),
  );
}

// The fields of an event that are of one of the two.
const ofSide = (event: Conjunction, who: Who): object =>
  Object.fromEntries(Object.entries(event).filter(([name]) => name.startsWith(`${who}_`)).map(([name, value]) => [name.slice(who.length + 1), value]));

function explained(name: string, { trajectory }: EventObject): HTMLElement | string {
  const word = name === "Path" ? PATHS[trajectory ?? "gp"] : WORDS[name];
  return word ? term(word, name) : name;
}

const instant = (time: string | null): HTMLElement | string => (time === null ? NOTHING : timeElement(time));

function pathNote(object: EventObject): string {
  if (object.trajectory === "supgp") return "Fitted to its operator's ephemeris, published by CelesTrak.";
  if (object.trajectory !== "ephemeris") return "";
  if (!object.trajectory_id) return "No longer in the store.";
  const by = object.trajectory_added_by ? ` by ${object.trajectory_added_by}` : "";
  const since = object.trajectory_departs_at ? ` It flies another path than its element set since ${utc(object.trajectory_departs_at)} Z.` : "";
  return `${object.trajectory_id}, added ${object.trajectory_added ? `${utc(object.trajectory_added)} Z` : NOTHING}${by}.${since}`;
}
