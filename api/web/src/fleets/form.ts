// Make or change a fleet: name, numbers, pattern of names, volume, look-ahead, radius, contact.
import { ApiError } from "../api";
import type { Context } from "../context";
import { debounced, field, h, newId, replace } from "../dom";
import { satelliteInput } from "../events/satellite";
import { count } from "../format";
import { numbersIn } from "../numbers";
import * as asked from "./asked";
import { told } from "./doing";
import type { KnownObject } from "../types";
import type { Fleet, FleetObject, FleetRequest } from "./types";
import { radiusField } from "./radius_field";
import { volumeField } from "./volume_field";

export interface FleetDialog {
  element: HTMLDialogElement;
  open(fleet: Fleet | null, suggested?: readonly number[]): void; // null: a new one, of the suggested numbers
}

// Classes of the Space Safety Coalition.
export const CLASSES: Record<FleetRequest["manoeuvre_class"], string> = {
  unknown: "Not said",
  none: "Cannot manoeuvre",
  minimal: "Minimally: by drag",
  manual: "By command",
  automated: "By themselves",
  crewed: "With a crew on board",
};
const NAMES_SHOWN = 12;
const TYPING_MS = 300;
const HOUR_MS = 3_600_000;

export function fleetDialog(context: Context, done: (fleet: Fleet) => void): FleetDialog {
  let before: Fleet | null = null;
  let missing: number[] = []; // of the numbers, as far as the catalogue is known here
  let accepted = ""; // those missing that were saved a second time
  const name = h("input", { type: "text", required: true, maxlength: 100 });
  const numbers = h("textarea", { rows: 4, spellcheck: "false" });
  const pattern = h("input", { type: "text", maxlength: 100, placeholder: "STARLINK-3*", spellcheck: "false" });
  const volume = volumeField();
  const radius = radiusField();
  const hours = h("input", { type: "number", min: 1, max: 240, step: "any", placeholder: "as the run" });
  const contact = h("input", { type: "text", maxlength: 200, placeholder: "ops@example.org" });
  const avoids = h("select", {}, Object.entries(CLASSES).map(([value, text]) => h("option", { value }, text)));
  const counted = h("p", { class: "help", role: "status" });
  const named = h("p", { class: "help names", role: "status" });
  const add = (found: number[]): void => {
    const known = new Set(numbersIn(numbers.value).numbers);
    numbers.value = [...known, ...found.filter((number) => !known.has(number))].join("\n");
    check();
    void tellNames();
  };
  const byName = satelliteInput(context, add, (_, satellites) => add(satellites));
  const ahead = h("p", { class: "help", role: "status" });
  const said = told(context);
  const heading = h("h2", { id: newId("fleet-form") });
  const save = h("button", { type: "submit", class: "primary" }, "Save");
  const cancel = h("button", { type: "button", onclick: () => element.close() }, "Cancel");

  const check = (): number[] => {
    const { numbers: good, strange } = numbersIn(numbers.value);
    const left = strange.length ? `; not numbers, left out: ${strange.slice(0, 5).join(", ")}${strange.length > 5 ? ", …" : ""}` : "";
    replace(counted, `${count(good.length)} ${good.length === 1 ? "number" : "numbers"}${left}`);
    return good;
  };
  // Whose numbers these are, so that a wrong one is seen. Without an answer nothing is said of them.
  const tellNames = async (): Promise<void> => {
    const good = numbersIn(numbers.value).numbers;
    const known = good.length ? await catalogue(context) : null;
    if (numbersIn(numbers.value).numbers.join() !== good.join()) return; // changed meanwhile
    missing = known ? good.filter((number) => !known.has(number)) : [];
    if (!known) return replace(named);
    const there = good.filter((number) => known.has(number));
    const names = there.slice(0, NAMES_SHOWN).map((number) => known.get(number)?.name || String(number));
    const more = there.length > names.length ? `, and ${count(there.length - names.length)} more` : "";
    replace(
      named,
      names.length ? h("span", {}, names.join(", "), more) : null,
      missing.length ? h("strong", { class: "flag" }, notThere(missing)) : null,
    );
  };
  numbers.addEventListener("input", check);
  numbers.addEventListener("input", debounced(() => void tellNames(), TYPING_MS));

  const request = (): FleetRequest => {
    const good = check();
    // Those with a volume or hours of their own, which this form does not show, keep them.
    const own = (before?.objects ?? []).filter((one) => isOwn(one) && good.includes(one.norad_id));
    return {
      name: name.value,
      norad_ids: good.filter((number) => !own.some((one) => one.norad_id === number)),
      objects: own,
      name_pattern: pattern.value,
      volume: volume.read(),
      hours: hours.value ? hours.valueAsNumber : null,
      radius: radius.read(),
      contact: contact.value,
      manoeuvre_class: avoids.value as FleetRequest["manoeuvre_class"],
    };
  };
  // What a choice has as its consequence; while it is not complete, nothing is said.
  let turn = 0;
  const foresee = async (): Promise<void> => {
    const own = (turn += 1);
    try {
      const found = numbers.value || pattern.value ? await asked.previewFleet({ ...request(), name: name.value || "new" }) : null;
      if (own === turn) replace(ahead, found?.words ?? "");
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (own === turn) replace(ahead);
    }
  };
  const submit = (event: Event): void => {
    event.preventDefault();
    void said.during(save, async () => {
      await tellNames();
      if (missing.length && missing.join() !== accepted) {
        accepted = missing.join();
        replace(said.element, `${notThere(missing)} Correct it, or save again to keep it: a satellite is watched once it is catalogued.`);
        return;
      }
      const fleet = before ? await asked.changeFleet(before.id, request()) : await asked.makeFleet(request());
      element.close();
      done(fleet);
    });
  };
  const element = h(
    "dialog",
    { "aria-labelledby": heading.id, class: "wide" },
    h(
      "form",
      { onsubmit: submit },
      heading,
      field("Name", name),
      field("Find by name", byName, "Enter adds its number below; a part of a name, such as LEMUR, adds all that contain it; owner SES adds all objects of that owner (its abbreviation in GCAT)"),
      field("Catalogue numbers", numbers, "One per line, or separated by spaces or commas"),
      counted,
      named,
      field("And names like", pattern, "Looked up at each run: * stands for any text, ? for any character"),
      volume.element,
      field("Look ahead, h", hours, `1 to 240; empty: to the end of the run's window, ${runHours(context)}`),
      radius.element,
      ahead,
      field("Contact", contact, "Shown to operators of the other side, in messages and reports"),
      field("How they avoid others", avoids, "For who gives way by custom; only your organisation sees it"),
      said.element,
      h("div", { class: "buttons" }, save, cancel),
    ),
  );
  element.addEventListener("input", debounced(() => void foresee(), TYPING_MS));
  return {
    element,
    open(fleet, suggested = []) {
      before = fleet;
      replace(heading, fleet ? `Change ${fleet.name}` : "New fleet");
      name.value = fleet?.name ?? "";
      numbers.value = (fleet ? fleet.objects.map((one) => one.norad_id) : suggested).join("\n");
      pattern.value = fleet?.name_pattern ?? "";
      volume.show(fleet?.volume ?? "handbook");
      radius.show(fleet?.radius ?? "shadow");
      hours.value = fleet?.hours ? String(fleet.hours) : "";
      contact.value = fleet?.contact ?? "";
      avoids.value = fleet?.manoeuvre_class ?? "unknown";
      said.clear();
      [missing, accepted] = [[], ""];
      check();
      replace(named);
      if (numbers.value) void tellNames();
      void foresee();
      element.showModal();
    },
  };
}

// Of the newest run; null: it cannot be had, and the service names what it does not know once the fleet is made.
async function catalogue(context: Context): Promise<Map<number, KnownObject> | null> {
  try {
    return await context.objects();
  } catch (error) {
    if (error instanceof ApiError) return null;
    throw error;
  }
}

const notThere = (numbers: readonly number[]): string =>
  `${numbers.slice(0, NAMES_SHOWN).join(", ")}${numbers.length > NAMES_SHOWN ? ", …" : ""} ` +
  `${numbers.length === 1 ? "is" : "are"} not in the newest catalogue.`;

function runHours({ run }: Context): string {
  if (!run) return "its window";
  return `${Math.round((Date.parse(run.window_end) - Date.parse(run.window_start)) / HOUR_MS)} h`;
}

const isOwn = (one: FleetObject): boolean => one.volume !== null || one.hours !== null;
