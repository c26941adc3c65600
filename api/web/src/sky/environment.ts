// How crowded the sky is: approaches by shell, where the objects are, over the runs, and who causes a fleet's work.
import { json } from "../api";
import type { Context } from "../context";
import { field, h, replace, svg, type Children } from "../dom";
import { fleets } from "../fleets/asked";
import { count, fixed, probability } from "../format";
import type { Approaching, Environment, EnvironmentOfRun, EnvironmentSeries, ObjectDensity, Workload, WorkShare } from "../generated";
import { framed, ticksOf } from "../overview/frame";
import { heat, heatKey, largest, steps, table } from "../overview/pictures";
import type { Section } from "./section";

const LOW_KM = 2000; // above it few meet
const TICKS = 7;
const RUNS = 200;
const GROUPS = 8; // of each kind
const PARTS = { outside: "neither in a constellation", mixed: "one in a constellation, or two of different ones", within: "two of one constellation" } as const;
const KINDS: Record<WorkShare["kind"], string> = { type: "What the others are", owner: "Whose they are", constellation: "Their constellation" };

interface Shell {
  all: Approaching;
  parts: Record<keyof typeof PARTS, number>; // a day, closer than 5 km
  gas: number; // of those outside, if nodes and phases were random
}

export const environment: Section = {
  id: "environment",
  title: "Environment",
  about: "Fast approaches a day, and what they may come to in a year if no object manoeuvres. Expected collisions are the sum of the probabilities of the run’s events.",
  words: ["element set"],
  async draw(_context: Context, signal: AbortSignal): Promise<Node> {
    const [{ rows }, density, { runs }, mine] = await Promise.all([
      json<Environment>("environment?kind=shell", signal),
      json<ObjectDensity>("environment/density", signal),
      json<EnvironmentSeries>("environment/series", signal),
      fleets(),
    ]);
    const newest = runs.at(-1);
    return h(
      "div",
      { class: "environment" },
      rows.length && newest ? [said(newest), byShell(shellsOf(rows))] : h("p", { class: "empty" }, "The newest run has not counted approaches."),
      objects(density),
      runs.length > 1 ? overRuns(runs.slice(-RUNS)) : null,
      mine.fleets.length ? work(mine.fleets, signal) : null,
    );
  },
};

const said = (run: EnvironmentOfRun): HTMLElement =>
  h(
    "p",
    { class: "total" },
    run.approaches_5km_day === null ? "" : `${count(run.approaches_5km_day)} approaches a day closer than 5 km, ${count(run.within_5km_day ?? 0)} of them within one constellation, which its operator screens. `,
    run.approaches_1km_day === null ? "" : `Closer than 1 km: ${count(run.approaches_1km_day)} and ${count(run.within_1km_day ?? 0)}. `,
    `Expected: ${fixed(run.collisions_year, 2)} collisions and ${count(run.fragments_year)} pieces of 10 cm or more a year.`,
  );

function shellsOf(rows: Approaching[]): Shell[] {
  const near = (one: string, from: number | null): Approaching | undefined => rows.find((row) => row.one === one && row.altitude_from_km === from);
  return rows
    .filter((row) => row.one === "all" && (row.altitude_to_km ?? Infinity) <= LOW_KM)
    .map((all) => {
      const free = near("outside", all.altitude_from_km);
      const [outside, within] = [free?.approaches_5km_day ?? 0, near("within", all.altitude_from_km)?.approaches_5km_day ?? 0];
      return { all, parts: { outside, mixed: (all.approaches_5km_day ?? 0) - outside - within, within }, gas: 25 * (free?.gas_1km_day ?? 0) };
    });
}

