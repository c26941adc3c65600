// Make or change a fleet: name, numbers, pattern of names, volume, look-ahead, contact.
import type { Context } from "../context";
import { debounced, field, h, newId, replace } from "../dom";
import { satelliteInput } from "../events/satellite";
import { count } from "../format";
import { numbersIn } from "../numbers";
import * as asked from "./asked";
import { told } from "./doing";
import type { Fleet, FleetObject, FleetRequest } from "./types";

export interface FleetDialog {
  element: HTMLDialogElement;
  open(fleet: Fleet | null, suggested?: readonly number[]): void; // null: a new one, of the suggested numbers
}

const VOLUMES = "handbook: by the orbit, as 0.4 × 25 × 25 km from 500 to 750 km up. Or your own half-lengths in km, radial x in-track x cross-track: box:2x25x25, ellipsoid:2x25x25, sphere:5";
const NAMES_SHOWN = 12;
const TYPING_MS = 300;

export function fleetDialog(context: Context, done: (fleet: Fleet) => void): FleetDialog {
  let before: Fleet | null = null;
  const name = h("input", { type: "text", required: true, maxlength: 100 });
  const numbers = h("textarea", { rows: 6, spellcheck: "false" });
  const pattern = h("input", { type: "text", maxlength: 100, placeholder: "STARLINK-3*", spellcheck: "false" });
  const volume = h("input", { type: "text", required: true, spellcheck: "false" });
  const hours = h("input", { type: "number", min: 1, max: 240, step: "any", placeholder: "as the run" });
  const contact = h("input", { type: "text", maxlength: 200, placeholder: "ops@example.org" });
  const counted = h("p", { class: "help", role: "status" });
  const named = h("p", { class: "help", role: "status" });
  const byName = satelliteInput(context, (found) => {
    const known = numbersIn(numbers.value).numbers;
    numbers.value = [...known, ...found.filter((number) => !known.includes(number))].join("\n");
    check();
    void tellNames();
  });
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
  // Whose numbers these are, so that a wrong one is seen.
  const tellNames = async (): Promise<void> => {
    const good = numbersIn(numbers.value).numbers;
    const known = good.length ? await context.objects().catch(() => null) : null;
    if (!known) return replace(named);
    const names = good.slice(0, NAMES_SHOWN).map((number) => known.get(number)?.name ?? `${number} is not in this run`);
    replace(named, names.join(", "), good.length > names.length ? `, and ${count(good.length - names.length)} more` : "");
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
      volume: volume.value.trim() || "handbook",
      hours: hours.value ? hours.valueAsNumber : null,
      contact: contact.value,
    };
  };
  const submit = (event: Event): void => {
    event.preventDefault();
    void said.during(save, async () => {
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
      field("Find by name", byName, "Enter adds it to the numbers below; a part of a name adds all that have it"),
      field("Catalogue numbers", numbers, "One a line, or with blanks or commas between"),
      counted,
      named,
      field("And names like", pattern, "Looked up at each run: * and ? stand for any text and any sign"),
      field("Volume around each", volume, VOLUMES),
      field("Look ahead, h", hours, "1 to 240; left empty, as far as the window of the run"),
      field("Contact", contact, "Shown to operators of the other side, in messages and reports"),
      said.element,
      h("div", { class: "buttons" }, save, cancel),
    ),
  );
  return {
    element,
    open(fleet, suggested = []) {
      before = fleet;
      replace(heading, fleet ? `Change ${fleet.name}` : "New fleet");
      name.value = fleet?.name ?? "";
      numbers.value = (fleet ? fleet.objects.map((one) => one.norad_id) : suggested).join("\n");
      pattern.value = fleet?.name_pattern ?? "";
      volume.value = fleet?.volume ?? "handbook";
      hours.value = fleet?.hours ? String(fleet.hours) : "";
      contact.value = fleet?.contact ?? "";
      said.clear();
      check();
      replace(named);
      if (numbers.value) void tellNames();
      element.showModal();
    },
  };
}

const isOwn = (one: FleetObject): boolean => one.volume !== null || one.hours !== null;
