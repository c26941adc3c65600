// What broke up: parent and time, pieces by run, and their orbits in a Gabbard diagram.
import { json } from "../api";
import type { Context } from "../context";
import { disclosure } from "../disclosure";
import { h, svg } from "../dom";
import { count, datum, fixed, timeElement } from "../format";
import type { Fragmentation, Fragmentations, FragmentationWithPieces, PieceOrbit } from "../generated";
import { framed, ticksOf } from "../overview/frame";
import type { Section } from "./section";

const COLUMNS = 48;
const ROWS = 32;
const MOST_TICKS = 6;
const MARGIN = 0.02; // of the span, so that no point is on the edge

export const fragmentations: Section = {
  id: "fragmentations",
  title: "Break-ups",
  about: "Objects that broke up within sixty days of a run that found ten pieces or more: their orbits all passed through one point of its path.",
  words: ["element set"],
  async draw(_context: Context, signal: AbortSignal): Promise<Node> {
    const found = await json<Fragmentations>("fragmentations", signal);
    if (!found.total) return h("p", { class: "empty" }, "No run has found a break-up.");
    return h("div", {}, found.fragmentations.map(one));
  },
};

const one = (event: Fragmentation): HTMLElement =>
  h(
    "article",
    { "data-fragmentation": event.id },
    h("h3", {}, event.parent_name || String(event.parent_norad_id), h("small", {}, ` ${event.parent_norad_id} ${event.parent_object_id}`)),
    h("p", { "data-part": "words" }, event.words),
    h("p", {}, timeElement(event.at, false), ", at an altitude of ", datum("altitude_km", event.altitude_km, (km) => fixed(km, 0), "km"), "; pieces left at about ", event.speeds_m_s.map((speed) => fixed(speed, 0)).join(", "), " m/s (1-sigma, radial, in-track, cross-track)."),
    h(
      "table",
      { class: "plain" },
      h("caption", {}, "Pieces by run"),
      h("thead", {}, h("tr", {}, ["Run", "New", "So far"].map((head, i) => h("th", { scope: "col", class: i ? "number" : "" }, head)))),
      h("tbody", {}, event.runs.map((run) => h("tr", {}, h("th", { scope: "row" }, run.run_id), h("td", { class: "number" }, count(run.new)), h("td", { class: "number" }, count(run.total))))),
    ),
    disclosure<FragmentationWithPieces>("pieces", "Orbits of the pieces", `fragmentations/${event.id}`, pieces),
  );

function pieces(found: FragmentationWithPieces): (HTMLElement | null)[] {
  const fleets = found.fleets.filter((fleet) => fleet.approaches_per_day > 0).map((fleet) => `${fixed(fleet.approaches_per_day, 1)} inside the volumes of ${fleet.fleet}`);
  return [
    h("p", {}, `Approaches a day with a piece, by the newest run: ${[fixed(found.approaches_per_day, 1), ...fleets].join("; ")}.`),
    found.orbits.length ? gabbard(found.orbits) : h("p", { class: "empty" }, "No piece has an element set now."),
  ];
}

interface Axis {
  from: number;
  to: number;
}

// Each piece twice: its perigee and its apogee over its period.
function gabbard(orbits: PieceOrbit[]): HTMLElement {
  const x = axis(orbits.map((orbit) => orbit.period_min));
  const y = axis(orbits.flatMap((orbit) => [orbit.perigee_km, orbit.apogee_km]));
  const column = (value: number): number => (COLUMNS * (value - x.from)) / (x.to - x.from);
  const row = (value: number): number => (ROWS * (value - y.from)) / (y.to - y.from);
  const dot = (kind: "perigee" | "apogee", orbit: PieceOrbit): SVGElement =>
    svg("path", { class: `dot ${kind}`, d: `M${column(orbit.period_min)} ${ROWS - row(orbit[`${kind}_km`])}h0` });
  const within = (kind: "perigee" | "apogee", c: number, r: number): number =>
    orbits.filter((orbit) => Math.floor(column(orbit.period_min)) === c && Math.floor(row(orbit[`${kind}_km`])) === r).length;
  const edges = (of: Axis, cells: number): number[] => Array.from({ length: cells + 1 }, (_, i) => of.from + ((of.to - of.from) * i) / cells);
  const minutes = edges(x, COLUMNS);
  const heights = edges(y, ROWS);
  return h(
    "figure",
    { class: "gabbard" },
    h("figcaption", {}, "Gabbard diagram: apogee (upper arm) and perigee (lower arm) of each piece over its period. The arms meet at the orbit of the parent."),
    framed({
      columns: COLUMNS,
      rows: ROWS,
      drawn: orbits.flatMap((orbit) => [dot("perigee", orbit), dot("apogee", orbit)]),
      x: { name: "period, min", ticks: ticksOf(minutes, MOST_TICKS, (edge) => fixed(edge, 1)) },
      y: { name: "altitude, km", ticks: ticksOf(heights, MOST_TICKS, (edge) => fixed(edge, 0)) },
      summary: `Gabbard diagram of ${count(orbits.length)} pieces: apogee and perigee over period`,
      tells: (c, r) => ({
        text: `${fixed(minutes[c] as number, 1)} to ${fixed(minutes[c + 1] as number, 1)} min, ${fixed(heights[r] as number, 0)} to ${fixed(heights[r + 1] as number, 0)} km: ${within("perigee", c, r)} perigees, ${within("apogee", c, r)} apogees`,
        href: null,
      }),
    }),
  );
}

function axis(values: number[]): Axis {
  const low = Math.min(...values);
  const high = Math.max(...values);
  const margin = MARGIN * (high - low) || 1;
  return { from: low - margin, to: high + margin };
}
