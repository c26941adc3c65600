// What the colours and marks of the picture mean.
import { h } from "../dom";
import { LEVELS } from "../types";
import { COLORED } from "./mine";

export const legend = (): HTMLElement => h("ul", { class: "globe-legend", "aria-label": "What the picture shows" });

// `isOwn`: whether the user has satellites, by which the others are coloured.
export function legendOf(isOwn: boolean): HTMLElement[] {
  const dot = (kind: string, text: string): HTMLElement => h("li", {}, h("span", { class: `dot ${kind}`, "aria-hidden": "true" }), text);
  return [
    ...(isOwn ? [dot("own", "yours")] : []),
    h("li", { class: "over" }, isOwn ? "meets yours:" : `in the ${COLORED} worst events:`),
    ...LEVELS.map((level) => dot(level, level)),
    dot("none", "all else"),
    h("li", { class: "aside" }, h("span", { class: "event-mark", "aria-hidden": "true" }), "event of the selection"),
  ];
}
