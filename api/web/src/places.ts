// What was in sight and had the focus, for each entry of the browser's history: "back" finds it again.
import type { View } from "./context";
import { shownEntry } from "./route";

interface Place {
  top: number; // px scrolled
  focused: string | null;
  own: unknown; // what the view itself keeps
}

const FOCUSABLE = "a[href], button, input, select, textarea, summary, [tabindex]";
const LONGEST_MS = 10_000; // what has not come by then is not waited for
const USER = ["wheel", "keydown", "pointerdown"] as const;
const KEY = "skysieve-places"; // of this tab, so that a reload loses none
const KEPT = 50; // the newest

const places = new Map<string, Place>(JSON.parse(sessionStorage.getItem(KEY) ?? "[]") as [string, Place][]);
let visited = false; // a view has been left

// Call it when the page is left.
export const storePlaces = (): void => sessionStorage.setItem(KEY, JSON.stringify([...places].slice(-KEPT)));

// Call it before the view is left.
export function keepPlace(main: HTMLElement, view: View): void {
  visited = true;
  places.delete(shownEntry()); // the newest last
  places.set(shownEntry(), { top: scroller(main).scrollTop, focused: focused(main), own: view.place?.() });
}

export const ownPlace = (entry: string): unknown => places.get(entry)?.own;

// Bring back what was in sight, as soon as the view has loaded it; the user's next act ends the attempt.
// Returns a function that ends it.
export function bringBack(main: HTMLElement, entry: string): () => void {
  const place = places.get(entry);
  if (!place) {
    scroller(main).scrollTop = 0;
    // A new view is read from its beginning; on the first one, the keyboard begins at the top of the page.
    if (visited && !main.contains(document.activeElement)) main.focus({ preventScroll: true });
    return () => undefined;
  }
  const attempt = (): void => {
    const scrolled = scroller(main);
    if (scrolled.scrollTop !== place.top) scrolled.scrollTop = place.top;
    const wanted = place.focused === null ? main : find(main, place.focused);
    if (wanted && document.activeElement !== wanted) wanted.focus({ preventScroll: true });
  };
  const timer = window.setTimeout(() => end(), LONGEST_MS);
  const watched = new MutationObserver(attempt);
  const end = (): void => {
    watched.disconnect();
    clearTimeout(timer);
    for (const act of USER) window.removeEventListener(act, end, true);
  };
  for (const act of USER) window.addEventListener(act, end, true);
  watched.observe(main, { childList: true, subtree: true });
  attempt();
  return end;
}

// On a small screen the frame scrolls with the view.
const scroller = (main: HTMLElement): HTMLElement => (getComputedStyle(main).overflowY === "visible" ? (main.parentElement ?? main) : main);

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
