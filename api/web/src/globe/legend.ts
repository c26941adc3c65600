// What the colours, sizes and marks of the picture mean.
import { h } from "../dom";
import { RISKS, type Level } from "../types";

const DRAWN = RISKS.filter((risk) => risk !== "unknown");
const WORDS: Record<Level | "none", string> = { critical: "critical", high: "high", medium: "medium", low: "low", none: "no event" };

export const legend = (): HTMLElement =>
  h(
    "ul",
    { class: "globe-legend", "aria-label": "What the picture shows" },
    h("li", { class: "over" }, "Worst event of an object"),
    DRAWN.map((risk) => h("li", {}, h("span", { class: `dot ${risk}`, "aria-hidden": "true" }), WORDS[risk])),
    h("li", { class: "aside" }, "Nearer ones are larger"),
    h("li", { class: "aside" }, h("span", { class: "night", "aria-hidden": "true" }), "night"),
    h("li", { class: "aside" }, h("span", { class: "event-mark", "aria-hidden": "true" }), "event of the selection"),
  );
