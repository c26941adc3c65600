// A picture of cells with its axes. A cell is chosen by the mouse, a finger or the arrow keys; what it holds is told
// below, and Enter, a click or a second tap opens the list of it, where there is one.
import { h, newId, replace, svg } from "../dom";

export interface Tick {
  at: number; // share of the width from the left, or of the height from the bottom
  text: string;
}

export interface Told {
  text: string;
  href: string | null;
}

export interface Frame {
  columns: number;
  rows: number; // counted from the bottom
  drawn: SVGElement[]; // in units of a cell, y from the top
  x: { name: string; ticks: Tick[] };
  y: { name: string; ticks: Tick[] };
  lines?: (Tick & { kind: string })[]; // across the picture
  summary: string;
  tells(column: number, row: number): Told;
}

const KEYS: Record<string, [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

export function framed(wanted: Frame): HTMLElement {
  const { columns, rows } = wanted;
  const cursor = svg("rect", { class: "cursor", width: 1, height: 1, visibility: "hidden" });
  const told = h("p", { class: "told", id: newId("told"), "aria-live": "polite" });
  let here: [number, number] | null = null;
  const choose = (column: number, row: number): void => {
    here = [Math.min(columns - 1, Math.max(0, column)), Math.min(rows - 1, Math.max(0, row))];
    cursor.setAttribute("x", String(here[0]));
    cursor.setAttribute("y", String(rows - 1 - here[1]));
    cursor.setAttribute("visibility", "visible");
    const { text, href } = wanted.tells(...here);
    if (told.textContent !== text) replace(told, href ? h("a", { href }, text) : text);
  };
  const open = (): void => {
    const href = here && wanted.tells(...here).href;
    if (href) location.hash = href;
  };
  const plot = h(
    "div",
    { class: "cells", tabindex: "0", role: "application", "aria-label": wanted.summary, "aria-roledescription": "picture of cells", "aria-describedby": told.id },
    svg("svg", { viewBox: `0 0 ${columns} ${rows}`, preserveAspectRatio: "none", "aria-hidden": "true" }, wanted.drawn, lines(wanted), cursor),
    (wanted.lines ?? []).map((line) => at(h("span", { class: `limit ${line.kind}` }, line.text), "bottom", line.at)),
  );
  const cellOf = (event: MouseEvent): [number, number] => {
    const box = plot.getBoundingClientRect();
    return [Math.floor(((event.clientX - box.left) / box.width) * columns), rows - 1 - Math.floor(((event.clientY - box.top) / box.height) * rows)];
  };
  plot.addEventListener("pointermove", (event) => choose(...cellOf(event)));
  // A finger chooses at its first tap, and opens what it has chosen at the second.
  let finger: [number, number] | null = null;
  plot.addEventListener("click", (event) => {
    const [column, row] = cellOf(event);
    const again = finger?.[0] === column && finger[1] === row;
    choose(column, row);
    finger = [column, row];
    if ((event as PointerEvent).pointerType !== "touch" || again) open();
  });
  plot.addEventListener("keydown", (event) => {
    const by = KEYS[event.key];
    if (event.key === "Enter") open();
    if (!by) return;
    event.preventDefault();
    choose(...(here ? [here[0] + by[0], here[1] + by[1]] as const : [0, 0] as const));
  });
  return h(
    "div",
    { class: "framed" },
    h("span", { class: "axis-name" }, wanted.y.name),
    h("div", { class: "y-ticks", "aria-hidden": "true" }, wanted.y.ticks.map((tick) => at(h("span", {}, tick.text), "bottom", tick.at))),
    plot,
    h("div", { class: "x-ticks", "aria-hidden": "true" }, wanted.x.ticks.map((tick) => at(h("span", {}, tick.text), "left", tick.at))),
    h("span", { class: "axis-name end" }, wanted.x.name),
    told,
  );
}

const lines = ({ lines: wanted = [], columns, rows }: Frame): SVGElement[] =>
  wanted.map((line) => svg("line", { class: `limit ${line.kind}`, x1: 0, x2: columns, y1: rows * (1 - line.at), y2: rows * (1 - line.at) }));

// By script: the service's policy forbids style attributes.
function at(element: HTMLElement, side: "left" | "bottom", share: number): HTMLElement {
  element.style[side] = `${100 * share}%`;
  return element;
}

// Edges of cells that leave room for their texts.
export function ticksOf(edges: readonly number[], most: number, text: (edge: number) => string): Tick[] {
  const step = Math.ceil((edges.length - 1) / most);
  return edges.flatMap((edge, i) => (i % step === 0 ? [{ at: i / (edges.length - 1), text: text(edge) }] : []));
}
