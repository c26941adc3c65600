// What if one of the two thrust: numbers and sliders, the trade space, and the check against everything.
import type { Context } from "../context";
import { h, replace } from "../dom";
import { datum, metres, probability } from "../format";
import type { Conjunction } from "../types";
import { asking } from "./asking";
import { burnInputs, type Inputs } from "./inputs";
import { legend, spaceMap, type SpaceMap } from "./map";
import { candidateTable, verdict } from "./results";
import { burnSliders } from "./sliders";
import { estimate } from "./space";
import type { Found, TradeSpace, Verified, WhatIf } from "./types";

export function whatIfPanel(event: Conjunction, context: Context, ended: AbortSignal): HTMLElement {
  const inputs = burnInputs(event, context);
  const [candidates, checked] = [h("div", { class: "what-if-results" }), h("div", { class: "what-if-results" })];
  const explored = explorer(inputs);
  const asked = asking(ended, context);
  const check = async (): Promise<void> => {
    const made = await asked.ask(event.id, { ...inputs.question(), burns: [inputs.burn()] }, "Screening the changed path against everything");
    if (made?.burns) replace(checked, verdict(made, made.burns), basis(made));
  };
  const take = (one: Verified): void => {
    const burn = one.burns[0];
    if (burn) inputs.set(burn.before_tca_hours, burn.dv_t_m_s);
  };
  const search = async (): Promise<void> => {
    const made = await asked.ask(event.id, { ...inputs.question(), search: true }, "Searching: up to ten burns, each against everything");
    if (!made?.search) return;
    explored.show(made.search);
    replace(candidates, candidateTable(made, take), basis(made));
    const best = made.search.candidates[made.search.best ?? 0];
    if (best) take(best);
  };
  const forget = (): void => {
    asked.end("");
    explored.clear();
    replace(candidates);
    replace(checked);
  };
  inputs.listen(explored.update, forget);
  const submit = (pressed: SubmitEvent): void => {
    pressed.preventDefault();
    void check();
  };
  const form = h(
    "form",
    { class: "what-if-form", onsubmit: submit },
    inputs.element,
    explored.controls,
    h("div", { class: "buttons" },
      h("button", { type: "submit", class: "primary" }, "Check against everything"),
      h("button", { type: "button", onclick: () => form.reportValidity() && void search() }, "Cheapest burn"),
      asked.stop),
    asked.told,
  );
  return h(
    "section",
    { class: "panel what-if", "aria-label": "What if" },
    h("h2", {}, "What if"),
    h("p", { class: "note" }, "What a burn of one of the two makes of this event, and of all others in the days after. Nothing is stored."),
    h("div", { class: "what-if-columns" }, form, explored.map),
    candidates,
    checked,
  );
}

interface Explorer {
  map: HTMLElement;
  controls: HTMLElement; // sliders, and what the trade space says of the burn
  show(found: Found): void;
  clear(): void;
  update(): void; // the inputs have changed
}

// Empty until a search has brought a trade space.
function explorer(inputs: Inputs): Explorer {
  const sliders = burnSliders(inputs.set);
  const estimated = h("div", { class: "estimate" });
  const map = h("div", {}, h("p", { class: "empty" }, "The cheapest burn is searched for between half an hour and three days before TCA, with up to 1 m/s forwards or backwards along the track. After that miss and probability follow the sliders at once."));
  let shown: { space: TradeSpace; picture: SpaceMap } | null = null;
  const update = (): void => {
    if (!shown) return;
    const { before_hours, dv_t_m_s } = inputs.burn();
    replace(estimated, estimateOf(shown.space, inputs));
    sliders.show(shown.space, before_hours, dv_t_m_s);
    shown.picture.show(before_hours, dv_t_m_s, inputs.goal());
  };
  return {
    map,
    controls: h("div", {}, sliders.element, estimated),
    show(found) {
      shown = { space: found.trade_space, picture: spaceMap(found, inputs.set) };
      replace(map, shown.picture.element, legend());
      sliders.element.hidden = false;
      update();
    },
    clear() {
      shown = null;
      sliders.element.hidden = true;
      replace(map);
      replace(estimated);
    },
    update,
  };
}

const basis = (made: WhatIf): HTMLElement | null => (made.rests_on ? h("p", { class: "note" }, made.rests_on) : null);

function estimateOf(space: TradeSpace, inputs: Inputs): HTMLElement {
  const burn = inputs.burn();
  if (burn.dv_r_m_s !== 0 || burn.dv_n_m_s !== 0) return h("p", { class: "note" }, "With radial or cross-track parts only the check tells.");
  const found = estimate(space, burn.before_hours, burn.dv_t_m_s);
  if (!found) return h("p", { class: "note" }, "Outside of what the search computed: only the check tells.");
  const goal = inputs.goal();
  const enough = found.probability < goal;
  return h(
    "div",
    {},
    h("p", {},
      "Miss ≈ ", h("strong", {}, datum("miss_distance_m", found.miss_distance_m, metres, "m")),
      ", probability ≈ ", h("strong", {}, datum("probability", found.probability, probability))),
    h("p", { class: enough ? "good" : "flag" }, enough ? `Below the goal of ${probability(goal)}.` : `Not below the goal of ${probability(goal)}.`),
    h("p", { class: "note" }, "Estimated from the trade space; other objects are not looked at until it is checked."),
  );
}
