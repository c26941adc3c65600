// Received conjunction data messages: who sent them, about what, what they claim, and the encounter they are about.
import { json } from "./api";
import type { Context, View } from "./context";
import { h, newId, replace } from "./dom";
import { count, datum, metres, probability, timeElement, NOTHING } from "./format";
import { filled } from "./fleets/doing";
import type { MessagePage, ReceivedMessage } from "./generated";
import { eventLink, link, remember } from "./route";
import { whatIs } from "./words/glossary";

const MOST = 500; // the newest

const HEADS = ["Received", "From", "Objects", "TCA", "Miss, m", "Claimed", "Probability", "Encounter"];
const NUMBERS = [4, 5, 6];

export function messagesView(context: Context, _id: string, query: URLSearchParams): View {
  const body = h("div", { class: "panel scroll-x", role: "region", "aria-label": "Received messages", tabindex: "0" });
  const total = h("span", { class: "total" });
  const restricted = h("input", { type: "checkbox", id: newId("restricted"), checked: query.get("restricted") === "true" });
  const load = (): Promise<void> =>
    filled(body, context, async () => {
      const found = await json<MessagePage>(`messages?limit=${MOST}&restricted=${restricted.checked}`);
      replace(total, count(found.total), found.total > found.messages.length ? `, the newest ${count(found.messages.length)}` : "");
      return found.total ? table(found.messages) : h("p", { class: "empty" }, "No message has been received.");
    });
  restricted.addEventListener("change", () => {
    remember("messages", new URLSearchParams(restricted.checked ? { restricted: "true" } : {}));
    void load();
  });
  void load();
  return {
    title: "Received messages",
    element: h(
      "section",
      { class: "page" },
      h("p", { class: "over" }, h("a", { href: link("overview") }, "Overview")),
      h("h1", {}, "Received messages ", total),
      h("p", { class: "lead" }, "Conjunction data messages from others, with the values they claim and the probability computed from their states."),
      h("p", { class: "check" }, restricted, h("label", { for: restricted.id }, "Restricted messages, for your own use")),
      body,
      h("p", { class: "help" }, whatIs("TCA", "miss distance", "probability", "level")),
    ),
  };
}

const table = (messages: ReceivedMessage[]): HTMLElement =>
  h("table", { class: "plain" },
    h("thead", {}, h("tr", {}, HEADS.map((text, i) => h("th", { scope: "col", class: NUMBERS.includes(i) ? "number" : "" }, text)))),
    h("tbody", {}, messages.map(row)));

function row(one: ReceivedMessage): HTMLElement {
  const side = (who: "primary" | "secondary"): string => one[`${who}_name`] || String(one[`${who}_norad_id`] ?? one[`${who}_designator`]);
  const level = one.probability_level ?? "unknown";
  const cells = [
    [timeElement(one.received_at)],
    [one.originator || NOTHING, h("small", {}, ` ${one.source}${one.restricted ? " (restricted)" : ""}`)],
    [`${side("primary")} and ${side("secondary")}`],
    [timeElement(one.tca)],
    [datum("miss_distance_m", one.miss_distance_m, metres)],
    [datum("claimed_probability", one.claimed_probability, probability)],
    [h("span", { class: `badge ${level}` }, level), " ", datum("probability_best", one.probability_best, probability)],
    [h("a", { href: eventLink(one.encounter_id, one.restricted) }, one.event_id === null ? "only in messages" : "in a run")],
  ];
  return h("tr", { "data-message": one.id }, cells.map((cell, i) => h("td", { class: NUMBERS.includes(i) ? "number" : "" }, cell)));
}
