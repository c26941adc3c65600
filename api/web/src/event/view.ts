// One event: what decides on the first screen, everything else behind tabs.
import * as api from "../api";
import type { Context, View } from "../context";
import { h, replace } from "../dom";
import { encounterPanel } from "../encounter/panel";
import { fixed, namesOf } from "../format";
import { told } from "../levels";
import { eventLink, remember, type From } from "../route";
import { failure } from "../shell";
import type { ConjunctionWithHistory, Geometry, Who } from "../types";
import { whatIfPanel, type WhatIfPanel } from "../whatif/panel";
import { prose } from "../words/prose";
import { acknowledgements } from "./acknowledged";
import { asked } from "./ahead";
import { endCharts } from "./chart";
import { figure, switched } from "./figure";
import { glance, type Glance } from "./glance/panel";
import { messagesFirst } from "./messages_first";
import { takeAway } from "./next/downloads";
import { intents } from "./next/intents";
import { numbers } from "./numbers";
import { objectFacts } from "./objects";
import { relativePath } from "./path";
import { planeNumbers } from "./plane_figure";
import { pathsOf, rangeChart } from "./range";
import { relativePicture } from "./relative";
import { dilutionChart, radiusChart } from "./sensitivity";
import { tabOf, tabs, type Tab, type Tabs } from "./tabs";
import { heading, origin } from "./told/heading";
import { trendPanel } from "./trend/panel";

type Near = "near" | "wide";
const NEAR: Record<Near, string> = { near: "Near", wide: "Wide" };

export function eventView(context: Context, id: string, query: URLSearchParams): View {
  let [from, restricted] = asked(query);
  let tab = tabOf(query);
  let parts: Tabs | null = null;
  const element = h("section", { class: "page event" }, h("p", { class: "loading" }, "Loading…"));
  let turn = new AbortController(); // of what is loaded and shown now; another address ends it
  const load = async (): Promise<void> => {
    turn.abort();
    turn = new AbortController();
    const { signal } = turn;
    try {
      const event = await api.conjunction(id, signal, from, restricted);
      if (signal.aborted) return;
      element.dataset.event = id;
      await fill({ event, from, restricted, signal });
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof api.ApiError && error.status === 401) return context.failed(error);
      endCharts(element);
      replace(element, failure(error, () => void load()), restricted || !isMissing(error) ? null : mayBeRestricted(id, from));
    }
  };
  const fill = async (one: Shown): Promise<void> => {
    const { event, signal } = one;
    const first = glance(event, one.from, one.restricted, context);
    const geometry = h("div", { class: "figures more-figures" }, h("p", { class: "loading" }, "Loading the geometry…"));
    const sides = { primary: h("div", {}), secondary: h("div", {}) };
    const trend = trendPanel(event, one.from, one.restricted, showRestricted, context, signal, first.showTrend);
    const whatIf = told(event) ? null : whatIfPanel(event, one.from, one.restricted, context, signal);
    const intended = intents(event, one.from, one.restricted, context);
    parts = tabs({
      glance: first.parts,
      geometry: [geometry],
      trend: [trend],
      "what-if": whatIf && [whatIf.element],
      numbers: [numbers(event, sides), origin(event, context)],
      take: [h("section", { class: "panel", "aria-label": "Take away" }, h("h2", {}, "Take away"), takeAway(event, one.from, one.restricted, context)), ...(intended.saying ? [intended.saying] : [])],
    }, tab, chosen);
    endCharts(element);
    const had = acknowledgements(event, one.from, one.restricted, query.get("acknowledge") === "true", context);
    const head = heading(event, one.restricted, context);
    head.querySelector(".seen-from")?.after(had, intended.said);
    replace(element, head, messagesFirst(event), parts.bar, parts.panels);
    await loadGeometry(one, { first, geometry, sides, whatIf });
  };
  const loadGeometry = async (one: Shown, places: Places): Promise<void> => {
    const { event, signal } = one;
    const { first, sides, whatIf } = places;
    try {
      const geometry = await api.geometry(id, signal, one.from, one.restricted);
      if (signal.aborted) return;
      first.show(geometry);
      whatIf?.show(geometry.objects);
      replace(places.geometry, pictures(event, geometry, signal));
      for (const who of ["primary", "secondary"] as const) replace(sides[who], objectFacts(who, geometry.objects[who], event));
    } catch (error) {
      if (signal.aborted || (error instanceof api.ApiError && error.status === 401)) throw error;
      // The numbers stay, since they came with the event itself.
      for (const place of [first.picture, places.geometry]) replace(place, h("div", { class: "panel" }, failure(error, () => void loadGeometry(one, places))));
    }
  };
  const chosen = (next: Tab): void => {
    tab = next;
    remember(`event/${id}`, new URLSearchParams(eventLink(id, restricted, from, next === "glance" ? undefined : next).split("?")[1]));
  };
  const show = (next: URLSearchParams): void => {
    const [wanted, opened] = [asked(next), tabOf(next)];
    if (opened !== tab) parts?.show((tab = opened), true);
    if (wanted[0] === from && wanted[1] === restricted) return;
    [from, restricted] = wanted;
    void load();
  };
  const showRestricted = (): void => {
    location.hash = eventLink(id, true, from, tab);
  };
  void load();
  return { title: `Event ${id}`, element, update: show, destroy: () => (turn.abort(), endCharts(element)) };
}

