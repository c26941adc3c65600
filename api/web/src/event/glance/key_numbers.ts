// The numbers that matter most, in one strip: when, how near, how likely, how sure.
import type { Context } from "../../context";
import { h } from "../../dom";
import { datum, local, metres, timeElement } from "../../format";
import { bestProbability } from "../../levels";
import { chanceParts, GUESSED_RADII } from "../../marks";
import type { ConjunctionWithHistory, Geometry } from "../../types";
import { term } from "../../words/glossary";
import { prose } from "../../words/prose";
import { chances, latitude, longitude } from "../words";

type Part = HTMLElement | string;

export function keyNumbers(event: ConjunctionWithHistory, geometry: Geometry | null, context: Context): HTMLElement {
  const [place, best] = [geometry?.place, bestProbability(event)];
  const above = place ? [" · above ", h("span", { class: "geometry" }, datum("place.latitude_deg", place.latitude_deg, latitude), ", ", datum("place.longitude_deg", place.longitude_deg, longitude))] : [];
  return h(
    "div",
    { class: "strip" },
    cell("", term("TCA"), timeElement(event.tca), `${context.when(event.tca)} · ${local(event.tca)}`, ...above),
    cell("", term("miss distance", "Miss distance"), datum("miss_distance_m", event.miss_distance_m, metres, "m"), ...prose(event.words.passage)),
    cell("", term("probability", "Probability"), h("span", {}, chanceParts(event).map((part) => (typeof part === "string" ? h("small", {}, part) : part))), ...(best === null ? [] : [chances(best), guessed(event)])),
    geometry && best !== null ? cell("geometry sure", "How sure", geometry.words.certainty, ...prose(geometry.words.reason)) : null,
  );
}

const cell = (kind: string, label: Part, value: Part, ...note: Part[]): HTMLElement =>
  h("div", { class: `figure-cell ${kind}`.trim() }, h("span", { class: "label" }, label), h("span", { class: "big" }, value), h("span", { class: "note" }, note));

// That it rests on a guess, in words; that an object thrusts is said beside it.
const guessed = (event: ConjunctionWithHistory): string => (GUESSED_RADII.includes(event.hard_body_source ?? "") ? "; a radius is guessed" : "");
