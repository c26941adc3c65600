// Satellites by name, number or owner, with suggestions from the catalogue: a number or a whole name is one, a part of a
// name all that have it, "owner SES" (or an owner that no name has) all of that owner.
import type { Context } from "../context";
import { h, newId, replace } from "../dom";
import { count } from "../format";
import { numbersIn } from "../numbers";
import type { KnownObject } from "../types";

const SUGGESTIONS = 12;
const OWNERS_SUGGESTED = 3;
const MOST = 500; // in one address

export function satelliteInput(context: Context, chosen: (numbers: number[]) => void, chosenOwner: (owner: string, satellites: number[]) => void): HTMLInputElement {
  const list = h("datalist", { id: newId("names") });
  // Inside a dialog only what belongs to it can be reached.
  queueMicrotask(() => (input.closest("dialog") ?? document.body).append(list));
  const input = h("input", { type: "search", list: list.id, placeholder: "name, number, owner", autocomplete: "off", spellcheck: "false" });
  let known: KnownObject[] = [];
  const learn = async (): Promise<void> => {
    known = [...(await context.objects().catch(() => new Map<number, KnownObject>())).values()];
  };
  const suggest = (): void => {
    const typed = known.length && input.value.trim().length > 1;
    const owners = typed ? ownersLike(known, input.value) : [];
    const found = typed ? matching(known, input.value).slice(0, SUGGESTIONS - owners.length) : [];
    replace(list,
      owners.map(([owner, satellites]) => h("option", { value: `owner ${owner}` }, `${owner}: ${count(satellites.length)} ${satellites.length === 1 ? "satellite" : "satellites"}`)),
      found.map((object) => h("option", { value: object.norad_id }, `${object.name}  ${object.object_id}`)));
  };
  const take = (): void => {
    const text = input.value.trim();
    if (!text) return;
    const typed = numbersIn(text);
    const word = OWNER.exec(text)?.[1];
    const numbers = word ? [] : typed.strange.length ? meant(known, text) : typed.numbers;
    const owned = numbers.length ? undefined : ownersLike(known, word ?? text).find(([owner]) => owner === (word ?? text).toUpperCase());
    if (owned) {
      input.value = "";
      input.setCustomValidity("");
      chosenOwner(...owned);
    } else if (numbers.length && numbers.length <= MOST) {
      input.value = "";
      input.setCustomValidity("");
      chosen(numbers);
    } else {
      input.setCustomValidity(numbers.length ? `${count(numbers.length)} names have ${text}: type more of it, or make a fleet of names like ${text}*.` : word ? `No owner of the newest run is called ${word}.` : `No object or owner of the newest run is called ${text}.`);
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

const OWNER = /^owner\s+(\S+)$/i;

const ownersOf = (object: KnownObject): string[] => (object.owner ? object.owner.toUpperCase().split("/") : []);

export const isOwnedBy = (object: KnownObject, owner: string): boolean => ownersOf(object).includes(owner.toUpperCase());

// Owners that begin so and how many satellites they have, one that is called so first.
function ownersLike(objects: readonly KnownObject[], text: string): [owner: string, satellites: number[]][] {
  const wanted = text.trim().toUpperCase();
  const found = new Map<string, number[]>();
  for (const object of objects) {
    if (object.object_type !== "payload") continue;
    for (const owner of ownersOf(object)) {
      if (!owner.startsWith(wanted)) continue;
      const satellites = found.get(owner);
      if (satellites) satellites.push(object.norad_id);
      else found.set(owner, [object.norad_id]);
    }
  }
  return [...found].sort(([a], [b]) => a.length - b.length || a.localeCompare(b)).slice(0, OWNERS_SUGGESTED);
}

// One that is called so, else all whose names begin so, else all whose names have it.
function meant(objects: readonly KnownObject[], text: string): number[] {
  const wanted = text.toUpperCase();
  const names = objects.map((object) => [object.name.toUpperCase(), object.norad_id] as const);
  const tests = [(name: string) => name === wanted, (name: string) => name.startsWith(wanted), (name: string) => name.includes(wanted)];
  const found = tests.map((test) => names.filter(([name]) => test(name)).map(([, number]) => number));
  return found.find((numbers) => numbers.length) ?? matching(objects, text).map((object) => object.norad_id);
}

// Exact numbers or names first, then those that begin with the text, then those that contain it or belong to an owner called so.
export function matching(objects: Iterable<KnownObject>, text: string): KnownObject[] {
  const wanted = text.trim().toUpperCase();
  const ranked: KnownObject[][] = [[], [], []];
  for (const object of objects) {
    const name = object.name.toUpperCase();
    const number = String(object.norad_id);
    if (name === wanted || number === wanted) ranked[0]?.push(object);
    else if (name.startsWith(wanted) || number.startsWith(wanted)) ranked[1]?.push(object);
    else if (name.includes(wanted) || object.object_id.includes(wanted) || isOwnedBy(object, wanted)) ranked[2]?.push(object);
  }
  return ranked.flat();
}
