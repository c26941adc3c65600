// What the pictures do not tell, in sentences of the service; what all numbers rest on is behind one question mark.
import { h } from "../../dom";
import type { ConjunctionWithHistory, Geometry } from "../../types";
import { behind } from "../../words/glossary";
import { prose, type Prose } from "../../words/prose";

export function sentences({ words }: ConjunctionWithHistory, geometry: Geometry | null): HTMLElement {
  const all: [string, Prose][] = [
    ["manoeuvred", prose(words.manoeuvred)],
    ["changed", prose(words.change)],
    ["consequence", prose(words.consequence)],
    ["outlook", prose(words.outlook)],
    ["quality", [...prose(geometry?.words.paths), " ", ...caveat(prose(words.caution, words.advice))]],
  ];
  return h(
    "section",
    { class: "panel told", "aria-label": "In words" },
    all.filter(([, text]) => text.length).map(([kind, text]) => h("p", { "data-told": kind }, text)),
  );
}

// Said once, and printed; on a screen a question mark opens it.
function caveat(text: Prose): HTMLElement[] {
  const [button, note] = behind("What do these numbers rest on?", text);
  note.dataset.told = "caution";
  return [button, note];
}
