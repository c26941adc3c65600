// An event in a few sentences, which the service writes, for readers who have never seen one.
import { h } from "../../dom";
import type { ConjunctionWithHistory, Geometry } from "../../types";
import { prose, type Prose } from "../../words/prose";

// What happens, how likely a collision is, how good the data are, and the limits. Without the geometry, less.
export function sentences({ words }: ConjunctionWithHistory, geometry: Geometry | null): HTMLElement {
  const more = geometry?.words;
  const all: [string, Prose][] = [
    ["encounter", prose(words.encounter)],
    ["chance", prose(words.probability)],
    ["consequence", prose(more?.bound, words.consequence)],
    ["sure", more?.errors ? [h("strong", {}, "How sure: "), ...prose(more.errors), ...(geometry?.encounter_rtn ? [" ", seeIt()] : [])] : []],
    ["quality", prose(more?.paths, words.dilution)],
    ["changed", prose(words.change)],
    ["manoeuvred", prose(words.manoeuvred)],
    ["outlook", prose(words.outlook)],
    ["caution", prose(words.caution, words.advice)],
  ];
  return h(
    "section",
    { class: "panel told", "aria-label": "In words" },
    all.filter(([, text]) => text.length).map(([kind, text]) => h("p", { "data-told": kind }, text)),
  );
}

const seeIt = (): HTMLElement => h("button", { type: "button", class: "as-link", onclick: picture }, "See it");

// The picture that explains it stands further down.
function picture(): void {
  const explain = document.querySelector<HTMLButtonElement>(".encounter .explain");
  explain?.closest("figure")?.scrollIntoView();
  explain?.focus({ preventScroll: true });
  if (explain?.getAttribute("aria-pressed") === "false") explain.click();
}
