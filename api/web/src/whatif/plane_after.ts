// The encounter plane as a burn would leave it, seen from the object that burns.
import * as api from "../api";
import { h, replace } from "../dom";
import { planePicture } from "../event/plane";
import { namesOf } from "../format";
import type { Conjunction, EncounterPlane } from "../types";

type Miss = Pick<EncounterPlane, "miss_x_m" | "miss_y_m">;

export interface PlaneAfter {
  element: HTMLElement;
  show(miss: Miss | null): void; // null: not known
}

export function planeAfter(event: Conjunction, norad_id: number, ended: AbortSignal): PlaneAfter {
  const { primary, secondary } = namesOf(event);
  const names = norad_id === event.primary_norad_id ? { primary, secondary } : { primary: secondary, secondary: primary };
  const picture = h("div", {}, h("p", { class: "loading" }, "Loading the geometry…"));
  let [plane, miss]: [EncounterPlane | null, Miss | null] = [null, null];
  const draw = (): void => {
    if (plane) replace(picture, miss ? pictured({ ...plane, ...miss }) : h("p", { class: "empty" }, "Only the check shows where this burn leads."));
  };
  const pictured = (after: EncounterPlane): HTMLElement => {
    const { element, note } = planePicture(after, "sigmas", names);
    return h("div", {}, element, note ? h("p", { class: "note" }, note) : null);
  };
  const load = async (): Promise<void> => {
    try {
      const { encounter_plane: found, missing } = await api.geometry(String(event.id), ended, norad_id);
      plane = found;
      if (found) draw();
      else replace(picture, h("p", { class: "empty" }, missing.encounter_plane ?? ""));
    } catch (error) {
      if (ended.aborted) return;
      if (!(error instanceof api.ApiError)) throw error;
      replace(picture, h("p", { class: "form-message" }, error.message));
    }
  };
  void load();
  return {
    element: h("figure", { class: "plane-after", "data-part": "plane-after" }, picture,
      h("figcaption", { class: "note" }, "The encounter plane after the burn, around the one that burns. The ellipses are those without it; the probability also counts the burn’s own error.")),
    show(next) {
      miss = next;
      draw();
    },
  };
}
