// The event as files and as a link.
import * as api from "../../api";
import type { Context } from "../../context";
import { h, replace } from "../../dom";
import { download } from "../../download";
import { told as answering } from "../../fleets/doing";
import { utc } from "../../format";
import { told } from "../../levels";
import { eventLink, globeLink, type From } from "../../route";
import type { Conjunction } from "../../types";

// What it is called, what to ask for, how the file's name ends.
type Form = readonly [name: string, path: string, type: string, ending: string, title: string];
const REPORTS: readonly Form[] = [
  ["PDF", "report", "application/pdf", "pdf", "Save the report: two pages to print or send"],
  ["PNG", "report", "image/png", "png", "Save the report as a picture"],
];
const MESSAGES: readonly Form[] = [
  ["KVN", "cdm", "text/plain", "cdm", "Save as a conjunction data message, KVN"],
  ["XML", "cdm", "application/xml", "xml", "Save as a conjunction data message, XML"],
  ["JSON", "cdm", "application/json", "json", "Save as a conjunction data message, JSON"],
];
const CALENDAR: readonly Form[] = [["Calendar", "calendar.ics", "text/calendar", "ics", "Save the closest approach as an entry for your calendar"]];

export function takeAway(event: Conjunction, from: From, restricted: boolean, context: Context): HTMLElement {
  const said = h("p", { role: "status", class: "help" });
  const group = (name: string, kind: string, forms: readonly Form[]): HTMLElement =>
    h("div", { class: `${kind} take`, role: "group", "aria-label": name }, h("span", { class: "take-name" }, name), forms.map((form) => saving(event, from, form, said, context)));
  const copy = async (): Promise<void> => {
    const address = new URL(eventLink(event.id, false, from), document.baseURI).href;
    const copied = await navigator.clipboard?.writeText(address).then(() => true, () => false);
    // Without a secure connection, or by the user's will, a page must not copy.
    if (copied) replace(said, "Copied");
    else replace(said, "This browser does not allow the page to copy. Copy this address yourself: ", h("a", { href: eventLink(event.id, false, from) }, address));
  };
  // Whoever has it reads the event: it is shown once, to be sent.
  const shared = answering(context);
  const share = h("button", { type: "button", title: "An address that opens this event without a credential, until a week after TCA", onclick: () => void shared.during(share, async () => {
    const made = await api.shareLink(event.id);
    replace(said, `Anyone with this address can read the event until ${made.expires.slice(0, 10)}; it is not shown again: `, h("a", { href: made.url }, made.url));
  }) }, "Link without a credential");
  return h(
    "div",
    { class: "take-away" },
    group("Report", "reports", REPORTS),
    told(event) ? null : group("Conjunction data message", "messages", MESSAGES),
    h("div", { class: "take" },
      h("span", { class: "take-name" }, "This event"),
      CALENDAR.map((form) => saving(event, from, form, said, context)),
      h("button", { type: "button", onclick: () => void copy() }, "Copy link"),
      context.readOnly ? null : share,
      h("a", { class: "button", href: globeLink(event.id, false, from) }, "Show on the globe")),
    told(event) ? null : h("div", { class: "take" },
      h("span", { class: "take-name" }, "A burn, as OEM or OPM"),
      h("a", { class: "button", href: eventLink(event.id, restricted, from, "what-if") }, "Check it in What if")),
    said,
    shared.element,
  );
}

// Who meets whom and when, as files of burns have it: 25544_34602_20241101T1305Z.
const fileName = ({ primary_norad_id, secondary_norad_id, tca }: Conjunction): string =>
  `${primary_norad_id}_${secondary_norad_id}_${utc(tca, false).replace(" ", "T").replaceAll(/[-:]/g, "")}Z`;

function saving(event: Conjunction, from: From, [name, path, type, ending, title]: Form, said: HTMLElement, context: Context): HTMLElement {
  const file = `${fileName(event)}.${ending}`;
  const button = h("button", { type: "button", title, onclick: () => void save() }, name);
  const save = async (): Promise<void> => {
    button.disabled = true;
    replace(said, `Preparing ${file}…`);
    try {
      await download(`conjunctions/${event.id}/${path}${api.asking(from)}`, type, file);
      replace(said, `Saved as ${file}.`);
    } catch (error) {
      if (!(error instanceof api.ApiError)) throw error;
      if (error.status === 401) context.failed(error);
      else replace(said, error.message);
    } finally {
      button.disabled = false;
    }
  };
  return button;
}
