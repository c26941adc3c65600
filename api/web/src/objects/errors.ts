// How far off an object's element set may be, by its age: the error law, and differences of its own sets. The numbers
// and the sentence come ready from the service, once they are asked for.
import { disclosure } from "../disclosure";
import { h, svg } from "../dom";
import { count, fixed } from "../format";
import type { ObjectErrors } from "../generated";
import { term } from "../words/glossary";

const AXES = ["radial", "in-track", "cross-track"] as const;
const [WIDTH, HEIGHT] = [300, 170];
const FRAME = { left: 62, right: 292, top: 20, bottom: 138 };
const SMALLEST_M = 1; // shorter differences are drawn there

export const errorsDisclosure = (number: number): HTMLElement =>
  disclosure<ObjectErrors>("errors", "How far off its sets are", `objects/${number}/errors`, pictured);

function pictured(found: ObjectErrors): HTMLElement[] {
  const shown = found.differences.age_days.length;
  const key = (kind: string, ...text: (HTMLElement | string)[]): HTMLElement => h("li", {}, h("span", { class: `key-mark ${kind}` }), h("span", {}, ...text));
  return [
    h("p", { "data-part": "words" }, found.words),
    h("div", { class: "axes" }, AXES.map((_, axis) => axisPicture(found, axis))),
    h("ul", { class: "legend" },
      key("law", "usual, 1 ", term("sigma", "σ"), " of the ", term("error law")),
      key("within", "95 % of all"),
      shown ? key("own", `${count(shown)} differences of its own sets`) : null),
  ];
}

type Points = ObjectErrors["law"]["sigma_rtn_m"];

function axisPicture({ law, differences }: ObjectErrors, axis: number): SVGElement {
  const of = (points: Points): number[] => points.map((point) => Math.abs(point[axis] ?? 0));
  const [sigma_m, within_m, own_m] = [of(law.sigma_rtn_m), of(law.within_95_rtn_m), of(differences.missed_rtn_m)];
  const everything = [...law.within_95_rtn_m, ...differences.missed_rtn_m].flat().map((value) => Math.abs(value ?? 0));
  const decades = Math.ceil(Math.log10(Math.max(...everything)));
  const last = law.age_days.at(-1) as number;
  const x = (days: number): number => FRAME.left + ((FRAME.right - FRAME.left) * days) / last;
  const y = (length_m: number): number => FRAME.bottom - ((FRAME.bottom - FRAME.top) * Math.log10(Math.max(length_m, SMALLEST_M))) / decades;
  const line = (values: number[]): string[] => values.map((value, i) => `${x(law.age_days[i] as number).toFixed(1)},${y(value).toFixed(1)}`);
  return svg(
    "svg",
    { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "axis-errors", role: "img", "aria-label": summary(AXES[axis] as string, law.age_days, sigma_m, within_m, own_m.length), "data-axis": AXES[axis] },
    Array.from({ length: last + 1 }, (_, day) => [
      svg("line", { class: "line", x1: x(day), x2: x(day), y1: FRAME.top, y2: FRAME.bottom }),
      svg("text", { x: x(day), y: FRAME.bottom + 14, "text-anchor": "middle" }, String(day)),
    ]).flat(),
    Array.from({ length: decades + 1 }, (_, power) => [
      svg("line", { class: "line", x1: FRAME.left, x2: FRAME.right, y1: y(10 ** power), y2: y(10 ** power) }),
      power % 2 ? null : svg("text", { x: FRAME.left - 5, y: y(10 ** power) + 4, "text-anchor": "end" }, length(10 ** power)),
    ]).flat(),
    svg("polygon", { class: "between", points: [...line(within_m), ...line(sigma_m).reverse()].join(" ") }),
    own_m.map((value, i) => svg("circle", { class: "own", cx: x(differences.age_days[i] as number).toFixed(1), cy: y(value).toFixed(1), r: 1.8 })),
    svg("polyline", { class: "within", points: line(within_m).join(" ") }),
    svg("polyline", { class: "law", points: line(sigma_m).join(" ") }),
    svg("text", { class: "name", x: FRAME.left, y: 13 }, AXES[axis]),
    svg("text", { x: (FRAME.left + FRAME.right) / 2, y: HEIGHT - 3, "text-anchor": "middle" }, "age of the set, days"),
  );
}

const length = (value_m: number): string => (value_m < 1000 ? `${fixed(value_m, 0)} m` : `${fixed(value_m / 1000, 0)} km`);
const about = (value_m: number): string => (value_m < 1000 ? `${Number(value_m.toPrecision(2))} m` : `${Number((value_m / 1000).toPrecision(2))} km`);

function summary(name: string, age_days: number[], sigma_m: number[], within_m: number[], own: number): string {
  const told = [1, age_days.at(-1) as number].map((day) => {
    const at = age_days.indexOf(day);
    return `after ${day} ${day === 1 ? "day" : "days"} usually ${about(sigma_m[at] as number)}, 95 % within ${about(within_m[at] as number)}`;
  });
  return `Error ${name} over the age of the set: ${told.join("; ")}; ${own ? `${own} differences of its own sets` : "no earlier sets"}.`;
}
