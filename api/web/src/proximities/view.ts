// Objects that stay close to each other for a day: docked, in formation, one element set under two numbers.
import * as api from "../api";
import type { Context, View } from "../context";
import { h, newId, replace } from "../dom";
import { count, datum, metres, NOTHING, timeElement } from "../format";
import { objectLinks } from "../objects/links";
import { link } from "../route";
import { failure } from "../shell";
import type { Proximity } from "../types";
import { term, titled, wordList } from "../words/glossary";
import { assemblies, type Assembly, type Member } from "./assemblies";
import { bodies, proximities, type Body } from "./asked";
import { ages, dataOf, doubts } from "./data";

const NAMED = 3; // of an assembly's members; all are listed where it is opened
const KINDS: Record<string, string> = {
  same_elements: "published with one element set",
  co_orbiting: "docked or in formation",
};
const HEADS = ["Objects", "How they are together", "Age of data, d", "Least distance, m", "Largest, m", "More than 10 km apart from"];
const NUMBERS = [2, 3, 4];

export function proximitiesView(context: Context): View {
  const body = h("div", { class: "panel scroll-x", role: "region", "aria-label": "Proximities", tabindex: "0" }, h("p", { class: "loading" }, "Loading…"));
  const total = h("span", { class: "total" });
  const notice = h("div", { class: "notices" });
  const ended = new AbortController();
  let run = "";
  const load = async (): Promise<void> => {
    run = context.run?.run_id ?? "";
    replace(notice);
    try {
      const found = await proximities(ended.signal);
      const groups = assemblies(found.proximities);
      replace(total, groups.length ? inWords(groups.length, found.proximities.length, found.total) : "0");
      const known = groups.length ? await aboutAll(groups) : new Map<number, Body>();
      replace(body, groups.length ? table(groups, known) : h("p", { class: "empty" }, "The newest run has no objects that stay together."));
    } catch (error) {
      if (ended.signal.aborted) return;
      if (error instanceof api.ApiError && error.status === 401) context.failed(error);
      else replace(body, failure(error, () => void load()));
    }
  };
  // The list is true without it.
  const aboutAll = async (groups: Assembly[]): Promise<Map<number, Body>> => {
    try {
      return await bodies(groups.flatMap((group) => group.members.map((member) => member.norad_id)), ended.signal);
    } catch (error) {
      if (!(error instanceof api.ApiError) || error.status === 401 || error.status === 0) throw error;
      replace(notice, h("p", { class: "note" }, `The data quality of these objects could not be loaded: ${error.message} `, h("button", { type: "button", onclick: () => void load() }, "Load again")));
      return new Map();
    }
  };
  const forget = context.onRun(() => {
    const newest = context.run?.run_id ?? "";
    if (!run || newest === run) return;
    replace(notice, h("p", { class: "note" }, `Run ${newest} is available. `, h("button", { type: "button", onclick: () => void load() }, "Show the new run")));
  });
  void load();
  return {
    title: "Proximities",
    element: h(
      "section",
      { class: "page" },
      titled(h("h1", {}, "Proximities ", total), "Objects that stay within 10 km of each other for a day: docked, in formation, or published with one element set. They raise no alert."),
      notice,
      body,
      wordList("proximity", "element set", "epoch", "manoeuvring", "hard-body radius", "complex"),
    ),
    destroy() {
      ended.abort();
      forget();
    },
  };
}

const head = (names: readonly string[], numbers: readonly number[]): HTMLElement =>
  h("thead", {}, h("tr", {}, names.map((text, i) => h("th", { scope: "col", class: numbers.includes(i) ? "number" : text === HEADS[5] ? "leaves" : "" }, text.startsWith("Age") ? term("age", text) : text))));

// A group has a pair for any two of it that stay near each other.
function inWords(groups: number, shown: number, pairs: number): string {
  const of = shown < pairs ? `from the nearest ${count(shown)} of ${count(pairs)} pairs` : `made of ${count(pairs)} ${pairs === 1 ? "pair" : "pairs"}`;
  return `${count(groups)} ${groups === 1 ? "group" : "groups"} of objects, ${of}`;
}

const table = (groups: Assembly[], known: Map<number, Body>): HTMLElement =>
  h("table", { class: "plain assemblies" }, head(HEADS, NUMBERS), h("tbody", {}, groups.flatMap((group) => rows(group, known))));

