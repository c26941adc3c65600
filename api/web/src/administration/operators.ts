// Whom to call about which objects, and the links that open events without a credential.
import { change, json } from "../api";
import type { Context } from "../context";
import { field, h } from "../dom";
import { filled, sureButton, told } from "../fleets/doing";
import { NOTHING, timeElement } from "../format";
import type { Directory, LinkList, ListedEntry, ListedLink } from "../generated";
import { link } from "../route";

export function operatorsPanels(context: Context, changed: () => Promise<void>): HTMLElement[] {
  const entries = h("div", { "data-list": "directory" });
  const links = h("div", { "data-list": "links" });
  const said = told(context);
  const saidOfLinks = told(context);
  const loadEntries = (): Promise<void> =>
    filled(entries, context, async () => {
      const found = (await json<Directory>("directory")).entries;
      return found.length ? table("Directory", ["Operator", "Objects", "Reached by", "Note", ""], found.map(entry)) : empty("No one is listed yet.");
    });
  const loadLinks = (): Promise<void> =>
    filled(links, context, async () => {
      const found = (await json<LinkList>("links")).links;
      return found.length ? table("Links", ["Event", "Made", "By", "Ends", ""], found.reverse().map(row)) : empty("No event has a link.");
    });
  const entry = (one: ListedEntry): HTMLElement =>
    h("tr", { "data-entry-of": one.operator },
      h("th", { scope: "row" }, one.operator),
      h("td", {}, [...one.owners, ...one.norad_ids, one.name_pattern].filter(Boolean).join(", ")),
      h("td", {}, [one.email, one.telephone, `${one.hours} ${one.time_zone}`.trim()].filter(Boolean).join(", ")),
      h("td", {}, one.note || NOTHING),
      h("td", {}, sureButton("Remove", `Remove “${one.operator}” from the directory?`, (button) =>
        void said.during(button, async () => {
          await change("DELETE", `directory/${one.id}`);
          await Promise.all([loadEntries(), changed()]);
        }))));
  const row = (one: ListedLink): HTMLElement =>
    h("tr", { "data-link": one.id, class: one.ended ? "ended" : "" },
      h("th", { scope: "row" }, h("a", { href: link(`event/${one.event_id}`) }, one.event_id)),
      h("td", {}, timeElement(one.created, false)),
      h("td", {}, one.made_by),
      h("td", {}, timeElement(one.expires, false)),
      h("td", {}, one.ended ? "ended" : sureButton("Revoke", `Revoke link ${one.id}? Anyone who has it no longer reads the event.`, (button) =>
        void saidOfLinks.during(button, async () => {
          await change("DELETE", `conjunctions/${one.event_id}/links/${one.id}`);
          await Promise.all([loadLinks(), changed()]);
        }))));
  void loadEntries();
  void loadLinks();
  return [
    h("div", { class: "panel" }, h("h2", {}, "Whom to call"),
      h("p", { class: "help" }, "Your organisation’s directory of operators. Many at once: ", h("code", {}, "skysieve directory import FILE"), "."),
      entries, form(said, () => Promise.all([loadEntries(), changed()])), said.element),
    h("div", { class: "panel" }, h("h2", {}, "Links without a credential"),
      h("p", { class: "help" }, "Each opens the report on one event for anyone who has it; they are made on the event’s page."),
      links, saidOfLinks.element),
  ];
}

function form(said: ReturnType<typeof told>, load: () => Promise<unknown>): HTMLElement {
  const inputs = {
    operator: h("input", { type: "text", required: true, maxlength: 100 }),
    owners: h("input", { type: "text" }),
    name_pattern: h("input", { type: "text", maxlength: 100, placeholder: "EXSAT-*", spellcheck: "false" }),
    email: h("input", { type: "email", maxlength: 200 }),
    telephone: h("input", { type: "tel", maxlength: 200 }),
  };
  const button = h("button", { type: "submit" }, "Add an operator");
  const add = async (): Promise<void> => {
    const { owners, ...texts } = inputs;
    const given = Object.fromEntries(Object.entries(texts).map(([name, one]) => [name, one.value]));
    await change("POST", "directory", { ...given, owners: owners.value.split(/[\s,]+/).filter(Boolean) });
    Object.values(inputs).forEach((one) => (one.value = ""));
    await load();
  };
  return h(
    "form",
    { class: "fields", onsubmit: (event: Event) => (event.preventDefault(), void said.during(button, add)) },
    field("Operator", inputs.operator),
    field("Owners", inputs.owners, "Abbreviations of GCAT, such as SES"),
    field("And names like", inputs.name_pattern),
    field("E-mail", inputs.email),
    field("Telephone", inputs.telephone),
    button,
  );
}

const empty = (text: string): HTMLElement => h("p", { class: "empty" }, text);

const table = (label: string, columns: string[], rows: HTMLElement[]): HTMLElement =>
  h("div", { class: "scroll-x", tabindex: "0", role: "region", "aria-label": label },
    h("table", { class: "plain" }, h("thead", {}, h("tr", {}, columns.map((name) => h("th", { scope: "col" }, name)))), h("tbody", {}, rows)));
