// What changed in the catalogue since the last complete one: the service's sentences, and the objects they count.
import { json } from "../api";
import type { Context } from "../context";
import { h } from "../dom";
import { count } from "../format";
import type { CatalogueChanges, CatalogueObject } from "../generated";
import { link } from "../route";
import type { Section } from "./section";

export const catalogue: Section = {
  id: "catalogue",
  title: "Catalogue",
  about: "The objects of the newest run, against the last complete catalogue of the week before.",
  words: ["element set"],
  async draw(_context: Context, signal: AbortSignal): Promise<Node> {
    const found = await json<CatalogueChanges>("catalogue", signal);
    return h(
      "div",
      { class: found.suspect ? "suspect" : "" },
      h("ul", { "data-part": "words" }, found.words.map((sentence) => h("li", {}, sentence))),
      found.launches.length
        ? h("p", { "data-part": "launches" }, "Launches: ", found.launches.map((one) => `${one.launch} (${count(one.objects)})`).join(", "))
        : null,
      some("New, not of these launches, nor pieces of a break-up", "new", found.new),
      some("Back", "back", found.back),
      some("Gone", "gone", found.gone, found.gone_total),
      found.renumbered.length
        ? h("details", { "data-part": "renumbered" }, h("summary", {}, `Under another number: ${count(found.renumbered.length)}`), h("p", {}, found.renumbered.map((one) => `${one.was} is now ${one.norad_id}`).join(", ")))
        : null,
    );
  },
};

function some(title: string, part: string, listed: CatalogueObject[], total = listed.length): HTMLElement | null {
  if (!total) return null;
  const more = total > listed.length ? `, the first ${count(listed.length)}` : "";
  return h(
    "details",
    { "data-part": part },
    h("summary", {}, `${title}: ${count(total)}${more}`),
    h("ul", {}, listed.map((one) => h("li", {}, h("a", { href: link("events", { norad: String(one.norad_id) }) }, one.name || String(one.norad_id)), h("small", {}, ` ${one.norad_id} ${one.object_id}`)))),
  );
}