function rows(group: Assembly, known: Map<number, Body>): HTMLElement[] {
  const inside = h("tr", { class: "inside", id: newId("assembly"), hidden: true }, h("td", { colspan: HEADS.length }));
  const toggle = (): void => {
    const opening = inside.hidden;
    if (opening && !inside.firstElementChild?.childElementCount) replace(inside.firstElementChild as Element, members(group, known), group.pairs.length > 1 ? pairTable(group.pairs) : null);
    inside.hidden = !opening;
    button.setAttribute("aria-expanded", String(opening));
    replace(button.firstElementChild as Element, opening ? "Less" : "More");
  };
  const button = h("button", { type: "button", class: "quiet more", "aria-expanded": "false", "aria-controls": inside.id, onclick: toggle }, h("span", {}, "More"), h("span", { class: "visually-hidden" }, ` about ${group.members[0]?.name} and what stays with it`));
  const more = group.members.length - NAMED;
  const named = group.members.slice(0, more > 1 ? NAMED : NAMED + 1);
  const row = h(
    "tr",
    { "data-members": group.members.map((member) => member.norad_id).join(" ") },
    h(
      "th",
      { scope: "row", class: "members" },
      group.members.length > 2 ? h("strong", {}, together(group, known)) : null,
      h("span", {}, named.flatMap((member, i) => [i ? ", " : "", name(member)]), named.length < group.members.length ? ` and ${count(group.members.length - named.length)} more` : ""),
      " ",
      button,
    ),
    h("td", { class: "together" }, h("span", {}, kindWords(group.kinds)), doubts(group, known)),
    cell(2, true, ages(group, known)),
    ...distances(group.nearest, group.farthest, group.leaves_at),
  );
  return [row, inside];
}

const kindWords = (kinds: string[]): string => (kinds.length > 1 ? "docked or in formation, some published with one element set" : (KINDS[kinds[0] ?? ""] ?? kinds.join()));

function together(group: Assembly, known: Map<number, Body>): HTMLElement {
  const complexes = new Set(group.members.map((member) => known.get(member.norad_id)?.complex_id ?? null));
  const one = complexes.size === 1 && !complexes.has(null);
  return h("span", {}, `${count(group.members.length)} objects that `, one ? term("complex", "fly as one") : "stay together", ": ");
}

const name = (member: Member): HTMLElement => h("a", { href: link("events", { norad: String(member.norad_id) }), title: `Events of ${member.norad_id}` }, member.name || String(member.norad_id));

// On a phone a row is a card, and each value says what it is.
const cell = (head: number, number: boolean, value: HTMLElement | string): HTMLElement => h("td", { class: number ? "number" : "", "data-head": HEADS[head] }, value);

// Of one element set under two numbers there is nothing to measure.
const least = (pair: Proximity): HTMLElement =>
  pair.kind === "same_elements"
    ? h("data", { value: pair.min_distance_m, "data-field": "min_distance_m", class: "none" }, "same set")
    : h("span", {}, datum("min_distance_m", pair.min_distance_m, metres), h("small", { class: "at" }, timeElement(pair.tca, false)));

function distances(nearest: Proximity, farthest: Proximity, leaves: string | null): HTMLElement[] {
  return [
    cell(3, true, least(nearest)),
    cell(4, true, datum("max_distance_m", farthest.max_distance_m, farthest.kind === "same_elements" ? () => NOTHING : metres)),
    h("td", { class: "leaves", "data-head": HEADS[5] }, leaves ? timeElement(leaves) : NOTHING),
  ];
}

const members = (group: Assembly, known: Map<number, Body>): HTMLElement =>
  h(
    "ul",
    { class: "lines" },
    group.members.map((member) => h("li", {}, h("span", {}, name(member), h("small", {}, ` ${member.norad_id}`), " ", dataOf(known.get(member.norad_id), group.nearest.tca)), objectLinks(member.norad_id, member.name), h("a", { href: link("globe", { object: String(member.norad_id) }) }, "On the globe"))),
  );

const pairTable = (pairs: Proximity[]): HTMLElement =>
  h(
    "table",
    { class: "plain pairs-inside" },
    head(["Pair", ...HEADS.filter((_, i) => i > 0 && i !== 2)], [2, 3]),
    h("tbody", {}, pairs.map((pair) =>
      h("tr", {}, h("th", { scope: "row" }, `${pair.primary_name} and ${pair.secondary_name}`), h("td", {}, KINDS[pair.kind] ?? pair.kind), ...distances(pair, pair, pair.leaves_at)))),
  );
