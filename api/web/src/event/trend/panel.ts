// The event over runs and messages: does it get worse, and do all agree?
import * as api from "../../api";
import type { Context } from "../../context";
import { h, replace } from "../../dom";
import { namesOf } from "../../format";
import { told } from "../../levels";
import type { From } from "../../route";
import { failure } from "../../shell";
import { changes, everything } from "../../trajectories";
import type { ConjunctionWithHistory } from "../../types";
import { titled } from "../../words/glossary";
import { endCharts } from "../chart";
import { origins } from "../side_by_side";
import { trend } from "./asked";
import { chartsOf } from "./charts";
import { trendTable } from "./table";
import type { Trend } from "../../generated";

export function trendPanel(event: ConjunctionWithHistory, from: From, restricted: boolean, showRestricted: () => void, context: Context, ended: AbortSignal, show: (found: Trend | null) => void): HTMLElement {
  const body = h("div", {}, h("p", { class: "loading" }, "Loading the trend…"));
  const load = async (): Promise<void> => {
    try {
      const found = await trend(String(event.id), ended, from, restricted);
      endCharts(body);
      replace(body, contents(event, found));
      show(found);
    } catch (error) {
      if (ended.aborted) return;
      show(null);
      if (error instanceof api.ApiError && error.status === 401) context.failed(error);
      else replace(body, failure(error, () => void load()));
    }
  };
  void load();
  const rows = everything(event, event.history).filter((row) => !told(row));
  return h(
    "section",
    { class: "panel trend", "aria-label": "Trend" },
    titled(h("h2", {}, "Trend"), `Misses are in the axes of ${namesOf(event).primary}, at the TCA of each point.`),
    body,
    leftOut(event, showRestricted),
    h("h3", {}, "Asked for messages"),
    origins(event),
    changes(rows),
  );
}

function contents(event: ConjunctionWithHistory, found: Trend): HTMLElement[] {
  const { points } = found;
  const messages = points.filter((point) => point.kind === "message").length;
  const said = h("p", { class: "help", "data-points": points.length }, `${counted(points.length - messages, "run")}, ${counted(messages, "message")}${event.restricted_messages ? ` and ${event.restricted_messages} restricted and not shown: see below` : ""}.`);
  const paths = found.paths.length ? [h("p", { class: "note", "data-part": "paths" }, found.paths.map((one) => one.words).join(" "))] : [];
  const table = trendTable(points, event.messages, namesOf(event));
  if (new Set(points.map((point) => point.hours_to_tca)).size < 2)
    return [said, h("p", { class: "empty" }, points.length < 2 ? "There is no trend yet." : "All points are from the same time, so there is no trend yet."), ...paths, table];
  return [said, chartsOf(found, namesOf(event)), ...paths, h("details", { open: messages > 0 }, h("summary", {}, "The numbers"), table)];
}

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? "" : "s"}`;

function leftOut(event: ConjunctionWithHistory, showRestricted: () => void): HTMLElement | null {
  const left = event.restricted_messages;
  if (!left) return null;
  return h("p", { class: "note" }, `${left} received ${left === 1 ? "message" : "messages"} left out, because they must not be shared. `, h("button", { type: "button", onclick: showRestricted }, "Show for your own use"));
}
