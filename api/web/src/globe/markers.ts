// Rings with names over the canvas, so that the selection stays visible among thousands.
import { Vector3 } from "three";
import { h, replace } from "../dom";
import type { Globe } from "./scene";

const [RING_PX, LETTER_PX, LINE_PX] = [14, 7.5, 16];

export interface Mark {
  number: number;
  text: string;
  kind: "primary" | "secondary" | "object" | "member";
}

export interface Markers {
  set(marks: Mark[]): void;
  draw(known: boolean): void;
}

export function markers(overlay: HTMLElement, globe: Globe): Markers {
  let shown: { mark: Mark; element: HTMLElement }[] = [];
  const r = new Vector3();
  return {
    set(marks) {
      shown = marks.map((mark) => ({ mark, element: h("div", { class: `marker ${mark.kind}`, hidden: true }, h("span", {}, mark.text)) }));
      replace(overlay, shown.map(({ element }) => element));
    },
    // Of members of a fleet, a name that would lie across another is left out.
    draw(known) {
      const taken: { left: number; right: number; top: number }[] = [];
      for (const { mark, element } of shown) {
        const place = globe.points.place(mark.number);
        const at = known && place !== undefined ? globe.onCanvas(globe.points.position(place, r)) : null;
        element.hidden = at === null;
        if (!at) continue;
        element.style.transform = `translate(${at.x}px, ${at.y}px)`;
        if (mark.kind !== "member") continue;
        const box = { left: at.x, right: at.x + RING_PX + LETTER_PX * mark.text.length, top: at.y };
        const free = taken.every((other) => box.right < other.left || box.left > other.right || Math.abs(box.top - other.top) > LINE_PX);
        element.classList.toggle("bare", !free);
        if (free) taken.push(box);
      }
    },
  };
}
