// The script of `skysieve site`: colours, search, filter, the page of objects. Data come by <script>, which
// also works from the disk, where a page may not fetch.
import "./site.css";
import { h, replace } from "../dom";
import { applyTheme, followSystem } from "../theme";
import { filterRows } from "./filter";
import { showObject } from "./object";
import { searchObjects } from "./search";
import { warnIfStale } from "./stale";

applyTheme();
followSystem();
addEventListener("beforeprint", () => applyTheme("light"));
addEventListener("afterprint", () => applyTheme());
document.addEventListener("DOMContentLoaded", () => {
  warnIfStale();
  searchObjects();
  filterRows();
  const place = document.querySelector<HTMLElement>("#object");
  if (place) {
    const show = () => void showObject(place).catch((error: unknown) => replace(place, h("h1", {}, "Objects"), h("p", { role: "alert" }, String(error))));
    addEventListener("hashchange", show);
    show();
  }
});
