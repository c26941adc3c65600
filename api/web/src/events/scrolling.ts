// Draws only the rows of a long table that are in sight, and some on either side.
import { h, replace } from "../dom";

const SPARE_ROWS = 12;

export class RowsInSight {
  readonly scroller: HTMLElement;
  private readonly body = h("div", { class: "rows", role: "rowgroup" });
  private readonly head: HTMLElement;
  private readonly drawn = new Map<number, HTMLElement>();

  constructor(heads: HTMLElement[], readonly make: (index: number) => HTMLElement) {
    this.head = h("div", { class: "head", role: "rowgroup" }, h("div", { class: "row", role: "row", "aria-rowindex": 1 }, heads));
    this.scroller = h("div", { class: "scroller" }, this.head, this.body);
  }

  // The first row in sight, and the one after the last.
  inSight(): [number, number] {
    const height = this.height();
    const first = Math.floor(this.scroller.scrollTop / height);
    return [first, first + Math.ceil(this.room() / height) + 1];
  }

  screenful(): number {
    return Math.max(1, Math.floor(this.room() / this.height()) - 1);
  }

  // Drawn rows stay unchanged, unless they were still waiting for their event.
  draw(total: number): void {
    const height = this.height();
    this.body.style.height = `${total * height}px`;
    const [first, last] = this.inSight();
    const from = Math.max(0, first - SPARE_ROWS);
    const to = Math.min(total, last + SPARE_ROWS);
    for (const [index, element] of this.drawn) {
      if (index >= from && index < to && !element.dataset.waiting) continue;
      element.remove();
      this.drawn.delete(index);
    }
    for (let index = from; index < to; index += 1) {
      if (this.drawn.has(index)) continue;
      const element = this.make(index);
      element.style.transform = `translateY(${index * height}px)`;
      this.drawn.set(index, element);
      this.body.append(element);
    }
  }

  // Returns whether the row exists.
  select(active: number): boolean {
    for (const [index, element] of this.drawn) element.setAttribute("aria-selected", String(index === active));
    return this.drawn.has(active);
  }

  scrollTo(index: number): void {
    const { scroller } = this;
    const height = this.height();
    const top = index * height;
    if (top < scroller.scrollTop) scroller.scrollTop = top;
    else if (top + height > scroller.scrollTop + this.room()) scroller.scrollTop = top + height - this.room();
  }

  clear(): void {
    this.drawn.clear();
    replace(this.body);
  }

  empty(): void {
    this.clear();
    this.body.style.height = "0";
  }

  private height(): number {
    return parseFloat(getComputedStyle(this.scroller).getPropertyValue("--row")) || 34;
  }

  // The head stays on top.
  private room(): number {
    return this.scroller.clientHeight - this.head.offsetHeight;
  }
}
