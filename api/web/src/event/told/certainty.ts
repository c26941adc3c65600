// How sure the probability is, in a word and why: for readers who have never seen a covariance.
import { h } from "../../dom";
import { datum, fixed, metres } from "../../format";
import { bestProbability, bound, diluted, inPlane, told } from "../../levels";
import { GUESSED_RADII } from "../../marks";
import type { GeometryInSpace } from "../../encounter/types";
import type { Conjunction, Geometry } from "../../types";
import { term } from "../../words/glossary";
import { chances, distance } from "../words";

type Words = (HTMLElement | string)[];

const FAR_SIGMAS = 3; // where nearly no error reaches (99.7 % along a line)

export interface Certainty {
  word: string;
  why: Words;
}

export function certainty(event: Conjunction, geometry: Geometry): Certainty {
  if (bestProbability(event) === null) return { word: "Not known", why: [told(event) ? "the message tells too little" : "no probability could be computed"] };
  if (bound(event)) return { word: "Poorly known", why: ["it could not be computed: only that it is no more is known"] };
  // In three dimensions, sigmas in the plane say little.
  const sigmas = inPlane(event) ? geometry.encounter_plane?.miss_sigmas ?? null : null;
  const [word, why] = judged(event);
  return { word, why: sigmas === null ? why : [...why, "; ", ...reach(sigmas)] };
}

// The first reason for distrust.
function judged(event: Conjunction): [string, Words] {
  const sides = ["primary", "secondary"] as const;
  const thrusting = sides.filter((who) => event[`${who}_manoeuvring`]).map((who) => event[`${who}_name`].trim());
  if (thrusting.length) return ["Poorly known", [`${thrusting.join(" and ")} thrusts often or lately`]];
  if (diluted(event)) return ["Poorly known", [term("diluted"), ", better data could raise it"]];
  if (sides.some((who) => event[`${who}_covariance_source`] === "default")) return ["Roughly known", ["by the ", term("error law", "usual errors"), ", none measured"]];
  if (GUESSED_RADII.includes(event.hard_body_source ?? "")) return ["Roughly known", ["a ", term("hard-body radius", "radius"), " is guessed"]];
  return ["Well known", ["errors and sizes are not guessed"]];
}

function reach(sigmas: number): Words {
  const told = datum("encounter_plane.miss_sigmas", sigmas, (v) => fixed(v, v < 10 ? 2 : 0), "σ");
  if (sigmas < 1) return ["the miss is within the usual error (", told, ")"];
  return sigmas <= FAR_SIGMAS ? ["a hit is within the errors (", told, ")"] : ["a hit would take an error of ", told];
}

const [HALF, DOUBLE] = [0.5, 2];
const ROUND = 0.06; // the curve's points are a tenth apart: the nearest of them

// What the errors are in metres, and what the probability would be with others: numbers of the service.
export function howSure(event: Conjunction, geometry: GeometryInSpace): Words {
  const spread = geometry.encounter_plane?.combined;
  if (!spread || !inPlane(event)) return [];
  const size = datum("encounter_plane.combined.sigma_major_m", spread.sigma_major_m, (v) => (v < 10_000 ? `${metres(v)} m` : distance(v)));
  const larger = spread.sigma_major_m > event.miss_distance_m;
  return [
    h("strong", {}, "How sure: "), "across the flight, the distance of the two is known to about ± ", size, " (1 ", term("sigma"), ") where it is known least",
    larger ? ": more than the miss itself, which is then a matter of chance. " : ". ",
    ...others(geometry),
    ...(geometry.encounter_rtn ? [" ", h("button", { type: "button", class: "as-link", onclick: picture }, "See it")] : []),
  ];
}

// The picture that explains it stands further down.
function picture(): void {
  const explain = document.querySelector<HTMLButtonElement>(".encounter .explain");
  explain?.closest("figure")?.scrollIntoView();
  explain?.focus({ preventScroll: true });
  if (explain?.getAttribute("aria-pressed") === "false") explain.click();
}

function others({ probability_against_scale: curve }: Geometry): Words {
  const near = (scale: number): number | null => {
    const place = curve?.scale.findIndex((one) => Math.abs(one / scale - 1) < ROUND) ?? -1;
    return curve && place >= 0 ? (curve.probability[place] as number) : null;
  };
  const [half, double] = [near(HALF), near(DOUBLE)];
  if (half === null || double === null) return [];
  const said = (name: string, p: number): HTMLElement => datum(`probability_against_scale.${name}`, p, (value) => chances(value));
  return ["Were all errors about half as large, the probability would be ", said("half", half), "; about twice as large, ", said("double", double), "."];
}
