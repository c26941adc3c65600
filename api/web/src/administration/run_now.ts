// A run at once, for administrators: asked of the schedule, and how far it has come.
import { change, json } from "../api";
import type { Context } from "../context";
import { h, replace } from "../dom";
import { told } from "../fleets/doing";
import { timeElement } from "../format";
import type { RunProgress } from "../generated";

const AGAIN_MS = 3000;

export function runNow(context: Context): { element: HTMLElement; stop(): void } {
  const progress = h("p", { class: "help", role: "status", "data-part": "run-progress" });
  const said = told(context);
  let timer = 0;
  const show = (now: RunProgress): void => {
    const newest = now.attempts[0];
    const waits = now.asked_at !== null && now.begun_at === null;
    const goesOn = newest !== undefined && newest.finished === null;
    button.disabled = waits;
    replace(progress, ...words(now));
    window.clearTimeout(timer);
    if (waits || goesOn) timer = window.setTimeout(() => void look(), AGAIN_MS);
  };
  const look = async (): Promise<void> => {
    await said.during(null, async () => show(await json<RunProgress>("runs")));
  };
  const button = h("button", {
    type: "button",
    onclick: () => void said.during(null, async () => show(await change<RunProgress>("POST", "runs"))),
  }, "Run now");
  void look();
  return {
    element: h("div", { class: "panel run-now" }, h("h2", {}, "Another run"), button, progress, said.element),
    stop: () => window.clearTimeout(timer),
  };
}

function words({ asked_at, begun_at, attempts: [newest] }: RunProgress): (string | HTMLElement)[] {
  if (asked_at !== null && begun_at === null)
    return ["Asked for ", timeElement(asked_at), ". The schedule begins it within seconds, after a run that is under way; without `skysieve up` or `skysieve schedule` it waits."];
  if (newest === undefined) return ["The schedule makes one on its own."];
  if (newest.finished === null) return ["A run is under way since ", timeElement(newest.started), "."];
  return [`The last one was ${newest.outcome ?? "ended"} `, timeElement(newest.finished), newest.reason ? `: ${newest.reason}` : "."];
}
