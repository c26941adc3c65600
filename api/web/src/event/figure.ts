// The frame of all pictures: a title, what explains the picture, what it says, the picture or why there is none.
import { h, replace } from "../dom";
import { titled } from "../words/glossary";
import { endCharts } from "./chart";

export type Words = string | (HTMLElement | string)[];

export function figure(title: string, explained: Words, picture: Element | string, extra?: HTMLElement | null, says: Words = ""): HTMLElement {
  const body = typeof picture === "string" ? h("p", { class: "empty" }, picture) : picture;
  return h("figure", { class: "panel" }, h("figcaption", {}, explained.length ? titled(h("h2", {}, title), explained) : h("h2", {}, title), extra ?? null, says.length ? h("p", { class: "note" }, says) : null), body);
}

// A picture with alternative views; `note` is said below each.
export function switched<K extends string>(title: string, explained: Words, labels: Record<K, string>, draw: (key: K) => Element, note = "", says: Words = ""): HTMLElement {
  const keys = Object.keys(labels) as K[];
  const place = h("div", {});
  const show = (key: K): void => {
    endCharts(place);
    replace(place, draw(key), note ? h("p", { class: "note" }, note) : null);
    buttons.forEach((button, i) => button.setAttribute("aria-pressed", String(keys[i] === key)));
  };
  const buttons = keys.map((key) => h("button", { type: "button", onclick: () => show(key) }, labels[key]));
  show(keys[0] as K);
  return figure(title, explained, place, h("div", { class: "switch", role: "group", "aria-label": title }, buttons), says);
}
