// What stands between an alert and its reader: told where the alert stands, else he would wait for ever.
import type { Context } from "../context";
import { h } from "../dom";
import { timeElement } from "../format";
import type { Alerts } from "./types";

const SEEN_WITHIN_MS = 300_000; // what delivers is seen each minute

export const NO_MAIL =
  "This service cannot send e-mail yet: its administrator sets SKYSIEVE_SMTP_HOST and SKYSIEVE_SMTP_FROM.";

export function obstacles(context: Context, { last_delivering: seen }: Alerts): HTMLElement[] {
  const found: HTMLElement[] = [];
  if (context.run?.historic) {
    found.push(h("p", { class: "flag", "data-obstacle": "historic" },
      "This store holds old data: its runs send no notifications, only tests."));
  }
  if (seen === null || context.now() - Date.parse(seen) > SEEN_WITHIN_MS) {
    found.push(h("p", { class: "flag", "data-obstacle": "delivering" },
      ...(seen === null ? ["Nothing delivers messages here, and nothing ever has: "] : ["Nothing delivers messages since ", timeElement(seen), ": "]),
      "all wait. The administrator of this service starts ", h("code", {}, "skysieve up"), " or ", h("code", {}, "skysieve alerts deliver"), "."));
  }
  return found;
}
