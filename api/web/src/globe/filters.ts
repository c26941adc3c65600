// Filters of the objects drawn: by name or number, constellation, type, altitude, risk; and the list of some of them.
import { debounced, field, h, newId, replace } from "../dom";
import { isOwnedBy, matching } from "../events/satellite";
import { count, NOTHING, word } from "../format";
import { OBJECT_TYPES, RISKS, type KnownObject } from "../types";
import { fleetChoice } from "./fleet_choice";
import type { Frame } from "./frame";
import { constellationsOf, SHELLS } from "./shells";

const LISTED = 6;
const MORE = 24;
const TYPING_MS = 200;

export interface ObjectFilters {
  element: HTMLElement;
  places(frame: Frame, known: Map<number, KnownObject>): Uint32Array;
  learn(known: Map<number, KnownObject>): void;
  nameless(why: string): void;
  members(): ReadonlySet<number> | null; // of the fleet chosen
  end(): void;
  follow(address: URLSearchParams): boolean; // true if that changes them
  address(): URLSearchParams;
}

export function objectFilters(query: URLSearchParams, known: () => Map<number, KnownObject>, changed: () => void, select: (number: number) => void): ObjectFilters {
  const later = debounced(changed, TYPING_MS);
  const name = h("input", { type: "search", placeholder: "all", autocomplete: "off", spellcheck: "false", oninput: () => (suggest(), later()), onkeydown: (pressed: KeyboardEvent) => pressed.key === "Enter" && take() });
  const found = h("ul", { class: "found", "aria-label": "Found objects" });
  const number = (parameter: string): HTMLInputElement =>
    h("input", { type: "number", min: 0, step: 10, placeholder: parameter === "low" ? "0" : "any", oninput: () => (nameShell(), later()) });
  const low = number("low");
  const high = number("high");
  const takeShell = (): void => {
    const chosen = SHELLS[Number(shell.value)];
    if (!chosen) return;
    low.value = chosen.low;
    high.value = chosen.high;
    changed();
  };
  const shell = h("select", { onchange: takeShell }, SHELLS.map(({ text }, i) => h("option", { value: i }, text)), h("option", { value: "own", hidden: true }, "as below"));
  const group = h("select", { onchange: () => ((wantedGroup = group.value), changed()) }, h("option", { value: "" }, "all"));
  const fleet = fleetChoice(changed);
  const types = boxes(OBJECT_TYPES, changed);
  const risks = boxes(RISKS, changed);
  const shown = h("p", { class: "help", role: "status" });
  const problem = h("p", { class: "form-message", role: "alert" });
  let wantedGroup = "";

  let listed = "";
  let most = LISTED;
  // Made anew only if they are others: who is on one of them with the keyboard stays there.
  const list = (objects: KnownObject[], all: number): void => {
    const now = `${objects.map(({ norad_id }) => norad_id).join()} of ${all}`;
    if (now === listed) return;
    listed = now;
    const more = all - objects.length;
    replace(
      found,
      objects.map((object) =>
        h("li", {}, h("button", { type: "button", "data-object": object.norad_id, onclick: () => select(object.norad_id) }, h("span", { class: "name" }, object.name || NOTHING), h("small", {}, String(object.norad_id))))),
      more > 0 ? h("li", { class: "more" }, h("button", { type: "button", onclick: () => ((most += MORE), changed()) }, `${count(more)} more`)) : null,
    );
  };
  const suggest = (): void => {
    const text = name.value.trim();
    most = LISTED;
    if (text.length < 2) return;
    const all = [...matching(known().values(), text)];
    list(all.slice(0, LISTED), all.length);
  };
  // The number or the name itself, else the first that has it.
  const take = (): void => {
    const text = name.value.trim().toUpperCase();
    const all = text ? [...matching(known().values(), text)] : [];
    const best = all.find((one) => String(one.norad_id) === text || one.name.toUpperCase() === text) ?? all[0];
    if (best) select(best.norad_id);
  };
  const nameShell = (): void => {
    const i = SHELLS.findIndex((one) => one.low === low.value && one.high === high.value);
    shell.value = i < 0 ? "own" : String(i);
  };
  const set = (address: URLSearchParams): void => {
    name.value = address.get("name") ?? "";
    low.value = address.get("low") ?? "";
    high.value = address.get("high") ?? "";
    fleet.set(/^[1-9][0-9]{0,8}$/.exec(address.get("fleet") ?? "")?.[0] ?? "");
    wantedGroup = address.get("constellation") ?? "";
    group.value = wantedGroup;
    for (const [parameter, inputs] of [["type", types], ["risk", risks]] as const) {
      const some = address.get(parameter)?.split(",");
      for (const box of inputs) box.checked = some === undefined || some.includes(box.value);
    }
    nameShell();
  };
  const address = (): URLSearchParams => {
    const made = new URLSearchParams();
    if (name.value.trim()) made.set("name", name.value.trim());
    if (fleet.value()) made.set("fleet", fleet.value());
    if (low.value) made.set("low", low.value);
    if (high.value) made.set("high", high.value);
    if (group.value || wantedGroup) made.set("constellation", group.value || wantedGroup);
    for (const [parameter, inputs] of [["type", types], ["risk", risks]] as const) {
      const some = chosen(inputs);
      if (some.length < inputs.length) made.set(parameter, some.join(","));
    }
    return made;
  };
  low.setAttribute("aria-label", "Altitude from, km");
  high.setAttribute("aria-label", "Altitude to, km");
  set(query);

  return {
    element: h(
      "details",
      { class: "panel object-filters", open: matchMedia("(min-width: 60rem)").matches },
      h("summary", {}, h("h2", {}, "Find and filter objects")),
      shown,
      problem,
      field("Name, number or owner", name),
      h("h3", {}, "The most dangerous of these"),
      found,
      fleet.element,
      field("Constellation", group),
      fieldset("Risk", risks, true),
      fieldset("Type", types, false),
      field("Shell, by altitude now", shell),
      h("fieldset", { class: "band" }, h("legend", {}, "Altitude now, km"), low, h("span", { "aria-hidden": "true" }, "to"), high),
    ),
    address,
    places(frame, objects) {
      const wanted = { name: name.value.trim().toUpperCase(), group: group.value, members: fleet.members(), risk: chosen(risks), type: new Set(chosen(types)) };
      const places = matchingPlaces(frame, objects, { ...wanted, low: bound(low, -Infinity), high: bound(high, Infinity) });
      const some = places.length === frame.count ? `${count(frame.count)} objects` : `${count(places.length)} of ${count(frame.count)} objects`;
      const said = `${some}${frame.omitted ? `; ${count(frame.omitted)} cannot be propagated` : ""}`;
      if (shown.textContent !== said) replace(shown, said);
      if (objects.size) list([...places.slice(-most)].reverse().flatMap((place) => objects.get(frame.norad_id[place] as number) ?? []), places.length);
      return places;
    },
    members: () => fleet.members(),
    learn(objects) {
      fleet.load().catch((error: unknown) => replace(problem, `The list of fleets could not be loaded. ${(error as Error).message}`));
      replace(problem);
      replace(group, h("option", { value: "" }, "all"), constellationsOf(objects.values()).map(([name, members]) => h("option", { value: name }, `${name}  ${count(members)}`)));
      if (wantedGroup && ![...group.options].some(({ value }) => value === wantedGroup)) group.append(h("option", { value: wantedGroup }, wantedGroup));
      group.value = wantedGroup;
    },
    nameless(why) {
      replace(problem, `Filters by name, type and constellation find nothing: the names could not be loaded. ${why}`);
    },
    end: () => later.cancel(),
    follow(wanted) {
      const before = String(address());
      set(wanted);
      return before !== String(address());
    },
  };
}

