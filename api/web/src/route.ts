// The address of the page, #/events?risk=high&norad=25544, contains everything the user chose.

export interface Route {
  view: string;
  id: string;
  query: URLSearchParams;
}

export function route(): Route {
  const [path = "", query = ""] = location.hash.replace(/^#\/?/, "").split("?", 2);
  const [view = "", id = ""] = path.split("/");
  return { view: view || "globe", id, query: new URLSearchParams(query) };
}

export function link(view: string, query: URLSearchParams | Record<string, string> = {}): string {
  const text = new URLSearchParams(query).toString();
  return `#/${view}${text ? `?${text}` : ""}`;
}

// Change the address without leaving the view.
export function remember(view: string, query: URLSearchParams): void {
  history.replaceState(null, "", link(view, query));
}

// A step that "back" undoes, within the view: going back, the view is updated to the address before.
export function step(view: string, query: URLSearchParams): void {
  if (location.hash !== link(view, query)) history.pushState(null, "", link(view, query));
}

export const eventLink = (id: number | string, restricted = false): string => link(`event/${id}`, restricted ? { restricted: "true" } : {});
export const globeLink = (id: number | string): string => link("globe", { event: String(id) });
