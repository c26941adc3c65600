// Who is told of a fleet's events: alerts listed, made, tried, removed.
import type { Context } from "../context";
import { field, h, newId, replace } from "../dom";
import { count, probability, timeElement } from "../format";
import { inARow, term, titled } from "../words/glossary";
import * as asked from "./asked";
import { deliveriesOf } from "./deliveries";
import { filled, sureButton, told, writing, type Told } from "./doing";
import { HELP, limitsFields, limitsWords } from "./limits";
import { NO_MAIL, obstacles } from "./obstacles";
import { shownOnce } from "./once";
import type { Alert, MadeAlert } from "./types";

const CHANNELS = { email: "E-mail", webhook: "Webhook", slack: "Slack" } as const;

const ABOUT: Record<Alert["channel"], string> = {
  email: "An e-mail in plain language, with links to the events.",
  webhook: "Each message is posted as JSON, signed with a secret that is shown once when the alert is added.",
  slack: "The address of an incoming webhook of Slack, or of any service that accepts the same JSON.",
};

export function alertsPanel(context: Context, fleet: number): HTMLElement {
  const list = h("div", { "data-list": "alerts" });
  const made = h("div");
  const said = told(context);
  let hasMail = true; // as far as is known
  const load = (): Promise<void> =>
    filled(list, context, async () => {
      const found = await asked.alerts(fleet);
      hasMail = found.mail_server;
      form.tell(hasMail);
      return h(
        "div",
        {},
        obstacles(context, found),
        found.alerts.length
          ? h("ul", { class: "lines" }, found.alerts.map(line))
          : h("p", { class: "empty" }, "No alerts yet."),
      );
    });
  const doing = (button: HTMLButtonElement, action: () => Promise<unknown>): void =>
    void said.during(button, async () => void (await action()));
  const line = (alert: Alert): HTMLElement => {
    const deliveries = deliveriesOf(context, alert.id);
    return h(
      "li",
      { "data-alert": alert.id },
      h("div", {},
        h("strong", {}, CHANNELS[alert.channel] ?? alert.channel), " ", h("span", { class: "address" }, alert.address),
        h("div", { class: "help" }, terms(alert), ...state(alert)),
        alert.channel === "email" && !hasMail ? h("p", { class: "flag", "data-obstacle": "mail" }, NO_MAIL) : null),
      h("div", { class: "buttons" },
        deliveries.button,
        writing(context,
          acting("Send a test", async () => { await asked.testAlert(alert.id); deliveries.show(); }),
          acting(alert.off_since ? "Switch on" : "Switch off", async () => {
            await asked.switchAlert(alert.id, alert.off_since !== null);
            await load();
          }),
          alert.channel === "webhook" ? renew(alert) : null,
          remove(alert))),
      deliveries.element,
    );
  };
  const acting = (label: string, action: () => Promise<void>): HTMLElement => {
    const button = h("button", { type: "button", onclick: () => doing(button, action) }, label);
    return button;
  };
  const remove = (alert: Alert): HTMLElement =>
    sureButton("Remove", `Remove the alert to ${alert.address}? Pending messages are not delivered.`, (button) =>
      doing(button, async () => {
        await asked.removeAlert(alert.id);
        replace(made);
        await load();
      }));
  const renew = (alert: Alert): HTMLElement =>
    sureButton("New secret…", `Make a new secret for ${alert.address}? Messages are also signed with the present one, until the next new one.`, (button) =>
      doing(button, async () => {
        const { secret } = await asked.newSecret(alert.id);
        replace(made, secretOf(alert, secret));
      }));
  const form = alertForm(fleet, said, async (alert) => {
    replace(made, alert.secret ? secretOf(alert, alert.secret) : null);
    await load();
  });
  void load();
  return h("section", { class: "panel", "aria-label": "Alerts" },
    titled(h("h2", {}, "Alerts"), "They report what enters this fleet’s ", term("screening volume", "volumes"),
      ", after each run that finds something new, worse or gone; they report nothing outside them."),
    list, made, said.element, writing(context, form.element));
}

const secretOf = (alert: Alert, secret: string): HTMLElement =>
  shownOnce(
    `Secret of the alert to ${alert.address}`,
    "It is shown this once. The receiver checks with it that a message comes from this service: each is signed in the " +
      "headers webhook-id, webhook-timestamp and webhook-signature, as Standard Webhooks specifies.",
    { Secret: secret },
  );

