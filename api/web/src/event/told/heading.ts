// Who meets whom, and what found it.
import type { Context } from "../../context";
import { h } from "../../dom";
import { named } from "../../format";
import { nearFlag, probabilityBadge, told } from "../../levels";
import { eventLink, link } from "../../route";
import { sizesFrom } from "../../severity";
import { trajectoryWords } from "../../trajectories";
import type { Conjunction, Who } from "../../types";

export function heading(event: Conjunction, restricted: boolean, context: Context): HTMLElement {
  const object = (who: Who): HTMLElement => {
    const [name, number] = [named(event, who), String(event[`${who}_norad_id`])];
    return h("span", { class: "object" }, h("a", { href: link("events", { norad: number }), title: "All events of this object" }, name), name === number ? null : h("small", {}, ` ${number}`));
  };
  return h(
    "header",
    { class: "event-head" },
    h("h1", {}, object("primary"), h("span", { class: "times", "aria-label": "and" }, "×"), object("secondary")),
    h("p", { class: "over" }, probabilityBadge(event), " ", nearFlag(event)),
    h("p", { class: "help seen-from" }, "Seen from ", h("strong", {}, named(event, "primary")), " · ",
      h("a", { href: eventLink(event.id, restricted, event.secondary_norad_id) }, `See it from ${named(event, "secondary")}`)),
    gone(event, context) ? h("p", { class: "flag gone", role: "status" }, `The newest run no longer finds this encounter: everything below is from run ${event.run_id}.`) : null,
    event.origin === "run" ? null : h("p", { class: "help" }, foundBy(event)),
  );
}

const FOUND: Record<string, string> = {
  run: "found by run",
  second_look: "found by the second look, on operators' ephemerides, after run",
  fleet: "found by a fleet search, beyond the threshold or the window, after run",
  message: "in no run: reported by a received message since run",
  restricted_message: "in no run: reported by a restricted message since run",
};
const foundBy = (event: Conjunction): string => `${FOUND[event.origin] ?? `found by ${event.origin} analysis in run`} ${event.run_id}`;

const OF_RUNS = ["run", "second_look", "fleet"];

// The newest run looked at its time, and found it no more.
const gone = (event: Conjunction, { run }: Context): boolean =>
  run !== null && run.run_id !== event.run_id && OF_RUNS.includes(event.origin) && Date.parse(event.tca) >= Date.parse(run.window_start);

export function origin(event: Conjunction, context: Context): HTMLElement {
  const newest = gone(event, context) ? " · the newest run no longer has it" : "";
  return h(
    "footer",
    { class: "origin" },
    h("p", { class: "help" }, `Event ${event.id} · ${event.encounter} encounter · ${foundBy(event)}${newest}`),
    h("p", { class: "help" }, sizesFrom()),
    told(event) ? null : h("p", { class: "help paths" }, `${named(event, "primary")} on its ${trajectoryWords(event.primary_trajectory)}, ${named(event, "secondary")} on its ${trajectoryWords(event.secondary_trajectory)}`),
  );
}
