// Sentences of the service as the page sets them: numbers as 1.2 × 10⁻⁵, words of the field with what they mean.
import { h } from "../dom";
import { probability } from "../format";
import { term, type Word } from "./glossary";

export type Prose = (HTMLElement | string)[];

// As the service writes them, and the word of the glossary.
const TERMS: Record<string, Word> = {
  TCA: "TCA",
  diluted: "diluted",
  sigma: "sigma",
  "usual errors": "error law",
  radius: "hard-body radius",
  "element sets": "element set",
};
const SPECIAL = new RegExp(`(\\b\\d\\.\\d+e[-+]\\d+\\b|\\(1 in [^)]*\\)|\\b(?:${Object.keys(TERMS).join("|")})\\b)`);

export function prose(...texts: (string | undefined)[]): Prose {
  const explained = new Set<Word>(); // once in a paragraph
  return texts.filter(Boolean).join(" ").split(SPECIAL).filter(Boolean).map((part) => set(part, explained));
}

function set(part: string, explained: Set<Word>): HTMLElement | string {
  if (!SPECIAL.test(part)) return part;
  const word = TERMS[part];
  if (word === undefined) return part.startsWith("(") ? h("strong", { class: "odds" }, part) : number(part);
  if (explained.has(word)) return part;
  explained.add(word);
  return term(word, part);
}

// As many digits as the service gives.
const number = (text: string): HTMLElement => h("data", { value: text }, probability(Number(text), text.indexOf("e") - 1));
