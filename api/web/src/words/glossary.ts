// Words of the field, explained where they stand: a word that opens one or two sentences about it.
import { h, newId, replace, type Children } from "../dom";
import { MEANINGS } from "./meanings";

export type Word = keyof typeof MEANINGS;

const GAP_PX = 6;
const EDGE_PX = 8;
const REST_MS = 300; // of the mouse on a word, until it explains itself

// The word, or `text` in its place, as a button: the mouse resting on it, a click, Enter or Space opens what it
// means, Escape closes it. A reader of the screen tells the meaning with the word.
export function term(word: Word, text: string = word, name?: string): HTMLElement {
  const note = h("span", { popover: "auto", id: newId("meaning"), class: "meaning" });
  const button = h("button", { type: "button", class: "term", popovertarget: note.id, "aria-label": name, "aria-description": MEANINGS[word] }, text);
  // Filled when opened, so that the text around the word, copied or searched, is that of the page alone.
  note.addEventListener("beforetoggle", (event) => replace(note, (event as ToggleEvent).newState === "open" ? [h("strong", {}, heading(word)), " ", MEANINGS[word]] : ""));
  note.addEventListener("toggle", (event) => (event as ToggleEvent).newState === "open" && beside(note, button));
  explainOnRest(button, note);
  // In a list that opens its row on a click or a key, the word opens only itself.
  for (const kind of ["click", "keydown"]) button.addEventListener(kind, (event) => event.stopPropagation());
  return h("dfn", { "data-term": word }, button, note);
}

const heading = (word: Word): string => `${word.charAt(0).toUpperCase()}${word.slice(1)}`;

// Beside a head that has other work, such as sorting: a small question mark.
export const asks = (word: Word): HTMLElement => {
  const mark = term(word, "?", `What is ${word}?`);
  mark.classList.add("asks");
  return mark;
};

// Words in a row, for what a fold under a list says: its rows have no room for them.
export const inARow = (...words: (Word | readonly [Word, string])[]): (HTMLElement | string)[] =>
  words.flatMap((word, i) => [i ? " · " : "", typeof word === "string" ? term(word) : term(...word)]);

let unfolded = false; // by the reader: it stays so in every view, and when one is drawn anew

// The fold under a list that explains what stands in it.
export function wordsAndMarks(...text: HTMLElement[]): HTMLDetailsElement {
  const element = h("details", { class: "word-list", open: unfolded, ontoggle: () => (unfolded = element.open) }, h("summary", {}, "Words and marks"), text);
  return element;
}

export const wordList = (...words: Word[]): HTMLElement =>
  h("details", { class: "help word-list" }, h("summary", {}, "Words"), h("p", {}, inARow(...words)));

// What explains something and is the same every time: a question mark opens it, paper shows it.
export function behind(name: string, ...text: Children): [HTMLElement, HTMLElement] {
  const note = h("span", { popover: "auto", id: newId("explained"), class: "meaning caveat" }, ...text);
  const button = h("button", { type: "button", class: "term asks", popovertarget: note.id, "aria-label": name }, "?");
  note.addEventListener("toggle", (event) => (event as ToggleEvent).newState === "open" && beside(note, button));
  return [button, note];
}

// A heading with what explains its subject behind a question mark.
export const titled = (heading: HTMLElement, ...text: Children): HTMLElement =>
  h("div", { class: "titled" }, heading, behind(`About: ${heading.textContent ?? ""}`, ...text));

// What the mouse opens closes when it leaves, unless a click kept it open.
function explainOnRest(button: HTMLButtonElement, note: HTMLElement): void {
  let timer = 0;
  let byMouse = false;
  const isOpen = (): boolean => note.matches(":popover-open");
  button.addEventListener("pointerenter", (event) => {
    if (event.pointerType !== "mouse") return;
    timer = window.setTimeout(() => {
      if (!button.isConnected || isOpen()) return;
      byMouse = true;
      note.showPopover();
    }, REST_MS);
  });
  button.addEventListener("pointerleave", () => {
    clearTimeout(timer);
    if (byMouse && isOpen()) note.hidePopover();
    byMouse = false;
  });
  button.addEventListener("click", (event) => {
    clearTimeout(timer);
    if (byMouse && isOpen()) event.preventDefault(); // it stays
    byMouse = false;
  });
}

// Below the word, or above it where there is no room below.
function beside(note: HTMLElement, button: HTMLElement): void {
  const at = button.getBoundingClientRect();
  const { width, height } = note.getBoundingClientRect();
  const below = at.bottom + GAP_PX + height <= innerHeight;
  note.style.left = `${Math.max(EDGE_PX, Math.min(at.left, innerWidth - width - EDGE_PX))}px`;
  note.style.top = `${Math.max(EDGE_PX, below ? at.bottom + GAP_PX : at.top - GAP_PX - height)}px`;
}
