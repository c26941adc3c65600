// What is shown once and never again: a secret or an address that contains one, with a button to copy it.
import { h, newId, replace } from "../dom";

const SHOWN_MS = 2000;

export function shownOnce(title: string, note: string, texts: Record<string, string>): HTMLElement {
  const lines = Object.entries(texts).map(([name, text]) => {
    const place = h("input", { type: "text", readonly: true, value: text, id: newId("once"), spellcheck: "false", class: "secret" });
    place.addEventListener("focus", () => place.select());
    return h("div", { class: "once-line" }, h("label", { for: place.id }, name), place, copyButton(name, place));
  });
  return h("div", { class: "once", role: "status" }, h("strong", {}, title), h("p", { class: "help" }, note), lines);
}

function copyButton(name: string, place: HTMLInputElement): HTMLElement {
  const button = h("button", { type: "button", "aria-label": `Copy: ${name}`, onclick: () => void copy() }, "Copy");
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(place.value);
      replace(button, "Copied");
    } catch {
      // Without https a browser has no clipboard: the text is selected instead.
      place.select();
      replace(button, "Selected");
    }
    setTimeout(() => replace(button, "Copy"), SHOWN_MS);
  };
  return button;
}
