// Rings with names over the canvas, so that the selection stays visible among thousands.
import { Vector3 } from "three";
import { h, replace } from "../dom";
import type { Globe } from "./scene";

export interface Mark {
  number: number;
  text: string;
  kind: "primary" | "secondary" | "object";
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
    draw(known) {
      for (const { mark, element } of shown) {
        const place = globe.points.place(mark.number);
        const at = known && place !== undefined ? globe.onCanvas(globe.points.position(place, r)) : null;
        element.hidden = at === null;
        if (at) element.style.transform = `translate(${at.x}px, ${at.y}px)`;
      }
    },
  };
}
