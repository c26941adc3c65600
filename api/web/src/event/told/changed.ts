// What an event was before the path of an object came from something else, in a sentence.
import { bestProbability, probabilityLevel } from "../../levels";
import { chanceWords } from "../../marks";
import { everything, trajectoryWords } from "../../trajectories";
import { UNKNOWN, type Conjunction, type ConjunctionWithHistory } from "../../types";
import { distance, minute } from "../words";

export function changed(event: ConjunctionWithHistory): string[] {
  const rows = everything(event, event.history);
  for (let i = rows.length - 1; i > 0; i -= 1) {
    const [before, after] = [rows[i - 1] as Conjunction, rows[i] as Conjunction];
    const moved = (["primary", "secondary"] as const).flatMap((who) => {
      // The object asked about stands first: in another row of the event that may be the other one.
      const was = before.primary_norad_id === after[`${who}_norad_id`] ? "primary" : "secondary";
      const [from, to] = [trajectoryWords(before[`${was}_trajectory`]), trajectoryWords(after[`${who}_trajectory`])];
      return from === to ? [] : [`${after[`${who}_name`].trim()} from its ${from} to its ${to}`];
    });
    if (moved.length) return [`At ${minute(after.computed_at)} UTC ${moved.join(" and ")}: ${values(before, after)}.`];
  }
  return [];
}

function values(...rows: [Conjunction, Conjunction]): string {
  const each = (text: (row: Conjunction) => string): string => rows.map(text).join(" to ");
  const chance = (row: Conjunction): string => (bestProbability(row) === null ? UNKNOWN : chanceWords(row, 3));
  return `the miss went from ${each((row) => distance(row.miss_distance_m))}, the probability from ${each(chance)}, ` +
    `the level from ${each((row) => probabilityLevel(row))}`;
}
