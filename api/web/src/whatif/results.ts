// What a burn makes of an event and of the days after it, as tables.
import { ApiError, body, request } from "../api";
import { field, h, replace } from "../dom";
import { download } from "../download";
import { count, datum, fixed, metres, NOTHING, probability, timeElement, utc } from "../format";
import type { StoredTrajectory } from "../generated";
import { MISS_LIMITS_M } from "../levels";
import { link } from "../route";
import type { Change, Cheap, Encounter, Verified, WhatIf } from "./types";

const SHOWN = 12; // changes
const NEGLIGIBLE = 1e-30; // a probability below which nothing is said of a change
const SAME = 1.01; // a factor between probabilities that is no change

// `keep`: what makes a plan of it.
export function verdict(made: WhatIf, one: Verified, readOnly: boolean, mass_kg: number | null, keep: HTMLElement | null): HTMLElement {
  if (one.problem) return h("p", { class: "form-message", role: "alert" }, one.problem);
  const reached = one.encounter === null || (one.encounter.probability !== null && one.encounter.probability < made.goal);
  const words = one.encounter !== null && one.encounter.probability === null
    ? "The encounter has no probability after this burn."
    : `${reached ? "Enough" : "Not enough"} for the goal of ${probability(made.goal)}${one.raised ? `, and it brings ${count(one.raised)} other ${one.raised === 1 ? "encounter" : "encounters"} to it or above` : reached ? ", and it raises no other encounter to that level" : ""}.`;
  const nearer = one.encounter !== null && one.encounter.miss_distance_m < made.encounter.miss_distance_m ? " It brings the two nearer to each other." : "";
  const near = veryNear(made, one);
  const good = reached && one.raised === 0 && !near;
  return h(
    "div",
    { class: "verdict" },
    h("p", { class: good ? "good" : "flag" }, words, nearer, near),
    h("p", { class: "note" }, `${made.name} (${made.norad_id}) burns ${one.burns.map(burnWords).join(", then ")}; screened from ${utc(made.window_start, false)} to ${utc(made.window_end, false)} Z`),
    keep,
    scrolling("As it is and after the burn", h(
      "table",
      { class: "plain cards" },
      h("thead", {}, h("tr", {}, ["", "As it is", "After the burn"].map((text) => h("th", { scope: "col", class: text ? "number" : "" }, text)))),
      h("tbody", {},
        line("Miss distance", datum("miss_distance_m", made.encounter.miss_distance_m, metres, "m"), one.encounter ? datum("miss_distance_m", one.encounter.miss_distance_m, metres, "m") : "far"),
        line("Probability", datum("probability", made.encounter.probability, probability), one.encounter ? datum("probability", one.encounter.probability, probability) : "0"),
        line(`Sum over all encounters closer than ${fixed(made.threshold_km, 0)} km`, datum("probability_sum", made.probability_sum, probability), datum("probability_sum", one.probability_sum, probability)),
        line("Change of the semi-major axis", NOTHING, datum("semi_major_axis_change_m", one.semi_major_axis_change_m, (v) => `${v > 0 ? "+" : ""}${fixed(v, 0)}`, "m"))),
    )),
    takePath(made, one, readOnly, mass_kg),
    changed(made, one.changes),
  );
}

const HOUR_MS = 3_600_000;
const STEP_S = 60;
const [TAKE_OEM, TAKE_OPM, TAKE_TRAJECTORY] = ["Save the path with the burn (OEM)", "Save the burn (OPM)", "Save as a hypothetical trajectory"];

// What stands in the place of the files of a burn until it is checked.
export const noFiles = (): HTMLElement =>
  h("div", { "data-part": "no-files" },
    h("div", { class: "buttons" }, [TAKE_OEM, TAKE_OPM, TAKE_TRAJECTORY].map((text) => h("button", { type: "button", disabled: true }, text))),
    h("p", { class: "help" }, "Check a burn against everything first: the files have the path that was checked."));

