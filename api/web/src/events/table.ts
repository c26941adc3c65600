// A table of any length: only the rows in sight are drawn.
import type { Context } from "../context";
import { debounced, h, replace } from "../dom";
import { restricted } from "../levels";
import { printedRows } from "../print/rows";
import { eventLink, globeLink, seenFrom } from "../route";
import { asks, term } from "../words/glossary";
import { PAGE_ROWS, type Pager } from "./pager";
import { COLUMNS, rowElement } from "./row";
import { RowsInSight } from "./scrolling";

const MOVES = ["ArrowDown", "ArrowUp", "PageDown", "PageUp", "Home", "End"];
const ASCENDING = ["tca", "miss_distance"]; // orders; in the others the largest come first
const REST_MS = 90; // nothing is requested during fast scrolling

// Where the user is in the list: the chosen row, and how far it is scrolled.
export interface Place {
  row: number;
  top: number;
}

export interface Table {
  element: HTMLElement;
  show(pager: Pager, place?: Place): void;
  place(): Place;
  wait(): void; // what is shown is of former conditions
  retime(): void; // as time goes on
  clear(): void;
  refresh(): void;
  focus(): void;
  destroy(): void;
}

export function eventTable(context: Context, order: () => string, choose: (order: string) => void, chosen: () => number[]): Table {
  let pager: Pager | null = null;
  let active = 0;
  const heads = headCells(choose);
  const rows = new RowsInSight(heads, (index) => {
    const element = rowElement(index, pager?.row(index), { when: (time) => context.when(time), chosen: new Set(chosen()), had: context.had });
    element.addEventListener("click", (event) => click(event, index));
    return element;
  });
  const grid = h(
    "div",
    { class: "grid", role: "grid", tabindex: "0", "aria-label": "Events", "aria-colcount": COLUMNS.length, onkeydown: (event: KeyboardEvent) => key(event) },
    rows.scroller,
  );

  const draw = (): void => {
    if (!pager) return;
    rows.draw(pager.total);
    mark();
  };
  const mark = (): void => {
    if (rows.select(active)) grid.setAttribute("aria-activedescendant", `row-${active}`);
    else grid.removeAttribute("aria-activedescendant");
    markOrder(heads, order());
  };
  const ask = debounced(() => {
    const [first, last] = rows.inSight();
    pager?.want(Math.max(0, first - PAGE_ROWS / 4), last + PAGE_ROWS / 4);
  }, REST_MS);
  const scrolled = (): void => {
    draw();
    ask();
  };
  const move = (to: number): void => {
    if (!pager?.total) return;
    active = Math.max(0, Math.min(pager.total - 1, to));
    rows.scrollTo(active);
    scrolled();
  };
  const open = (index: number, to: typeof eventLink = eventLink): void => {
    const row = pager?.row(index);
    if (row && !("unreadable" in row)) location.hash = to(row.id, restricted(row), seenFrom(row, new Set(chosen())));
  };
  const click = (event: MouseEvent, index: number): void => {
    active = index;
    mark();
    if (!(event.target as Element).closest("a")) open(index);
  };
  const key = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || (event.target as Element).closest("button")) return;
    const steps: Record<string, () => void> = {
      ArrowDown: () => move(active + 1),
      ArrowUp: () => move(active - 1),
      PageDown: () => move(active + rows.screenful()),
      PageUp: () => move(active - rows.screenful()),
      Home: () => move(0),
      End: () => move(Number.MAX_SAFE_INTEGER),
      Enter: () => open(active),
      g: () => open(active, globeLink),
    };
    const step = steps[event.key];
    if (!step) return;
    event.preventDefault();
    step();
  };

  // On a page just opened, where nothing has the focus, the arrows choose rows at once.
  const stray = (event: KeyboardEvent): void => {
    const focused = document.activeElement;
    if (!MOVES.includes(event.key) || (focused && focused !== document.body && focused.id !== "main")) return;
    grid.focus({ preventScroll: true });
    key(event);
  };
  window.addEventListener("keydown", stray);
  rows.scroller.addEventListener("scroll", scrolled, { passive: true });
  const resized = new ResizeObserver(() => {
    rows.clear();
    scrolled();
  });
  resized.observe(rows.scroller);
  const loaded = (): Node[][] => {
    const places = Array.from({ length: pager?.total ?? 0 }, (_, index) => index);
    return places.filter((index) => pager?.row(index)).map((index) => [...rows.make(index).children]);
  };
  const stopPrinting = printedRows(grid, { heads: COLUMNS.map((column) => column.name), rows: loaded, total: () => pager?.total ?? 0 });

  return {
    element: grid,
    wait() {
      pager = null;
      grid.setAttribute("aria-busy", "true");
    },
    retime() {
      for (const cell of rows.scroller.querySelectorAll(".c-tca")) {
        const time = cell.querySelector("time");
        if (time) replace(cell.querySelector("small") as Element, ` ${context.when(time.dateTime)}`);
      }
    },
    clear() {
      grid.removeAttribute("aria-busy");
      pager = null;
      rows.empty();
      grid.setAttribute("aria-rowcount", "1");
    },
    show(newPager, place = { row: 0, top: 0 }) {
      grid.removeAttribute("aria-busy");
      pager = newPager;
      active = Math.min(place.row, Math.max(0, pager.total - 1));
      rows.clear();
      draw(); // first, so that there is something to scroll
      rows.scroller.scrollTop = place.top;
      scrolled();
    },
    place: () => ({ row: active, top: rows.scroller.scrollTop }),
    refresh() {
      if (pager) grid.setAttribute("aria-rowcount", String(pager.total + 1));
      scrolled();
    },
    focus: () => grid.focus(),
    destroy() {
      resized.disconnect();
      window.removeEventListener("keydown", stray);
      stopPrinting();
    },
  };
}

function headCells(choose: (order: string) => void): HTMLElement[] {
  return COLUMNS.map(({ name, order, word, title, class: kind }) => {
    const label = order ? h("button", { type: "button", title, onclick: () => choose(order) }, name) : word ? term(word, name) : name;
    return h("div", { role: "columnheader", class: kind, "data-order": order }, label, order && word ? [" ", asks(word)] : null);
  });
}

function markOrder(heads: HTMLElement[], order: string): void {
  for (const head of heads) {
    const mine = head.dataset.order && head.dataset.order === order;
    if (mine) head.setAttribute("aria-sort", ASCENDING.includes(order) ? "ascending" : "descending");
    else head.removeAttribute("aria-sort");
  }
}
