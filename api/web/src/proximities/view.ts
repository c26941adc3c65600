// Objects that stay close to each other for a day: docked, in formation, one element set under two numbers.
import * as api from "../api";
import type { Context, View } from "../context";
import { h, newId, replace } from "../dom";
import { count, datum, metres, NOTHING, timeElement } from "../format";
import { objectLinks } from "../objects/links";
import { link } from "../route";
import { failure } from "../shell";
import type { Proximity } from "../types";
import { term } from "../words/glossary";
import { assemblies, type Assembly, type Member } from "./assemblies";
import { bodies, proximities, type Body } from "./asked";

const NAMED = 3; // of an assembly's members; all are listed where it is opened
const KINDS: Record<string, string> = {
  same_elements: "published with one element set",
  co_orbiting: "docked or in formation",
};
const HEADS = ["Objects", "How they are together", "Least distance, m", "at", "Largest distance, m", "Beyond 10 km from"];
const NUMBERS = [2, 4];

export function proximitiesView(context: Context): View {
  const body = h("div", { class: "panel scroll-x", role: "region", "aria-label": "Proximities", tabindex: "0" }, h("p", { class: "loading" }, "Loading…"));
  const total = h("span", { class: "total" });
  const load = async (): Promise<void> => {
    try {
      const found = await proximities();
      const groups = assemblies(found.proximities);
      const known = await bodies(groups.flatMap((group) => group.members.map((member) => member.norad_id)));
      replace(total, groups.length ? `${count(groups.length)}, in ${count(found.total)} pairs` : "0", found.total > found.proximities.length ? `, of the nearest ${count(found.proximities.length)}` : "");
      replace(body, groups.length ? table(groups, known) : h("p", { class: "empty" }, "The newest run has no objects that stay together."));
    } catch (error) {
      if (error instanceof api.ApiError && error.status === 401) context.failed(error);
      else replace(body, failure(error, () => void load()));
    }
  };
  void load();
  return {
    title: "Proximities",
    element: h(
      "section",
      { class: "page" },
      h("h1", {}, "Proximities ", total),
      h("p", { class: "lead" }, "Objects that stay within 10 km of each other for a day (", term("proximity", "proximities"), "): docked, in formation, or published with one ", term("element set"), ". They raise no alarm."),
      body,
    ),
  };
}

const head = (names: readonly string[], numbers: readonly number[]): HTMLElement =>
  h("thead", {}, h("tr", {}, names.map((text, i) => h("th", { scope: "col", class: numbers.includes(i) ? "number" : "" }, text))));

const table = (groups: Assembly[], known: Map<number, Body>): HTMLElement =>
  h("table", { class: "plain assemblies" }, head(HEADS, NUMBERS), h("tbody", {}, groups.flatMap((group) => rows(group, known))));

function rows(group: Assembly, known: Map<number, Body>): HTMLElement[] {
  const inside = h("tr", { class: "inside", id: newId("assembly"), hidden: true }, h("td", { colspan: HEADS.length }));
  const toggle = (): void => {
    const opening = inside.hidden;
    if (opening && !inside.firstElementChild?.childElementCount) replace(inside.firstElementChild as Element, members(group), pairTable(group.pairs));
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
    h("td", {}, h("span", {}, group.kinds.map((kind) => KINDS[kind] ?? kind).join("; ")), moving(group, known)),
    ...distances(group.nearest, group.farthest, group.leaves_at),
  );
  return [row, inside];
}

function together(group: Assembly, known: Map<number, Body>): HTMLElement {
  const complexes = new Set(group.members.map((member) => known.get(member.norad_id)?.complex_id ?? null));
  const one = complexes.size === 1 && !complexes.has(null);
  return h("span", {}, `${count(group.members.length)} objects that `, one ? term("complex", "fly as one") : "stay together", ": ");
}

function moving(group: Assembly, known: Map<number, Body>): HTMLElement | null {
  const some = group.members.filter((member) => known.get(member.norad_id)?.manoeuvring);
  if (!some.length) return null;
  const said = some.length === group.members.length ? "manoeuvring" : `manoeuvring: ${count(some.length)} of ${count(group.members.length)}`;
  return h("span", { class: "data-line", title: some.map((member) => member.name).join(", ") }, h("span", { class: "moves" }, said));
}

const name = (member: Member): HTMLElement => h("a", { href: link("events", { norad: String(member.norad_id) }), title: `Events of ${member.norad_id}` }, member.name || String(member.norad_id));

// On a phone a row is a card, and each value says what it is.
const cell = (head: number, number: boolean, value: HTMLElement | string): HTMLElement => h("td", { class: number ? "number" : "", "data-head": HEADS[head] }, value);

function distances(nearest: Proximity, farthest: Proximity, leaves: string | null): HTMLElement[] {
  return [
    cell(2, true, datum("min_distance_m", nearest.min_distance_m, metres)),
    cell(3, false, timeElement(nearest.tca)),
    cell(4, true, datum("max_distance_m", farthest.max_distance_m, metres)),
    cell(5, false, leaves ? timeElement(leaves) : NOTHING),
  ];
}

const members = (group: Assembly): HTMLElement =>
  h(
    "ul",
    { class: "lines" },
    group.members.map((member) => h("li", {}, h("span", {}, name(member), h("small", {}, ` ${member.norad_id}`)), objectLinks(member.norad_id, member.name), h("a", { href: link("globe", { object: String(member.norad_id) }) }, "On the globe"))),
  );

const pairTable = (pairs: Proximity[]): HTMLElement =>
  h(
    "table",
    { class: "plain pairs-inside" },
    head(["Pair", ...HEADS.slice(1)], NUMBERS),
    h("tbody", {}, pairs.map((pair) =>
      h("tr", {}, h("th", { scope: "row" }, `${pair.primary_name} and ${pair.secondary_name}`), h("td", {}, KINDS[pair.kind] ?? pair.kind), ...distances(pair, pair, pair.leaves_at)))),
  );
