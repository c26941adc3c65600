// The globe by keyboard, and the same by buttons: arrows turn it, + and − zoom, Home shows all of it.
import { h } from "../dom";
import type { Globe } from "./scene";

const TURN_DEG = 5;
const FAR_DEG = 20; // with Shift
const ZOOM = 0.8;

export const KEYS_TOLD = "Arrow keys turn the globe, plus and minus zoom, Home shows all of it, Escape closes the selection. The lists beside it choose objects and events.";

export function byKeys(globe: Globe, close: () => void): void {
  const { camera, canvas } = globe;
  const actions: Record<string, (step: number) => void> = {
    ArrowLeft: (step) => camera.turn(-step, 0),
    ArrowRight: (step) => camera.turn(step, 0),
    ArrowUp: (step) => camera.turn(0, step),
    ArrowDown: (step) => camera.turn(0, -step),
    "+": () => camera.zoom(ZOOM),
    "=": () => camera.zoom(ZOOM), // the same key without Shift
    "-": () => camera.zoom(1 / ZOOM),
    Home: () => camera.whole(),
    Escape: close,
  };
  canvas.tabIndex = 0;
  canvas.setAttribute("role", "application");
  canvas.setAttribute("aria-roledescription", "globe");
  canvas.setAttribute("aria-label", `Globe with all objects at their positions. ${KEYS_TOLD}`);
  canvas.addEventListener("keydown", (event) => {
    const action = actions[event.key];
    if (!action || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    action(event.shiftKey ? FAR_DEG : TURN_DEG);
  });
}

export function zoomButtons({ camera }: Globe): HTMLElement {
  const button = (text: string, label: string, action: () => void): HTMLElement =>
    h("button", { type: "button", "aria-label": text.length > 1 ? `${text}: ${label}` : label, title: label, onclick: action }, text);
  return h(
    "div",
    { class: "zoom", role: "group", "aria-label": "View" },
    button("+", "Nearer", () => camera.zoom(ZOOM)),
    button("−", "Farther", () => camera.zoom(1 / ZOOM)),
    button("All", "The whole Earth", () => camera.whole()),
  );
}