function terms(alert: Alert): string {
  return [
    limitsWords(alert),
    alert.min_probability === null ? "" : `probability at least ${probability(alert.min_probability)}`,
    alert.digest_hours === null ? "at once" : `together every ${alert.digest_hours} h`,
    alert.daily ? "and once a day" : "",
    alert.manoeuvres ? "manoeuvres too" : "",
    alert.acknowledgements ? "who has which event" : "",
  ].filter(Boolean).join("; ");
}

function state(alert: Alert): (HTMLElement | string)[] {
  const found: (HTMLElement | string)[] = [];
  if (alert.last_delivered) found.push(". Last delivered ", timeElement(alert.last_delivered));
  if (alert.waiting) found.push(`. ${count(alert.waiting)} waiting`);
  if (alert.off_since) found.push(h("p", { class: "flag" }, `Off since ${alert.off_since}: ${alert.off_reason}`));
  return found;
}

interface AlertForm {
  element: HTMLElement;
  tell(hasMail: boolean): void;
}

function alertForm(fleet: number, said: Told, done: (alert: MadeAlert) => Promise<void>): AlertForm {
  const channel = h("select", {}, Object.entries(CHANNELS).map(([value, text]) => h("option", { value }, text)));
  const address = h("input", {
    type: "text", required: true, spellcheck: "false", placeholder: "name@example.org or https://…", autocomplete: "off",
  });
  const limits = limitsFields();
  const least = h("input", {
    type: "text", inputmode: "decimal", pattern: "[0-9.]+(e-?[0-9]+)?", placeholder: "any, e.g. 1e-6", size: 12,
  });
  const digest = h("input", { type: "number", min: 0.25, max: 168, step: "any", placeholder: "at once" });
  const daily = h("input", { type: "checkbox", id: newId("daily") });
  const burns = h("input", { type: "checkbox", id: newId("manoeuvres") });
  const had = h("input", { type: "checkbox", id: newId("acknowledgements"), oninput: () => (hadChosen = true) });
  let hadChosen = false; // until then as the service would have it: a webhook's alone
  const save = h("button", { type: "submit", class: "primary" }, "Add alert");
  const note = h("p", { class: "help" });
  let hasMail = true;
  const explain = (): void => {
    if (!hadChosen) had.checked = channel.value === "webhook";
    replace(note, channel.value === "email" && !hasMail ? h("span", { class: "flag" }, NO_MAIL) : (ABOUT[channel.value as Alert["channel"]]));
  };
  address.addEventListener("input", () => {
    if (/^https?:/i.test(address.value)) {
      if (channel.value === "email") channel.value = "webhook";
    } else if (address.value.includes("@")) channel.value = "email";
    explain();
  });
  channel.addEventListener("input", explain);
  const form = h(
    "form",
    { class: "alert-form", onsubmit: (event: Event) => (event.preventDefault(), void submit()) },
    field("To", address),
    field("By", channel),
    limits.elements,
    field("Probability at least", least),
    field("Collect changes for, h", digest),
    h("span", { class: "check" }, daily, h("label", { for: daily.id }, "A message every day, even if nothing is coming")),
    h("span", { class: "check" }, burns, h("label", { for: burns.id }, "A message when an object manoeuvres")),
    h("span", { class: "check" }, had, h("label", { for: had.id }, "A message when a person takes an event on, or lets it go")),
    save,
  );
  const place = h("details", { class: "new-alert" },
    h("summary", {}, "New alert"),
    form,
    note,
    h("p", { class: "help" }, `${HELP} `, inARow("webhook", "level", "near", "probability", "digest")));
  const submit = async (): Promise<void> => {
    const wanted = {
      fleet_id: fleet,
      channel: channel.value as Alert["channel"],
      address: address.value.trim(),
      ...limits.given(),
      min_probability: least.value ? Number(least.value) : null,
      digest_hours: digest.value ? digest.valueAsNumber : null,
      daily: daily.checked,
      manoeuvres: burns.checked,
      acknowledgements: had.checked,
    };
    const good = await said.during(save, async () => done(await asked.makeAlert(wanted)));
    if (!good) return;
    form.reset();
    hadChosen = false;
    explain();
    place.open = false;
  };
  explain();
  return {
    element: place,
    tell(known) {
      hasMail = known;
      explain();
    },
  };
}
