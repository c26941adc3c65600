// What administrators of an organisation see: its credentials, made and revoked, its directory and links, and what was changed.
import { change, json } from "../api";
import type { Context, View } from "../context";
import { field, h, replace } from "../dom";
import { filled, sureButton, told } from "../fleets/doing";
import { shownOnce } from "../fleets/once";
import { NOTHING, timeElement } from "../format";
import { operatorsPanels } from "./operators";
import type { AuditLog, CredentialList, ListedCredential, MadeCredential } from "../generated";

const ROLES = [
  ["viewer", "viewer: reads"],
  ["operator", "operator: also fleets, alerts, messages, what-if"],
  ["flight", "flight: also definitive trajectories of its objects"],
  ["admin", "admin: all, also this page"],
] as const;
const SHOWN = 100; // entries of the log

export function administrationView(context: Context): View {
  const list = h("div", { "data-list": "credentials" });
  const log = h("div", { "data-list": "audit" });
  const made = h("div");
  const said = told(context);
  const organisation = h("span", { class: "total" });
  const load = (): Promise<void> =>
    filled(list, context, async () => {
      const found = await json<CredentialList>("credentials");
      replace(organisation, found.organisation);
      return table(found.credentials);
    });
  const loadLog = (): Promise<void> =>
    filled(log, context, async () => entries(await json<AuditLog>(`audit?limit=${SHOWN}`)));
  const revoke = (one: ListedCredential, button: HTMLButtonElement): void =>
    void said.during(button, async () => {
      await change("DELETE", `credentials/${one.id}`);
      await Promise.all([load(), loadLog()]);
    });

  const row = (one: ListedCredential): HTMLElement =>
    h(
      "tr",
      { "data-credential": one.id, class: ended(one, context.now()) ? "ended" : "" },
      h("th", { scope: "row" }, one.name),
      h("td", {}, one.kind === "api-key" ? "API key" : one.role, one.objects.length ? `, objects: ${one.objects.join(", ")}` : ""),
      h("td", {}, timeElement(one.created, false)),
      h("td", {}, one.revoked ? "revoked" : one.expires ? timeElement(one.expires, false) : "never"),
      h("td", {}, one.last_used ? timeElement(one.last_used, false) : NOTHING),
      h("td", {}, ended(one, context.now()) ? "" : sureButton("Revoke", `Revoke “${one.name}”? Anyone who uses it is refused at once.`, (button) => revoke(one, button))),
    );
  const table = (credentials: readonly ListedCredential[]): HTMLElement =>
    h("div", { class: "scroll-x", tabindex: "0", role: "region", "aria-label": "Credentials" }, h("table", { class: "plain" }, head("Name", "Role", "Created", "Ends", "Last used", ""), h("tbody", {}, credentials.map(row))));
  const element = h(
    "section",
    { class: "page administration" },
    h("h1", {}, "Administration ", organisation),
    h("div", { class: "panel" }, h("h2", {}, "Credentials"), list, form(made, said, () => Promise.all([load(), loadLog()])), said.element, made),
    operatorsPanels(context, loadLog),
    h("div", { class: "panel" }, h("h2", {}, "Changes"),
      h("p", { class: "help" }, "Every change with a credential of this organisation, and every one that was refused (403). All of them: ", h("code", {}, "skysieve audit"), "."), log),
  );
  void load();
  void loadLog();
  return { title: "Administration", element };
}

const ended = (one: ListedCredential, now: number): boolean =>
  one.revoked !== null || (one.expires !== null && Date.parse(one.expires) <= now);

const head = (...names: string[]): HTMLElement => h("thead", {}, h("tr", {}, names.map((name) => h("th", { scope: "col" }, name))));

function form(made: HTMLElement, said: ReturnType<typeof told>, load: () => Promise<unknown>): HTMLElement {
  const name = h("input", { type: "text", required: true, maxlength: 100 });
  const role = h("select", {}, ROLES.map(([value, text]) => h("option", { value }, text)));
  const objects = h("input", { type: "text", inputmode: "numeric", pattern: "[0-9 ,]*" });
  const days = h("input", { type: "number", min: 1, max: 36_500, value: "90" });
  const button = h("button", { type: "submit" }, "Make a credential");
  const make = async (): Promise<void> => {
    const numbers = objects.value.split(/[\s,]+/).filter(Boolean).map(Number);
    const asked = {
      name: name.value,
      role: role.value,
      objects: numbers.length ? numbers : null,
      days: days.value ? Number(days.value) : null,
    };
    const one = await change<MadeCredential>("POST", "credentials", asked);
    replace(made, shownOnce(`Credential ${one.id}, ${one.name}`, "The secret is shown only once. It is what its user signs in with.", { Secret: one.secret }));
    name.value = objects.value = "";
    await load();
  };
  return h(
    "form",
    { class: "fields", onsubmit: (event: Event) => (event.preventDefault(), void said.during(button, make)) },
    field("Name", name, "Who uses it."),
    field("Role", role),
    field("Objects", objects, "For flight: catalogue numbers, with commas."),
    field("Days", days, "Until it expires; empty: never."),
    button,
  );
}

const entries = (log: AuditLog): HTMLElement =>
  log.entries.length
    ? h("div", { class: "scroll-x", tabindex: "0", role: "region", "aria-label": "Changes" }, h("table", { class: "plain" }, head("Time", "Who", "Operation", "Object", "From", "Result"),
        h("tbody", {}, log.entries.map((one) =>
          h("tr", { "data-entry": one.id },
            h("td", {}, timeElement(one.at)), h("td", {}, one.who), h("td", {}, h("code", {}, one.operation)), h("td", {}, one.object || NOTHING),
            h("td", {}, one.address || NOTHING), h("td", {}, one.result === "403" ? "refused (403)" : one.result))))))
    : h("p", { class: "empty" }, "Nothing was changed yet.");
