// Burns that were chosen for the event, and how they fare with each run and message since, in the service's words.
import * as api from "../api";
import type { Context } from "../context";
import { h, replace } from "../dom";
import { told } from "../fleets/doing";
import { datum, fixed, metres, NOTHING, probability, utc } from "../format";
import type { EventPlans, FollowedPlan, PlanPoint } from "../generated";
import type { From } from "../route";
import { scrolling } from "./results";
import type { Question, WhatIf } from "./types";

export interface Plans {
  element: HTMLElement;
  keepButton(made: WhatIf, question: Question): HTMLElement | null; // below burns that were checked
}

export function plans(id: number, from: From, restricted: boolean, context: Context, ended: AbortSignal): Plans {
  const refused = told(context);
  const list = h("div", {});
  const element = h("section", { class: "plans", "aria-label": "Plans" }, list, refused.element);
  const load = async (): Promise<void> => {
    await refused.during(null, async () => {
      const found = await api.json<EventPlans>(`conjunctions/${id}/plans${api.asking(undefined, restricted)}`, ended).catch((error: unknown) => {
        if (ended.aborted) return null; // another event is shown
        throw error;
      });
      if (found) replace(list, found.plans.length ? h("h3", {}, "Plans") : null, found.plans.map(block));
    });
  };
  const drop = (button: HTMLButtonElement, plan: number): void => {
    void refused.during(button, async () => {
      await api.change("DELETE", `conjunctions/${id}/plans/${plan}`);
      await load();
    });
  };
  const block = (one: FollowedPlan): HTMLElement => {
    const button = h("button", { type: "button", onclick: () => drop(button, one.plan.id) }, "Drop this plan");
    return h("article", { class: "plan", "data-plan": one.plan.id, "data-state": one.state },
      h("p", {}, h("strong", {}, one.plan.words)),
      h("p", { class: "note" }, `Kept by ${one.plan.made_by}, ${utc(one.plan.at)} UTC, for a goal of ${probability(one.plan.goal)}.`),
      h("p", { class: "plan-words" }, one.words),
      scrolling(`Runs since plan ${one.plan.id} was kept`, table(one.points)),
      context.readOnly ? null : h("div", { class: "buttons" }, button));
  };
  const seen = new IntersectionObserver((entries) => {
    if (!entries.some((entry) => entry.isIntersecting)) return;
    seen.disconnect();
    void load();
  });
  replace(list, h("p", { class: "help" }, "Plans that are kept stand here."));
  seen.observe(element);
  ended.addEventListener("abort", () => seen.disconnect());
  return {
    element,
    keepButton(made, question) {
      const burns = made.burns?.burns;
      if (context.readOnly || !burns || made.burns?.problem) return null;
      const { goal, days, size_error, direction_error_deg } = question;
      const asked = {
        object: made.object, goal, days, size_error, direction_error_deg,
        burns: burns.map(({ at, dv_r_m_s, dv_t_m_s, dv_n_m_s }) => ({ at, dv_r_m_s, dv_t_m_s, dv_n_m_s })),
      };
      const notStored = told(context);
      const button = h("button", { type: "button", class: "primary", onclick: () => void notStored.during(button, async () => {
        await api.change("POST", `conjunctions/${id}/plans${api.asking(from)}`, asked);
        await load();
        list.scrollIntoView({ block: "nearest" });
      }) }, "Keep this plan");
      return h("div", { class: "buttons" }, button, h("span", { class: "help" }, "Each later run then says how it fares."), notStored.element);
    },
  };
}

const HEADS = ["Run or message", "To TCA", "Miss", "P", "Level", "Miss with it", "P with it"];

function table(points: PlanPoint[]): HTMLElement {
  return h("table", { class: "plain" },
    h("thead", {}, h("tr", {}, HEADS.map((text, i) => h("th", { scope: "col", class: i ? "number" : "" }, text)))),
    h("tbody", {}, points.toReversed().map(row)));
}

function row(one: PlanPoint): HTMLElement {
  const far = one.miss_after_m === null && one.probability_after === 0;
  const cells = [
    `${fixed(one.hours_to_tca, 1)} h`,
    datum("miss_distance_m", one.miss_distance_m, metres, "m"),
    datum("probability", one.probability, probability),
    one.probability_level,
    far ? "far" : one.miss_after_m === null ? NOTHING : datum("miss_after_m", one.miss_after_m, metres, "m"),
    far ? "0" : one.probability_after === null ? NOTHING : datum("probability_after", one.probability_after, probability),
  ];
  return h("tr", { "data-run": one.run_id, title: one.not_computed || null },
    h("th", { scope: "row" }, one.kind === "message" ? `message, ${utc(one.made)}` : utc(one.made)),
    cells.map((cell) => h("td", { class: "number" }, cell)));
}
