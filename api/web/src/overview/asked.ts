// The request of the overview.
import { json } from "../api";
import type { Overview } from "../generated";

export const overview = (signal: AbortSignal): Promise<Overview> => json("runs/current/overview", signal);