function byShell(shells: Shell[]): HTMLElement {
  const most = Math.max(...shells.map(({ all, gas }) => Math.max(all.approaches_5km_day ?? 0, gas)), 1);
  const edges = [...shells.map(({ all }) => all.altitude_from_km ?? 0), shells.at(-1)?.all.altitude_to_km ?? 0];
  const names = Object.keys(PARTS) as (keyof typeof PARTS)[];
  return pictured(
    "shells",
    "Approaches by altitude",
    "A day, closer than 5 km, in shells of 50 km. Dashed: how many there would be outside constellations if nodes and phases were random.",
    framed({
      columns: shells.length,
      rows: 1,
      drawn: [
        ...shells.flatMap(({ parts }, column) => {
          let top = 1;
          return names.map((name) => {
            top -= parts[name] / most;
            return svg("rect", { class: `part-${name}`, x: column + 0.08, width: 0.84, y: top, height: parts[name] / most, "data-count": parts[name] });
          });
        }),
        svg("path", { class: "as-said", d: shells.map(({ gas }, i) => `${i ? "L" : "M"}${i} ${1 - gas / most}H${i + 1}`).join("") }),
      ],
      x: { name: "altitude, km", ticks: ticksOf(edges, TICKS, count) },
      y: { name: "approaches a day", ticks: [0, 0.5, 1].map((at) => ({ at, text: count(at * most) })) },
      summary: `Approaches closer than 5 km a day by altitude; the most in one shell are ${count(most)}. Arrow keys move from shell to shell.`,
      tells: (column) => ({ text: shellText(shells[column] as Shell), href: null }),
    }),
    h("ul", { class: "legend" }, names.map((name) => h("li", {}, svg("svg", { viewBox: "0 0 1 1", "aria-hidden": "true" }, svg("rect", { class: `part-${name}`, width: 1, height: 1 })), PARTS[name]))),
    table("Altitude, km", Object.values(PARTS), shells.map(({ all, parts }) => [range(all), names.map((name) => parts[name])])),
  );
}

const range = ({ altitude_from_km: from, altitude_to_km: to }: Approaching): string => `${count(from ?? 0)} to ${count(to ?? 0)}`;

const shellText = ({ all, parts, gas }: Shell): string =>
  `${range(all)} km: ${count(all.objects ?? 0)} objects, ${count(all.approaches_5km_day ?? 0)} approaches a day (${count(parts.within)} within one constellation, ${count(parts.outside)} outside them where ${count(gas)} would be by chance), ${probability(all.collisions_year)} collisions a year`;

function objects({ altitude_edges_km: up, inclination_edges_deg: across, objects: cells }: ObjectDensity): HTMLElement {
  const values = cells.map((row) => row.map((value) => value ?? 0));
  const [row, column] = largest(values);
  const cell = (r: number, c: number): string => `${count(up[r] as number)} to ${count(up[r + 1] as number)} km, inclination ${count(across[c] as number)}° to ${count(across[c + 1] as number)}°`;
  const amount = (r: number, c: number): string => fixed(values[r]?.[c] ?? 0, 1);
  return pictured(
    "density",
    "Objects by altitude and inclination",
    "Each where it spends its time. The stronger the colour, the more objects, on a logarithmic scale.",
    framed({
      columns: across.length - 1,
      rows: up.length - 1,
      drawn: heat(values),
      x: { name: "inclination, °", ticks: ticksOf(across, TICKS, count) },
      y: { name: "altitude, km", ticks: ticksOf(up, TICKS, count) },
      lines: steps(up),
      summary: `Objects by altitude and inclination; most, ${amount(row, column)}, at ${cell(row, column)}. Arrow keys move from cell to cell.`,
      tells: (c, r) => ({ text: `${cell(r, c)}: ${amount(r, c)} objects`, href: null }),
    }),
    heatKey(values, "Objects"),
    table("Altitude, km", across.slice(1).map((edge, c) => `${count(across[c] as number)}° to ${count(edge)}°`), values.map((counts, r) => [`${count(up[r] as number)} to ${count(up[r + 1] as number)}`, counts.map(Math.round)])),
  );
}

