// All fleets, and making one.
import type { Context, View } from "../context";
import { h, replace, type Child } from "../dom";
import { count } from "../format";
import { numbersIn } from "../numbers";
import { link } from "../route";
import type { ProbabilityLevel } from "../types";
import { term, titled, type Word } from "../words/glossary";
import * as asked from "./asked";
import { filled, onlyReads, writing } from "./doing";
import { fleetDialog } from "./form";
import type { Fleet, Standing } from "./types";
import { volumeWords } from "./volume";

const HOUR_MS = 3_600_000;
const HEADS: readonly (readonly [string, Word?])[] = [
  ["Name"], ["Satellites"], ["Inside its volumes"], ["Outside them"], ["Alerts"],
  ["Volume", "screening volume"], ["Looks ahead", "look-ahead"],
];
const KEPT_HERE = "skysieve-fleet"; // where earlier releases kept a list of numbers, in this browser alone

export function fleetsView(context: Context): View {
  const body = h("div", { class: "panel scroll-x", "data-list": "fleets" });
  const total = h("span", { class: "total" });
  const kept = numbersIn(localStorage.getItem(KEPT_HERE) ?? "").numbers;
  const dialog = fleetDialog(context, (made) => {
    localStorage.removeItem(KEPT_HERE);
    location.hash = link(`fleet/${made.id}`);
  });
  const load = (): Promise<void> =>
    filled(body, context, async () => {
      const found = await asked.fleets();
      replace(total, count(found.total));
      if (!found.total) return nothing(context, () => dialog.open(null));
      return table(found.fleets, context.run ? await asked.standings() : [], context);
    });
  void load();
  return {
    title: "Fleets",
    element: h(
      "section",
      { class: "page fleets" },
      h(
        "div",
        { class: "title-row" },
        titled(h("h1", {}, "Fleets ", total), "Named sets of satellites. On saving and in each run, skysieve searches for what enters the volumes around them."),
        writing(context, h("button", { type: "button", class: "primary", onclick: () => dialog.open(null) }, "New fleet…")),
      ),
      onlyReads(context),
      kept.length && !context.readOnly ? keptHere(kept.length, () => dialog.open(null, kept)) : null,
      body,
      dialog.element,
    ),
  };
}

const keptHere = (numbers: number, make: () => void): HTMLElement =>
  h("p", { class: "note" }, `This browser alone keeps a list of ${count(numbers)} satellites. `,
    h("button", { type: "button", onclick: make }, "Make a fleet of them…"));

const nothing = (context: Context, make: () => void): HTMLElement =>
  h(
    "div",
    { class: "empty" },
    h("p", {}, "No fleet yet. With one, its satellites are the first screen: what comes near them, what has changed, ",
      "and who is notified by e-mail, calendar or webhook."),
    writing(context, h("button", { type: "button", onclick: make }, "Make the first fleet…")),
  );

function table(fleets: Fleet[], standings: Standing[], context: Context): HTMLElement {
  const standing = new Map(standings.map((one) => [one.id, one]));
  return h(
    "table",
    { class: "plain standing" },
    h("thead", {}, h("tr", {}, HEADS.map(([text, word], i) =>
      h("th", { scope: "col", class: i === 1 ? "number" : "" }, word ? term(word, text) : text)))),
    h("tbody", {}, fleets.map((fleet) => row(fleet, standing.get(fleet.id), context))),
  );
}

function row(fleet: Fleet, standing: Standing | undefined, context: Context): HTMLElement {
  const cells: (readonly Child[])[] = [
    [h("a", { href: link(`fleet/${fleet.id}`) }, fleet.name)],
    [fleet.members === null ? "—" : count(fleet.members), fleet.unknown.length ? h("small", {}, ` + ${unknown(fleet)}`) : null],
    standing ? coming(standing) : ["—"],
    standing ? outside(standing) : ["—"],
    standing ? [alerts(standing)] : ["—"],
    [fleet.volume === "handbook" ? term("handbook volume") : volumeWords(fleet.volume)],
    [lookAhead(fleet, context)],
  ];
  return h("tr", { "data-fleet": fleet.id }, cells.map((cell, i) =>
    i === 0
      ? h("th", { scope: "row" }, cell)
      : h("td", { class: i === 1 ? "number" : "", "data-head": HEADS[i]?.[0] }, h("span", {}, cell))));
}

const unknown = ({ unknown: numbers }: Fleet): string => `${count(numbers.length)} not in the catalogue`;

const badge = (level: ProbabilityLevel | null): HTMLElement | null => (level ? h("span", { class: `badge ${level}` }, level) : null);

// Nothing coming and not looked at must never look alike.
function coming({ coming: found }: Standing): readonly Child[] {
  if (!found) return [h("strong", { class: "unlooked" }, "not searched yet")];
  if (!found.events) return ["no event"];
  const fresh = found.new === null ? "" : found.new ? `, ${count(found.new)} new` : ", none new";
  return [badge(found.worst), `${count(found.events)} ${found.events === 1 ? "event" : "events"}${fresh}`];
}

const outside = ({ outside: found }: Standing): readonly Child[] =>
  found.events ? [badge(found.worst), `${count(found.events)} more`] : ["none"];

function alerts({ alerts_on: on, alerts_off: off }: Standing): string {
  if (!on && !off) return "no notifications";
  return [`${count(on)} on`, off ? `${count(off)} off` : ""].filter(Boolean).join(", ");
}

// Without hours of its own, as far as the run.
export function lookAhead(fleet: Fleet, { run }: Context): string {
  if (fleet.hours !== null) return `${fleet.hours} h`;
  if (!run) return "as the run";
  return `as the run, ${Math.round((Date.parse(run.window_end) - Date.parse(run.window_start)) / HOUR_MS)} h`;
}
