// What was in sight and had the focus, for each entry of the browser's history: "back" finds it again.
import type { View } from "./context";
import { shownEntry } from "./route";

interface Place {
  top: number; // px scrolled
  focused: string | null;
  own: unknown; // what the view itself keeps
}

const FOCUSABLE = "a[href], button, input, select, textarea, summary, [tabindex]";
const USER = ["wheel", "keydown", "pointerdown"] as const;
const places = new Map<string, Place>();

// Call it before the view is left.
export function keepPlace(main: HTMLElement, view: View): void {
  places.set(shownEntry(), { top: main.scrollTop, focused: focused(main), own: view.place?.() });
}

export const ownPlace = (entry: string): unknown => places.get(entry)?.own;

// Bring back what was in sight, as soon as the view has loaded it; the user's next act ends the attempt.
// Returns a function that ends it.
export function bringBack(main: HTMLElement, entry: string): () => void {
  const place = places.get(entry);
  if (!place) {
    main.scrollTop = 0;
    // A new view is read from its beginning; on the first one, the keyboard begins at the top of the page.
    if (places.size && !main.contains(document.activeElement)) main.focus({ preventScroll: true });
    return () => undefined;
  }
  const attempt = (): void => {
    if (main.scrollTop !== place.top) main.scrollTop = place.top;
    const wanted = place.focused === null ? main : find(main, place.focused);
    if (wanted && document.activeElement !== wanted) wanted.focus({ preventScroll: true });
  };
  const watched = new MutationObserver(attempt);
  const end = (): void => {
    watched.disconnect();
    for (const act of USER) window.removeEventListener(act, end, true);
  };
  for (const act of USER) window.addEventListener(act, end, true);
  watched.observe(main, { childList: true, subtree: true });
  attempt();
  return end;
}

// Elements are made anew with the view: one is known by what it leads to or says, and by its turn among such.
function focused(main: HTMLElement): string | null {
  const element = document.activeElement;
  if (!element || element === main || !main.contains(element)) return null;
  const wanted = called(element);
  const alike = [...main.querySelectorAll(FOCUSABLE)].filter((other) => called(other) === wanted);
  return `${alike.indexOf(element)} ${wanted}`;
}

function find(main: HTMLElement, key: string): HTMLElement | null {
  const turn = Number(key.slice(0, key.indexOf(" ")));
  const wanted = key.slice(key.indexOf(" ") + 1);
  return [...main.querySelectorAll<HTMLElement>(FOCUSABLE)].filter((other) => called(other) === wanted)[turn] ?? null;
}

function called(element: Element): string {
  const says = element.getAttribute("aria-label") ?? (element.matches("a, button, summary") ? element.textContent : element.getAttribute("placeholder"));
  return `${element.tagName} ${element.getAttribute("href") ?? ""} ${says ?? ""}`;
}
