// Names beside the marks that deserve one, where they cover neither a mark that does nor another name.
export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export interface Wanted {
  x: number;
  y: number;
  size: number; // px of its mark
  text: string;
}

export interface Placed {
  text: string;
  x: number; // where the text begins, px
  y: number; // its base line
}

const LINE_PX = 15;
const GAP_PX = 4;

const cover = (a: Box, b: Box): boolean => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

const around = ({ x, y, size }: Wanted): Box => ({ left: x - size / 2, right: x + size / 2, top: y - size / 2, bottom: y + size / 2 });

// In the order wanted: the first have the most room. `inside`: no name reaches out of it.
export function placed(wanted: readonly Wanted[], inside: Box, wide: (text: string) => number): Placed[] {
  const marks = wanted.map(around);
  const taken: Box[] = [];
  return wanted.flatMap((one, i) => {
    const width = wide(one.text);
    const beside = one.size / 2 + GAP_PX;
    const lefts = [one.x + beside, one.x - beside - width, one.x - width / 2];
    const downs = [0, -beside - LINE_PX / 2, beside + LINE_PX / 2];
    const box = downs
      .flatMap((down) => lefts.map((left): Box => ({ left, right: left + width, top: one.y + down - LINE_PX / 2, bottom: one.y + down + LINE_PX / 2 })))
      .find((tried) =>
        tried.left >= inside.left && tried.right <= inside.right && tried.top >= inside.top && tried.bottom <= inside.bottom &&
        !marks.some((mark, k) => (k !== i || tried.left < mark.right) && cover(tried, mark)) && !taken.some((other) => cover(tried, other)));
    if (!box) return [];
    taken.push(box);
    return [{ text: one.text, x: box.left, y: box.bottom - 4 }];
  });
}
