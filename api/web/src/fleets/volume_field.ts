// The volume around each satellite: a shape, its sizes in km, and what that means, in place of the service's syntax.
import { field, h, replace } from "../dom";
import { volumeWords } from "./volume";

export interface VolumeField {
  element: HTMLElement;
  read(): string;
  show(volume: string): void;
}

const CHOICES: readonly (readonly [value: string, text: string])[] = [
  ["handbook", "By the orbit, as the handbook says"],
  ["box", "A box"],
  ["ellipsoid", "An ellipsoid"],
  ["sphere", "A sphere"],
];
const AXES = ["Radial, km", "In-track, km", "Cross-track, km"];
const USUAL = ["2", "25", "25"];
const LARGEST_KM = 200;
const HANDBOOK =
  "As defined in the Spaceflight Safety Handbook (half-lengths): 0.4 km radial, and in-track and cross-track 44 and 51 km " +
  "(perigee up to 500 km), 25 km (to 750 km), 12 km (to 1,200 km) or 2 km (to 2,000 km); 10 km to all sides in most higher " +
  "orbits. It is thin: an approach at 800 m may be outside, as the sizes follow the errors of element sets.";
const OWN =
  "Half-lengths, above 0 and up to 200 km: radial is up and down, in-track along the path, cross-track to the side.";

export function volumeField(): VolumeField {
  const shape = h("select", {}, CHOICES.map(([value, text]) => h("option", { value }, text)));
  const sizes = AXES.map((_, i) =>
    h("input", { type: "number", min: 0.01, max: LARGEST_KM, step: "any", value: USUAL[i], required: true }));
  const fields = sizes.map((size, i) => field(AXES[i] as string, size));
  const note = h("p", { class: "help" });
  const read = (): string => {
    if (shape.value === "handbook") return "handbook";
    const given = sizes.map((size) => size.value);
    return `${shape.value}:${shape.value === "sphere" ? given[0] : given.join("x")}`;
  };
  const redraw = (): void => {
    const [own, sphere] = [shape.value !== "handbook", shape.value === "sphere"];
    for (const [i, size] of sizes.entries()) {
      const used = own && (i === 0 || !sphere);
      size.disabled = !used; // else its bounds would hold up the form
      (fields[i] as HTMLElement).hidden = !used;
    }
    replace(fields[0]?.querySelector("label") as Element, sphere ? "Radius, km" : (AXES[0] as string));
    replace(note, own ? `${OWN} So an approach counts inside: ${volumeWords(read())}.` : HANDBOOK);
  };
  for (const control of [shape, ...sizes]) control.addEventListener("input", redraw);
  redraw();
  return {
    element: h("div", { class: "volume-field" }, h("div", { class: "sizes" }, field("Volume around each", shape), fields), note),
    read,
    show(volume) {
      const [kind = "", given = ""] = volume.split(":", 2);
      shape.value = CHOICES.some(([value]) => value === kind) ? kind : "handbook";
      const numbers = given ? given.split("x") : USUAL;
      for (const [i, size] of sizes.entries()) size.value = numbers[i] ?? (USUAL[i] as string);
      redraw();
    },
  };
}