function overRuns(runs: EnvironmentOfRun[]): HTMLElement {
  const near = runs.map((run) => run.approaches_1km_day ?? 0);
  const most = Math.max(...near, 1);
  const named = (i: number): string => runs[i]?.run_id.slice(0, 8).replace(/(\d{4})(\d\d)(\d\d)/, "$1-$2-$3") ?? "";
  const every = Math.ceil(runs.length / 4);
  return pictured(
    "series",
    "Over the runs",
    "Approaches a day closer than 1 km, in all shells, of each run.",
    framed({
      columns: runs.length,
      rows: 1,
      drawn: near.map((value, i) => svg("rect", { class: "part-outside", x: i + 0.1, width: 0.8, y: 1 - value / most, height: value / most, "data-count": value })),
      x: { name: "run", ticks: runs.flatMap((_, i) => (i % every === 0 ? [{ at: i / runs.length, text: named(i) }] : [])) },
      y: { name: "approaches a day", ticks: [0, 0.5, 1].map((at) => ({ at, text: count(at * most) })) },
      summary: `Approaches a day closer than 1 km in ${runs.length} runs. Arrow keys move from run to run.`,
      tells: (i) => {
        const run = runs[i] as EnvironmentOfRun;
        return { text: `${run.run_id}: ${count(near[i] ?? 0)} approaches a day closer than 1 km, ${count(run.objects)} objects, ${fixed(run.collisions_year, 2)} collisions a year`, href: null };
      },
    }),
  );
}

function work(mine: { id: number; name: string }[], signal: AbortSignal): HTMLElement {
  const body = h("div", { "aria-live": "polite" });
  const load = async (): Promise<void> => {
    const wanted = select.value;
    try {
      const found = await json<Workload>(`environment/workload?fleet=${wanted}`, signal);
      if (select.value === wanted) replace(body, shares(found));
    } catch (error) {
      if (!signal.aborted && select.value === wanted) replace(body, h("p", { class: "form-message", role: "alert" }, (error as Error).message));
    }
  };
  const select = h("select", { onchange: () => void load() }, mine.map(({ id, name }) => h("option", { value: id }, name)));
  void load();
  return pictured("workload", "Who causes the work", "With whom the objects of a fleet have approaches closer than 5 km in the newest run.", field("Fleet", select), body);
}

function shares(found: Workload): HTMLElement {
  const others = found.approaches_5km_day - found.within_5km_day;
  return h(
    "div",
    {},
    h("p", {}, `${count(found.approaches_5km_day)} approaches a day of ${count(found.objects)} objects, ${count(found.within_5km_day)} of them among themselves. ${probability(found.collisions_year)} collisions a year expected.`),
    others ? h("div", { class: "shares" }, (Object.keys(KINDS) as WorkShare["kind"][]).map((kind) => sharesOf(KINDS[kind], found.shares.filter((one) => one.kind === kind)))) : null,
  );
}

function sharesOf(title: string, all: WorkShare[]): HTMLElement {
  return h(
    "table",
    { class: "plain" },
    h("caption", {}, title),
    h("thead", {}, h("tr", {}, ["Group", "Share", "A day"].map((head, i) => h("th", { scope: "col", class: i ? "number" : "" }, head)))),
    h(
      "tbody",
      {},
      all.slice(0, GROUPS).map((one) =>
        h(
          "tr",
          { "data-group": one.group },
          h("th", { scope: "row" }, one.group),
          h("td", { class: "number" }, svg("svg", { class: "bar", viewBox: "0 0 1 1", preserveAspectRatio: "none", "aria-hidden": "true" }, svg("rect", { class: "part-outside", width: one.share, height: 1 })), `${fixed(100 * one.share, 0)} %`),
          h("td", { class: "number" }, fixed(one.approaches_5km_day, 1)),
        ),
      ),
    ),
  );
}

const pictured = (name: string, title: string, explained: string, ...children: Children): HTMLElement =>
  h("figure", { "data-picture": name }, h("figcaption", {}, h("h3", {}, title), h("p", { class: "note" }, explained)), ...children);
