// What the picture says, in words and numbers.
import { h } from "../dom";
import { count, datum, fixed, metres, namesOf, NOTHING, odds, probability } from "../format";
import { inPlane } from "../levels";
import type { Conjunction } from "../types";
import { ellipsoid } from "./algebra";
import { DOTS, type Cloud } from "./cloud";
import type { EncounterRtn, Radii, Vector } from "./types";

export const AXES = ["radial", "in-track", "cross-track"] as const;
const FIELDS = ["radial_m", "in_track_m", "cross_track_m"] as const;

export const speed = (m_s: number): string => (m_s >= 100 ? `${fixed(m_s / 1000, 2)} km/s` : `${metres(m_s)} m/s`);
export const length = (m: number): string => (Math.abs(m) >= 10_000 ? `${fixed(m / 1000, 1)} km` : `${metres(m)} m`);
// A round length has no decimals that are zeros.
export const roundLength = (m: number): string => (m >= 1000 ? `${count(m / 1000)} km` : m >= 1 ? `${count(m)} m` : `${Number((100 * m).toPrecision(2))} cm`);

// One sentence; the numbers of the cloud are those of the dots that are drawn.
export function explanation(event: Conjunction, radii: Radii, cloud: Cloud | null, missing: string): HTMLElement {
  const p = event.probability_2d;
  if (!cloud || p === null || !inPlane(event) || radii.combined === null) {
    const why = cloud && radii.combined !== null ? "The probability of this encounter does not come from the encounter plane: the cloud shows only where it may pass." : missing;
    return h("p", { class: "explained" }, why || "Without a covariance and a radius there is no cloud, and therefore no probability.");
  }
  const often = odds(p);
  const share = often ? `${often} (${probability(p)})` : probability(p);
  const expected = p * DOTS;
  const found = `${count(cloud.hits)} of the ${count(DOTS)} dots drawn ${cloud.hits === 1 ? "lies" : "lie"} in it, ${expected < 0.01 ? "far less than one" : fixed(expected, expected < 10 ? 2 : 0)} expected`;
  return h(
    "p",
    { class: "explained", "data-dots": DOTS, "data-hits": cloud.hits },
    `The cloud is where ${namesOf(event).secondary} may really cross the encounter plane, and the disk, `,
    datum("hard_body_radius_m", radii.combined, metres, "m"),
    " in radius, is both bodies together: the probability, ",
    datum("probability_2d", p, () => share),
    `, is the disk’s share of the cloud (${found}).`,
  );
}

// Where the secondary is, told as the slider moves.
export function position(r_m: Vector): HTMLElement[] {
  return [
    h("span", {}, "Distance ", datum("distance_m", Math.hypot(...r_m), metres, "m")),
    ...AXES.map((name, i) => h("span", {}, `${name} `, datum(FIELDS[i] as string, r_m[i] as number, metres, "m"))),
  ];
}

// The picture as a table.
export function numbersTable(record: EncounterRtn, radii: Radii): HTMLElement {
  const cell = (value: number | null): HTMLElement => h("td", { class: "number" }, value === null ? NOTHING : datum("", value, metres));
  const rows = (["primary", "secondary", "combined"] as const).map((who) => {
    const covariance = record[`covariance_${who}_m2`];
    const round = ellipsoid(covariance);
    const along = [0, 1, 2].map((i) => (covariance ? Math.sqrt(Math.max(0, (covariance[i] as Vector)[i] as number)) : null));
    const direction = round ? direct(round.axes[0]) : NOTHING;
    return h("tr", { "data-who": who }, h("th", { scope: "row" }, who === "combined" ? "both together" : record.names[who]), [0, 1, 2].map((i) => cell(round?.semi_axes_m[i] ?? null)), h("td", {}, direction), along.map(cell), cell(radii[who]));
  });
  const heads = ["", "Longest semi-axis, 1 σ, m", "Middle, m", "Shortest, m", "Direction of the longest", "σ radial, m", "σ in-track, m", "σ cross-track, m", "Hard-body radius, m"];
  return h(
    "details",
    {},
    h("summary", {}, "The picture in numbers"),
    h("div", { class: "scroll-x", tabindex: "0", role: "region", "aria-label": "The picture in numbers" },
      h("table", { class: "plain" }, h("thead", {}, h("tr", {}, heads.map((head, i) => (i ? h("th", { scope: "col", class: i === 4 ? "" : "number" }, head) : h("td", {}))))), h("tbody", {}, rows))),
  );
}

const ALIGNED_DEG = 3;

// "in-track", or the angle from the nearest axis.
function direct(axis: Vector): string {
  const [nearest, part] = axis.map((value, i): [number, number] => [i, Math.abs(value)]).reduce((best, one) => (one[1] > best[1] ? one : best));
  const angle = (Math.acos(Math.min(1, part)) * 180) / Math.PI;
  return angle < ALIGNED_DEG ? (AXES[nearest] as string) : `${fixed(angle, 0)}° from ${AXES[nearest]}`;
}
