// The address of the page, #/events?risk=high&norad=25544, contains everything the user chose.

export interface Route {
  view: string; // "": none is named, so it is the first screen
  id: string;
  query: URLSearchParams;
}

export function route(): Route {
  const [path = "", query = ""] = location.hash.replace(/^#\/?/, "").split("?", 2);
  const [view = "", id = ""] = path.split("/");
  return { view, id, query: new URLSearchParams(query) };
}

export function link(view: string, query: URLSearchParams | Record<string, string> = {}): string {
  const text = new URLSearchParams(query).toString();
  return `#/${view}${text ? `?${text}` : ""}`;
}

// Each entry of the browser's history has a name of its own, by which `places.ts` finds what was in sight there.
const page = `${Date.now().toString(36)}-`;
let entries = 0;
let shown = "";

const named = (): { entry: string } => ({ entry: `${page}${(entries += 1)}` });

export const shownEntry = (): string => shown;

// Call it when the address has changed; returns the entry now shown.
export function arrive(): string {
  const known = (history.state as { entry?: string } | null)?.entry;
  const state = known ? { entry: known } : named();
  if (!known) history.replaceState(state, "");
  shown = state.entry;
  return shown;
}

// Change the address without leaving the view; one that was left meanwhile changes nothing any more.
export function remember(view: string, query: URLSearchParams): void {
  if (isLeft(view)) return;
  history.replaceState(history.state, "", link(view, query));
}

// `view` may have an id: "event/5".
const isLeft = (view: string): boolean => view.split("/")[0] !== route().view;

// A step that "back" undoes, within the view: going back, the view is updated to the address before.
export function step(view: string, query: URLSearchParams): void {
  if (isLeft(view) || location.hash === link(view, query)) return;
  const state = named();
  history.pushState(state, "", link(view, query));
  shown = state.entry;
}

// From which of its two objects an event is seen, by its catalogue number; undefined: as stored.
export type From = number | undefined;

export const eventLink = (id: number | string, restricted = false, from?: From, tab?: string): string =>
  link(`event/${id}`, { ...(restricted ? { restricted: "true" } : {}), ...fromQuery(from), ...(tab ? { tab } : {}) });
export const globeLink = (id: number | string, _restricted = false, from?: From): string => link("globe", { event: String(id), ...fromQuery(from) });

// One of the own satellites, if it is of the event.
export const seenFrom = (event: { primary_norad_id: number; secondary_norad_id: number }, own: ReadonlySet<number>): From =>
  [event.primary_norad_id, event.secondary_norad_id].find((number) => own.has(number));

export const fromOf = (query: URLSearchParams): From => Number(query.get("from")) || undefined;
const fromQuery = (from: From): Record<string, string> => (from ? { from: String(from) } : {});
