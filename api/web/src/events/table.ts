// A table of any length: only the rows in sight exist.
import type { Context } from "../context";
import { debounced, h, replace } from "../dom";
import { count, datum, fixed, metres, NOTHING, probability, until, utcTime, utc } from "../format";
import { eventLink, globeLink } from "../route";
import type { Conjunction } from "../types";
import { PAGE_ROWS, type Pager, type Row } from "./pager";

const SPARE_ROWS = 12;
const REST_MS = 90; // nothing is asked for while the list flies by

export const COLUMNS = [
  { name: "Risk", order: "risk", class: "c-risk" },
  { name: "TCA (UTC)", order: "tca", class: "c-tca" },
  { name: "Primary", class: "c-object" },
  { name: "Secondary", class: "c-object" },
  { name: "Miss, m", order: "miss_distance", class: "number c-miss" },
  { name: "Speed, m/s", class: "number c-speed" },
  { name: "Probability", order: "probability", class: "number c-p" },
  { name: "At most", class: "number c-max", title: "The largest probability over all scales of the covariance" },
  { name: "Notes", class: "c-notes" },
] as const;

export interface Table {
  element: HTMLElement;
  show(pager: Pager): void;
  clear(): void;
  refresh(): void;
  focus(): void;
  destroy(): void;
}

export function eventTable(context: Context, order: () => string, choose: (order: string) => void): Table {
  let pager: Pager | null = null;
  let active = 0;
  const drawn = new Map<number, HTMLElement>();
  const heads = COLUMNS.map((column) => {
    const title = "title" in column ? column.title : undefined;
    const label = "order" in column
      ? h("button", { type: "button", tabindex: "-1", onclick: () => choose(column.order) }, column.name)
      : column.name;
    return h("div", { role: "columnheader", class: column.class, title, "data-order": "order" in column ? column.order : undefined }, label);
  });
  const body = h("div", { class: "rows", role: "rowgroup" });
  const head = h("div", { class: "head", role: "rowgroup" }, h("div", { class: "row", role: "row", "aria-rowindex": 1 }, heads));
  const scroller = h("div", { class: "scroller" }, head, body);
  const grid = h(
    "div",
    { class: "grid", role: "grid", tabindex: "0", "aria-label": "Events", "aria-colcount": COLUMNS.length, onkeydown: (event: KeyboardEvent) => key(event) },
    scroller,
  );

  const rowHeight = (): number => parseFloat(getComputedStyle(grid).getPropertyValue("--row")) || 34;
  const room = (): number => scroller.clientHeight - head.offsetHeight; // the head stays on top
  const inSight = (): [number, number] => {
    const height = rowHeight();
    const first = Math.floor(scroller.scrollTop / height);
    return [first, first + Math.ceil(room() / height) + 1];
  };

  const draw = (): void => {
    if (!pager) return;
    const height = rowHeight();
    body.style.height = `${pager.total * height}px`;
    const [first, last] = inSight();
    const from = Math.max(0, first - SPARE_ROWS);
    const to = Math.min(pager.total, last + SPARE_ROWS);
    for (const [index, element] of drawn) {
      if (index >= from && index < to && !element.dataset.waiting) continue;
      element.remove();
      drawn.delete(index);
    }
    for (let index = from; index < to; index += 1) {
      if (drawn.has(index)) continue;
      const element = rowElement(index, pager.row(index), context.run?.historic ? null : context.now());
      element.style.transform = `translateY(${index * height}px)`;
      element.addEventListener("click", (event) => click(event, index));
      drawn.set(index, element);
      body.append(element);
    }
    mark();
  };
  const ask = debounced(() => {
    const [first, last] = inSight();
    pager?.want(Math.max(0, first - PAGE_ROWS / 4), last + PAGE_ROWS / 4);
  }, REST_MS);
  const scrolled = (): void => {
    draw();
    ask();
  };

  const mark = (): void => {
    for (const [index, element] of drawn) element.setAttribute("aria-selected", String(index === active));
    if (drawn.has(active)) grid.setAttribute("aria-activedescendant", `row-${active}`);
    else grid.removeAttribute("aria-activedescendant");
    for (const head of heads) {
      const mine = head.dataset.order && head.dataset.order === order();
      if (mine) head.setAttribute("aria-sort", order() === "probability" || order() === "risk" ? "descending" : "ascending");
      else head.removeAttribute("aria-sort");
    }
  };
  const move = (to: number): void => {
    if (!pager?.total) return;
    active = Math.max(0, Math.min(pager.total - 1, to));
    const height = rowHeight();
    const top = active * height;
    if (top < scroller.scrollTop) scroller.scrollTop = top;
    else if (top + height > scroller.scrollTop + room()) scroller.scrollTop = top + height - room();
    draw();
    ask();
  };
  const open = (index: number, to: (id: number) => string = eventLink): void => {
    const row = pager?.row(index);
    if (row && !("unreadable" in row)) location.hash = to(row.id);
  };
  const click = (event: MouseEvent, index: number): void => {
    active = index;
    mark();
    if (!(event.target as Element).closest("a")) open(index);
  };
  const key = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || (event.target as Element).closest("button")) return;
    const screenful = Math.max(1, Math.floor(room() / rowHeight()) - 1);
    const steps: Record<string, () => void> = {
      ArrowDown: () => move(active + 1),
      ArrowUp: () => move(active - 1),
      PageDown: () => move(active + screenful),
      PageUp: () => move(active - screenful),
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

  scroller.addEventListener("scroll", scrolled, { passive: true });
  const resized = new ResizeObserver(() => {
    clear();
    scrolled();
  });
  resized.observe(scroller);
  const clear = (): void => {
    drawn.clear();
    replace(body);
  };

  return {
    element: grid,
    clear() {
      pager = null;
      clear();
      body.style.height = "0";
      grid.setAttribute("aria-rowcount", "1");
    },
    show(newPager) {
      pager = newPager;
      active = 0;
      clear();
      scroller.scrollTop = 0;
      draw();
    },
    refresh() {
      if (pager) grid.setAttribute("aria-rowcount", String(pager.total + 1));
      draw();
    },
    focus: () => grid.focus(),
    destroy: () => resized.disconnect(),
  };
}

