// A list of which only the rows in sight are drawn, on paper: all rows that are loaded, as a table whose heads stand on
// each sheet, and how many there are.
import { h } from "../dom";
import { count } from "../format";

export interface Printed {
  heads: readonly string[];
  rows: () => (Node | string)[][]; // the cells of those that are loaded
  total: () => number;
}

// Puts the table behind a list while it is printed; returns how to stop that.
export function printedRows(list: HTMLElement, { heads, rows, total }: Printed): () => void {
  let table: HTMLElement | null = null;
  const put = (): void => {
    table?.remove();
    const loaded = rows();
    table = h(
      "table",
      { class: "plain printed-rows" },
      h("caption", {}, sentence(loaded.length, total())),
      h("thead", {}, h("tr", {}, heads.map((head) => h("th", { scope: "col" }, head)))),
      h("tbody", {}, loaded.map((cells) => h("tr", {}, cells.map((cell) => h("td", {}, cell))))),
    );
    list.after(table);
  };
  const take = (): void => {
    table?.remove();
    table = null;
  };
  window.addEventListener("beforeprint", put);
  window.addEventListener("afterprint", take);
  return () => {
    window.removeEventListener("beforeprint", put);
    window.removeEventListener("afterprint", take);
    take();
  };
}

const sentence = (loaded: number, total: number): string =>
  loaded === total ? `All ${count(total)}` : `The ${count(loaded)} that are loaded of ${count(total)}; scrolling loads more, the CSV file has them all`;