// The path with the burns, and the burns themselves, to load into a planning tool.
function takePath(made: WhatIf, one: Verified, readOnly: boolean, mass_kg: number | null): HTMLElement {
  const said = h("span", { role: "status", class: "help" });
  const hours = String(Math.floor((Date.parse(made.window_end) - Date.parse(made.window_start)) / (HOUR_MS / 100)) / 100);
  const query = new URLSearchParams({
    start: made.window_start,
    hours,
    step: String(STEP_S),
  });
  for (const burn of one.burns) query.append("burn", burnText(burn));
  const mass = h("input", { type: "number", min: 0.001, step: "any", required: true, value: mass_kg });
  const save = async (ending: "oem" | "opm"): Promise<void> => {
    replace(said);
    const opm = ending === "opm" ? `&format=opm-kvn&mass=${mass.value}` : "";
    try {
      await download(`objects/${made.norad_id}/ephemeris?${query}${opm}`, "text/plain", `${one.file_name}.${ending}`);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      replace(said, error.message);
    }
  };
  const keep = async (): Promise<void> => {
    replace(said);
    try {
      const path = await body((await request(`objects/${made.norad_id}/ephemeris?${query}`, { accept: "text/plain" })).text());
      const headers = { "X-Requested-With": "skysieve", "Content-Type": "text/plain" };
      const kept = (await body((await request("trajectories?kind=hypothetical", { method: "POST", headers, body: path })).json())) as StoredTrajectory;
      replace(said, `Kept as trajectory ${kept.id}. Runs never fly a hypothetical one; after each, this screens it anew: `, h("code", {}, `skysieve analyze --trajectory ${kept.id} --hours ${hours}`));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      replace(said, error.message);
    }
  };
  return h("div", {},
    h("div", { class: "buttons" },
      h("button", { type: "button", onclick: () => void save("oem") }, TAKE_OEM),
      field("Mass, kg", mass),
      h("button", { type: "button", onclick: () => mass.reportValidity() && void save("opm") }, TAKE_OPM),
      h("button", { type: "button", disabled: readOnly, onclick: () => void keep() }, TAKE_TRAJECTORY)),
    said,
    h("p", { class: "note" }, "The same from a terminal:"),
    h("pre", { class: "what-if-command", tabindex: "0", role: "region", "aria-label": "The same from a terminal" }, commands(made, one, hours)));
}

function commands(made: WhatIf, one: Verified, hours: string): string {
  const file = `${one.file_name}.oem`;
  const burns = one.burns.map((burn) => `--burn ${burnText(burn)}`).join(" ");
  return `skysieve ephemeris ${made.norad_id} --start ${made.window_start} --hours ${hours} --step ${STEP_S} ${burns} --output ${file}\n` +
    `skysieve trajectories add ${file} --kind hypothetical`;
}

const burnText = (burn: Verified["burns"][number]): string => [burn.at, ...[burn.dv_r_m_s, burn.dv_t_m_s, burn.dv_n_m_s].map((value) => Number(value.toFixed(9)))].join();

function burnWords(burn: Verified["burns"][number]): string {
  const parts = ([["radial", burn.dv_r_m_s], ["along", burn.dv_t_m_s], ["across", burn.dv_n_m_s]] as const).filter(([, value]) => value !== 0);
  const size = parts.map(([axis, value]) => `${Number(value.toPrecision(4))} m/s ${axis}`).join(", ") || "nothing";
  return `${size} at ${utc(burn.at)} UTC, ${fixed(burn.before_tca_hours, 2)} h before TCA`;
}

type Cell = HTMLElement | string;
const line = (name: string, before: Cell, after: Cell): HTMLElement =>
  h("tr", {}, h("th", { scope: "row" }, name), h("td", { class: "number", "data-head": "As it is" }, before), h("td", { class: "number", "data-head": "After the burn" }, after));

// In the order of the list: what a burn makes worse comes first. "far": not closer than the limit, before or after.
const KINDS = ["worse", "new", "better", "far", "the same", "negligible"] as const;
type Kind = (typeof KINDS)[number];

function kindOf({ before, after }: Change): Kind {
  const [was, is] = [before?.probability ?? 0, after?.probability ?? 0];
  const known = [before, after].every((one) => one === null || one.probability !== null);
  if (known && Math.max(was, is) < NEGLIGIBLE) return "negligible";
  if (!before) return "new";
  if (!after) return "far";
  if (was === is || (is < SAME * was && was < SAME * is)) return "the same";
  return is > was ? "worse" : "better";
}

