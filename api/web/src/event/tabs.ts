// Parts of an event as tabs, by the pattern of ARIA: arrows, Home and End walk along them, and each opens as it is reached.
// Charts and the encounter in space draw themselves once they have a width: when their tab is first opened.
import { h } from "../dom";

export const TABS = { glance: "At a glance", geometry: "Geometry", trend: "Trend", "what-if": "What if", numbers: "Numbers", take: "Take away" } as const;
export type Tab = keyof typeof TABS;

export const tabOf = (query: URLSearchParams): Tab => {
  const wanted = query.get("tab") ?? "";
  return wanted in TABS ? (wanted as Tab) : "glance";
};

export interface Tabs {
  bar: HTMLElement;
  panels: HTMLElement[];
  show(tab: Tab, focus?: boolean): void;
}

// `chosen` is called when the reader has opened a tab. Parts that are null have no tab.
export function tabs(parts: Record<Tab, (HTMLElement | null)[] | null>, first: Tab, chosen: (tab: Tab) => void): Tabs {
  const keys = (Object.keys(TABS) as Tab[]).filter((key) => parts[key]);
  const buttons = keys.map((key) => h("button", { type: "button", role: "tab", id: `tab-${key}`, "aria-controls": `part-${key}`, onclick: () => open(key) }, TABS[key]));
  const panels = keys.map((key) => h("div", { role: "tabpanel", id: `part-${key}`, "aria-labelledby": `tab-${key}` }, parts[key] ?? []));
  const show = (tab: Tab, focus = false): void => {
    const shown = keys.includes(tab) ? tab : "glance";
    for (const [i, key] of keys.entries()) {
      const [button, panel] = [buttons[i], panels[i]] as [HTMLElement, HTMLElement];
      button.setAttribute("aria-selected", String(key === shown));
      button.tabIndex = key === shown ? 0 : -1;
      panel.hidden = key !== shown;
      if (key === shown && focus) button.focus();
    }
  };
  const open = (tab: Tab): void => {
    show(tab, true);
    chosen(tab);
  };
  const bar = h("div", { role: "tablist", class: "tabs", "aria-label": "Parts of the event" }, buttons);
  bar.addEventListener("keydown", (event) => {
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 }[event.key];
    const key = to === undefined ? undefined : keys.at(to % keys.length);
    if (!key || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    open(key);
  });
  show(first);
  return { bar, panels, show };
}
