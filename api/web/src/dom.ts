// Elements without a framework: h("p", { class: "note" }, "text") and a few words about focus.

export type Child = Node | string | number | null | undefined | false;
export type Children = readonly (Child | readonly Child[])[];
type Attributes = Record<string, unknown>;

const SVG = "http://www.w3.org/2000/svg";

export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Children
): HTMLElementTagNameMap[K] {
  return fill(document.createElement(tag), attributes, children);
}

export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Children
): SVGElementTagNameMap[K] {
  return fill(document.createElementNS(SVG, tag) as SVGElementTagNameMap[K], attributes, children);
}

// `on…` takes a listener; true and false set and leave out an attribute.
function fill<E extends Element>(element: E, attributes: Attributes, children: Children): E {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (typeof value === "function") element.addEventListener(name.slice(2), value as EventListener);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  append(element, children);
  return element;
}

export function append(element: Element, children: Children): void {
  for (const child of children.flat()) {
    if (child === null || child === undefined || child === false) continue;
    element.append(typeof child === "number" ? String(child) : child);
  }
}

export function replace(element: Element, ...children: Children): void {
  element.replaceChildren();
  append(element, children);
}

let ids = 0;
export function newId(prefix: string): string {
  ids += 1;
  return `${prefix}-${ids}`;
}

// A field with its label, and optionally a line of help.
export function field(label: string, control: HTMLElement, help?: string): HTMLElement {
  control.id ||= newId("field");
  const note = help ? h("small", { class: "help", id: `${control.id}-help` }, help) : null;
  if (note) control.setAttribute("aria-describedby", note.id);
  return h("div", { class: "field" }, h("label", { for: control.id }, label), control, note);
}

export interface Later {
  (): void;
  cancel(): void;
}

export function debounced(action: () => void, wait_ms: number): Later {
  let timer = 0;
  const cancel = (): void => clearTimeout(timer);
  const later = (): void => {
    cancel();
    timer = window.setTimeout(action, wait_ms);
  };
  return Object.assign(later, { cancel });
}

export const reducedMotion = (): boolean => matchMedia("(prefers-reduced-motion: reduce)").matches;

export function cssColor(name: string, of: Element = document.documentElement): string {
  return getComputedStyle(of).getPropertyValue(name).trim();
}

// The page's typeface, for text that is drawn on a canvas.
export const canvasFont = (size_px: number): string => `${size_px}px ${cssColor("--font")}`;
