// Addresses of a fleet's calendar and Atom feed: made, copied once, revoked.
import type { Context } from "../context";
import { h, replace } from "../dom";
import { timeElement } from "../format";
import { term } from "../words/glossary";
import * as asked from "./asked";
import { filled, sureButton, told } from "./doing";
import { shownOnce } from "./once";
import type { Feed } from "./types";

// Of a service that other computers do not reach.
const local = (address: string): string =>
  ["localhost", "127.0.0.1", "[::1]"].includes(new URL(address).hostname) ? " They work on this computer only: SKYSIEVE_PUBLIC_URL on the server tells the address that others use." : "";

export function feedsPanel(context: Context, fleet: string): HTMLElement {
  const list = h("div", { "data-list": "feeds" });
  const made = h("div");
  const said = told(context);
  const load = (): Promise<void> => filled(list, context, async () => table((await asked.feeds(fleet)).feeds.filter((feed) => !feed.ended)));
  const make = h("button", { type: "button", onclick: () => void said.during(make, add) }, "New addresses");
  const add = async (): Promise<void> => {
    const feed = await asked.makeFeed(fleet);
    const note = ["Subscribe to them in a calendar (\u201cadd from URL\u201d) or a feed reader. They are shown this once; whoever knows them reads the encounters of this fleet, without signing in. At the end of the address, &risk=low adds lower levels, and in the calendar &alarm_minutes=60 reminds an hour before.", local(feed.calendar)].join("");
    replace(made, shownOnce(`Addresses of feed ${feed.id}`, note, { Calendar: feed.calendar, "Atom feed": feed.atom }));
    await load();
  };
  const revoke = (feed: Feed, button: HTMLButtonElement): void =>
    void said.during(button, async () => {
      await asked.revokeFeed(fleet, feed.id);
      replace(made);
      await load();
    });
  const table = (feeds: Feed[]): HTMLElement =>
    feeds.length
      ? h("ul", { class: "lines" }, feeds.map((feed) =>
          h(
            "li",
            { "data-feed": feed.id },
            h("span", {}, `Feed ${feed.id}, made by ${feed.made_by} `, timeElement(feed.created, false)),
            sureButton("Revoke", `Revoke feed ${feed.id}? Calendars that use its addresses get nothing more.`, (button) => revoke(feed, button)),
          )))
      : h("p", { class: "empty" }, "None. An address made here can be subscribed to.");
  void load();
  return h(
    "section",
    { class: "panel", "aria-label": "Calendar and feed" },
    h("h2", {}, "Calendar and feed"),
    h("p", { class: "help" }, "Encounters at level high or above as a calendar to subscribe to, and as an Atom ", term("feed"), "."),
    list,
    made,
    said.element,
    h("div", { class: "buttons" }, make),
  );
}
