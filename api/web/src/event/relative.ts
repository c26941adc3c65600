// The miss in the frame of the event's primary, as three bars from the middle: direction and distance.
import { h, svg } from "../dom";
import { datum, metres } from "../format";
import type { Conjunction } from "../types";
import { term } from "../words/glossary";

const AXES = [
  ["miss_radial_m", "radial", "Radial", "below", "above"],
  ["miss_in_track_m", "in-track", "In-track", "behind", "ahead"],
  ["miss_cross_track_m", "cross-track", "Cross-track", "right", "left"],
] as const;

export function relativePicture(event: Conjunction): HTMLElement {
  const largest = Math.max(...AXES.map(([name]) => Math.abs(event[name] ?? 0)), 1e-9);
  const rows = AXES.map(([name, word, label, negative, positive]) => {
    const value = event[name];
    if (value === null) return h("tr", {}, h("th", { scope: "row" }, term(word, label)), h("td", { class: "bar" }), h("td", { class: "number" }, datum(name, value, metres, "m")), h("td", { class: "word" }));
    const part = (50 * value) / largest;
    return h(
      "tr",
      {},
      h("th", { scope: "row" }, term(word, label)),
      h(
        "td",
        { class: "bar" },
        svg(
          "svg",
          { viewBox: "0 0 100 14", preserveAspectRatio: "none", "aria-hidden": "true" },
          svg("line", { class: "axis", x1: 50, x2: 50, y1: 0, y2: 14 }),
          svg("rect", { class: "value", x: 50 + Math.min(0, part), width: Math.max(Math.abs(part), 0.5), y: 3, height: 8 }),
        ),
      ),
      h("td", { class: "number" }, datum(name, value, metres, "m")),
      h("td", { class: "word" }, value < 0 ? negative : positive),
    );
  });
  return h("table", { class: "plain relative" }, h("tbody", {}, rows));
}
