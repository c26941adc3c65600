// What a section of the view Sky is: a module of this folder, listed in view.ts.
import type { Context } from "../context";
import type { Word } from "../words/glossary";

export interface Section {
  id: string; // of its element
  title: string;
  about: string; // one sentence under the title
  words: readonly Word[]; // explained at the end of the view
  draw(context: Context, signal: AbortSignal): Promise<Node>;
}
