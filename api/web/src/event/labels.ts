// Texts in a drawing, none across another: each takes the first free place beside its point.
import { svg } from "../dom";

interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

const [LETTER_PX, LINE_PX] = [8, 14]; // of bold 12 px type, generously

export class Labels {
  private readonly taken: Box[] = [];

  constructor(private readonly within: Box) {}

  // Keep a circle free.
  keep(x: number, y: number, radius: number): void {
    this.taken.push({ left: x - radius, right: x + radius, top: y - radius, bottom: y + radius });
  }

  // Keep a text free that is drawn without asking.
  keepText(text: string, left: number, baseline: number): void {
    this.taken.push({ left, right: left + text.length * LETTER_PX, top: baseline - LINE_PX, bottom: baseline + 4 });
  }

  // Beside a point, in the first direction with room; null if there is none.
  place(text: string, kind: string, x: number, y: number, gap = 9): SVGElement | null {
    const wide = text.length * LETTER_PX;
    const lefts = [x + gap, x - gap - wide, x - wide / 2];
    for (const left of lefts)
      for (const middle of left === lefts[2] ? [y - gap - 5, y + gap + 7] : [y - 10, y + 12, y - 24, y + 26]) {
        const box = { left, right: left + wide, top: middle - LINE_PX / 2, bottom: middle + LINE_PX / 2 };
        if (!this.free(box)) continue;
        this.taken.push(box);
        return svg("text", { class: `name ${kind}`, x: left, y: middle + 4 }, text);
      }
    return null;
  }

  private free(box: Box): boolean {
    const inside = box.left >= this.within.left && box.right <= this.within.right && box.top >= this.within.top && box.bottom <= this.within.bottom;
    return inside && this.taken.every((other) => box.right <= other.left || box.left >= other.right || box.bottom <= other.top || box.top >= other.bottom);
  }
}
