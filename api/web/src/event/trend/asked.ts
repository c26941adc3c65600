// The request for an event over runs and messages.
import { json } from "../../api";
import type { Trend } from "./types";

export const trend = (id: string, signal: AbortSignal, restricted: boolean): Promise<Trend> =>
  json(`conjunctions/${id}/trend${restricted ? "?restricted=true" : ""}`, signal);
