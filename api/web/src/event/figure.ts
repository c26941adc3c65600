// The frame of all pictures: a title, a sentence, the picture or why there is none.
import { h, replace } from "../dom";
import { endCharts } from "./chart";

export type Words = string | (HTMLElement | string)[];

export function figure(title: string, sentence: Words, picture: Element | string, extra?: HTMLElement | null): HTMLElement {
  const body = typeof picture === "string" ? h("p", { class: "empty" }, picture) : picture;
  return h("figure", { class: "panel" }, h("figcaption", {}, h("h2", {}, title), extra ?? null, h("p", { class: "note" }, sentence)), body);
}

// A picture with alternative views; `note` is said below each.
export function switched<K extends string>(title: string, sentence: Words, labels: Record<K, string>, draw: (key: K) => Element, note = "", first?: K): HTMLElement {
  const keys = Object.keys(labels) as K[];
  const place = h("div", {});
  const show = (key: K): void => {
    endCharts(place);
    replace(place, draw(key), note ? h("p", { class: "note" }, note) : null);
    buttons.forEach((button, i) => button.setAttribute("aria-pressed", String(keys[i] === key)));
  };
  const buttons = keys.map((key) => h("button", { type: "button", onclick: () => show(key) }, labels[key]));
  show(first ?? (keys[0] as K));
  return figure(title, sentence, place, h("div", { class: "switch", role: "group", "aria-label": title }, buttons));
}
