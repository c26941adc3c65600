// Find an object by its name or number; the names are loaded when somebody begins to search.
import { h, replace } from "../dom";
import { load, root } from "./data";

const SHOWN = 12;

export function searchObjects(): void {
  const field = document.querySelector<HTMLInputElement>("#search");
  const hits = document.querySelector<HTMLElement>("#hits");
  const said = document.querySelector("#hit-count");
  const box = field?.closest("search");
  if (!field || !hits || !said || !box) return;
  box.removeAttribute("hidden");
  let names: Promise<[number, string][]> | undefined;

  const search = async () => {
    const wanted = field.value.trim().toLowerCase();
    names ??= load("data/search.js", "search");
    const found = wanted ? matching(await names, wanted) : [];
    if (wanted !== field.value.trim().toLowerCase()) return; // typed on meanwhile
    hits.hidden = !wanted;
    const items = found.slice(0, SHOWN).map(([number, name]) => h("li", {}, h("a", { href: `${root()}object.html#${number}` }, name || "object", " ", h("span", { class: "unit" }, number))));
    replace(hits, items.length ? items : h("li", { class: "none" }, "No such object"));
    said.textContent = wanted ? `${found.length} objects` : "";
  };
  const failed = (error: unknown) => {
    names = undefined;
    said.textContent = String(error);
  };
  field.addEventListener("input", () => void search().catch(failed));
  field.addEventListener("keydown", (event) => {
    if (event.key === "Enter") void search().then(() => hits.querySelector("a")?.click()).catch(failed); // the names may be on their way
    if (event.key === "ArrowDown") hits.querySelector("a")?.focus();
  });
  box.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    hits.hidden = true;
    field.focus();
  });
  hits.addEventListener("click", () => (hits.hidden = true));
  document.addEventListener("click", (event) => {
    if (!box.contains(event.target as Node)) hits.hidden = true;
  });
}

// A number as it begins, a name that holds all words; those that begin with the text first.
function matching(names: [number, string][], wanted: string): [number, string][] {
  const words = wanted.split(/\s+/);
  const found = names.filter(([number, name]) => String(number).startsWith(wanted) || words.every((word) => name.toLowerCase().includes(word)));
  const first = ([number, name]: [number, string]) => (String(number) === wanted || name.toLowerCase() === wanted ? 0 : name.toLowerCase().startsWith(wanted) ? 1 : 2);
  return found.sort((one, other) => first(one) - first(other) || one[0] - other[0]);
}