interface Shown {
  event: ConjunctionWithHistory;
  from: From; // the event's primary, where one was chosen
  restricted: boolean;
  signal: AbortSignal;
}

// What the geometry adds to; what a reader may have pressed already stays.
interface Places {
  first: Glance;
  geometry: HTMLElement;
  sides: Record<Who, HTMLElement>;
  whatIf: WhatIfPanel | null; // null: only messages tell the event
}

function pictures(event: ConjunctionWithHistory, geometry: Geometry, ended: AbortSignal): HTMLElement[] {
  const { range, probability_against_scale: scale, probability_against_radius: radius, encounter_plane: plane } = geometry;
  const names = namesOf(event);
  const angle = geometry.approach_angle_deg;
  const crossing = angle === null ? why(geometry, "approach_angle_deg") : `Directions of flight: ${fixed(angle, 0)}° apart.`;
  const path = `Where ${names.secondary} goes, in the axes of ${names.primary}, which turn with it; from ${pathsOf(geometry, names)}: from the side, and from above.`;
  const others = (["primary", "secondary"] as const).map((who) => geometry.missing[`objects.${who}.trajectory_id`]).filter(Boolean).join(" ");
  const miss = figure(`Miss seen from ${names.primary}`, `Where ${names.secondary} is at TCA. Directions of flight 0° apart are the same way, 180° head-on.`, relativePicture(event), null, crossing);
  if (plane) miss.append(planeNumbers(event, plane));
  return [
    h("div", { "data-part": "encounter" }, encounterPanel(event, geometry, ended)),
    range ? switched("Relative path", path, NEAR, (which: Near) => relativePath(range[which], names)) : figure("Relative path", path, why(geometry, "range")),
    miss,
    range ? switched("Range against time", "", NEAR, (which: Near) => rangeChart(range[which], geometry.tca), others) : figure("Range against time", "", why(geometry, "range")),
    figure("Probability against radius", "", radius ? radiusChart(radius) : why(geometry, "probability_against_radius"), null, ["The size of the objects is the least certain input. ", ...prose(geometry.words.bound)]),
    figure("Probability against covariance scale", "", scale ? dilutionChart(scale, radius?.limits ?? null) : why(geometry, "probability_against_scale"), null, prose(event.words.dilution)),
  ];
}

const isMissing = (error: unknown): boolean => error instanceof api.ApiError && error.status === 404;

const mayBeRestricted = (id: string, from: From): HTMLElement =>
  h("p", { class: "note" }, "Restricted messages may report it: ",
    h("a", { href: eventLink(id, true, from) }, "search these, for your own use"), ".");

const why = (geometry: Geometry, part: string): string => geometry.missing[part] ?? "Not available for this event.";
