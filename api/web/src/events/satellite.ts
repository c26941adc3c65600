// Satellites by name or number, with suggestions from the catalogue: a number or a whole name is one, a part of a name
// all that have it.
import type { Context } from "../context";
import { h, newId, replace } from "../dom";
import { count } from "../format";
import { numbersIn } from "../numbers";
import type { KnownObject } from "../types";

const SUGGESTIONS = 12;
const MOST = 500; // in one address

export function satelliteInput(context: Context, chosen: (numbers: number[]) => void): HTMLInputElement {
  const list = h("datalist", { id: newId("names") });
  // Inside a dialog only what belongs to it can be reached.
  queueMicrotask(() => (input.closest("dialog") ?? document.body).append(list));
  const input = h("input", { type: "search", list: list.id, placeholder: "name or number", autocomplete: "off", spellcheck: "false" });
  let known: KnownObject[] = [];
  const learn = async (): Promise<void> => {
    known = [...(await context.objects().catch(() => new Map<number, KnownObject>())).values()];
  };
  const suggest = (): void => {
    const found = known.length && input.value.trim().length > 1 ? matching(known, input.value).slice(0, SUGGESTIONS) : [];
    replace(list, found.map((object) => h("option", { value: object.norad_id }, `${object.name}  ${object.object_id}`)));
  };
  const take = (): void => {
    const text = input.value.trim();
    if (!text) return;
    const typed = numbersIn(text);
    const numbers = typed.strange.length ? meant(known, text) : typed.numbers;
    if (numbers.length && numbers.length <= MOST) {
      input.value = "";
      input.setCustomValidity("");
      chosen(numbers);
    } else {
      input.setCustomValidity(numbers.length ? `${count(numbers.length)} names have ${text}: type more of it, or make a fleet of names like ${text}*.` : `No object of the newest run is called ${text}.`);
      input.reportValidity();
    }
  };
  input.addEventListener("focus", () => void learn());
  input.addEventListener("input", () => {
    input.setCustomValidity("");
    suggest();
  });
  input.addEventListener("change", take);
  input.addEventListener("keydown", (event) => {
    if (event.key === "Enter") {
      event.preventDefault();
      void learn().then(take);
    }
  });
  return input;
}

// One that is called so, else all whose names begin so, else all whose names have it.
function meant(objects: readonly KnownObject[], text: string): number[] {
  const wanted = text.toUpperCase();
  const names = objects.map((object) => [object.name.toUpperCase(), object.norad_id] as const);
  const tests = [(name: string) => name === wanted, (name: string) => name.startsWith(wanted), (name: string) => name.includes(wanted)];
  const found = tests.map((test) => names.filter(([name]) => test(name)).map(([, number]) => number));
  return found.find((numbers) => numbers.length) ?? matching(objects, text).map((object) => object.norad_id);
}

// Exact numbers or names first, then those that begin with the text, then those that contain it.
export function matching(objects: Iterable<KnownObject>, text: string): KnownObject[] {
  const wanted = text.trim().toUpperCase();
  const ranked: KnownObject[][] = [[], [], []];
  for (const object of objects) {
    const name = object.name.toUpperCase();
    const number = String(object.norad_id);
    if (name === wanted || number === wanted) ranked[0]?.push(object);
    else if (name.startsWith(wanted) || number.startsWith(wanted)) ranked[1]?.push(object);
    else if (name.includes(wanted) || object.object_id.includes(wanted)) ranked[2]?.push(object);
  }
  return ranked.flat();
}
