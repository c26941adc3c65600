// What the newest run has changed: new events, raised and gone ones, the worst of each linked.
import { h } from "../dom";
import { count, datum, metres, odds, probability, timeElement } from "../format";
import { eventLink } from "../route";
import { LEVELS } from "../types";
import type { News, NewsEvent, Overview } from "./types";

const FIRST = 6; // shown at once
const KINDS = [
  ["new", "New", "Not found by the run before.", "Nothing new."],
  ["raised", "Raised", "Now of a higher level.", "None was raised."],
  ["gone", "Gone", "Found by the run before, and no longer, though this run would have.", "None is gone."],
] as const;

export function newsPanels(overview: Overview): HTMLElement {
  const title = overview.before === null ? "There is no run before this one to compare with." : `Since run ${overview.before}.`;
  return h(
    "section",
    { class: "news", "aria-label": "What is new" },
    h("p", { class: "lead" }, title),
    h("div", { class: "columns" }, KINDS.map(([kind, name, meaning, none]) => {
      const news = overview[kind];
      return news && panel(kind, name, [meaning, ...apart(overview, kind)].join(" "), none, news);
    })),
  );
}

// What one of both runs could not find is no news.
function apart(overview: Overview, kind: string): string[] {
  const [before, now] = [overview.new?.not_searched_before ?? 0, overview.gone?.not_searched ?? 0];
  if (kind === "new" && before) return [`${count(before)} of them it could not find: outside its time or threshold.`];
  if (kind === "gone" && now) return [`${count(now)} more are not known: beyond its threshold, or of an object that its catalogue lacks.`];
  return [];
}

function panel(kind: string, name: string, meaning: string, none: string, news: News): HTMLElement {
  const rows = news.worst.map((event) => h("li", {}, row(event)));
  return h(
    "div",
    { class: "panel", "data-news": kind },
    h("h2", {}, `${name} `, h("span", { class: "total" }, datum("total", news.total, count))),
    h("p", { class: "note" }, meaning),
    h("p", { class: "levels" }, LEVELS.filter((level) => news.by_level[level]).map((level) => h("span", { class: `badge ${level}` }, datum(level, news.by_level[level], count), ` ${level}`))),
    rows.length ? h("ul", { class: "worst" }, rows.slice(0, FIRST)) : h("p", { class: "empty" }, none),
    rows.length > FIRST ? h("details", {}, h("summary", {}, `${count(rows.length - FIRST)} more of the worst`), h("ul", { class: "worst" }, rows.slice(FIRST))) : null,
  );
}

function row(event: NewsEvent): HTMLElement {
  const often = odds(event.probability);
  return h(
    "a",
    { href: eventLink(event.id), "data-id": event.id },
    h("span", { class: `badge ${event.risk_level}` }, event.risk_level),
    h("span", { class: "names" }, `${event.primary_name} × ${event.secondary_name}`),
    h("span", { class: "meta" }, event.level_before ? `was ${event.level_before} · ` : "", timeElement(event.tca, false), " · ", datum("miss_distance_m", event.miss_distance_m, metres, "m"), " · ",
      event.probability === null ? "no probability" : h("span", {}, "probability ", datum("probability", event.probability, (p) => often || probability(p)))),
  );
}
