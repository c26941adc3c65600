// Who meets whom, and what found it.
import type { Context } from "../../context";
import { h } from "../../dom";
import { levelBadge, probabilityLevel, told } from "../../levels";
import { link } from "../../route";
import { trajectoryWords } from "../../trajectories";
import type { Conjunction } from "../../types";
import { BASES } from "../glossary";

export function heading(event: Conjunction): HTMLElement {
  const object = (name: string, number: number): HTMLElement =>
    h("span", { class: "object" }, h("a", { href: link("events", { norad: String(number) }), title: "All events of this object" }, name), h("small", {}, ` ${number}`));
  return h(
    "header",
    { class: "event-head" },
    h("p", { class: "over" }, levelBadge(event), ` ${BASES[event.risk_basis] ?? event.risk_basis}; by the probability alone: ${probabilityLevel(event)}`),
    h("h1", {}, object(event.primary_name, event.primary_norad_id), h("span", { class: "times", "aria-label": "and" }, "×"), object(event.secondary_name, event.secondary_norad_id)),
    event.origin === "run" ? null : h("p", { class: "help" }, foundBy(event)),
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

export function origin(event: Conjunction, context: Context): HTMLElement {
  const newest = context.run && context.run.run_id !== event.run_id && !told(event) ? " · the newest run no longer has it" : "";
  return h(
    "footer",
    { class: "origin" },
    h("p", { class: "help" }, `Event ${event.id} · ${event.encounter} encounter · ${foundBy(event)}${newest}`),
    told(event) ? null : h("p", { class: "help paths" }, `Primary on its ${trajectoryWords(event.primary_trajectory)}, secondary on its ${trajectoryWords(event.secondary_trajectory)}`),
  );
}
