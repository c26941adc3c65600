// Requests of the page to its own service: the browser adds the session's cookie.
import type {
  Conjunction,
  ConjunctionWithHistory,
  Geometry,
  KnownObject,
  Page,
  Run,
  SessionState,
  Unreadable,
} from "./types";
import { LEVELS, OBJECT_FIELDS } from "./types";
import { eventsOf } from "./event_stream";
import type { AcknowledgementList, ListedAcknowledgement, ListedIntent, MadeLink, Problem, RejectionList } from "./generated";
import type { From } from "./route";
import type { Progress, Question, WhatIf } from "./whatif/types";

// status 0: no answer at all.
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly title: string,
    detail: string,
    readonly retryAfter_s = 0,
  ) {
    super(detail);
  }
}

const LONGEST_WAIT_S = 65;
const TIMEOUT_MS = 60_000;
const SEARCH_MS = 600_000; // it may wait its turn behind others
const RESERVED = 0.25; // of a credential's requests: kept for the lists, not for repeated drawing

type Intending = Pick<ListedIntent, "intent" | "move_at" | "note"> & { norad_id: number | null };
type Acknowledging = { name: string; note: string; withdrawn: boolean; replaces: number | null };

export interface Asked {
  signal?: AbortSignal | undefined;
  accept?: string;
  method?: string;
  headers?: Record<string, string>;
  body?: string | Blob;
  timeout_ms?: number;
}

let signedIn = new AbortController(); // aborted on signing out

// Abort requests under way: without a session they would be refused, and shown as faults.
export function endRequests(): void {
  signedIn.abort(new ApiError(401, "Signed out", "You are signed out."));
  signedIn = new AbortController();
  ahead.clear();
}

async function send(path: string, asked: Asked, leaving: AbortSignal): Promise<Response> {
  const ends = [leaving, AbortSignal.timeout(asked.timeout_ms ?? TIMEOUT_MS)];
  const signal = AbortSignal.any(asked.signal ? [...ends, asked.signal] : ends);
  const headers = { Accept: asked.accept ?? "application/json", ...asked.headers };
  try {
    const answer = await fetch(path, { method: asked.method ?? "GET", headers, body: asked.body ?? null, signal, credentials: "same-origin" });
    noteQuota(answer.headers);
    return answer;
  } catch (error) {
    if (asked.signal?.aborted || leaving.aborted) throw error;
    throw unreachable();
  }
}

export function unreachable(): ApiError {
  window.dispatchEvent(new Event("skysieve:unreachable"));
  return new ApiError(0, "No answer", "The service cannot be reached. It may be stopped, or the network is down.");
}

// The rest of an answer: the service may stop while sending it.
export async function body<T>(reading: Promise<T>, signal?: AbortSignal): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    throw signal?.aborted ? error : unreachable();
  }
}

let quota = { left: Infinity, all: 0, more_at: 0 }; // as in the last answer

function noteQuota(headers: Headers): void {
  const all = /;q=(\d+)/.exec(headers.get("RateLimit-Policy") ?? "");
  const now = /;r=(\d+);t=(\d+)/.exec(headers.get("RateLimit") ?? "");
  if (all && now) quota = { left: Number(now[1]), all: Number(all[1]), more_at: Date.now() + 1000 * Number(now[2]) };
}

// How long repeated requests leave the last ones of this minute to everything else, ms.
export function pauseForOthers_ms(): number {
  return quota.left > RESERVED * quota.all ? 0 : Math.max(0, quota.more_at - Date.now());
}

const waits = new Set<number>();

// When waiting requests are repeated, ms; null: none waits.
export const waitingUntil = (): number | null => (waits.size ? Math.max(...waits) : null);

// If the service asks to wait (429), the request is repeated once, automatically.
export async function request(path: string, asked: Asked = {}): Promise<Response> {
  const leaving = signedIn.signal;
  let answer = await send(path, asked, leaving);
  const wait_s = Number(answer.headers.get("Retry-After"));
  if (answer.status === 429 && wait_s <= LONGEST_WAIT_S && (asked.method ?? "GET") === "GET") {
    await waited(Math.max(wait_s, 1) * 1000, asked.signal ? AbortSignal.any([asked.signal, leaving]) : leaving);
    answer = await send(path, asked, leaving);
  }
  if (answer.ok) return answer;
  throw await problem(answer);
}

