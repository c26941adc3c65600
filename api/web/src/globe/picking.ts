// Which object is under the pointer: the nearest drawn point within a few pixels.
import { Vector3 } from "three";
import { h, replace } from "../dom";
import type { KnownObject } from "../types";
import type { Globe } from "./scene";

const NEAR_PX = 9;
const STILL_PX = 4; // more is a drag

export function pick(globe: Globe, stage: HTMLElement, known: () => Map<number, KnownObject>, choose: (number: number) => void): { stop(): void } {
  const tip = h("div", { class: "tip", hidden: true });
  stage.append(tip);
  let waiting = 0;
  let down = { x: 0, y: 0 };

  const nearest = (event: PointerEvent): { number: number; x: number; y: number } | null => {
    const { first } = globe.points;
    const { index, drawRange } = globe.points.drawn.geometry;
    if (!first || !index || !globe.points.drawn.visible) return null;
    const box = globe.canvas.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    const r = new Vector3();
    let best: { number: number; x: number; y: number } | null = null;
    let bestDistance = NEAR_PX;
    // From the end: the most dangerous are drawn last, on top.
    for (let i = drawRange.count - 1; i >= 0; i -= 1) {
      const place = index.array[i] as number;
      const at = globe.roughly(globe.points.position(place, r), x, y, bestDistance);
      if (at === null || at >= bestDistance || !globe.onCanvas(r)) continue;
      bestDistance = at;
      best = { number: first.norad_id[place] as number, x, y };
    }
    return best;
  };

  const moved = (event: PointerEvent): void => {
    cancelAnimationFrame(waiting);
    waiting = requestAnimationFrame(() => {
      const found = event.buttons ? null : nearest(event);
      tip.hidden = found === null;
      globe.canvas.style.cursor = found ? "pointer" : "grab";
      if (!found) return;
      replace(tip, known().get(found.number)?.name ?? "", h("small", {}, ` ${found.number}`));
      const left = Math.min(found.x + 12, stage.clientWidth - tip.offsetWidth - 4);
      const top = Math.min(found.y + 12, stage.clientHeight - tip.offsetHeight - 4);
      tip.style.transform = `translate(${left}px, ${top}px)`;
    });
  };
  const pressed = (event: PointerEvent): void => {
    down = { x: event.clientX, y: event.clientY };
  };
  const released = (event: PointerEvent): void => {
    if (Math.hypot(event.clientX - down.x, event.clientY - down.y) > STILL_PX) return;
    const found = nearest(event);
    if (!found) return;
    cancelAnimationFrame(waiting);
    tip.hidden = true; // the globe turns under it
    choose(found.number);
  };
  globe.canvas.addEventListener("pointermove", moved);
  globe.canvas.addEventListener("pointerdown", pressed);
  globe.canvas.addEventListener("pointerup", released);
  globe.canvas.addEventListener("pointerleave", () => (tip.hidden = true));
  return { stop: () => cancelAnimationFrame(waiting) };
}
