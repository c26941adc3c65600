// Light, dark, or like the system; kept in this browser.
import { h } from "./dom";

const THEMES = ["auto", "light", "dark"] as const;
type Theme = (typeof THEMES)[number];
const KEY = "skysieve-theme";

const kept = (): Theme => THEMES.find((theme) => theme === localStorage.getItem(KEY)) ?? "auto";

export function applyTheme(theme: Theme = kept()): void {
  const dark = theme === "auto" ? matchMedia("(prefers-color-scheme: dark)").matches : theme === "dark";
  document.documentElement.dataset.theme = dark ? "dark" : "light";
  window.dispatchEvent(new Event("skysieve:theme"));
}

export function followSystem(): void {
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => applyTheme());
}

export function themeControl(): HTMLElement {
  const select = h(
    "select",
    { "aria-label": "Colours", class: "quiet", onchange: () => choose() },
    THEMES.map((theme) => h("option", { value: theme, selected: theme === kept() }, `${theme[0]?.toUpperCase()}${theme.slice(1)}`)),
  );
  const choose = () => {
    localStorage.setItem(KEY, select.value);
    applyTheme();
  };
  return select;
}
