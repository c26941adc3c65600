// The numbers that matter most, in one strip.
import type { Context } from "../../context";
import { h } from "../../dom";
import { datum, fixed, local, metres, probability, timeElement, until } from "../../format";
import { MARKS, NOT_COMPUTED } from "../../marks";
import type { Conjunction, Geometry } from "../../types";
import { chances, latitude, longitude } from "../words";

const speed = (value: number): string => (value < 100 ? metres(value) : fixed(value, 0));

const GUESSED_RADII = ["class", "type"];

export function keyNumbers(event: Conjunction, geometry: Geometry | null, context: Context): HTMLElement {
  const cell = (label: string, value: HTMLElement | string, ...note: (HTMLElement | string | null)[]): HTMLElement =>
    h("div", { class: "figure-cell" }, h("span", { class: "label" }, label), h("span", { class: "big" }, value), h("span", { class: "note" }, note));
  const historic = context.run?.historic ? "" : `${until(event.tca, context.now())} · `;
  const place = geometry?.place;
  return h(
    "div",
    { class: "strip" },
    cell("TCA", timeElement(event.tca), `${historic}${local(event.tca)}`),
    cell("Miss distance", datum("miss_distance_m", event.miss_distance_m, metres, "m"), "at TCA"),
    cell("Probability", likely(event), chances(event.probability_2d)),
    event.probability_max === null ? null : cell("Largest", datum("probability_max", event.probability_max, probability), chances(event.probability_max), event.diluted ? "; at a smaller ellipse: diluted" : "; at another size of the ellipse"),
    event.relative_speed_m_s === null ? null : cell("Relative speed", datum("relative_speed_m_s", event.relative_speed_m_s, speed, "m/s"), `${event.encounter} encounter`),
    place
      ? located(h("span", {}, datum("place.latitude_deg", place.latitude_deg, latitude), ", ", datum("place.longitude_deg", place.longitude_deg, longitude)),
          datum("place.altitude_km", place.altitude_km, (v) => fixed(v, 0), "km"), " above WGS-84")
      : null,
  );
}

function located(value: HTMLElement, ...note: (HTMLElement | string)[]): HTMLElement {
  return h("div", { class: "figure-cell place" }, h("span", { class: "label" }, "Above"), h("span", { class: "big" }, value), h("span", { class: "note" }, note));
}

function likely(event: Conjunction): HTMLElement {
  if (event.probability_2d === null) return h("data", { value: "", "data-field": "probability_2d", class: "none" }, NOT_COMPUTED);
  const marks = (GUESSED_RADII.includes(event.hard_body_source ?? "") ? "R" : "") + (event.primary_manoeuvring || event.secondary_manoeuvring ? "M" : "");
  return h("span", {}, datum("probability_2d", event.probability_2d, probability), marks ? " " : "", marks ? h("small", { class: "mark", title: MARKS }, marks) : null);
}
