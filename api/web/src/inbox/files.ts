// Files handed in, one after the other: what each is and what became of it, or why it was refused.
import * as api from "../api";
import type { Context } from "../context";
import { field, h, newId, replace } from "../dom";
import { count } from "../format";
import { writing } from "../fleets/doing";
import type { InboxFile, StoredTrajectory } from "../generated";

const MOST_MB = 32; // as the service takes
const MB = 1024 ** 2;

interface Handed {
  name: string;
  content: Blob;
}

export interface HandIn {
  element: HTMLElement;
  add(files: Iterable<File>): void;
  stop(): void;
}

// `taken` is called when the store has more than before.
export function handIn(context: Context, taken: () => void): HandIn {
  const ended = new AbortController();
  const rows = h("ul", { class: "handed", "aria-label": "Files handed in" });
  const state = h("p", { class: "note", role: "status" });
  const waiting: (() => Promise<void>)[] = [];
  let handed = 0;
  let running = false;

  const run = async (): Promise<void> => {
    if (running) return;
    running = true;
    for (let next = waiting.shift(); next && !ended.signal.aborted; next = waiting.shift()) {
      replace(state, `Reading ${count(handed - waiting.length)} of ${count(handed)}…`);
      await next();
    }
    running = false;
    replace(state, handed ? `Done: ${count(handed)} ${handed === 1 ? "file" : "files"}.` : "");
  };

  const one = (file: Handed): void => {
    const told = h("div", { class: "told" }, h("small", {}, "waiting"));
    rows.append(h("li", { "data-file": file.name }, h("strong", {}, file.name), " ", h("small", {}, size(file.content.size)), told));
    const ask = (path: string): Promise<InboxFile> => patiently(() => api.handIn<InboxFile>(path, file.content, ended.signal), ended.signal);
    const read = async (number = ""): Promise<void> => {
      replace(told, h("progress", { "aria-label": `Reading ${file.name}` }));
      try {
        const query = new URLSearchParams({ source: file.name, ...(number ? { norad_id: number } : {}) });
        const found = await ask(`inbox?${query}`);
        replace(told, found.words.map((text) => h("p", {}, text)), found.kind === "trajectory" ? question(file, found, number) : null);
        if (found.taken?.new) taken();
      } catch (error) {
        refused(told, error, () => again(read), (given) => again(() => read(given)));
      }
    };
    const again = (work: () => Promise<void>): void => {
      handed += 1;
      waiting.push(work);
      void run();
    };
    if (file.content.size > MOST_MB * MB) return replace(told, h("p", { class: "form-message" }, `It has ${size(file.content.size)}; at most ${MOST_MB} MB are read.`));
    again(read);
  };

  // It counts for everyone, so it is asked first.
  const question = (file: Handed, found: InboxFile, number: string): HTMLElement => {
    const place = h("div", { class: "buttons", role: "group", "aria-label": `Shall ${file.name} count?` });
    const keep = async (kind: "definitive" | "hypothetical"): Promise<void> => {
      replace(place, h("progress", { "aria-label": `Storing ${file.name}` }));
      try {
        const query = new URLSearchParams({ kind, source: file.name, ...(number ? { norad_id: number } : {}) });
        await patiently(() => api.handIn<StoredTrajectory>(`trajectories?${query}`, file.content, ended.signal), ended.signal);
        replace(place, h("strong", { role: "status" }, kind === "definitive" ? "It counts from the next run on." : "Kept for questions; it does not count."));
      } catch (error) {
        refused(place, error, () => void keep(kind));
      }
    };
    place.append(
      h("button", { type: "button", class: "primary", disabled: !found.may_count, onclick: () => void keep("definitive") }, "Let it count"),
      h("button", { type: "button", onclick: () => void keep("hypothetical") }, "Only for questions"),
      h("button", { type: "button", class: "quiet", onclick: () => replace(place, h("span", { class: "note" }, "Not kept.")) }, "Discard"),
    );
    return place;
  };

  const refused = (place: HTMLElement, error: unknown, again: () => void, withNumber?: (number: string) => void): void => {
    if (ended.signal.aborted) return;
    if (!(error instanceof api.ApiError)) throw error;
    if (error.status === 401) return context.failed(error);
    const [why = "", ...lines] = error.message.split("\n");
    replace(place, h("p", { class: "form-message" }, why), lines.length ? h("pre", {}, lines.map((line) => line.trim()).join("\n")) : null,
      error.status !== 422 ? h("button", { type: "button", onclick: again }, "Try again") : null,
      withNumber && why.includes("`norad_id`") ? numbered(withNumber) : null);
  };

  const pasted = h("textarea", { id: newId("pasted"), rows: 3, spellcheck: "false", placeholder: "CCSDS_CDM_VERS = 1.0 …" });
  const readPasted = (): void => {
    if (!pasted.value.trim()) return pasted.focus();
    one({ name: "pasted text", content: new Blob([pasted.value]) });
    pasted.value = "";
  };
  const add = (files: Iterable<File>): void => {
    if (context.readOnly) return replace(state, `Not read: “${context.name}” can only read.`);
    for (const file of files) one({ name: file.name, content: file });
  };
  const chosen = h("input", { type: "file", multiple: true, id: newId("files"), onchange: () => (add(chosen.files ?? []), (chosen.value = "")) });
  const zone = h("div", { class: "drop" },
    h("label", { for: chosen.id }, "Drop files here, or choose them"), chosen,
    h("small", { class: "help" }, `CDM (KVN, XML, JSON; gzip, zip), OEM, OCM, MEME, SP3: at most ${MOST_MB} MB each.`));
  return {
    element: h("div", { class: "panel hand-in" },
      writing(context, h("div", { class: "ways" }, zone, h("div", { class: "paste" }, field("Or paste a message", pasted), h("button", { type: "button", onclick: readPasted }, "Read it")))),
      state, rows),
    add,
    stop: () => ended.abort(),
  };
}

const size = (bytes: number): string => (bytes < MB ? `${count(Math.ceil(bytes / 1000))} kB` : `${(bytes / MB).toFixed(1)} MB`);

// An ephemeris that does not say whose it is.
function numbered(read: (number: string) => void): HTMLElement {
  const input = h("input", { type: "text", inputmode: "numeric", pattern: "[0-9]+", required: true, size: 10 });
  return h("form", { class: "buttons", onsubmit: (event: Event) => (event.preventDefault(), read(input.value.trim())) },
    field("Catalogue number", input), h("button", { type: "submit" }, "Read again"));
}

// Many files meet the limit of requests: then it goes on when the service says so.
async function patiently<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof api.ApiError) || error.status !== 429 || !error.retryAfter_s) throw error;
      await api.waited(error.retryAfter_s * 1000, signal);
    }
  }
}
