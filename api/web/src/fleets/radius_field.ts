// The hard-body radius of a fleet's satellites: that of the run, that of the spheres around them, or metres.
import { field, h } from "../dom";

export interface RadiusField {
  element: HTMLElement;
  read(): string;
  show(radius: string): void;
}

const OWN = "own";
const CHOICES: readonly (readonly [value: string, text: string])[] = [
  ["shadow", "As the run: its mean shadow"],
  ["bounding", "Of the sphere around it, where published"],
  [OWN, "The same for each, in metres"],
];

export function radiusField(): RadiusField {
  const choice = h("select", {}, CHOICES.map(([value, text]) => h("option", { value }, text)));
  const metres = h("input", { type: "number", min: 0.01, max: 100, step: "any", value: "5", required: true });
  const size = field("Radius, m", metres);
  const redraw = (): void => {
    metres.disabled = choice.value !== OWN; // else its bounds would hold up the form
    size.hidden = metres.disabled;
  };
  choice.addEventListener("input", redraw);
  redraw();
  return {
    element: h(
      "div",
      { class: "radius-field" },
      h("div", { class: "sizes" }, field("Hard-body radius of each", choice), size),
      h("p", { class: "help" }, "Only this fleet’s probabilities, levels and alerts change."),
    ),
    read: () => (choice.value === OWN ? metres.value : choice.value),
    show(radius) {
      const isWord = radius === "shadow" || radius === "bounding";
      choice.value = isWord ? radius : OWN;
      if (!isWord) metres.value = radius;
      redraw();
    },
  };
}

export const radiusWords = (radius: string): string =>
  radius === "bounding" ? "of the spheres around its satellites, where published" : `${radius} m each`;
