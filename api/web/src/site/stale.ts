// A file does not know how old it is: the browser says so.
import { h } from "../dom";
import { span } from "../format";

export function warnIfStale(): void {
  const { finished, staleAfter } = document.documentElement.dataset;
  if (!finished) return;
  const age = Date.now() - Date.parse(finished);
  if (age <= Number(staleAfter) * 1000 || document.querySelector(".banner.stale")) return;
  const said = `${span(age)} have passed since this run. Newer element sets may change all of it.`;
  document.querySelector("aside")?.append(h("p", { class: "banner stale" }, h("strong", {}, "Stale"), " ", said));
}
