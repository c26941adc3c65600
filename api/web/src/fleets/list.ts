// All fleets, and making one.
import type { Context, View } from "../context";
import { h, replace } from "../dom";
import { count } from "../format";
import { numbersIn } from "../numbers";
import { link } from "../route";
import { term, type Word } from "../words/glossary";
import * as asked from "./asked";
import { filled } from "./doing";
import { fleetDialog } from "./form";
import { volumeWords } from "./volume";
import type { Fleet } from "./types";

const HOUR_MS = 3_600_000;
const HEADS: readonly (readonly [string, Word?])[] = [["Name"], ["Satellites"], ["Volume", "screening volume"], ["Looks ahead", "look-ahead"], ["Contact"], ["Made by"]];
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
      return found.total ? table(found.fleets, context) : nothing(() => dialog.open(null));
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
        h("h1", {}, "Fleets ", total),
        h("button", { type: "button", class: "primary", onclick: () => dialog.open(null) }, "New fleet…"),
      ),
      h("p", { class: "lead" }, "Named sets of satellites. Each run looks at what comes into the ", term("screening volume", "volumes"), " around them."),
      kept.length
        ? h("p", { class: "note" }, `This browser alone keeps a list of ${count(kept.length)} satellites. `, h("button", { type: "button", onclick: () => dialog.open(null, kept) }, "Make a fleet of them…"))
        : null,
      body,
      dialog.element,
    ),
  };
}

const nothing = (make: () => void): HTMLElement =>
  h(
    "div",
    { class: "empty" },
    h("p", {}, "No fleet yet. With one, its satellites are the first screen: what comes near them, what has changed, and who is told by e-mail, calendar or webhook."),
    h("p", {}, h("button", { type: "button", onclick: make }, "Make the first fleet…")),
  );

function table(fleets: Fleet[], context: Context): HTMLElement {
  return h(
    "table",
    { class: "plain" },
    h("thead", {}, h("tr", {}, HEADS.map(([text, word], i) => h("th", { scope: "col", class: i === 1 ? "number" : "" }, word ? term(word, text) : text)))),
    h(
      "tbody",
      {},
      fleets.map((fleet) =>
        h(
          "tr",
          {},
          h("th", { scope: "row" }, h("a", { href: link(`fleet/${fleet.id}`) }, fleet.name)),
          h("td", { class: "number" }, fleet.members === null ? "—" : count(fleet.members)),
          h("td", {}, volumeWords(fleet.volume)),
          h("td", {}, lookAhead(fleet, context)),
          h("td", {}, fleet.contact),
          h("td", {}, fleet.made_by),
        ),
      ),
    ),
  );
}

// Without hours of its own, as far as the run.
export function lookAhead(fleet: Fleet, { run }: Context): string {
  if (fleet.hours !== null) return `${fleet.hours} h`;
  if (!run) return "as the run";
  return `as the run, ${Math.round((Date.parse(run.window_end) - Date.parse(run.window_start)) / HOUR_MS)} h`;
}