function rowElement(index: number, row: Row | undefined, now: number | null): HTMLElement {
  const attributes = { class: "row", role: "row", id: `row-${index}`, "aria-rowindex": index + 2 };
  if (!row) return h("div", { ...attributes, "data-waiting": "1" }, h("div", { role: "gridcell", class: "c-wait" }, `${count(index + 1)} …`));
  if ("unreadable" in row) {
    return h("div", { ...attributes, class: "row unreadable" }, h("div", { role: "gridcell", class: "c-wait" }, `Event ${row.id ?? "without an id"}: ${row.unreadable}.`));
  }
  const cells = cellsOf(row, now).map((content, i) => h("div", { role: "gridcell", class: COLUMNS[i]?.class ?? "" }, content));
  return h("div", { ...attributes, class: `row level-${row.risk_level}`, "data-id": row.id }, cells);
}

function cellsOf(event: Conjunction, now: number | null): (HTMLElement | string | (HTMLElement | string)[])[] {
  return [
    h("span", { class: `badge ${event.risk_level}` }, event.risk_level),
    [h("a", { href: eventLink(event.id), tabindex: "-1" }, h("time", { datetime: event.tca }, utc(event.tca).slice(5, 11), utcTime(event.tca))), now === null ? "" : h("small", {}, ` ${until(event.tca, now)}`)],
    objectCell(event.primary_name, event.primary_norad_id),
    objectCell(event.secondary_name, event.secondary_norad_id),
    datum("miss_distance_m", event.miss_distance_m, metres),
    datum("relative_speed_m_s", event.relative_speed_m_s, (v) => fixed(v, 0)),
    datum("probability", event.probability, probability),
    datum("probability_max", event.probability_max, probability),
    notes(event),
  ];
}

const objectCell = (name: string, number: number): HTMLElement[] => [h("span", { class: "name", title: name }, name || NOTHING), h("small", {}, String(number))];

function notes(event: Conjunction): string {
  return [
    event.encounter === "slow" ? "slow" : "",
    event.diluted ? "diluted" : "",
    ...(event.probability_flag ?? "").split(" ").filter((flag) => flag && flag !== "slow"),
    event.origin === "run" ? "" : event.origin,
  ]
    .filter(Boolean)
    .join(", ");
}
