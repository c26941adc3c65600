// Filters of the objects drawn: by name or number, type, altitude, risk.
import { debounced, field, h, newId, replace } from "../dom";
import { matching } from "../events/satellite";
import { count, word } from "../format";
import { OBJECT_TYPES, RISKS, type KnownObject } from "../types";
import type { Frame } from "./frames";

const SUGGESTIONS = 6;
const TYPING_MS = 200;

export interface ObjectFilters {
  element: HTMLElement;
  places(frame: Frame, known: Map<number, KnownObject>): Uint32Array;
  address(): URLSearchParams;
}

export function objectFilters(query: URLSearchParams, known: () => Map<number, KnownObject>, changed: () => void, select: (number: number) => void): ObjectFilters {
  const later = debounced(changed, TYPING_MS);
  const name = h("input", { type: "search", value: query.get("name") ?? "", placeholder: "all", autocomplete: "off", spellcheck: "false", oninput: () => (suggest(), later()) });
  const found = h("ul", { class: "found", "aria-label": "Found objects" });
  const number = (parameter: string): HTMLInputElement =>
    h("input", { type: "number", min: 0, step: 10, value: query.get(parameter) ?? "", placeholder: parameter === "low" ? "0" : "any", oninput: later });
  const low = number("low");
  const high = number("high");
  const types = boxes(OBJECT_TYPES, query.get("type"), changed);
  const risks = boxes(RISKS, query.get("risk"), changed);
  const shown = h("p", { class: "help", role: "status" });

  const suggest = (): void => {
    const text = name.value.trim();
    const some = text.length > 1 ? matching(known().values(), text).slice(0, SUGGESTIONS) : [];
    replace(found, some.map((object) =>
      h("li", {}, h("button", { type: "button", onclick: () => select(object.norad_id) }, h("span", { class: "name" }, object.name), h("small", {}, String(object.norad_id))))));
  };

  const element = h(
    "details",
    { class: "panel object-filters", open: matchMedia("(min-width: 60rem)").matches },
    h("summary", {}, h("h2", {}, "Objects")),
    shown,
    field("Name or number", name),
    found,
    group("Risk", risks, true),
    group("Type", types, false),
    h("fieldset", { class: "band" }, h("legend", {}, "Altitude, km"), low, h("span", { "aria-hidden": "true" }, "to"), high),
  );
  low.setAttribute("aria-label", "Altitude from, km");
  high.setAttribute("aria-label", "Altitude to, km");

  return {
    element,
    places(frame, objects) {
      const wanted = { risk: chosen(risks), type: new Set(chosen(types)), name: name.value.trim().toUpperCase() };
      const riskShown = RISKS.map((risk) => wanted.risk.includes(risk));
      const allTypes = wanted.type.size === OBJECT_TYPES.length;
      const from = low.value === "" ? -Infinity : Number(low.value);
      const to = high.value === "" ? Infinity : Number(high.value);
      const byRisk: number[][] = RISKS.map(() => []);
      for (let i = 0; i < frame.count; i += 1) {
        const risk = frame.risk[i] as number;
        const altitude = frame.altitude_km[i] as number;
        if (!riskShown[risk] || altitude < from || altitude > to) continue;
        const id = frame.norad_id[i] as number;
        const object = objects.get(id);
        if (!allTypes && !(object && wanted.type.has(object.object_type))) continue;
        if (wanted.name && !String(id).startsWith(wanted.name) && !object?.name.toUpperCase().includes(wanted.name)) continue;
        byRisk[risk]?.push(i);
      }
      const places = Uint32Array.from(byRisk.reverse().flat());
      replace(shown, places.length === frame.count ? `${count(frame.count)} objects` : `${count(places.length)} of ${count(frame.count)} objects`, frame.omitted ? `; ${count(frame.omitted)} cannot be propagated` : "");
      return places;
    },
    address() {
      const address = new URLSearchParams();
      if (name.value.trim()) address.set("name", name.value.trim());
      if (low.value) address.set("low", low.value);
      if (high.value) address.set("high", high.value);
      for (const [parameter, inputs] of [["type", types], ["risk", risks]] as const) {
        const some = chosen(inputs);
        if (some.length < inputs.length) address.set(parameter, some.join(","));
      }
      return address;
    },
  };
}

function boxes(words: readonly string[], wanted: string | null, changed: () => void): HTMLInputElement[] {
  const some = wanted === null ? words : wanted.split(",");
  return words.map((text) => h("input", { type: "checkbox", id: newId("box"), value: text, checked: some.includes(text), onchange: changed }));
}

const chosen = (inputs: HTMLInputElement[]): string[] => inputs.filter((box) => box.checked).map((box) => box.value);

function group(title: string, inputs: HTMLInputElement[], legend: boolean): HTMLElement {
  return h(
    "fieldset",
    { class: "checks" },
    h("legend", {}, title),
    inputs.map((box) => h("span", { class: "check" }, box, h("label", { for: box.id }, legend ? h("span", { class: `swatch ${box.value}`, "aria-hidden": "true" }) : null, word(box.value)))),
  );
}
