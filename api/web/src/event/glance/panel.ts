// The first screen of an event: what decides, each fact once.
import type { Context } from "../../context";
import { h, replace } from "../../dom";
import type { Trend } from "../../generated";
import { told } from "../../levels";
import { eventLink, link, type From } from "../../route";
import type { ConjunctionWithHistory, Geometry } from "../../types";
import { prose } from "../../words/prose";
import { whom } from "../next/whom";
import { planeFigure } from "../plane_figure";
import { sentences } from "../told/sentences";
import { keyNumbers } from "./key_numbers";
import { likelihood } from "./likelihood";
import { sparkline } from "./sparkline";

export interface Glance {
  parts: HTMLElement[];
  picture: HTMLElement; // where the geometry's failure is told
  show(geometry: Geometry): void;
  showTrend(trend: Trend | null): void; // null: it could not be loaded
}

export function glance(event: ConjunctionWithHistory, from: From, restricted: boolean, context: Context): Glance {
  const tab = (key: "trend" | "what-if", text: string): HTMLElement => h("a", { href: eventLink(event.id, restricted, from, key) }, text);
  const strip = h("div", {}, keyNumbers(event, null, context));
  const picture = h("div", {}, h("p", { class: "loading" }, "Loading the geometry…"));
  const likely = h("div", {}, likelihood(event, null));
  const went = h("div", { class: "went" }, h("p", { class: "loading" }, "Loading the trend…"));
  const step = h("p", { class: "step" });
  const asked = whom(event);
  const words = h("div", {}, sentences(event, null));
  const panel = (title: string, kind: string, ...children: HTMLElement[]): HTMLElement => h("section", { class: `panel ${kind}`, "aria-label": title }, h("h2", {}, title), children);
  const side = h(
    "div",
    { class: "stack" },
    panel("How likely", "likely", likely),
    h("section", { class: "panel decide", "aria-label": "Decide or wait" }, h("h2", {}, "Decide or wait"), went),
    panel("What next", "what-next", step, h("p", { class: "note leads" }, told(event) ? null : [tab("what-if", "Try a burn"), " · "], h("a", { href: link("fleets") }, "Alerts and calendars")), asked.element),
  );
  return {
    parts: [strip, h("div", { class: "figures glance" }, h("div", { class: "stack" }, picture, words), side)],
    picture,
    show(geometry) {
      replace(strip, keyNumbers(event, geometry, context));
      replace(likely, likelihood(event, geometry));
      replace(words, sentences(event, geometry));
      replace(picture, planeFigure(event, geometry));
      asked.show(geometry);
    },
    showTrend(trend) {
      if (!trend) return replace(went, tab("trend", "The trend could not be loaded"));
      const { words, next_step } = trend.better_data;
      replace(step, prose(next_step));
      replace(went, sparkline(trend), words ? h("p", { class: "note", "data-part": "better-data" }, prose(words)) : null);
    },
  };
}
