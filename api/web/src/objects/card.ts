// An object in a card: what it is called, what is known of it, where else to read about it.
import { h } from "../dom";
import { word } from "../format";
import { link } from "../route";
import { trajectoryWords } from "../trajectories";
import type { KnownObject } from "../types";
import { errorsDisclosure } from "./errors";
import { objectLinks } from "./links";

// `object` null: the run has none of this number. It may have decayed, and the catalogues elsewhere say when.
export function objectStrip(number: number, object: KnownObject | null, run: string): HTMLElement {
  const known = object
    ? [word(object.object_type), object.object_id, trajectoryWords(object.trajectory), object.owner && `owner ${object.owner}`].filter(Boolean).join(" · ")
    : notHere(number, run);
  return h(
    "section",
    { class: "panel object-strip", "aria-label": "Chosen object" },
    h("h2", {}, object?.name || `Object ${number}`, " ", h("small", {}, String(number))),
    h("p", { class: "help" }, known),
    objectLinks(number, object?.name),
    object
      ? h("a", { href: link("globe", { object: String(number) }) }, "On the globe")
      : h("a", { href: link("run") }, "Rejected records"),
    object ? errorsDisclosure(number) : null,
  );
}

const notHere = (number: number | string, run: string): string =>
  `The catalogue of run ${run} has no object ${number}: it may have decayed, or its record was rejected.`;

// Beside the globe, for a number that a link names.
export function unknownObjectCard(number: string, run: string, close: () => void): HTMLElement {
  const numeric = /^[1-9][0-9]{0,8}$/.test(number);
  return h(
    "section",
    { class: "panel card", "aria-label": "Selected object" },
    h("div", { class: "card-head" }, h("span", { class: "over" }, "not in this run"), h("button", { type: "button", class: "quiet", "aria-label": "Close", onclick: close }, "×")),
    h("h2", {}, `Object ${number}`),
    h("p", { role: "status" }, notHere(number, run)),
    numeric ? objectLinks(Number(number)) : null,
    h("div", { class: "buttons" }, h("a", { class: "button", href: link("run") }, "Rejected records"), numeric ? h("a", { class: "button", href: link("events", { norad: number }) }, "Its events") : null),
  );
}
