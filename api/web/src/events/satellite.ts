// One satellite by name or number, with suggestions from the catalogue.
import type { Context } from "../context";
import { h, newId, replace } from "../dom";
import type { KnownObject } from "../types";

const SUGGESTIONS = 12;

// A span with the input and its list; labels belong to the input.
export function satelliteInput(context: Context, chosen: (number: number) => void): HTMLInputElement {
  const list = h("datalist", { id: newId("names") });
  document.body.append(list);
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
    const number = /^[0-9]{1,9}$/.test(text) ? Number(text) : matching(known, text)[0]?.norad_id;
    if (number) {
      input.value = "";
      input.setCustomValidity("");
      chosen(number);
    } else {
      input.setCustomValidity(`No object of the newest run is called ${text}.`);
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
