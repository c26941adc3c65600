// Addresses of a fleet's calendar and Atom feed: made, copied once, revoked.
import type { Context } from "../context";
import { field, h, replace } from "../dom";
import { timeElement } from "../format";
import { term, titled } from "../words/glossary";
import * as asked from "./asked";
import { filled, sureButton, told, writing } from "./doing";
import { HELP, limitsFields, NEAR_M } from "./limits";
import { shownOnce } from "./once";
import type { Feed, MadeFeed } from "./types";

const REMINDERS = [["", "no reminder"], ["15", "15 min before"], ["60", "1 h before"], ["1440", "1 day before"]] as const;
const HOW =
  "Outlook: Add calendar, Subscribe from web. Google Calendar: Other calendars +, From URL. Apple Calendar: File, New " +
  "Calendar Subscription. They poll every few hours.";

// Of a service that other computers do not reach.
const isLocal = (address: string): boolean =>
  /^(localhost|127(\.\d+){3}|\[::1\]|0\.0\.0\.0)$/.test(new URL(address).hostname);

const withAll = (address: string, extra: Record<string, string>): string => {
  const url = new URL(address);
  for (const [name, value] of Object.entries(extra)) if (value) url.searchParams.set(name, value);
  return url.href;
};

export function feedsPanel(context: Context, fleet: string): HTMLElement {
  const list = h("div", { "data-list": "feeds" });
  const made = h("div");
  const said = told(context);
  const limits = limitsFields();
  const reminder = h("select", {}, REMINDERS.map(([value, text]) => h("option", { value }, text)));
  let shown: MadeFeed | null = null;
  const load = (): Promise<void> =>
    filled(list, context, async () => table((await asked.feeds(fleet)).feeds.filter((feed) => !feed.ended)));
  const make = h("button", { type: "button", onclick: () => void said.during(make, add) }, "Make an address");
  const add = async (): Promise<void> => {
    shown = await asked.makeFeed(fleet);
    show();
    await load();
  };
  const show = (): void => {
    if (!shown) return replace(made);
    const { level, near_m } = limits.given();
    // What is usual stays out of the address.
    const chosen = { level: level === "high" ? "" : level, near_m: near_m === NEAR_M ? "" : String(near_m ?? "none") };
    replace(
      made,
      isLocal(shown.calendar)
        ? h("p", { class: "flag", "data-part": "local" },
            "These addresses work on this computer only: no calendar elsewhere reaches them. The administrator of this ",
            "service sets SKYSIEVE_PUBLIC_URL to the address that others use.")
        : null,
      shownOnce(
        `Addresses of feed ${shown.id}`,
        `They are shown only once; anyone with them can read the encounters of this fleet, without signing in. ${HOW}`,
        {
          Calendar: withAll(shown.calendar, { ...chosen, alarm_minutes: reminder.value }),
          "Atom feed": withAll(shown.atom, chosen),
        },
      ),
    );
  };
  for (const control of [...limits.inputs, reminder]) control.addEventListener("input", show);
  const revoke = (feed: Feed, button: HTMLButtonElement): void =>
    void said.during(button, async () => {
      await asked.revokeFeed(fleet, feed.id);
      if (shown?.id === feed.id) shown = null;
      show();
      await load();
    });
  const line = (feed: Feed): HTMLElement =>
    h(
      "li",
      { "data-feed": feed.id },
      h("span", {}, `Feed ${feed.id}, made by ${feed.made_by} `, timeElement(feed.created, false)),
      writing(context,
        sureButton("Revoke", `Revoke feed ${feed.id}? Calendars that use its addresses get no more updates.`, (button) => revoke(feed, button))),
    );
  const table = (feeds: Feed[]): HTMLElement =>
    feeds.length
      ? h("ul", { class: "lines" }, feeds.map(line))
      : h("p", { class: "empty" }, "No address has been made.");
  void load();
  return h(
    "section",
    { class: "panel", "aria-label": "Calendar and feed" },
    titled(h("h2", {}, "Calendar and feed"), "The encounters of this fleet in your calendar, which keeps itself up to date, or in a reader of Atom ",
      term("feed", "feeds"), `: make an address, and subscribe to it there. ${HELP}`),
    list,
    writing(context, h("div", { class: "alert-form" }, limits.elements, field("Calendar reminds", reminder), make)),
    made,
    said.element,
  );
}
