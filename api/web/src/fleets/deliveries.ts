// What was sent to an alert's address: state, attempts, again.
import type { Context } from "../context";
import { h } from "../dom";
import { count, timeElement, word } from "../format";
import * as asked from "./asked";
import { filled, told, writing } from "./doing";
import type { DeliveryList } from "../generated";
import type { Delivery } from "./types";

export interface Deliveries {
  button: HTMLButtonElement;
  element: HTMLElement;
  show(): void;
}

export function deliveriesOf(context: Context, alert: number): Deliveries {
  const list = h("div");
  const said = told(context);
  const element = h("div", { class: "deliveries", hidden: true }, list, said.element);
  const load = (): Promise<void> => filled(list, context, async () => table(await asked.deliveries(alert)));
  const show = (): void => {
    element.hidden = false;
    button.setAttribute("aria-expanded", "true");
    void load();
  };
  const hide = (): void => {
    element.hidden = true;
    button.setAttribute("aria-expanded", "false");
  };
  const button = h("button", { type: "button", "aria-expanded": "false", onclick: () => (element.hidden ? show() : hide()) }, "Deliveries");

  const table = ({ deliveries, total }: DeliveryList): HTMLElement =>
    deliveries.length
      ? h(
          "div",
          { class: "scroll-x", role: "region", "aria-label": "Deliveries", tabindex: "0" },
          h(
            "table",
            { class: "plain" },
            h("thead", {}, h("tr", {}, ["Made", "What", "State", "Attempts", ""].map((text) => h("th", { scope: "col" }, text || h("span", { class: "visually-hidden" }, "Again"))))),
            h("tbody", {}, deliveries.map(row)),
          ),
          total > deliveries.length ? h("p", { class: "note" }, `and ${count(total - deliveries.length)} earlier`) : null,
        )
      : h("p", { class: "empty" }, "Nothing has been sent yet.");
  const waits = (one: Delivery): HTMLElement =>
    one.attempts.length ? h("small", {}, " next ", timeElement(one.due as string)) : h("small", {}, " until `skysieve up` or `skysieve alerts deliver` runs on the server");
  const row = (one: Delivery): HTMLElement => {
    const last = one.attempts.at(-1);
    const outcome = last ? last.error || (last.status === null ? "" : `status ${last.status}`) : "";
    const again = h("button", { type: "button", onclick: () => void said.during(again, async () => { await asked.retry(one.id); await load(); }) }, "Send again");
    return h(
      "tr",
      { "data-delivery": one.id },
      h("td", {}, timeElement(one.created)),
      h("td", {}, word(one.kind)),
      h("td", {}, h("span", { class: `state ${one.state}` }, one.state), one.state === "waiting" ? waits(one) : null),
      h("td", {}, `${count(one.attempts.length)}`, outcome ? h("small", {}, ` ${outcome}`) : null),
      h("td", {}, one.state === "failed" || (one.state === "waiting" && one.attempts.length) ? writing(context, again) : null),
    );
  };
  return { button, element, show };
}
