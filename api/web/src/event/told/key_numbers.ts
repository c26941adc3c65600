// The numbers that matter most, in one strip.
import type { Context } from "../../context";
import { h } from "../../dom";
import { datum, fixed, local, metres, timeElement } from "../../format";
import { bestProbability } from "../../levels";
import { chanceParts, GUESSED_RADII } from "../../marks";
import { severity } from "../../severity";
import type { Conjunction, Geometry } from "../../types";
import { term } from "../../words/glossary";
import { prose } from "../../words/prose";
import { chances, latitude, longitude } from "../words";

type Part = HTMLElement | string;

export function keyNumbers(event: Conjunction, geometry: Geometry | null, context: Context): HTMLElement {
  const place = geometry?.place;
  return h(
    "div",
    { class: "strip" },
    cell("", term("TCA"), timeElement(event.tca), `${context.when(event.tca)} · ${local(event.tca)}`),
    cell("", term("miss distance", "Miss distance"), datum("miss_distance_m", event.miss_distance_m, metres, "m"), "at TCA"),
    cell("", term("probability", "Probability"), h("span", {}, chanceParts(event).map((part) => (typeof part === "string" ? h("small", {}, part) : part)), " ", event.fragments_10cm === null ? null : h("small", {}, severity(event, "pieces"))), chances(bestProbability(event)), guessed(event)),
    geometry ? cell("geometry sure", "How sure", geometry.words.certainty, ...prose(geometry.words.reason)) : null,
    place
      ? cell("geometry", "Above", h("span", {}, datum("place.latitude_deg", place.latitude_deg, latitude), ", ", datum("place.longitude_deg", place.longitude_deg, longitude)),
          datum("place.altitude_km", place.altitude_km, (v) => fixed(v, 0), "km"), " above WGS-84")
      : null,
  );
}

const cell = (kind: string, label: Part, value: Part, ...note: Part[]): HTMLElement =>
  h("div", { class: `figure-cell ${kind}`.trim() }, h("span", { class: "label" }, label), h("span", { class: "big" }, value), h("span", { class: "note" }, note));

// That it rests on a guess, in words; that an object thrusts is said beside it.
const guessed = (event: Conjunction): string => (bestProbability(event) !== null && GUESSED_RADII.includes(event.hard_body_source ?? "") ? "; a radius is guessed" : "");