interface Wanted {
  name: string;
  group: string;
  members: ReadonlySet<number> | null;
  risk: string[];
  type: Set<string>;
  low: number;
  high: number;
}

// Places in the frame, the most dangerous last.
function matchingPlaces(frame: Frame, objects: Map<number, KnownObject>, wanted: Wanted): Uint32Array {
  const riskShown = RISKS.map((risk) => wanted.risk.includes(risk));
  const allTypes = wanted.type.size === OBJECT_TYPES.length;
  const byRisk: number[][] = RISKS.map(() => []);
  for (let i = 0; i < frame.count; i += 1) {
    const risk = frame.risk[i] as number;
    const altitude = frame.altitude_km[i] as number;
    if (!riskShown[risk] || altitude < wanted.low || altitude > wanted.high) continue;
    const id = frame.norad_id[i] as number;
    const object = objects.get(id);
    if (!allTypes && !(object && wanted.type.has(object.object_type))) continue;
    if (wanted.members && !wanted.members.has(id)) continue;
    if (wanted.group && object?.constellation !== wanted.group) continue;
    if (wanted.name && !String(id).startsWith(wanted.name) && !object?.name.toUpperCase().includes(wanted.name) && !(object && isOwnedBy(object, wanted.name))) continue;
    byRisk[risk]?.push(i);
  }
  return Uint32Array.from(byRisk.reverse().flat());
}

const bound = (input: HTMLInputElement, otherwise: number): number => (input.value === "" ? otherwise : Number(input.value));

const boxes = (words: readonly string[], changed: () => void): HTMLInputElement[] =>
  words.map((text) => h("input", { type: "checkbox", id: newId("box"), value: text, onchange: changed }));

const chosen = (inputs: HTMLInputElement[]): string[] => inputs.filter((box) => box.checked).map((box) => box.value);

function fieldset(title: string, inputs: HTMLInputElement[], legend: boolean): HTMLElement {
  return h(
    "fieldset",
    { class: "checks" },
    h("legend", {}, title),
    inputs.map((box) => h("span", { class: "check" }, box, h("label", { for: box.id }, legend ? h("span", { class: `swatch ${box.value}`, "aria-hidden": "true" }) : null, word(box.value)))),
  );
}
