// Satellites of a fleet that no run has looked at yet: which they are, and what the newest run has of them all the
// same. Nothing coming and not looked at must never look alike.
import type { Context } from "../context";
import { h } from "../dom";
import { count, metres, timeElement } from "../format";
import { levelBadge } from "../levels";
import { eventLink, link } from "../route";
import type { Conjunction } from "../types";
import { term } from "../words/glossary";
import * as asked from "./asked";
import type { Fleet, Satellite } from "./types";

const SHOWN = 5;
const MOST = 500; // numbers in one address

// Null: all that are known by number have been looked at.
export async function unseen(context: Context, fleet: Fleet, seen: Satellite[], looked: boolean): Promise<HTMLElement | null> {
  const known = new Set(seen.map((one) => one.norad_id));
  const missing = fleet.objects.map((one) => one.norad_id).filter((number) => !known.has(number) && !fleet.unknown.includes(number));
  if (looked && !missing.length) return null;
  const numbers = missing.slice(0, MOST);
  const [names, found] = numbers.length ? await Promise.all([asked.names(numbers), asked.eventsOf(numbers, SHOWN)]) : [[], null];
  return h(
    "section",
    { class: "panel unseen", "aria-label": "Not looked at yet" },
    h("h2", {}, "Not looked at yet"),
    h("p", {}, looked ? `The newest run did not look at ${ofFleet(missing.length)}. ` : "No run has looked at this fleet yet. ", h("strong", {}, "That is no all-clear."), ` ${next(context)}`),
    found ? meanwhile(context, numbers, found) : null,
    names.length ? h("ul", { class: "names-in-columns" }, names.map((one) => h("li", {}, h("a", { href: link("events", { norad: String(one.norad_id) }) }, one.name || String(one.norad_id)), h("small", {}, ` ${one.norad_id}`)))) : null,
    fleet.unknown.length ? h("p", { class: "flag" }, `Not in the catalogue of the newest run: ${fleet.unknown.join(", ")}.`) : null,
  );
}

const ofFleet = (missing: number): string => (missing === 1 ? "one satellite of this fleet" : `${count(missing)} satellites of this fleet`);

const next = (context: Context): string =>
  context.run?.historic ? "This store holds old data: no run comes by itself, `skysieve screen` on the server makes one." : "The next run looks.";

function meanwhile(context: Context, numbers: number[], found: { events: Conjunction[]; total: number }): HTMLElement {
  const all = link("events", { norad: numbers.join(",") });
  if (!found.total) return h("p", {}, `Run ${context.run?.run_id} itself, whose threshold is ${context.run?.threshold_km} km for all objects, has no event of them.`);
  return h(
    "div",
    {},
    h("p", {}, `Meanwhile, run ${context.run?.run_id} itself has `, h("a", { href: all }, `${count(found.total)} ${found.total === 1 ? "event" : "events"} of them`), `, whatever the `, term("screening volume", "volume"), found.total > found.events.length ? "; the most dangerous:" : ":"),
    h("ul", { class: "worst" }, found.events.map((event) =>
      h("li", {}, levelBadge(event), " ", h("a", { href: eventLink(event.id) }, `${event.primary_name} and ${event.secondary_name}`), ` ${metres(event.miss_distance_m)} m, `, timeElement(event.tca)))),
  );
}
