// What a search offers to whoever must decide when to burn, in the service's words.
import { field, h, replace } from "../dom";
import { fixed, utc } from "../format";
import type { Found, Offer } from "./types";

export interface Doing {
  take(offer: Offer): void;
  check(offer: Offer): void;
}

export function offerCards({ offers, trade_space: space }: Found, doing: Doing): HTMLElement | null {
  const { cheapest, waiting } = offers;
  const latest = waiting.at(-1);
  if (!latest) return null;
  return h("div", {},
    h("p", { class: "note", "data-part": "when" }, `Burns were tried from ${utc(space.at.at(-1) as string)} UTC (“Not before”, or now) to ${utc(latest.at)} UTC, ${fixed(latest.before_tca_hours, 1)} h before TCA.`),
    h("div", { class: "offers" },
      cheapest ? card("cheapest", "Cheapest of all", [told(cheapest, doing)]) : null,
      card("waiting", "Cheapest if you wait", waitingFor(waiting, space, latest, doing)),
      card("latest", "Last in time", [told(latest, doing)])));
}

const card = (kind: string, title: string, content: HTMLElement[]): HTMLElement =>
  h("section", { class: "offer", "data-offer": kind, "aria-label": title }, h("h3", {}, title), content);

function told(offer: Offer, doing: Doing): HTMLElement {
  return h("div", { class: "offer-told" },
    h("p", { class: offer.raised === 0 ? "" : "flag" }, offer.words),
    h("div", { class: "buttons" },
      h("button", { type: "button", onclick: () => doing.take(offer) }, "Take into the form"),
      h("button", { type: "button", onclick: () => doing.check(offer) }, offer.raised !== null ? "Check again, for files and a plan" : "Screen against all other objects")));
}

// Early is left; no later than the last time at which a burn is enough.
function waitingFor(waiting: Offer[], space: Found["trade_space"], latest: Offer, doing: Doing): HTMLElement[] {
  const first = space.before_tca_hours.indexOf(latest.before_tca_hours);
  const last = space.before_tca_hours.length - 1;
  const here = h("div", {});
  const show = (): void => {
    const row = last - slider.valueAsNumber;
    const hours = space.before_tca_hours[row] as number;
    const words = `${utc(space.at[row] as string)} UTC`;
    slider.setAttribute("aria-valuetext", words);
    replace(here, h("p", { class: "help" }, `Not before ${words}`), told(waiting.find((one) => one.before_tca_hours <= hours) ?? latest, doing));
  };
  const slider = h("input", { type: "range", min: 0, step: 1, max: last - first, oninput: show });
  slider.value = String(Math.round((last - first) / 2));
  show();
  return [field("Wait until: early to late", slider), here];
}
