// Satellites of a fleet that no run has looked at yet: which they are, and what the newest run has of them all the
// same. Nothing coming and not looked at must never look alike.
import type { Context } from "../context";
import { h } from "../dom";
import { count, metres, named, timeElement } from "../format";
import { nearFlag, probabilityBadge } from "../levels";
import { eventLink, seenFrom } from "../route";
import { term } from "../words/glossary";
import { eventsOf, satelliteLinks } from "./marks";
import { inLevels } from "./outside";
import type { Fleet, Member, Outside, Satellite } from "./types";

const SHOWN = 10;

// Null: all that the newest run knows have been looked at.
export function unseen(
  context: Context, fleet: Fleet, members: Member[], seen: Satellite[], looked: boolean, outside: Outside,
): HTMLElement | null {
  const known = new Set(seen.map((one) => one.norad_id));
  const missing = members.filter((one) => !known.has(one.norad_id));
  if (looked && !missing.length) return null;
  return h(
    "section",
    { class: "panel unseen", "aria-label": "Not searched yet" },
    h("h2", {}, "Not searched yet"),
    h(
      "p",
      {},
      looked ? `The newest run did not search ${ofFleet(missing.length)}. ` : "No run has searched this fleet yet. ",
      h("strong", {}, "This is not an all-clear."),
      " ",
      fleet.searching ? "It is being searched now." : next(context),
    ),
    looked ? null : meanwhile(context, members, outside),
    missing.length
      ? h("details", { class: "quiet-ones", open: missing.length <= 12 },
          h("summary", {}, h("h3", {}, `${count(missing.length)} ${missing.length === 1 ? "satellite" : "satellites"}`)),
          h("ul", { class: "names-in-columns" }, missing.map((one) => h("li", {}, satelliteLinks(one)))))
      : null,
  );
}

const ofFleet = (missing: number): string =>
  missing === 1 ? "one satellite of this fleet" : `${count(missing)} satellites of this fleet`;

function next({ run }: Context): HTMLElement {
  if (run?.historic) {
    return h("span", {}, "This store holds old data, and no runs are made automatically: the administrator starts one with ",
      h("code", {}, "skysieve screen"), ".");
  }
  return h("span", {}, "The next run will search for them.");
}

function meanwhile(context: Context, members: Member[], outside: Outside): HTMLElement {
  const run = context.run ? `Run ${context.run.run_id}, which searches within ${context.run.threshold_km} km of all objects,` : "The run";
  if (!outside.total) return h("p", {}, `${run} has no events for them.`);
  const shown = outside.conjunctions.slice(0, SHOWN);
  const own = new Set(members.map(({ norad_id }) => norad_id));
  const text = `${count(outside.total)} ${outside.total === 1 ? "event" : "events"} of them`;
  const all = eventsOf(members);
  return h(
    "div",
    {},
    h("p", {}, `${run} has `, all ? h("a", { href: all }, text) : text, `: ${inLevels(outside)}; whatever the `,
      term("screening volume", "volume"), outside.total > shown.length ? ". The most dangerous:" : "."),
    h("ul", { class: "worst" }, shown.map((event) =>
      h("li", {}, probabilityBadge(event), " ", nearFlag(event), " ",
        h("a", { href: eventLink(event.id, false, seenFrom(event, own)) },
          `${named(event, "primary")} and ${named(event, "secondary")}`),
        ` ${metres(event.miss_distance_m)} m, `, timeElement(event.tca)))),
  );
}
