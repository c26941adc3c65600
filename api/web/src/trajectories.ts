// What the path of an object is from, in words: the same as in storage/rows/trajectory_words.py.
import { h } from "./dom";
import { count, metres, utc } from "./format";
import { probabilityLevel } from "./levels";
import { chanceWords } from "./marks";
import type { Conjunction } from "./types";

const WORDS: Record<string, string> = {
  gp: "element set",
  supgp: "supplemental element set",
  ephemeris: "operator's ephemeris",
};

// Events of earlier releases do not say: there was nothing but element sets.
export const trajectoryWords = (kind: string | null | undefined): string => WORDS[kind ?? "gp"] ?? WORDS.gp as string;

// For lists: nothing where it is an element set, as for most.
export const unusual = (kind: string | null | undefined): string => (trajectoryWords(kind) === WORDS.gp ? "" : trajectoryWords(kind));

// What each run found, and what has been found since.
export function everything(event: Conjunction, history: Conjunction[]): Conjunction[] {
  const last = history.at(-1);
  return last && last.computed_at >= event.computed_at ? history : [...history, event];
}

const SHOWN = 4; // where every run is followed by a second look, two changes a run

// Where the path of an object came from something else than before: both values, and why they differ. The
// newest first.
export function changes(rows: Conjunction[]): HTMLElement | null {
  const found = rows.slice(1).flatMap((after, i) => {
    const before = rows[i] as Conjunction;
    const why = moved(before, after);
    return why.length ? [h("li", {}, ...sentence(before, after, why))] : [];
  });
  if (!found.length) return null;
  const earlier = found.length - SHOWN;
  return h(
    "div",
    { class: "changes" },
    h("h3", {}, "Why it changed"),
    h("ul", {}, found.reverse().slice(0, SHOWN)),
    earlier > 0 ? h("p", { class: "note" }, `and ${count(earlier)} earlier ${earlier === 1 ? "change" : "changes"}`) : null,
  );
}

function moved(before: Conjunction, after: Conjunction): string[] {
  return (["primary", "secondary"] as const).flatMap((who) => {
    // The object asked about stands first: in another row of the event that may be the other one.
    const was = before.primary_norad_id === after[`${who}_norad_id`] ? "primary" : "secondary";
    const from = trajectoryWords(before[`${was}_trajectory`]);
    const to = trajectoryWords(after[`${who}_trajectory`]);
    return from === to ? [] : [`${after[`${who}_name`]}: ${from} → ${to}`];
  });
}

function sentence(before: Conjunction, after: Conjunction, why: string[]): (HTMLElement | string)[] {
  return [
    h("time", { datetime: after.computed_at }, `${utc(after.computed_at)} Z`),
    ` ${why.join("; ")}. Miss distance ${metres(before.miss_distance_m)} m → ${metres(after.miss_distance_m)} m, `,
    `probability ${chanceWords(before)} → ${chanceWords(after)}, level ${probabilityLevel(before)} → ${probabilityLevel(after)}.`,
  ];
}
