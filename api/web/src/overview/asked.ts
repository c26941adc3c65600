// The request of the overview.
import { json } from "../api";
import type { Overview } from "../generated";

// `fleet`: only of this one, by its id; "": of everything.
export const overview = (fleet: string, signal: AbortSignal): Promise<Overview> =>
  json(`runs/current/overview${fleet ? `?fleet=${encodeURIComponent(fleet)}` : ""}`, signal);