export async function waited(milliseconds: number, signal: AbortSignal): Promise<void> {
  const end = Date.now() + milliseconds;
  waits.add(end);
  window.dispatchEvent(new Event("skysieve:waiting"));
  try {
    await new Promise<void>((resolve, reject) => {
      setTimeout(resolve, milliseconds);
      signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
    });
  } finally {
    waits.delete(end);
    window.dispatchEvent(new Event("skysieve:waiting"));
  }
}

async function problem(answer: Response): Promise<ApiError> {
  const wait_s = Number(answer.headers.get("Retry-After"));
  try {
    const { title, detail } = (await answer.json()) as Problem;
    return new ApiError(answer.status, String(title), String(detail), wait_s);
  } catch {
    return new ApiError(answer.status, `Status ${answer.status}`, "The answer does not come from this service.", wait_s);
  }
}

// Asked before the view that shows it is loaded: the view that asks soon takes this answer, once.
const AHEAD_MS = 10_000;
const ahead = new Map<string, { answer: Promise<unknown>; at: number }>();
export function askAhead(path: string): void {
  const answer = json(path);
  ahead.set(path, { answer, at: performance.now() });
  answer.catch(() => ahead.delete(path)); // then the view asks itself, and shows why it fails
}

export async function json<T>(path: string, signal?: AbortSignal, asked: Asked = {}): Promise<T> {
  const early = asked.method ? undefined : ahead.get(path);
  if (early) {
    ahead.delete(path);
    if (performance.now() - early.at < AHEAD_MS) {
      const answer = await early.answer;
      signal?.throwIfAborted();
      return answer as T;
    }
  }
  const answer = await request(path, { ...asked, signal });
  const text = await body(answer.text(), signal);
  try {
    return JSON.parse(text) as T;
  } catch {
    throw new ApiError(answer.status, "Unreadable answer", `The answer to ${path} is not JSON, or is incomplete.`);
  }
}

export const session = (): Promise<SessionState> => json("session");
export const currentRun = (): Promise<Run> => json("runs/current");
// What is asked of an event: also by messages that must not be handed on, and from which object it is seen.
export const asking = (from: From, restricted = false): string => {
  const query = new URLSearchParams({ ...(restricted ? { restricted: "true" } : {}), ...(from ? { from: String(from) } : {}) });
  return query.size ? `?${query}` : "";
};
export const geometry = (id: string, signal?: AbortSignal, from?: From, restricted = false): Promise<Geometry> =>
  json(`conjunctions/${id}/geometry${asking(from, restricted)}`, signal);
export const acknowledge = (id: number, asked: Partial<Acknowledging>): Promise<unknown> => change("POST", `conjunctions/${id}/acknowledgements`, asked);
export const intend = (id: number, asked: Intending): Promise<unknown> => change("POST", `conjunctions/${id}/intents`, asked);
export const shareLink = (id: number): Promise<MadeLink> => change("POST", `conjunctions/${id}/links`, {});
// Who has which event, in words, by the events.
export const acknowledged = async (): Promise<Map<number, ListedAcknowledgement>> =>
  new Map((await json<AcknowledgementList>("acknowledgements")).acknowledgements.map((one) => [one.event_id, one]));
export const rejections = (): Promise<RejectionList> => json("runs/current/rejections");
const KNOWN = OBJECT_FIELDS.map((name) => `fields=${name}`).join("&");
export const objects = (): Promise<{ objects: KnownObject[] }> => json(`objects?${KNOWN}`);

