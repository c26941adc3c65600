// Names over the picture. What lies outside is named at its edge, with its distance; names keep clear of each other.
import { h } from "../dom";

export interface Label {
  key: string; // its class, and its identity from picture to picture
  text: string;
  x: number;
  y: number;
  outside?: string; // the text where it lies outside of the picture; without it, it is then left out
}

const EDGE_PX = 8;
const GAP_PX = 9;

export class Labels {
  readonly element = h("div", { class: "space-labels", "aria-hidden": "true" });
  private readonly made = new Map<string, HTMLElement>();

  show(labels: Label[], width: number, height: number): void {
    const taken: { left: number; top: number; right: number; bottom: number }[] = [];
    const shown = new Set<string>();
    for (const label of labels) {
      const outside = label.x < 0 || label.y < 0 || label.x > width || label.y > height;
      const text = outside ? label.outside : label.text;
      if (!text) continue;
      const element = this.of(label.key);
      if (element.textContent !== text) element.textContent = text;
      element.classList.toggle("outside", outside);
      element.hidden = false;
      const [w, tall] = [element.offsetWidth, element.offsetHeight];
      const inside = (x: number, y: number) => ({ left: Math.min(Math.max(x, EDGE_PX), width - w - EDGE_PX), top: Math.min(Math.max(y, EDGE_PX), height - tall - EDGE_PX) });
      const places = [
        inside(label.x + GAP_PX, label.y - tall - 3), inside(label.x + GAP_PX, label.y + 3), inside(label.x - w - GAP_PX, label.y - tall - 3), inside(label.x - w - GAP_PX, label.y + 3),
        inside(label.x + GAP_PX, label.y - 2.2 * tall), inside(label.x + GAP_PX, label.y + 1.2 * tall), inside(label.x - w - GAP_PX, label.y + 1.2 * tall), inside(label.x - w - GAP_PX, label.y - 2.2 * tall),
      ];
      const free = places.find(({ left, top }) => taken.every((one) => left > one.right || left + w < one.left || top > one.bottom || top + tall < one.top));
      element.hidden = !free;
      if (!free) continue;
      taken.push({ ...free, right: free.left + w, bottom: free.top + tall });
      element.style.transform = `translate(${Math.round(free.left)}px, ${Math.round(free.top)}px)`;
      shown.add(label.key);
    }
    for (const [key, element] of this.made) if (!shown.has(key)) element.hidden = true;
  }

  private of(key: string): HTMLElement {
    let element = this.made.get(key);
    if (!element) {
      element = h("span", { class: key });
      this.made.set(key, element);
      this.element.append(element);
    }
    return element;
  }
}
