// Parts of a long page: an address would leave the event.
import { h } from "../dom";

// A button that leads to the first element that a selector finds.
export function jump(name: string, selector: string): HTMLElement {
  const go = (): void => {
    const part = document.querySelector<HTMLElement>(`.event ${selector}`);
    part?.setAttribute("tabindex", "-1");
    part?.focus({ preventScroll: true });
    part?.scrollIntoView();
  };
  return h("button", { type: "button", class: "as-link", onclick: go }, name);
}

const PARTS = [
  ["What next", ".what-next"], ["Pictures", ".figures"], ["Encounter in 3-D", ".encounter"], ["Trend", ".trend"], ["What if", ".what-if"], ["Numbers", ".numbers"],
] as const;

export const parts = (without: readonly string[]): HTMLElement =>
  h("nav", { class: "parts", "aria-label": "Parts of the event" }, PARTS.filter(([name]) => !without.includes(name)).map(([name, selector]) => jump(name, selector)));
