// Which objects decay within sixty days, and in which window.
import { json } from "../api";
import type { Context } from "../context";
import { h } from "../dom";
import { count, datum, fixed, timeElement } from "../format";
import { pointOfView } from "../fleets/point_of_view";
import type { AnnouncedDecay, ReEntries, ReEntry, RemainingLives } from "../generated";
import { link } from "../route";
import type { Section } from "./section";

const DAYS = 60;
const MOST = 1000;
const HEADS = ["Object", "Expected", "Window of 90 %, UTC", "Perigee to apogee, km", "Rate from"];

const RATES: Record<ReEntry["method"], string> = { "history and set": "two sets and the newest", history: "two sets", set: "the newest set" };

export const reEntries: Section = {
  id: "re-entries",
  title: "Re-entries",
  about: `Objects that decay by drag within ${DAYS} days, from how fast their orbits sink. Where they come down, and the risk on the ground, are not forecast. Controlled re-entries are not, either.`,
  words: ["re-entry", "element set"],
  async draw(_context: Context, signal: AbortSignal): Promise<Node> {
    const [found, own] = await Promise.all([json<ReEntries>(`re-entries?days=${DAYS}&limit=${MOST}`, signal), remainingLife(signal)]);
    if (!found.total) return h("div", {}, own, h("p", { class: "empty" }, `The newest run expects no object to decay within ${DAYS} days.`));
    const more = found.total > found.re_entries.length ? `, the first ${count(found.re_entries.length)}` : "";
    return h("div", {}, own, h("p", { class: "total" }, `${objects(found.total)} in all${more}`), table(found.re_entries));
  },
};

const objects = (number: number): string => `${count(number)} ${number === 1 ? "object" : "objects"}`;

// Of the fleet that the page is seen from: also what decays later, within five years.
async function remainingLife(signal: AbortSignal): Promise<HTMLElement | null> {
  const fleet = await pointOfView();
  if (!fleet) return null;
  const { satellites } = await json<RemainingLives>(`fleets/${fleet.id}/remaining-life`, signal);
  const falling = satellites.flatMap((one) => (one.outlook === "decays" && one.re_entry ? [one.re_entry as ReEntry] : []));
  const of = (outlook: string): number => satellites.filter((one) => one.outlook === outlook).length;
  const words = `${fleet.name}: ${objects(falling.length)} of ${count(satellites.length)} will decay by drag within five years, ${count(of("stays"))} will not; of ${count(of("thrusts or unknown"))}, low and without a decay by drag alone, it is not known.`;
  return h("div", { "data-part": "remaining-life" }, h("p", { class: "total" }, words), falling.length ? table(falling) : null);
}

const table = (rows: ReEntry[]): HTMLElement =>
  h(
    "table",
    { class: "plain re-entries" },
    h("thead", {}, h("tr", {}, HEADS.map((text) => h("th", { scope: "col" }, text)))),
    h("tbody", {}, rows.map(row)),
  );

const announced = (said: AnnouncedDecay): HTMLElement =>
  h("small", { class: "announced" }, `${said.source}: `, timeElement(said.decay, false), ` ± ${fixed(said.window_minutes / 60, 1)} h`);

function row(one: ReEntry): HTMLElement {
  const cells = [
    timeElement(one.median, false),
    h("span", {}, timeElement(one.window_start, false), " to ", timeElement(one.window_end, false), one.announced ? announced(one.announced) : null),
    h("span", {}, datum("perigee_km", one.perigee_km, (km) => fixed(km, 0)), " to ", datum("apogee_km", one.apogee_km, (km) => fixed(km, 0))),
    RATES[one.method],
  ];
  return h(
    "tr",
    { "data-norad": one.norad_id },
    h(
      "th",
      { scope: "row" },
      h("a", { href: link("events", { norad: String(one.norad_id) }), title: `Events of ${one.norad_id}` }, one.name || String(one.norad_id)),
      h("small", {}, ` ${one.norad_id}`),
      one.may_manoeuvre ? h("small", { class: "if-passive" }, " if it does not manoeuvre") : null,
    ),
    cells.map((cell, i) => h("td", { "data-head": HEADS[i + 1] }, cell)),
  );
}
