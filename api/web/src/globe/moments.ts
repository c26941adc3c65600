// The coming events of the selected object, as marks where its path meets them.
import { Vector3 } from "three";
import { h, replace } from "../dom";
import { metres, named, utc } from "../format";
import { nearLevel, probabilityLevel } from "../levels";
import { PROBABILITY_LEVELS, type Conjunction } from "../types";
import { turnedTo } from "./orbits";
import type { Globe } from "./scene";

// Where the object is at the event's TCA, Earth-fixed, in the scene.
export interface Moment {
  event: Conjunction;
  r: Vector3;
}

export interface Moments {
  set(moments: Moment[]): void;
  draw(time: number): void;
}

export const momentWords = (event: Conjunction): string =>
  `${probabilityLevel(event)}${nearLevel(event) ? `, near: ${nearLevel(event)}` : ""}: ${named(event, "primary")} × ${named(event, "secondary")}, ${metres(event.miss_distance_m)} m, ${utc(event.tca)} UTC`;

// The most dangerous on top.
export const above = (event: Conjunction): number => PROBABILITY_LEVELS.length - PROBABILITY_LEVELS.indexOf(probabilityLevel(event));

// Buttons for the pointer; for the keyboard the same events are on the time bar and in the list.
export function moments(overlay: HTMLElement, globe: Globe, choose: (event: Conjunction) => void): Moments {
  let shown: { moment: Moment; tca: number; element: HTMLElement }[] = [];
  const r = new Vector3();
  return {
    set(wanted) {
      shown = wanted.map((moment) => {
        const { event } = moment;
        const element = h("button", { type: "button", class: `moment ${probabilityLevel(event)}`, "data-event": event.id, tabindex: -1, title: momentWords(event), hidden: true, onpointerdown: (pressed: Event) => pressed.preventDefault(), onclick: () => choose(event) });
        element.style.zIndex = String(above(event));
        return { moment, tca: Date.parse(event.tca), element };
      });
      replace(overlay, shown.map(({ element }) => element));
    },
    draw(time) {
      for (const { moment, tca, element } of shown) {
        const at = globe.onCanvas(turnedTo(moment.r, tca, time, r));
        element.hidden = at === null;
        if (at) element.style.transform = `translate(${at.x}px, ${at.y}px)`;
      }
    },
  };
}
