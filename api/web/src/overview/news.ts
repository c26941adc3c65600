// What the newest run has changed: new events, raised, eased and gone ones, the worst of each linked.
import { h } from "../dom";
import { count, datum, metres, named, odds, probability, timeElement } from "../format";
import { eventLink, seenFrom } from "../route";
import { PROBABILITY_LEVELS } from "../types";
import type { Changed, NewPath, Overview, OverviewEvent } from "../generated";

const GRAVE = ["critical", "high"] as const; // told without opening anything
const FIRST = 6; // shown at once
const KINDS = [
  ["new", "New", "Not found by the run before, which would have found them.", "Nothing new."],
  ["raised", "Raised", "Now of a higher level by probability.", "None was raised."],
  ["eased", "Eased", "Now of a lower level by probability.", "None has eased."],
  ["gone", "Gone", "Found by the run before but not by this one, which would have found them.", "None is gone."],
] as const;
// What the other run could not find is neither.
const APART = {
  new: ["first_looked_for", "searched for the first time", "The run before could not have found them: they lie beyond its window or threshold, or involve an object it had not screened."],
  gone: ["not_looked_for", "no longer searched for", "This run could not have found them: they lie beyond its window or threshold, or involve an object it did not screen. They may still be valid."],
} as const;

// `own`: the satellites that it is of, from which an event is seen.
export function newsPanels(overview: Overview, own: ReadonlySet<number>): HTMLElement {
  const none = own.size ? "No earlier run has searched the volumes of this fleet, so what is new or gone is not known." : "There is no run before this one to compare with.";
  const title = overview.before === null ? none : `Since run ${overview.before}.`;
  return h(
    "section",
    { class: "news", "aria-label": "What is new" },
    h("p", { class: "lead" }, title),
    h("div", { class: "columns" }, KINDS.map(([kind, name, meaning, none]) => {
      const news = overview[kind];
      return news && panel(kind, name, meaning, none, news, kind === "new" || kind === "gone" ? apart(overview, kind, own) : null, own);
    })),
  );
}

function apart(overview: Overview, kind: keyof typeof APART, own: ReadonlySet<number>): HTMLElement | null {
  const [key, name, meaning] = APART[kind];
  const news = overview[key];
  if (!news?.total) return null;
  return h(
    "details",
    { "data-news": key },
    h("summary", {}, datum("total", news.total, count), ` ${name}`, GRAVE.filter((level) => news.by_level[level]).map((level) => `, ${count(news.by_level[level])} ${level}`)),
    h("p", { class: "note" }, meaning),
    ...told(news, own),
  );
}

const levels = (news: Changed): HTMLElement =>
  h("p", { class: "levels" }, PROBABILITY_LEVELS.filter((level) => news.by_level[level]).map((level) => h("span", { class: `badge ${level}` }, datum(level, news.by_level[level], count), ` ${level}`)));

function told(news: Changed, own: ReadonlySet<number>): (HTMLElement | null)[] {
  const rows = news.worst.map((event) => h("li", {}, row(event, own)));
  const more = rows.length - FIRST;
  return [
    levels(news),
    rows.length ? h("ul", { class: "worst" }, rows.slice(0, FIRST)) : null,
    more > 0 ? h("details", {}, h("summary", {}, `${count(more)} more of the worst`), h("ul", { class: "worst" }, rows.slice(FIRST))) : null,
  ];
}

function panel(kind: string, name: string, meaning: string, none: string, news: Changed, further: HTMLElement | null, own: ReadonlySet<number>): HTMLElement {
  return h(
    "div",
    { class: "panel", "data-news": kind },
    h("h2", {}, `${name} `, h("span", { class: "total" }, datum("total", news.total, count))),
    h("p", { class: "note" }, meaning),
    ...told(news, own),
    news.total ? null : h("p", { class: "empty" }, none),
    further,
  );
}

function row(event: OverviewEvent, own: ReadonlySet<number>): HTMLElement {
  const from = seenFrom(event, own);
  const sides = from === event.secondary_norad_id ? (["secondary", "primary"] as const) : (["primary", "secondary"] as const);
  const often = odds(event.probability);
  return h(
    "a",
    { href: eventLink(event.id, false, from), "data-id": event.id },
    h("span", { class: `badge ${event.probability_level}` }, event.probability_level),
    h("span", { class: "names" }, sides.map((side) => named(event, side)).join(" × ")),
    h("span", { class: "meta" }, event.level_before ? `was ${event.level_before} · ` : "", timeElement(event.tca, false), " · ", datum("miss_distance_m", event.miss_distance_m, metres, "m"), event.near_level ? ` (near: ${event.near_level})` : "", " · ",
      event.probability === null ? "no probability" : h("span", {}, "probability ", datum("probability", event.probability, (p) => often || probability(p)))),
    event.new_path ? h("span", { class: "meta", "data-new-path": event.new_path.trajectory_id }, ...newPath(event.new_path)) : null,
  );
}

function newPath({ norad_id, added, added_by, departs_at }: NewPath): (HTMLElement | string)[] {
  const since = departs_at ? ["flies another path since ", timeElement(departs_at, false)] : ["flies by a new trajectory"];
  return [`${norad_id} `, ...since, ", added ", timeElement(added, false), added_by ? ` by ${added_by}` : ""];
}
