// One event: what it is in words, what to do, the pictures, whether it gets worse, and everything behind it.
import * as api from "../api";
import type { Context, View } from "../context";
import { h, replace } from "../dom";
import { encounterPanel } from "../encounter/panel";
import { fixed, named } from "../format";
import { told } from "../levels";
import { eventLink, fromOf, type From } from "../route";
import { failure } from "../shell";
import type { ConjunctionWithHistory, Geometry } from "../types";
import { whatIfPanel, type WhatIfPanel } from "../whatif/panel";
import { acknowledgements } from "./acknowledged";
import { endCharts } from "./chart";
import { figure, switched } from "./figure";
import { whatNext, type WhatNext } from "./next/panel";
import { messagesFirst } from "./messages_first";
import { numbers } from "./numbers";
import { objectFacts } from "./objects";
import { relativePath } from "./path";
import { planeFigure } from "./plane_figure";
import { pathsOf, rangeChart } from "./range";
import { relativePicture } from "./relative";
import { dilutionChart, dilutionSentence, radiusChart } from "./sensitivity";
import { heading, origin } from "./told/heading";
import { keyNumbers } from "./told/key_numbers";
import { sentences } from "./told/sentences";
import { trendPanel } from "./trend/panel";

type Near = "near" | "wide";
const NEAR: Record<Near, string> = { near: "Near", wide: "Wide" };

export function eventView(context: Context, id: string, query: URLSearchParams): View {
  let [from, restricted] = asked(query);
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
    const opening = { words: h("div", {}, sentences(event, null)), numbers: h("div", {}, keyNumbers(event, null, context)), next: whatNext(event, one.from, context, signal) };
    const near = h("div", { class: "figures" }, h("p", { class: "loading" }, "Loading the geometry…"));
    const more = h("div", { class: "more-figures" });
    const sides = h("div", { class: "columns" });
    const trend = trendPanel(event, one.from, one.restricted, showRestricted, context, signal, opening.next.showTrend);
    const whatIf = told(event) ? null : whatIfPanel(event, one.from, context, signal);
    const first = h("div", { class: "first" }, opening.words, opening.numbers, opening.next.element);
    endCharts(element);
    const had = acknowledgements(event, one.from, one.restricted, query.get("acknowledge") === "true", context);
    replace(element, heading(event, one.restricted, context), messagesFirst(event), had, first, near, trend, whatIf?.element, more, numbers(event), sides, origin(event, context));
    await loadGeometry(one, { opening, near, more, sides, whatIf });
  };
  const loadGeometry = async (one: Shown, places: Places): Promise<void> => {
    const { event, signal } = one;
    const { opening, near, more, sides, whatIf } = places;
    try {
      const geometry = await api.geometry(id, signal, one.from, one.restricted);
      if (signal.aborted) return;
      replace(opening.words, sentences(event, geometry));
      replace(opening.numbers, keyNumbers(event, geometry, context));
      opening.next.show(geometry);
      whatIf?.show(geometry.objects);
      replace(near, encounter(event, geometry, signal));
      replace(more, pictures(geometry));
      replace(sides, (["primary", "secondary"] as const).map((who) => objectFacts(who, geometry.objects[who], event)));
    } catch (error) {
      if (signal.aborted || (error instanceof api.ApiError && error.status === 401)) throw error;
      // The numbers stay, since they came with the event itself.
      replace(near, h("div", { class: "panel" }, failure(error, () => void loadGeometry(one, places))));
    }
  };
  const show = (next: URLSearchParams): void => {
    const wanted = asked(next);
    if (wanted[0] === from && wanted[1] === restricted) return;
    [from, restricted] = wanted;
    void load();
  };
  const showRestricted = (): void => {
    location.hash = eventLink(id, true, from);
  };
  void load();
  return { title: `Event ${id}`, element, update: show, destroy: () => (turn.abort(), endCharts(element)) };
}

// From which object, and whether also by messages that must not be handed on.
const asked = (query: URLSearchParams): [From, boolean] => [fromOf(query), query.get("restricted") === "true"];

interface Shown {
  event: ConjunctionWithHistory;
  from: From; // the event's primary, where one was chosen
  restricted: boolean;
  signal: AbortSignal;
}

// What the geometry adds to; what a reader may have pressed already stays.
interface Places {
  opening: { words: HTMLElement; numbers: HTMLElement; next: WhatNext };
  near: HTMLElement;
  more: HTMLElement;
  sides: HTMLElement;
  whatIf: WhatIfPanel | null; // null: only messages tell the event
}

function encounter(event: ConjunctionWithHistory, geometry: Geometry, ended: AbortSignal): HTMLElement[] {
  const angle = geometry.approach_angle_deg;
  const crossing = angle === null ? why(geometry, "approach_angle_deg") : `Where ${named(event, "secondary")} is at TCA. The two directions of flight are ${fixed(angle, 0)}° apart: 0 is the same way, 180 head-on.`;
  const paths = geometry.range;
  const sentence = `Where ${named(event, "secondary")} goes, seen from ${named(event, "primary")}, whose axes turn with it; from ${pathsOf(geometry)}: from the side, and from above.`;
  const path = paths
    ? switched("Relative path", sentence, NEAR, (which: Near) => relativePath(paths[which]))
    : figure("Relative path", sentence, why(geometry, "range"));
  return [
    h("div", { class: "stack" }, planeFigure(event, geometry)),
    h("div", { class: "stack" }, figure(`Miss seen from ${named(event, "primary")}`, crossing, relativePicture(event)), path),
    h("div", { "data-part": "encounter" }, encounterPanel(event, geometry, ended)),
  ];
}

function pictures(geometry: Geometry): HTMLElement[] {
  const { range, probability_against_scale: scale, probability_against_radius: radius } = geometry;
  const others = (["primary", "secondary"] as const).map((who) => geometry.missing[`objects.${who}.trajectory_id`]).filter(Boolean).join(" ");
  const distance = `Distance of the two around TCA, from ${pathsOf(geometry)}.`;
  const rangeFigure = range
    ? switched("Range against time", distance, NEAR, (which: Near) => rangeChart(range[which], geometry.tca), others)
    : figure("Range against time", distance, why(geometry, "range"));
  return [
    figure("Probability against radius", "The size of the objects is the least certain input. While it is small compared with the errors, the probability grows with its square.", radius ? radiusChart(radius) : why(geometry, "probability_against_radius")),
    figure("Probability against covariance scale", dilutionSentence(geometry), scale ? dilutionChart(scale, radius?.limits ?? null) : why(geometry, "probability_against_scale")),
    rangeFigure,
  ];
}

const isMissing = (error: unknown): boolean => error instanceof api.ApiError && error.status === 404;

const mayBeRestricted = (id: string, from: From): HTMLElement =>
  h("p", { class: "note" }, "Restricted messages may report it: ",
    h("a", { href: eventLink(id, true, from) }, "search these, for your own use"), ".");

const why = (geometry: Geometry, part: string): string => geometry.missing[part] ?? "Not available for this event.";
