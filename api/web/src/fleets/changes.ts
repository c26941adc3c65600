// What changed since the run before: new, raised, eased, gone.
import { h } from "../dom";
import { count, timeElement } from "../format";
import { probabilityLevel } from "../levels";
import { eventLink } from "../route";
import { otherName, ownName, shape } from "./marks";
import type { Changes, FleetEvent } from "./types";

const SHOWN = 8; // of each kind; the list below marks them all

export const changeWord = (changes: Changes | null): ((id: number) => string) => {
  const fresh = new Set(changes?.before_run_id ? changes.new : []);
  const raised = new Map((changes?.raised ?? []).map((one) => [one.id, one.before]));
  return (id) => (fresh.has(id) ? "new" : raised.has(id) ? `raised from ${raised.get(id)}` : "");
};

export function changesPanel(changes: Changes, events: FleetEvent[]): HTMLElement {
  if (!changes.before_run_id) {
    return h("p", { class: "empty" }, "No earlier run has searched the volumes of this fleet, so what is new or gone is not known.");
  }
  const known = new Map(events.map((event) => [event.id, event]));
  const levelOf = (id: number): string => {
    const event = known.get(id);
    return event ? probabilityLevel(event) : "";
  };
  const line = (id: number, words: string): HTMLElement | null => {
    const event = known.get(id);
    if (!event) return null;
    const pair = h("a", { href: eventLink(id, false, event.fleet_norad_id) }, `${ownName(event)} and ${otherName(event)}`);
    return h("li", {}, shape(probabilityLevel(event)), " ", pair, ` ${words}, `, timeElement(event.tca));
  };
  const moved = (all: Changes["raised"]): (HTMLElement | null)[] => all.map((one) => line(one.id, `${one.before} → ${levelOf(one.id)}`));
  const gone = changes.gone.map((one) =>
    h("li", {}, shape(one.probability_level), " ", h("a", { href: eventLink(one.id, false, one.norad_id) }, `${one.name || one.norad_id} and ${one.other_name || one.other_norad_id}`),
      ` was ${one.probability_level}, `, timeElement(one.tca)));
  return h(
    "div",
    { class: "change-columns" },
    column("new", "New", changes.new.length, changes.new.map((id) => line(id, levelOf(id)))),
    column("raised", "Raised", changes.raised.length, moved(changes.raised)),
    column("eased", "Eased", changes.eased.length, moved(changes.eased)),
    column("gone", "Gone", changes.gone.length, gone),
  );
}

function column(name: string, title: string, total: number, items: (HTMLElement | null)[]): HTMLElement {
  const shown = items.filter((item) => item !== null).slice(0, SHOWN);
  return h(
    "div",
    { "data-change": name },
    h("h3", {}, `${title} `, h("span", { class: "total" }, count(total))),
    shown.length ? h("ul", {}, shown) : null,
    total > shown.length ? h("p", { class: "note" }, `and ${count(total - shown.length)} more`) : null,
  );
}
