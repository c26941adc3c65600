// What if one of the two thrust: numbers and sliders, the trade space, and the check against everything.
import type { Context } from "../context";
import { h, replace } from "../dom";
import { datum, fixed, metres, probability } from "../format";
import { bestProbability, diluted, nearLevel } from "../levels";
import { chanceWords } from "../marks";
import type { From } from "../route";
import type { Conjunction, EventObject, Who } from "../types";
import { titled } from "../words/glossary";
import { asking } from "./asking";
import { burnInputs, type Inputs } from "./inputs";
import { legend, spaceMap, type SpaceMap } from "./map";
import { offerCards } from "./offers";
import { planeAfter, type PlaneAfter } from "./plane_after";
import { plans } from "./plans";
import { candidateTable, noFiles, verdict } from "./results";
import { burnSliders } from "./sliders";
import { estimate, isSameTime, missInPlane, nearestTime, placeOf } from "./space";
import type { Burn, Found, Offer, Verified, WhatIf } from "./types";

export interface WhatIfPanel {
  element: HTMLElement;
  show(objects: Record<Who, EventObject>): void; // what is known of the two, which comes with the geometry
}

export function whatIfPanel(event: Conjunction, from: From, restricted: boolean, context: Context, ended: AbortSignal): WhatIfPanel {
  const checkIt = h("button", { type: "button", onclick: () => form.reportValidity() && void check() }, "Check this burn against everything");
  const inputs = burnInputs(event, from, context, checkIt);
  const results = (): HTMLElement => h("div", { class: "what-if-results" });
  const [offered, checked, candidates] = [results(), results(), results()];
  checked.tabIndex = -1;
  replace(checked, noFiles());
  const explored = explorer(inputs, (norad_id) => planeAfter(event, norad_id, ended));
  const asked = asking(from, ended, context);
  const chosen = plans(event.id, from, restricted, context, ended);
  const check = async (): Promise<void> => {
    const question = inputs.question();
    const made = await asked.ask(event.id, { ...question, burns: [inputs.burn()] }, "Checking the burn");
    if (made) inputs.burns(made.object);
    if (!made?.burns) return;
    replace(checked, verdict(made, made.burns, context.readOnly, inputs.mass_kg(made.object), chosen.keepButton(made, question)), basis(made));
    checked.scrollIntoView({ block: "start" });
    checked.focus({ preventScroll: true });
  };
  const put = (burn: Pick<Offer, "before_tca_hours" | "dv_t_m_s">): void => inputs.set(burn.before_tca_hours, burn.dv_t_m_s);
  const take = (one: Verified): void => {
    const burn = one.burns[0];
    if (burn) put(burn);
  };
  const offers = {
    take: (one: Offer) => (put(one), inputs.open()),
    check: (one: Offer) => (put(one), void check()),
  };
  const search = async (): Promise<void> => {
    const needless = alreadyBelow(event, inputs.goal());
    if (needless) return asked.end(needless);
    const made = await asked.ask(event.id, { ...inputs.question(), search: true }, "Searching");
    if (made) inputs.burns(made.object);
    if (!made?.search) return;
    explored.show(made.search, made.norad_id);
    replace(offered, offerCards(made.search, offers));
    replace(checked, noFiles());
    replace(candidates, candidateTable(made, take), basis(made));
    const best = made.search.candidates[made.search.best ?? 0];
    if (best) take(best);
  };
  const forget = (): void => {
    asked.end("");
    explored.clear();
    for (const part of [offered, candidates]) replace(part);
    replace(checked, noFiles());
  };
  inputs.listen(explored.update, forget);
  const submit = (pressed: SubmitEvent): void => {
    pressed.preventDefault();
    void search();
  };
  const form = h(
    "form",
    { class: "what-if-form", onsubmit: submit },
    inputs.element,
    explored.controls,
    h("div", { class: "buttons" },
      h("button", { type: "submit", class: "primary" }, "Find burns"),
      asked.stop),
    asked.bar,
    asked.told,
  );
  const element = h(
    "section",
    { class: "panel what-if", "aria-label": "What if" },
    titled(h("h2", {}, "What if"), "How a burn by one of the two would change this event, and all others in the days after. Nothing is stored unless you keep or save it. ",
      "Burns are searched for between half an hour and three days before TCA, with up to 1 m/s forwards or backwards along the track."),
    context.run?.historic ? h("p", { class: "note" }, "The store is historic: this shows what a burn would have done.") : null,
    h("div", { class: "what-if-columns" }, form, explored.map),
    offered,
    checked,
    candidates,
    chosen.element,
  );
  return { element, show: inputs.show };
}

interface Explorer {
  map: HTMLElement;
  controls: HTMLElement; // sliders, and what the trade space says of the burn
  show(found: Found, norad_id: number): void; // of the object that burns
  clear(): void;
  update(): void; // the inputs have changed
}

