// Whom to ask about each object, as the service says it; and who has better data of all.
import { h, replace } from "../../dom";
import { named } from "../../format";
import type { Whom as Asked } from "../../generated";
import { link } from "../../route";
import type { Conjunction, Geometry, Who } from "../../types";

const WHO = ["primary", "secondary"] as const;
const EVERYBODY: readonly [string, string, string][] = [
  ["Space-Track", "https://www.space-track.org", "The 18th and 19th Space Defense Squadrons: messages with measured covariances, for operators free of charge"],
  ["TraCSS", "https://space.commerce.gov/traffic-coordination-system-for-space-tracss/", "The civil service of the United States"],
  ["EU SST", "https://www.eusst.eu", "For operators of the European Union, and others"],
];

export interface Whom {
  element: HTMLElement;
  show(geometry: Geometry): void; // which says whom
}

export function whom(event: Conjunction): Whom {
  const places = WHO.map((who) => h("li", { "data-whom": who }));
  const givesWay = h("li", { "data-part": "right-of-way", hidden: true });
  const draw = (geometry: Geometry | null): void => WHO.forEach((who, i) => replace(places[i] as HTMLElement, side(event, who, geometry?.whom_to_ask[who])));
  draw(null);
  const everybody = EVERYBODY.map(([name, address, note]) => h("li", { title: note }, outside(address, name)));
  return {
    element: h("ul", { class: "whom", "aria-label": "Whom to ask" }, givesWay, places, everybody),
    show(found) {
      givesWay.hidden = false;
      givesWay.title = found.right_of_way.source ?? "";
      replace(givesWay, found.right_of_way.words);
      draw(found);
    },
  };
}

function side(event: Conjunction, who: Who, asked: Asked | undefined): (HTMLElement | string)[] {
  const record = outside(`https://celestrak.org/satcat/table-satcat.php?CATNR=${event[`${who}_norad_id`]}`, named(event, who));
  record.title = "In the SATCAT";
  const fleet = asked?.fleet_id ? [" ", h("a", { href: link(`fleet/${asked.fleet_id}`) }, "Fleet")] : [];
  return [h("strong", {}, record), ": ", h("span", { class: "contact" }, asked?.words ?? ""), ...fleet];
}

const outside = (address: string, text: string): HTMLElement => h("a", { href: address, target: "_blank", rel: "noreferrer" }, text);
