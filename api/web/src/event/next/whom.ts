// Whom to ask about each object: the contact of a fleet that has it, else its operator; and who has better data of all.
import * as api from "../../api";
import type { Context } from "../../context";
import { h, replace } from "../../dom";
import { fleets as allFleets } from "../../fleets/asked";
import { named } from "../../format";
import { link } from "../../route";
import type { ListedFleet } from "../../generated";
import type { Conjunction, Geometry, Who } from "../../types";
import { contactOf } from "./contacts";

const WHO = ["primary", "secondary"] as const;
const EVERYBODY: readonly [string, string, string][] = [
  ["Space-Track", "https://www.space-track.org", "The 18th and 19th Space Defense Squadrons: messages with measured covariances, for operators free of charge"],
  ["TraCSS", "https://space.commerce.gov/traffic-coordination-system-for-space-tracss/", "The civil service of the United States"],
  ["EU SST", "https://www.eusst.eu", "For operators of the European Union, and others"],
];
const NOBODY: Record<string, string> = { debris: "debris", rocket_body: "a spent stage" };

export interface Whom {
  element: HTMLElement;
  show(geometry: Geometry): void; // of what kind the objects are
}

export function whom(event: Conjunction, context: Context, ended: AbortSignal): Whom {
  const places = WHO.map((who) => h("li", { "data-whom": who }));
  const failed = h("li", { class: "note", role: "status", hidden: true });
  let geometry: Geometry | null = null;
  let fleets: ListedFleet[] = [];
  const givesWay = h("li", { "data-part": "right-of-way", hidden: true });
  const draw = (): void => WHO.forEach((who, i) => replace(places[i] as HTMLElement, side(event, geometry, who, fleets)));
  const load = async (): Promise<void> => {
    try {
      ({ fleets } = await allFleets());
      if (!ended.aborted) draw();
    } catch (error) {
      if (ended.aborted) return;
      if (!(error instanceof api.ApiError)) throw error;
      if (error.status === 401) return context.failed(error);
      failed.hidden = false;
      replace(failed, `Fleets, which may name a contact, cannot be read: ${error.message}`);
    }
  };
  draw();
  void load();
  const everybody = EVERYBODY.map(([name, address, note]) => h("li", { title: note }, outside(address, name)));
  return {
    element: h("ul", { class: "whom", "aria-label": "Whom to ask" }, givesWay, places, failed, everybody),
    show(found) {
      geometry = found;
      givesWay.hidden = false;
      givesWay.title = found.right_of_way.source ?? "";
      replace(givesWay, found.right_of_way.words);
      draw();
    },
  };
}

function side(event: Conjunction, geometry: Geometry | null, who: Who, fleets: ListedFleet[]): (HTMLElement | string)[] {
  const [name, number] = [named(event, who), event[`${who}_norad_id`]];
  const fleet = contactOf(fleets, number, event[`${who}_name`].trim());
  if (fleet) return [h("strong", {}, name), ": ", h("a", { href: link(`fleet/${fleet.id}`), title: "The fleet that has it" }, fleet.name), ", ", h("span", { class: "contact" }, fleet.contact)];
  const ownerless = NOBODY[geometry?.objects[who].object_type ?? ""];
  const record = outside(`https://celestrak.org/satcat/table-satcat.php?CATNR=${number}`, "SATCAT");
  return ownerless
    ? [h("strong", {}, name), `: ${ownerless}, nobody steers it (`, record, ")"]
    : [h("strong", {}, name), ": owner in ", record];
}

const outside = (address: string, text: string): HTMLElement => h("a", { href: address, target: "_blank", rel: "noreferrer" }, text);