// Empty until a search has brought a trade space.
function explorer(inputs: Inputs, planeOf: (norad_id: number) => PlaneAfter): Explorer {
  const sliders = burnSliders(inputs.set);
  const estimated = h("div", { class: "estimate" });
  const map = h("div", { class: "what-if-pictures" }, h("p", { class: "empty" }, "After the search, sliders appear: miss and probability follow them."));
  let shown: { found: Found; picture: SpaceMap; plane: PlaneAfter } | null = null;
  const update = (): void => {
    if (!shown) return;
    const { before_hours, dv_t_m_s } = inputs.burn();
    replace(estimated, estimateOf(shown.found, inputs));
    sliders.show(shown.found.trade_space, before_hours, dv_t_m_s);
    shown.picture.show(before_hours, dv_t_m_s, inputs.goal());
    shown.plane.show(missAfter(shown.found, inputs.burn()));
  };
  return {
    map,
    controls: h("div", {}, sliders.element, estimated),
    show(found, norad_id) {
      shown = { found, picture: spaceMap(found, inputs.set), plane: planeOf(norad_id) };
      replace(map, h("div", {}, shown.picture.element, legend()), shown.plane.element);
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

// What the service would say after seconds, said at once; and what it does not mean.
function alreadyBelow(event: Conjunction, goal: number): string {
  const p = bestProbability(event);
  if (p === null || !(p < goal)) return "";
  const near = nearLevel(event);
  const because = near ? `; the miss alone would make its level ${near}` : "";
  const caution = diluted(event) ? " This is not an all-clear: the probability is diluted, so better data may raise it." : "";
  return `The probability is ${chanceWords(event)}, already below your goal${because}. Give a smaller goal to search for a burn.${caution}`;
}

const basis = (made: WhatIf): HTMLElement | null => (made.rests_on ? h("p", { class: "note" }, made.rests_on) : null);

const onlyTheCheck = (why: string): HTMLElement => h("p", { class: "note" }, `${why} only the check shows.`);

function estimateOf({ trade_space: space, candidates }: Found, inputs: Inputs): HTMLElement {
  const burn = inputs.burn();
  if (!alongOnly(burn)) return onlyTheCheck("With radial or cross-track parts");
  const candidate = candidates.find((one) => one.burns[0] && isSameBurn(one.burns[0], burn));
  if (candidate?.encounter) return outcome(candidate.encounter, inputs.goal(), "Of this candidate, flown and screened.");
  const found = estimate(space, burn.before_hours, burn.dv_t_m_s);
  if (found) return outcome(found, inputs.goal(), "Estimated from the trade space; other objects are not screened until it is checked.");
  const nearest = nearestTime(space, burn.before_hours);
  if (nearest === null || placeOf(space.dv_t_m_s, burn.dv_t_m_s) === null || isSameTime(nearest, burn.before_hours)) return onlyTheCheck("Outside the range that the search computed");
  return h("div", {},
    onlyTheCheck("Between computed times (a revolution changes everything)"),
    h("button", { type: "button", onclick: () => inputs.set(nearest, burn.dv_t_m_s) }, `Nearest computed: ${fixed(nearest, 4)} h`));
}

function missAfter(found: Found, burn: Burn): ReturnType<typeof missInPlane> {
  if (!alongOnly(burn)) return null;
  const candidate = found.candidates.findIndex((one) => one.burns[0] && isSameBurn(one.burns[0], burn));
  const [x, y] = found.candidate_miss_m[candidate] ?? [null, null];
  return typeof x === "number" && typeof y === "number" ? { miss_x_m: x, miss_y_m: y } : missInPlane(found.trade_space, burn.before_hours, burn.dv_t_m_s);
}

const alongOnly = (burn: Burn): boolean => burn.dv_r_m_s === 0 && burn.dv_n_m_s === 0;

// The form shows four digits of a size.
const isSameBurn = (one: Verified["burns"][number], burn: Burn): boolean =>
  isSameTime(one.before_tca_hours, burn.before_hours) && Math.abs(one.dv_t_m_s - burn.dv_t_m_s) <= 5e-4 * Math.abs(one.dv_t_m_s);

function outcome(found: { miss_distance_m: number; probability: number | null }, goal: number, note: string): HTMLElement {
  const enough = found.probability !== null && found.probability < goal;
  return h(
    "div",
    {},
    h("p", {},
      "Miss ≈ ", h("strong", {}, datum("miss_distance_m", found.miss_distance_m, metres, "m")),
      ", probability ≈ ", h("strong", {}, datum("probability", found.probability, probability))),
    h("p", { class: enough ? "good" : "flag" }, enough ? `Below the goal of ${probability(goal)}.` : `Not below the goal of ${probability(goal)}.`),
    h("p", { class: "note" }, note),
  );
}
