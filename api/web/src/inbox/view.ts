// The inbox: files handed in, and the received messages by encounter, ours beside theirs.
import { json } from "../api";
import type { Context, View } from "../context";
import { debounced, field, h, newId, replace } from "../dom";
import { filled, onlyReads } from "../fleets/doing";
import { count, timeElement } from "../format";
import type { InboxEncounter, InboxPage } from "../generated";
import { numbersIn } from "../numbers";
import { eventLink, remember } from "../route";
import { wordList } from "../words/glossary";
import { beside, differences } from "./beside";
import { handIn } from "./files";

const PAGE = 20;
const MOST_ROWS = 3; // of one encounter; its event has them all
const TYPING_MS = 400;

export function inboxView(context: Context, _id: string, query: URLSearchParams): View {
  const list = h("div", { "data-part": "encounters" });
  const total = h("span", { class: "total" });
  const objects = h("input", { type: "text", value: query.get("norad_id") ?? "", placeholder: "any number", size: 14 });
  const sender = h("select", {}, h("option", { value: "" }, "any"));
  const restricted = h("input", { type: "checkbox", id: newId("restricted"), checked: query.get("restricted") === "true" });
  let wanted = query.get("originator") ?? "";
  let turn = 0;

  const asked = (): URLSearchParams => {
    const numbers = numbersIn(objects.value).numbers.join(",");
    return new URLSearchParams({
      ...(numbers ? { norad_id: numbers } : {}),
      ...(wanted ? { originator: wanted } : {}),
      ...(restricted.checked ? { restricted: "true" } : {}),
    });
  };
  const senders = (names: string[]): void => {
    const all = wanted && !names.includes(wanted) ? [...names, wanted] : names;
    replace(sender, h("option", { value: "" }, "any"), all.map((name) => h("option", { value: name, selected: name === wanted }, name)));
  };
  const page = (offset: number): Promise<InboxPage> => json<InboxPage>(`inbox?${asked()}&limit=${PAGE}&offset=${offset}`);
  const load = async (): Promise<void> => {
    const mine = (turn += 1);
    await filled(list, context, async () => {
      const found = await page(0);
      if (mine !== turn) return list.firstElementChild as HTMLElement; // asked again meanwhile
      replace(total, count(found.total));
      senders(found.senders);
      return found.total ? pages(found, mine) : h("p", { class: "empty" }, asked().size ? "No message matches." : "No message has been received.");
    });
  };
  const pages = (found: InboxPage, mine: number): HTMLElement => {
    const place = h("div", { class: "encounters" }, found.encounters.map(shownCard));
    let shown = found.encounters.length;
    const more = h("button", { type: "button" }, "Show more");
    const next = h("div", {}, more);
    more.addEventListener("click", () => void filled(next, context, async () => {
      const further = await page(shown);
      if (mine !== turn) return next;
      shown += further.encounters.length;
      place.append(...further.encounters.map(shownCard), next);
      next.hidden = shown >= further.total;
      return more;
    }));
    next.hidden = shown >= found.total;
    place.append(next);
    return place;
  };
  const shownCard = (one: InboxEncounter): HTMLElement => card(one, context, () => ((restricted.checked = true), changed()));
  const changed = (): void => {
    remember("messages", asked());
    void load();
  };
  objects.addEventListener("input", debounced(changed, TYPING_MS));
  restricted.addEventListener("change", changed);
  sender.addEventListener("change", () => ((wanted = sender.value), changed()));

  const files = handIn(context, () => void load());
  const element = h(
    "section",
    { class: "page inbox" },
    h("h1", {}, "Messages ", total),
    onlyReads(context),
    files.element,
    h("div", { class: "inbox-filters" },
      field("Objects", objects),
      field("Sender", sender),
      h("p", { class: "check" }, restricted, h("label", { for: restricted.id }, "Restricted messages, for your own use"))),
    list,
    wordList("TCA", "miss distance", "probability", "level"),
  );
  const over = (event: DragEvent, is: boolean): void => {
    event.preventDefault();
    element.classList.toggle("dropping", is && !context.readOnly);
  };
  element.addEventListener("dragover", (event) => over(event, true));
  element.addEventListener("dragleave", (event) => over(event, false));
  element.addEventListener("drop", (event) => over(event, false));
  element.addEventListener("paste", (event) => {
    const given = event.clipboardData?.files;
    if (given?.length) (event.preventDefault(), files.add(given));
  });
  void load();
  return { title: "Messages", element, destroy: files.stop, drop: files.add };
}

function card(one: InboxEncounter, context: Context, showRestricted: () => void): HTMLElement {
  const names = `${one.primary_name} and ${one.secondary_name}`;
  const restricted = one.messages.every((message) => message.restricted);
  const further = one.messages.length - MOST_ROWS;
  return h("article", { class: "panel encounter-card", "data-encounter": one.id },
    h("h2", {}, one.opens ? h("a", { href: eventLink(one.id, restricted && !one.event) }, names) : names),
    h("p", { class: "note" }, "TCA ", timeElement(one.tca, false), ` · ${context.when(one.tca)}`),
    h("p", {}, one.words),
    beside(one.event, one.messages.slice(0, MOST_ROWS)),
    differences(one.messages[0]),
    further > 0 ? h("p", { class: "note" }, `and ${count(further)} earlier ${further === 1 ? "message" : "messages"}`, one.opens ? ": its event shows them" : "") : null,
    one.restricted_messages ? h("p", { class: "note" }, `${count(one.restricted_messages)} restricted left out: `, h("button", { type: "button", onclick: showRestricted }, "Show for your own use")) : null);
}
