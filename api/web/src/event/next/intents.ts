// What the operators of both objects intend, and a small form to say it for one's own.
import * as api from "../../api";
import type { Context } from "../../context";
import { field, h, replace } from "../../dom";
import { told } from "../../fleets/doing";
import type { ConjunctionWithHistory, ListedIntent } from "../../generated";
import type { From } from "../../route";

type Intent = ListedIntent["intent"];

const WORDS: readonly [Intent, string][] = [["will_move", "We will move"], ["will_not_move", "We will not move"], ["waiting", "We are waiting"]];
const LONGEST_NOTE = 500;

export interface Intents {
  said: HTMLElement; // hidden while nothing is said
  saying: HTMLElement | null; // the form; null: for readers
}

export function intents(event: ConjunctionWithHistory, from: From, restricted: boolean, context: Context): Intents {
  const refused = told(context);
  const said = h("section", { class: "had", "aria-label": "What operators intend" });
  const what = h("select", {}, WORDS.map(([value, words]) => h("option", { value }, words)));
  const at = h("input", { type: "text", placeholder: "2026-11-21T14:05Z", maxlength: 30 });
  const note = h("input", { type: "text", maxlength: LONGEST_NOTE });
  const which = h("select", {}, h("option", { value: "" }, "The one of your fleets"), (["primary", "secondary"] as const).map((who) => h("option", { value: String(event[`${who}_norad_id`]) }, event[`${who}_name`].trim() || String(event[`${who}_norad_id`]))));
  const save = h("button", { type: "submit", class: "primary" }, "Say it to all");
  const send = async (): Promise<void> => {
    const time = at.value.trim();
    const done = await refused.during(save, () => api.intend(event.id, { intent: what.value as Intent, move_at: time || null, note: note.value.trim(), norad_id: which.value ? Number(which.value) : null }).then(() => undefined));
    if (done) await refused.during(null, async () => show((await api.conjunction(String(event.id), undefined, from, restricted)).intents));
  };
  const form = h("form", { class: "intend-form", onsubmit: (submitted: Event) => (submitted.preventDefault(), void send()) },
    field("Your object", which), field("Intent", what), field("When, UTC", at), field("Note for all", note), save);
  const show = (all: readonly ListedIntent[]): void => {
    const [count, before] = [all.filter((one) => one.counts), all.filter((one) => !one.counts)];
    said.hidden = all.length === 0;
    replace(said,
      count.map(({ words }) => h("p", { class: "had-line" }, h("strong", {}, words))),
      before.length ? h("details", {}, h("summary", {}, "Said before"), h("ul", {}, before.map(({ words }) => h("li", {}, words)))) : null);
  };
  show(event.intents);
  const saying = context.readOnly ? null : h("section", { class: "panel", "aria-label": "Say what you intend" }, h("h2", {}, "Say what you intend"), form, refused.element);
  return { said, saying };
}