const other = (one: Encounter): string => (one.other_name ? `${one.other_name} (${one.other_norad_id})` : String(one.other_norad_id));

const CHANGE_HEADS = ["", "Other", "TCA", "Miss before", "Miss after", "P before", "P after"];

function changed(made: WhatIf, all: Change[]): HTMLElement {
  const largest = ({ before, after }: Change): number => Math.max(before?.probability ?? 0, after?.probability ?? 0);
  const limit = `${fixed(made.threshold_km, 0)} km`;
  const kinds = all.filter((one) => !isAsked(made, one)).map((one) => ({ one, kind: kindOf(one) }));
  const rows = kinds
    .filter(({ kind }) => kind !== "the same" && kind !== "negligible")
    .sort((a, b) => Number(isWorse(b.kind)) - Number(isWorse(a.kind)) || largest(b.one) - largest(a.one));
  const counts = KINDS.map((kind) => `${count(kinds.filter((each) => each.kind === kind).length)} ${kind === "far" ? `beyond ${limit}` : kind}`).join(", ");
  return h(
    "div",
    {},
    h("h3", {}, "What else changes"),
    h("p", { class: "note" }, `Of ${count(kinds.length)} other encounters closer than ${limit}, before the burn or after it: ${counts} (negligible: under 10⁻³⁰ before and after).${rows.length > SHOWN ? ` New and worse ones first, the ${SHOWN} most likely:` : ""}`),
    rows.length === 0
      ? null
      : scrolling("What else changes", h("table", { class: "plain cards" },
          h("thead", {}, h("tr", {}, CHANGE_HEADS.map((text, i) => h("th", { scope: "col", class: i > 2 ? "number" : "" }, text)))),
          h("tbody", {}, rows.slice(0, SHOWN).map(({ one, kind }) => changeRow(one, kind, limit))))),
  );
}

const isWorse = (kind: Kind): boolean => kind === "worse" || kind === "new";

// The encounter that the burn is to avoid: the table above has it.
const isAsked = ({ encounter }: WhatIf, { before }: Change): boolean =>
  before !== null && before.other_norad_id === encounter.other_norad_id && Math.abs(Date.parse(before.tca) - Date.parse(encounter.tca)) < 1000;

// Other passes that the burn brings nearer than the limit of the level "critical", the nearest first.
function veryNear(made: WhatIf, one: Verified): string {
  const near = (side: Encounter | null): boolean => side !== null && side.miss_distance_m < MISS_LIMITS_M.critical;
  const found = one.changes.filter((each) => !isAsked(made, each) && near(each.after) && !near(each.before));
  const [first] = found.map(({ after }) => after as Encounter).sort((a, b) => a.miss_distance_m - b.miss_distance_m);
  if (!first) return "";
  const more = found.length > 1 ? `, and ${count(found.length - 1)} more like it` : "";
  return ` It brings about a pass closer than ${MISS_LIMITS_M.critical} m: ${other(first)}, ${metres(first.miss_distance_m)} m at ${utc(first.tca, false)} UTC, probability ${probability(first.probability)}${more}.`;
}

function changeRow({ before, after }: Change, kind: Kind, limit: string): HTMLElement {
  const row = (after ?? before) as Encounter;
  const number = (one: Encounter | null, field: "miss_distance_m" | "probability"): Cell =>
    one === null ? (field === "miss_distance_m" ? `over ${limit}` : NOTHING) : field === "probability" ? datum(field, one.probability, probability) : datum(field, one.miss_distance_m, metres, "m");
  const cells: Cell[] = [
    kind === "far" ? `beyond ${limit}` : kind,
    h("a", { href: link("events", { norad: String(row.other_norad_id) }), title: "All events of this object" }, other(row)),
    timeElement(row.tca),
    number(before, "miss_distance_m"),
    number(after, "miss_distance_m"),
    number(before, "probability"),
    number(after, "probability"),
  ];
  return h("tr", { "data-kind": kind }, cells.map((cell, i) => h("td", { class: i > 2 ? "number" : "", "data-head": CHANGE_HEADS[i] }, cell)));
}

