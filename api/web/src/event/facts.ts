// Numbers with their names, units and what each is: its word tells on demand, else a line. What is not known is named at the end, once.
import { h } from "../dom";
import { datum } from "../format";
import { term } from "../words/glossary";
import type { Entry } from "./fields";

export function list(entries: readonly Entry[], record: object): HTMLElement {
  const values = new Map<string, unknown>(Object.entries(record));
  const known = (entry: Entry): boolean => typeof values.get(entry.field) === "number";
  const without = entries.filter((entry) => !known(entry)).map((entry) => entry.label);
  return h(
    "div",
    {},
    h("dl", { class: "facts" }, entries.filter(known).map((entry) =>
      h("div", {}, h("dt", {}, entry.word ? term(entry.word, entry.label) : entry.label), h("dd", {}, datum(entry.field, values.get(entry.field) as number, entry.text, entry.unit)), entry.note && !entry.word ? h("dd", { class: "note" }, entry.note) : null))),
    without.length ? h("p", { class: "note" }, `Not known, or not computed: ${without.join("; ")}.`) : null,
  );
}
