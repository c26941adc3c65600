// What next: what the level means, what to do, whom to ask, what to take away.
import type { Context } from "../../context";
import { h, replace } from "../../dom";
import { link, type From } from "../../route";
import { bestProbability, diluted, notable, told } from "../../levels";
import type { Trend } from "../../generated";
import type { Conjunction, ConjunctionWithHistory, Geometry } from "../../types";
import { term } from "../../words/glossary";
import { jump } from "../jump";
import { takeAway } from "./downloads";
import { meaning } from "./meaning";
import { whom } from "./whom";

export interface WhatNext {
  element: HTMLElement;
  show(geometry: Geometry): void; // adds what only the geometry tells
  showTrend(trend: Trend): void; // adds when better data come
}

export function whatNext(event: ConjunctionWithHistory, from: From, context: Context, ended: AbortSignal): WhatNext {
  const column = (title: string, ...children: (HTMLElement | null)[]): HTMLElement => h("div", {}, h("h3", {}, title), children);
  const asked = whom(event, context, ended);
  const steps = h("ol", { class: "steps" });
  const wait = h("div", { "data-part": "better-data" });
  let known: Geometry | null = null;
  let hasFleet = false;
  const show = (geometry: Geometry | null): void => replace(steps, todo(event, (known = geometry), hasFleet, context).map((step) => h("li", {}, step)));
  show(null);
  void context.anyFleet().then((any) => {
    hasFleet = any;
    if (!ended.aborted) show(known);
  });
  const element = h(
    "section",
    { class: "panel what-next", "aria-label": "What next" },
    h("h2", {}, "What next"),
    h(
      "div",
      { class: "next-columns" },
      column("What it means", h("p", {}, meaning(event, over(event, context))), wait, steps),
      column("Whom to ask", asked.element),
      column("To take away", takeAway(event, from, context)),
    ),
  );
  return {
    element,
    show: (geometry) => (show(geometry), asked.show(geometry)),
    showTrend: ({ better_data }) => replace(wait, better_data.words ? [h("h3", {}, "Decide or wait"), h("p", {}, better_data.words)] : ""),
  };
}

type Step = (HTMLElement | string)[];

const over = (event: Conjunction, context: Context): boolean => context.run?.historic === true || Date.parse(event.tca) < context.now();

function todo(event: Conjunction, geometry: Geometry | null, hasFleet: boolean, context: Context): Step[] {
  if (context.run?.historic) return [["There is nothing left to do: the store is historic, and the encounter lies in the past. It shows what was known."]];
  if (over(event, context)) return [["There is nothing left to do: the closest approach has passed."]];
  const watch: Step = hasFleet
    ? ["To be notified of changes: ", h("a", { href: link("fleets") }, "alerts and calendars"), " of a fleet with one of these satellites."]
    : ["Get notified when it changes: ", h("a", { href: link("fleets") }, "make a fleet"), " of your satellites, with alerts or a calendar."];
  if (!notable(event)) return [["Nothing now, as long as it stays at this level."], watch];
  if (geometry && !steered(geometry)) return [["Neither of the two can be steered: nothing can be done about it. It matters as a possible source of debris."], watch];
  return [...better(event, geometry), ["Check after each run whether it gets worse: ", jump("Trend", ".trend"), "."], ...burn(event, geometry), watch];
}

function better(event: Conjunction, geometry: Geometry | null): Step[] {
  const asked: Step[] = [["Ask the operators (under “Whom to ask”) whether a manoeuvre is planned, and for an ephemeris with covariance: the operator of this service can add it, and the event is then computed again."]];
  if (diluted(event)) asked.unshift(["Get better data before anything else: the probability is ", term("diluted"), ", so they may lower it, or raise it."]);
  if (bestProbability(event) === null) asked.push(["Check the relative path below, since there is no probability to go by."]);
  const moving = geometry ? [geometry.objects.primary, geometry.objects.secondary].filter((one) => one.manoeuvring) : [];
  if (moving.length) asked.push([`${moving.map((one) => one.name.trim() || String(one.norad_id)).join(" and ")} manoeuvres often or did so recently: the next burn changes everything here.`]);
  return asked;
}

const steered = ({ objects }: Geometry): boolean => [objects.primary, objects.secondary].some((one) => one.object_type !== "debris" && one.object_type !== "rocket_body");

function burn(event: Conjunction, geometry: Geometry | null): Step[] {
  const able = geometry ? [geometry.objects.primary, geometry.objects.secondary].some((one) => one.object_type === "payload") : false;
  return able && !told(event) ? [["If one of them can thrust: try a burn under ", jump("What if", ".what-if"), ", which checks it against everything else."]] : [];
}
