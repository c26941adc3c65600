// The filters above the list. They set the page's address, and the list follows the address.
import { ApiError } from "../api";
import type { Context } from "../context";
import { debounced, field, h, newId, replace } from "../dom";
import { count } from "../format";
import { fleets } from "../fleets/asked";
import { PROBABILITY_LEVELS } from "../types";
import { asks, type Word } from "../words/glossary";
import { collapsed, levels, ORDERS, risks, satellites, withRestricted } from "./conditions";
import { satelliteInput } from "./satellite";

const ORDER_NAMES = { risk: "level", tca: "time", miss_distance: "miss distance", probability: "probability", fragments: "expected pieces" } as const;
const FOLDED = ["from", "to", "miss", "p", "complexes", "restricted"]; // in the address
const TYPING_MS = 350;
const TIME_PATTERN = "[0-9]{4}-[0-9]{2}-[0-9]{2}([ T][0-9]{2}:[0-9]{2}(:[0-9]{2})?)?";

export interface Filters {
  element: HTMLElement;
  show(address: URLSearchParams): void;
}

function tick(label: string, box: HTMLInputElement, word: Word): HTMLElement {
  box.id = newId("tick");
  return h("span", { class: "check" }, box, h("label", { for: box.id }, label), asks(word));
}

export function eventFilters(context: Context, changed: (address: URLSearchParams) => void): Filters {
  let address = new URLSearchParams();
  const set = (name: string, value: string): void => {
    const next = new URLSearchParams(address);
    if (value) next.set(name, value);
    else next.delete(name);
    changed(next);
  };

  const boxes = PROBABILITY_LEVELS.map((level) => h("input", { type: "checkbox", value: level, id: newId("level"), onchange: () => set("level", PROBABILITY_LEVELS.filter((_, i) => boxes[i]?.checked).join(",")) }));
  const level = h(
    "fieldset",
    { class: "levels" },
    h("legend", {}, "Level"),
    boxes.map((box, i) => h("span", { class: "toggle" }, box, h("label", { for: box.id, class: `badge ${PROBABILITY_LEVELS[i]}` }, PROBABILITY_LEVELS[i] ?? ""))),
  );
  const risk = h("span", { class: "by-risk" }); // of a link from numbers that runs count

  const satellite = satelliteInput(context, (numbers) => set("norad", numbers.join(",")), (owner) => set("owner", owner));
  const fleet = h("select", { onchange: () => set("fleet", fleet.value) }, h("option", { value: "" }, "any"));
  const chosen = h("span", { class: "chosen" });
  const owned = h("span", { class: "by-owner" });

  const typed = (name: string, attributes: Record<string, unknown>): HTMLInputElement => {
    const input = h("input", { ...attributes, oninput: debounced(() => input.checkValidity() && set(name, input.value), TYPING_MS) });
    return input;
  };
  const moment = { type: "text", pattern: TIME_PATTERN, placeholder: "YYYY-MM-DD hh:mm", size: 16, title: "Year-month-day, and hour:minute if you like; UTC", spellcheck: "false" };
  const from = typed("from", moment);
  const to = typed("to", moment);
  const miss = typed("miss", { type: "number", min: 0, step: "any", inputmode: "decimal", placeholder: "any" });
  const p = typed("p", { type: "text", inputmode: "decimal", pattern: "[0-9.]+(e-?[0-9]+)?", placeholder: "e.g. 1e-6", size: 9 });
  const inputs = { from, to, miss, p };
  const complexes = h("input", { type: "checkbox", onchange: () => set("complexes", complexes.checked ? "" : "rows") });
  const secret = h("input", { type: "checkbox", onchange: () => set("restricted", secret.checked ? "true" : "") });
  // Where the list has no heads to sort by, as on a phone.
  const order = h("select", { onchange: () => set("order", order.value === "risk" ? "" : order.value) }, ORDERS.map((name) => h("option", { value: name }, ORDER_NAMES[name])));
  const sorting = field("Sorted by", order);
  sorting.classList.add("sorting");
  const clear = h("button", { type: "button", class: "quiet", onclick: () => changed(new URLSearchParams()) }, "Clear");

  // On a phone most of them are folded, so that the list is in sight.
  const unfold = h("button", { type: "button", class: "unfold", "aria-expanded": "false", onclick: () => fold(!element.classList.contains("folded")) }, "More filters");
  const fold = (folded: boolean): void => {
    element.classList.toggle("folded", folded);
    unfold.setAttribute("aria-expanded", String(!folded));
    replace(unfold, folded ? "More filters" : "Fewer filters");
  };
  const element = h(
    "form",
    { class: "filters folded", role: "search", "aria-label": "Filter events", onsubmit: (event: Event) => event.preventDefault() },
    level,
    risk,
    h("div", { class: "satellite" }, field("Satellite", satellite), chosen, owned),
    field("Fleet", fleet),
    field("TCA from, UTC", from),
    field("to, UTC", to),
    field("Miss at most, m", miss),
    field("Probability at least", p),
    h("div", { class: "switches" }, tick("Docked objects as one", complexes, "complex"), tick("Restricted messages", secret, "restricted message")),
    sorting,
    unfold,
    clear,
  );

  void nameFleets();
  return {
    element,
    show(now) {
      address = now;
      showFleet();
      showRisk();
      const wanted = levels(now);
      boxes.forEach((box) => (box.checked = wanted.includes(box.value)));
      complexes.checked = collapsed(now);
      secret.checked = withRestricted(now);
      order.value = now.get("order") ?? "risk";
      for (const [name, input] of Object.entries(inputs)) {
        if (document.activeElement !== input || !input.value) input.value = now.get(name) ?? "";
      }
      void showChosen(now);
      if (FOLDED.some((name) => now.has(name))) fold(false);
      clear.hidden = [...now.keys()].every((name) => name === "order" || name === "fleet"); // the fleet has its own field
    },
  };

  function showRisk(): void {
    const wanted = risks(address);
    if (!wanted.length) return replace(risk);
    replace(risk, `mission’s risk level: ${wanted.join(", ")}`, h("button", { type: "button", class: "quiet", "aria-label": "Any risk level", onclick: () => set("risk", "") }, "×"));
  }

  // One that is gone is shown by its id: the service says that there is no such fleet.
  function showFleet(): void {
    const wanted = address.get("fleet") ?? "";
    if (![...fleet.options].some((option) => option.value === wanted)) fleet.append(h("option", { value: wanted }, `fleet ${wanted}`));
    fleet.value = wanted;
  }

  async function nameFleets(): Promise<void> {
    try {
      const known = await fleets();
      replace(fleet, h("option", { value: "" }, "any"), known.fleets.map((one) => h("option", { value: one.id }, one.name)));
      showFleet();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error; // the list tells of it
    }
  }

  async function showChosen(now: URLSearchParams): Promise<void> {
    const numbers = satellites(now);
    const remove = h("button", { type: "button", class: "quiet", "aria-label": "All satellites", onclick: () => set("norad", "") }, "×");
    const owner = now.get("owner");
    replace(owned, owner ? [`owner ${owner}`, h("button", { type: "button", class: "quiet", "aria-label": "Any owner", onclick: () => set("owner", "") }, "×")] : null);
    if (!numbers.length) return replace(chosen);
    replace(chosen, numbers.length === 1 ? String(numbers[0]) : `${count(numbers.length)} satellites`, remove);
    const [only] = numbers;
    if (numbers.length > 1 || only === undefined) return;
    try {
      const object = await context.object(only);
      if (satellites(address)[0] === only) replace(chosen, `${object?.name ?? "Not in this run:"} ${only}`, remove);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error; // the list tells of it; the number stands here
    }
  }
}
