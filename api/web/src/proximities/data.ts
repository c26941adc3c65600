// How good the data of objects that stay together are: the age of their element sets at the nearest point, who
// manoeuvres, whose radius is a guess.
import { h } from "../dom";
import { datum, fixed, NOTHING } from "../format";
import { GUESSED_RADII } from "../marks";
import type { Assembly } from "./assemblies";
import type { Body } from "./asked";

const DAY_MS = 86_400_000;

// Null where no element set tells the path.
const age_days = (body: Body, at: string): number | null =>
  body.epoch === null || body.trajectory === "ephemeris" ? null : (Date.parse(at) - Date.parse(body.epoch)) / DAY_MS;

const days = (value: number): HTMLElement => datum("age_days", value, (v) => fixed(v, 1));

// Of a pair both, in the order of their names; of more the youngest and the oldest.
export function ages(group: Assembly, known: Map<number, Body>): HTMLElement {
  const all = bodiesOf(group, known).map((body) => age_days(body, group.nearest.tca)).filter((age) => age !== null);
  if (!all.length) return h("span", { class: "none" }, NOTHING);
  const [least, most] = [Math.min(...all), Math.max(...all)];
  if (fixed(least, 1) === fixed(most, 1)) return h("span", {}, days(least));
  return group.members.length === 2 ? h("span", {}, days(all[0] as number), " and ", days(all[1] as number)) : h("span", {}, days(least), " to ", days(most));
}

export function doubts(group: Assembly, known: Map<number, Body>): HTMLElement | null {
  const all = bodiesOf(group, known);
  const moving = all.filter((body) => body.manoeuvring);
  const guessed = all.filter(isGuessed);
  const some = (found: Body[]): string => (found.length === all.length ? "" : found.length === 1 ? ` ${named(group, found[0] as Body)}` : ` ${found.length} of ${all.length}`);
  const said = [
    moving.length ? h("span", { class: "moves", title: moving.map((body) => named(group, body)).join(", ") }, `manoeuvring${some(moving)}`) : null,
    guessed.length ? h("span", { title: guessed.map((body) => named(group, body)).join(", ") }, `${guessed.length > 1 ? "radii" : "radius"} guessed${some(guessed)}`) : null,
  ].filter((one) => one !== null);
  return said.length ? h("span", { class: "data-line" }, said.flatMap((one, i) => (i ? [" · ", one] : [one]))) : null;
}

// Of one object, in the list of all members.
export function dataOf(body: Body | undefined, at: string): HTMLElement | null {
  if (!body) return null;
  const age = age_days(body, at);
  return h(
    "span",
    { class: "data-line" },
    body.manoeuvring ? h("span", { class: "moves" }, "manoeuvring · ") : null,
    age === null ? "operator's ephemeris" : [days(age), " d old"],
    isGuessed(body) ? " · radius guessed" : "",
  );
}

const isGuessed = (body: Body): boolean => GUESSED_RADII.includes(body.hard_body_source ?? "");
const bodiesOf = (group: Assembly, known: Map<number, Body>): Body[] => group.members.map((member) => known.get(member.norad_id)).filter((body) => body !== undefined);
const named = (group: Assembly, body: Body): string => group.members.find((member) => member.norad_id === body.norad_id)?.name || String(body.norad_id);