// Null: the run has no object of this number.
export async function object(number: number): Promise<KnownObject | null> {
  try {
    return (await json<{ objects: KnownObject[] }>(`objects?norad_id=${number}&${KNOWN}`)).objects[0] ?? null;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}

// The session's cookie permits changes with a header that no other page can send. No content comes back as null.
export async function change<T>(method: "POST" | "PATCH" | "DELETE", path: string, content?: object): Promise<T> {
  const headers = { "X-Requested-With": "skysieve", ...(content ? { "Content-Type": "application/json" } : {}) };
  const answer = await request(path, { method, headers, ...(content ? { body: JSON.stringify(content) } : {}) });
  return (answer.status === 204 ? null : await body(answer.json())) as T;
}

// A file as it is; what it is, the service tells by its content.
export const handIn = <T>(path: string, content: Blob, signal: AbortSignal): Promise<T> =>
  json<T>(path, signal, { method: "POST", headers: { "X-Requested-With": "skysieve", "Content-Type": "application/octet-stream" }, body: content, timeout_ms: SEARCH_MS });

// A question, which stores nothing: so the page's session may ask it. Its steps are told as they begin.
export async function whatIf(id: number, from: From, question: Question, signal: AbortSignal, told: (step: Progress) => void): Promise<WhatIf> {
  const answer = await request(`conjunctions/${id}/manoeuvres${asking(from)}`, {
    method: "POST",
    accept: "text/event-stream",
    headers: { "Content-Type": "application/json", "X-Requested-With": "skysieve" },
    body: JSON.stringify(question),
    timeout_ms: SEARCH_MS,
    signal,
  });
  const unfinished = new ApiError(answer.status, "Unfinished answer", "The answer ended before its result: the service may have been stopped.");
  try {
    for await (const { name, data } of eventsOf(answer.body as ReadableStream<Uint8Array>)) {
      if (name === "progress") told(JSON.parse(data) as Progress);
      if (name === "result") return JSON.parse(data) as WhatIf;
      if (name === "problem") {
        const problem = JSON.parse(data) as Problem;
        throw new ApiError(problem.status, problem.title, problem.detail);
      }
    }
  } catch (error) {
    throw error instanceof ApiError || signal.aborted ? error : unfinished;
  }
  throw unfinished;
}

export async function conjunctions(query: URLSearchParams, signal?: AbortSignal): Promise<Page> {
  const page = await json<Page>(`conjunctions?${query}`, signal);
  return { ...page, conjunctions: page.conjunctions.map(checked) };
}

export async function conjunction(id: string, signal?: AbortSignal, from?: From, restricted = false): Promise<ConjunctionWithHistory> {
  const event = await json<ConjunctionWithHistory>(`conjunctions/${id}${asking(from, restricted)}`, signal);
  const found = checked(event);
  if ("unreadable" in found) throw new ApiError(200, "Unreadable record", `Event ${id}: ${found.unreadable}.`);
  return { ...event, history: event.history.filter((row) => !("unreadable" in checked(row))) };
}

export function signIn(token: string): Promise<SessionState> {
  return json("session", undefined, { method: "POST", headers: { Authorization: `Bearer ${token}` } });
}

export async function signOut(): Promise<void> {
  await request("session", { method: "DELETE", headers: { "X-Requested-With": "skysieve" } });
}

// Every list and every picture relies on these fields; a bad record is shown as such.
export function checked(record: unknown): Conjunction | Unreadable {
  const event = (record ?? {}) as Partial<Conjunction>;
  const id = Number.isSafeInteger(event.id) ? (event.id as number) : null;
  const wrong = [
    id === null && "id",
    !Number.isFinite(Date.parse(String(event.tca))) && "tca",
    typeof event.miss_distance_m !== "number" && "miss_distance_m",
    typeof event.relative_speed_m_s !== "number" && event.relative_speed_m_s !== null && "relative_speed_m_s",
    !Number.isSafeInteger(event.primary_norad_id) && "primary_norad_id",
    !Number.isSafeInteger(event.secondary_norad_id) && "secondary_norad_id",
    !LEVELS.includes(event.risk_level as never) && "risk_level",
  ].filter((name) => name !== false);
  return wrong.length ? { id, unreadable: `${wrong.join(", ")} cannot be read` } : (event as Conjunction);
}
