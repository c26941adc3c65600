// What others say of an event, before anything else about it: the newest messages beside ours.
import { h } from "../dom";
import { count } from "../format";
import { beside, differences } from "../inbox/beside";
import { told } from "../levels";
import type { ConjunctionWithHistory } from "../types";
import { origins, sideBySide } from "./side_by_side";

const MOST_ROWS = 2; // the trend has them all

// Null: there is no message about it.
export function messagesFirst(event: ConjunctionWithHistory): HTMLElement | null {
  const newest = event.messages.slice(-MOST_ROWS).reverse();
  const [first] = newest;
  if (!first) return null;
  const total = event.messages.length;
  return h("section", { class: "panel encounter-card", "aria-label": "Messages about it" },
    h("h2", {}, total === 1 ? "A message about it" : `${count(total)} messages about it`),
    first.apart ? h("p", {}, `${first.originator || "The newest"}: ${first.apart}.`) : null,
    beside(told(event) ? null : event, newest),
    differences(first),
    event.side_by_side ? h("p", { class: "trust" }, event.side_by_side.words) : null,
    h("details", {}, h("summary", {}, "All senders side by side"), event.side_by_side ? sideBySide(event.side_by_side) : null, origins(event)));
}
