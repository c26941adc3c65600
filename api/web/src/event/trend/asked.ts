// The request for an event over runs and messages.
import { asking, json } from "../../api";
import type { From } from "../../route";
import type { Trend } from "../../generated";

export const trend = (id: string, signal: AbortSignal, from: From, restricted: boolean): Promise<Trend> =>
  json(`conjunctions/${id}/trend${asking(from, restricted)}`, signal);
