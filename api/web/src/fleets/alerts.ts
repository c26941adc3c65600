// Who is told of a fleet's events: alerts listed, made, tried, removed.
import type { Context } from "../context";
import { field, h, newId, replace } from "../dom";
import { count, probability, timeElement } from "../format";
import { LEVELS } from "../types";
import { whatIs } from "../words/glossary";
import * as asked from "./asked";
import { deliveriesOf } from "./deliveries";
import { filled, sureButton, told, type Told } from "./doing";
import { shownOnce } from "./once";
import type { Alert } from "./types";

const CHANNELS = { webhook: "Webhook", slack: "Slack", email: "E-mail" } as const;

export function alertsPanel(context: Context, fleet: number): HTMLElement {
  const list = h("div", { "data-list": "alerts" });
  const made = h("div");
  const said = told(context);
  const load = (): Promise<void> =>
    filled(list, context, async () => {
      const mine = (await asked.alerts(fleet)).alerts;
      return mine.length ? h("ul", { class: "lines" }, mine.map((alert) => line(alert))) : h("p", { class: "empty" }, "Nobody is told yet.");
    });
  const line = (alert: Alert): HTMLElement => {
    const deliveries = deliveriesOf(context, alert.id);
    const test = h("button", { type: "button", onclick: () => void said.during(test, async () => { await asked.testAlert(alert.id); deliveries.show(); }) }, "Send a test");
    return h(
      "li",
      { "data-alert": alert.id },
      h("div", {}, h("strong", {}, CHANNELS[alert.channel] ?? alert.channel), " ", h("span", { class: "address" }, alert.address), h("div", { class: "help" }, terms(alert), ...state(alert))),
      h("div", { class: "buttons" }, test, deliveries.button, onOff(alert), alert.channel === "webhook" ? renew(alert) : null, sureButton("Remove", `Remove the alert to ${alert.address}? What waits for it is not delivered.`, (button) => void said.during(button, async () => {
        await asked.removeAlert(alert.id);
        replace(made);
        await load();
      }))),
      deliveries.element,
    );
  };
  const onOff = (alert: Alert): HTMLElement => {
    const button = h("button", { type: "button", onclick: () => void said.during(button, async () => { await asked.switchAlert(alert.id, alert.off_since !== null); await load(); }) }, alert.off_since ? "Switch on" : "Switch off");
    return button;
  };
  const renew = (alert: Alert): HTMLElement =>
    sureButton("New secret…", `Make a new secret for ${alert.address}? The present one signs too, until the next new one.`, (button) => void said.during(button, async () => {
      const { secret } = await asked.newSecret(alert.id);
      replace(made, secretOf(alert, secret));
    }));
  const form = alertForm(fleet, said, async (alert) => {
    replace(made, alert.secret ? secretOf(alert, alert.secret) : null);
    await load();
  });
  void load();
  return h("section", { class: "panel", "aria-label": "Alerts" }, h("h2", {}, "Alerts"), silent(context), list, made, said.element, form);
}

// Whoever adds an alert here would wait for ever.
const silent = (context: Context): HTMLElement | null =>
  context.run?.historic ? h("p", { class: "flag" }, "This store holds old data: its runs tell nobody. Only tests are sent.") : null;

const secretOf = (alert: Alert, secret: string): HTMLElement =>
  shownOnce(`Secret of the alert to ${alert.address}`, "It is shown this once. The receiver verifies with it that messages come from this service.", { Secret: secret });

function terms(alert: Alert): string {
  return [
    `${alert.risk} or above`,
    alert.min_probability === null ? "" : `probability at least ${probability(alert.min_probability)}`,
    alert.digest_hours === null ? "at once" : `together every ${alert.digest_hours} h`,
    alert.daily ? "and once a day" : "",
  ].filter(Boolean).join(", ");
}

function state(alert: Alert): (HTMLElement | string)[] {
  const found: (HTMLElement | string)[] = [];
  if (alert.last_delivered) found.push(". Last delivered ", timeElement(alert.last_delivered));
  if (alert.waiting) found.push(`. ${count(alert.waiting)} waiting`);
  if (alert.off_since) found.push(h("p", { class: "flag" }, `Off since ${alert.off_since}: ${alert.off_reason}`));
  return found;
}

function alertForm(fleet: number, said: Told, done: (alert: Alert) => Promise<void>): HTMLElement {
  const channel = h("select", {}, Object.entries(CHANNELS).map(([value, text]) => h("option", { value }, text)));
  const address = h("input", { type: "text", required: true, spellcheck: "false", placeholder: "https://… or name@example.org", autocomplete: "off" });
  const risk = h("select", {}, LEVELS.map((level) => h("option", { value: level, selected: level === "high" }, level)));
  const least = h("input", { type: "text", inputmode: "decimal", pattern: "[0-9.]+(e-?[0-9]+)?", placeholder: "any, e.g. 1e-6", size: 12 });
  const digest = h("input", { type: "number", min: 0.25, max: 168, step: "any", placeholder: "at once" });
  const daily = h("input", { type: "checkbox", id: newId("daily") });
  const save = h("button", { type: "submit", class: "primary" }, "Add alert");
  address.addEventListener("input", () => {
    if (/^[^:/\s]+@[^:/\s]+$/.test(address.value)) channel.value = "email";
    else if (channel.value === "email") channel.value = "webhook";
  });
  const form = h(
    "form",
    { class: "alert-form", onsubmit: (event: Event) => (event.preventDefault(), void submit()) },
    field("To", address),
    field("By", channel),
    field("Level at least", risk),
    field("Probability at least", least),
    field("Gather changes for, h", digest),
    h("span", { class: "check" }, daily, h("label", { for: daily.id }, "A message every day, even if nothing is coming")),
    save,
  );
  const place = h("details", { class: "new-alert" }, h("summary", {}, "New alert"), form, h("p", { class: "help" }, whatIs("webhook", "risk level", "probability", "digest")));
  const submit = async (): Promise<void> => {
    const wanted = {
      fleet_id: fleet,
      channel: channel.value as Alert["channel"],
      address: address.value.trim(),
      risk: risk.value as Alert["risk"],
      min_probability: least.value ? Number(least.value) : null,
      digest_hours: digest.value ? digest.valueAsNumber : null,
      daily: daily.checked,
    };
    const good = await said.during(save, async () => done(await asked.makeAlert(wanted)));
    if (!good) return;
    form.reset();
    place.open = false;
  };
  return place;
}
