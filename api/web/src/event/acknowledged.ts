// Who has an event: said at its top, with a small form to take it on, to take it over, or to let it go.
import * as api from "../api";
import type { Context } from "../context";
import { field, h, replace } from "../dom";
import { told } from "../fleets/doing";
import type { ConjunctionWithHistory, ListedAcknowledgement } from "../generated";
import type { From } from "../route";

const NAME = "skysieve.name"; // of the person at this browser, as last given
const LONGEST_NAME = 60;
const LONGEST_NOTE = 500;

// `asked`: the address asks who has it, as the link in an e-mail does.
export function acknowledgements(event: ConjunctionWithHistory, from: From, restricted: boolean, asked: boolean, context: Context): HTMLElement {
  const element = h("section", { class: "had", "aria-label": "Who has this event" });
  const [refused, unread] = [told(context), told(context)];
  let stands: ListedAcknowledgement | null = null;
  const name = h("input", { type: "text", required: true, maxlength: LONGEST_NAME, autocomplete: "name", value: localStorage.getItem(NAME) || context.name.slice(0, LONGEST_NAME) });
  const note = h("input", { type: "text", maxlength: LONGEST_NOTE, placeholder: "Asked the operator" });
  const save = h("button", { type: "submit", class: "primary" });
  const form = h("form", { class: "had-form", hidden: true, onsubmit: (submitted: Event) => (submitted.preventDefault(), void send(save, false)) },
    field("Your name", name), field("Note", note), save, h("button", { type: "button", onclick: () => open(false) }, "Cancel"));
  const opener = h("button", { type: "button", onclick: () => open(true) });
  const letGo = h("button", { type: "button", onclick: () => void send(letGo, true) }, "Let go");
  const line = h("p", { class: "had-line", role: "status" });
  const before = h("div", {});

  const open = (wanted: boolean): void => {
    form.hidden = !wanted;
    opener.hidden = wanted;
    if (wanted) (name.value ? note : name).focus();
  };
  const show = (all: readonly ListedAcknowledgement[]): void => {
    const [newest, ...earlier] = all;
    stands = newest && !newest.withdrawn ? newest : null;
    replace(line, stands ? h("strong", {}, stands.words) : "No one has this event yet.");
    replace(opener, stands ? "Take over" : "I have this");
    replace(save, stands ? "Take over" : "I have this");
    letGo.hidden = stands === null;
    const former = stands ? earlier : all;
    replace(before, former.length ? h("details", {}, h("summary", {}, "Before"), h("ul", {}, former.map(({ words }) => h("li", {}, words)))) : null);
  };
  const send = async (button: HTMLButtonElement, withdrawn: boolean): Promise<void> => {
    const who = name.value.trim() || stands?.name || "";
    const done = await refused.during(button, async () => {
      await api.acknowledge(event.id, { name: who, note: withdrawn ? "" : note.value.trim(), withdrawn, replaces: stands?.id ?? null });
    });
    if (done && !withdrawn) localStorage.setItem(NAME, who);
    if (done) open(false);
    // Also after a refusal: another person may have been quicker.
    await unread.during(null, async () => {
      const [now, had] = await Promise.all([api.conjunction(String(event.id), undefined, from, restricted), api.acknowledged()]);
      context.had = had;
      show(now.acknowledgements);
    });
  };

  show(event.acknowledgements);
  const doing = context.readOnly ? [] : [h("div", { class: "had-doing" }, opener, letGo), form, refused.element, unread.element];
  replace(element, line, doing, before);
  if (asked && !context.readOnly) queueMicrotask(() => open(true)); // when it stands in the page
  return element;
}