export const scrolling = (name: string, table: HTMLElement): HTMLElement =>
  h("div", { class: "scroll-x", role: "region", tabindex: "0", "aria-label": name }, table);

const BURN_HEADS = ["", "Burn, UTC", "Before TCA", "Delta-v", "Miss", "Probability", "Raises others", "Sum of all", "Semi-major axis"];

// The candidates of a search; each can be taken into the form.
export function candidateTable(made: WhatIf, take: (one: Verified) => void): HTMLElement {
  const found = made.search;
  if (!found || found.candidates.length === 0) {
    return h("p", { class: "flag" }, `No burn along the track of up to 1 m/s is sufficient for the goal of ${probability(made.goal)}.`);
  }
  const none = found.best === null ? h("p", { class: "flag" }, "Each of them brings another encounter to the goal or above.") : null;
  return h(
    "div",
    {},
    none,
    h("p", { class: "note" }, `Cheapest first, each flown and screened against everything; goal ${probability(made.goal)}. Raises others: how many other encounters the burn brings from below the goal to it or above; below it the most likely of them, its probability before → after.`),
    scrolling("Candidates", h("table", { class: "plain cards candidates" },
      h("thead", {}, h("tr", {}, BURN_HEADS.map((text, i) => h("th", { scope: "col", class: i ? "number" : "" }, text)))),
      h("tbody", {}, found.candidates.map((one, i) => candidateRow(one, i, i === found.best, made.goal, take))))),
    h("p", { class: "note" }, `For comparison, at best: radial ${cheap(found.radial)}; cross-track ${cheap(found.cross_track)}; the cheapest, turned into the best direction: ${found.steered ? probability(found.steered.probability) : "none"}.`),
  );
}

// The other encounter that the burn makes most likely, of those that it brings to the goal or above.
function worstRaised({ changes }: Verified, goal: number): HTMLElement | null {
  const reaches = (side: Encounter | null): boolean => (side?.probability ?? 0) >= goal;
  const raised = changes.filter(({ before, after }) => reaches(after) && !reaches(before));
  const worst = raised.sort((a, b) => (b.after?.probability ?? 0) - (a.after?.probability ?? 0))[0];
  if (!worst?.after) return null;
  const was = worst.before ? probability(worst.before.probability) : "none";
  return h("small", { "data-part": "raised" }, ` ${other(worst.after)}: ${was} → ${probability(worst.after.probability)}`);
}

function candidateRow(one: Verified, index: number, best: boolean, goal: number, take: (one: Verified) => void): HTMLElement {
  const name = `${best ? "Best, " : ""}${index + 1}`;
  const burn = one.burns[0];
  const button = h("button", { type: "button", onclick: () => take(one), title: "Put it into the form" }, name);
  const far = one.encounter === null;
  const cells: Cell[] = one.problem
    ? [one.problem]
    : [
        burn ? timeElement(burn.at) : NOTHING,
        burn ? datum("before_tca_hours", burn.before_tca_hours, (v) => fixed(v, 2), "h") : NOTHING,
        burn ? datum("dv_t_m_s", burn.dv_t_m_s, (v) => fixed(v, 4), "m/s") : NOTHING,
        far ? "far" : datum("miss_distance_m", one.encounter?.miss_distance_m ?? null, metres, "m"),
        far ? "0" : datum("probability", one.encounter?.probability ?? null, probability),
        h("span", {}, count(one.raised), worstRaised(one, goal)),
        datum("probability_sum", one.probability_sum, probability),
        datum("semi_major_axis_change_m", one.semi_major_axis_change_m, (v) => fixed(v, 0), "m"),
      ];
  return h("tr", { class: best ? "best" : "" }, h("th", { scope: "row" }, button), cells.map((cell, i) => h("td", { class: "number", colspan: one.problem ? 8 : null, "data-head": one.problem ? null : BURN_HEADS[i + 1] }, cell)));
}

const cheap = (one: Cheap | null): string => (one ? `${fixed(one.dv_m_s, 3)} m/s, ${fixed(one.before_tca_hours, 1)} h before` : "none up to 1 m/s");
