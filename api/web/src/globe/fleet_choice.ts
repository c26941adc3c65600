// The fleet whose objects alone are drawn.
import type { ApiError } from "../api";
import { field, h, replace } from "../dom";
import * as asked from "../fleets/asked";

export interface FleetChoice {
  element: HTMLElement;
  value(): string; // the number of the fleet; "": none is chosen
  members(): ReadonlySet<number> | null; // null: of no fleet in particular
  set(id: string): void;
  load(): Promise<void>; // which fleets there are
}

export function fleetChoice(changed: () => void): FleetChoice {
  const select = h("select", { onchange: () => void choose(select.value) }, h("option", { value: "" }, "all objects"));
  const problem = h("p", { class: "form-message", role: "alert" });
  const element = h("div", { hidden: true }, field("Fleet", select), problem);
  let value = "";
  let members: ReadonlySet<number> | null = null;

  const choose = async (id: string): Promise<void> => {
    value = id;
    members = id ? new Set() : null;
    replace(problem);
    if (id) {
      try {
        // Those of the newest run, and what was added since.
        const [{ satellites }, { objects }] = await Promise.all([asked.satellites(id), asked.fleet(id)]);
        if (value !== id) return;
        members = new Set([...satellites, ...objects].map(({ norad_id }) => norad_id));
      } catch (error) {
        if (value !== id) return;
        replace(problem, (error as ApiError).message);
        element.hidden = false;
      }
    }
    changed();
  };
  return {
    element,
    value: () => value,
    members: () => members,
    set(id) {
      if (id === value) return;
      if (id && ![...select.options].some((option) => option.value === id)) select.append(h("option", { value: id }, `Fleet ${id}`));
      select.value = id;
      void choose(id);
    },
    async load() {
      const { fleets } = await asked.fleets();
      element.hidden = fleets.length === 0 && !value;
      replace(select, h("option", { value: "" }, "all objects"), fleets.map(({ id, name }) => h("option", { value: id }, name)));
      if (value && ![...select.options].some((option) => option.value === value)) select.append(h("option", { value }, `Fleet ${value}`));
      select.value = value;
    },
  };
}
