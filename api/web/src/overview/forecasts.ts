// Pictures of how earlier predictions did: what regions held, what became of each level, and errors over their law.
import { h, svg } from "../dom";
import { count, fixed } from "../format";
import type { ErrorsOfLaw, RegionsHeld, Verification, WarningsFate } from "../generated";
import { titled } from "../words/glossary";
import { framed, type Frame, type Tick } from "./frame";

const SAID = [50, 80, 95, 99]; // %, of the regions
const AXES = { radial: "radial", in_track: "in-track", cross_track: "cross-track" } as const;
const DECADES = 1; // a strip of ratios reaches from a tenth to ten times
const FATES = { red: "critical or high", medium: "medium", low: "low", vanished: "beyond the threshold" } as const;
const axes = Object.keys(AXES) as (keyof typeof AXES)[];
const fates = Object.keys(FATES) as (keyof typeof FATES)[];

export const daysAhead = (days: number): string => (days === 0 ? "less than a day ahead" : days === 1 ? "1 day ahead" : `${days} days ahead`);
export const percent = (share: number, decimals = 0): string => `${fixed(100 * share, decimals)} %`;
const TOP = 1.04; // room for dots at 100 %
const height = (share: number): number => 1 - share / TOP; // from the top
const PERCENT_TICKS = [0, 0.5, 0.8, 1].map((share) => ({ at: share / TOP, text: percent(share) }));
const leadName = (days: number): string => (days === 0 ? "under 1" : String(days));

// Those of one lead, chosen above them, then those of all.
export function pictures({ regions, warnings, errors }: Verification): HTMLElement {
  const leads = [...new Set([...regions, ...warnings].map((one) => one.days_ahead))].sort((a, b) => a - b);
  const place = h("div", { class: "forecasts" });
  const show = (lead: number): void => {
    place.replaceChildren(...[reliability(regions, lead), fate(warnings, lead), overLaw(errors)].filter((one) => one !== null));
    buttons.forEach((button, i) => button.setAttribute("aria-pressed", String(leads[i] === lead)));
  };
  const buttons = leads.map((lead) => h("button", { type: "button", onclick: () => show(lead) }, leadName(lead)));
  if (leads.length) show(leads.find((lead) => lead > 0) ?? 0);
  return h("div", {}, h("p", { class: "leads" }, "Days ahead of TCA: ", h("span", { class: "switch", role: "group", "aria-label": "Days ahead of TCA" }, buttons)), place);
}

function reliability(all: RegionsHeld[], lead: number): HTMLElement | null {
  const kinds = all.filter((one) => one.days_ahead === lead);
  if (!kinds.length) return null;
  const held = kinds.flatMap((one) => [one.inside_50, one.inside_80, one.inside_95, one.inside_99].map((share, i) => {
    const [low = share, high = share] = one.between[i] ?? [];
    return { of: one, said: SAID[i] as number, share, low, high };
  }));
  const line = kinds.map((_, k) => SAID.map((said, i) => `${i ? "L" : "M"}${SAID.length * k + i + 0.5} ${height(said / 100)}`).join("")).join("");
  return pictured("reliability", `Did regions hold as many errors as they said? ${capital(daysAhead(lead))}`,
    "Of each kind of pair, from left to right, the share of errors inside the regions said to hold 50, 80, 95 and 99 % of them, with its 90 % interval. Dashed: as said; below it errors are larger than said, above it smaller.",
    {
      columns: held.length,
      rows: 1,
      drawn: [
        ...edges(kinds.length, SAID.length, 1),
        svg("path", { class: "as-said", d: line }),
        ...held.flatMap(({ share, low, high }, i) => [
          svg("line", { class: "interval", x1: i + 0.5, x2: i + 0.5, y1: height(low), y2: height(high) }),
          dot(i + 0.5, height(share), { "data-share": share }),
        ]),
      ],
      x: { name: "regions of 50, 80, 95, 99 %, by kind of pair (encounters)", ticks: centred(kinds.map((one) => `${one.kind} (${count(one.encounters)})`)) },
      y: { name: "errors inside", ticks: PERCENT_TICKS },
      summary: `Shares of errors inside regions, ${daysAhead(lead)}, of ${kinds.map((one) => one.kind).join(", ")}. Arrow keys move from region to region.`,
      tells: (column) => {
        const { of, said, share, low, high } = held[column] as (typeof held)[number];
        return { text: `${capital(of.kind)}, region of ${said} %: ${percent(share, 1)} inside (${percent(low, 1)} to ${percent(high, 1)}), of ${count(of.encounters)} encounters`, href: null };
      },
    });
}

function fate(all: WarningsFate[], lead: number): HTMLElement | null {
  const levels = all.filter((one) => one.days_ahead === lead && one.encounters > 0);
  if (!levels.length) return null;
  return pictured("fate", `What became of each level? ${capital(daysAhead(lead))}`,
    "Each bar is all encounters of that level then; its parts are their levels in the last run before TCA.",
    {
      columns: levels.length,
      rows: 1,
      drawn: levels.flatMap((one, column) => {
        let upto = 0;
        return fates.map((end) => {
          upto += one[end] / one.encounters;
          return svg("rect", { class: `fate-${end}`, x: column + 0.15, width: 0.7, y: height(upto), height: one[end] / one.encounters / TOP, "data-count": one[end] });
        });
      }),
      x: { name: "level then, and encounters", ticks: centred(levels.map((one) => `${one.level} (${count(one.encounters)})`)) },
      y: { name: "encounters", ticks: PERCENT_TICKS },
      summary: `Levels in the last run before TCA, of the encounters of each level ${daysAhead(lead)}. Arrow keys move from level to level.`,
      tells: (column) => {
        const one = levels[column] as WarningsFate;
        return { text: `${capital(one.level)}, ${count(one.encounters)}: at the end ${fates.map((end) => `${FATES[end]} ${count(one[end])} (${percent(one[end] / one.encounters)})`).join(", ")}`, href: null };
      },
    },
    h("ul", { class: "legend" }, fates.map((end) => h("li", {}, h("span", { class: `swatch fate-${end}` }), FATES[end]))));
}

// A strip for each law, of ratios on a logarithmic scale, in it a box for each axis.
function overLaw(all: ErrorsOfLaw[]): HTMLElement | null {
  if (!all.length) return null;
  const laws = [...new Set(all.map((one) => one.error_law))];
  const leads = [...new Set(all.map((one) => one.days_ahead))].sort((a, b) => a - b);
  const find = (row: number, column: number): ErrorsOfLaw | undefined =>
    all.find((one) => one.error_law === laws[row] && one.days_ahead === leads[column % leads.length]);
  const axisOf = (column: number): keyof typeof AXES => axes[Math.floor(column / leads.length)] ?? "radial";
  const columns = axes.length * leads.length;
  const marks = laws.flatMap((_, row) => [
    svg("line", { class: "as-said", x1: 0, x2: columns, y1: row + 0.5, y2: row + 0.5 }),
    row ? svg("line", { class: "edge", x1: 0, x2: columns, y1: row, y2: row }) : null,
    ...axes.map((axis, box) => {
      const points = leads.flatMap((_lead, i) => {
        const one = find(row, i);
        return one ? [{ x: box * leads.length + i + 0.5, y: row + 0.5 - (0.44 * within(Math.log10(one[axis]))) / DECADES, ratio: one[axis] }] : [];
      });
      return [svg("path", { class: "joined", d: points.map(({ x, y }, i) => `${i ? "L" : "M"}${x} ${y}`).join("") }), ...points.map(({ x, y, ratio }) => dot(x, y, { "data-ratio": ratio }))];
    }).flat(),
  ]);
  return pictured("law", "Were errors as large as their laws say?",
    `Median error of single objects over their law’s. In each box, days ahead of TCA from left to right: ${leads.map(leadName).join(", ")}. Dashed: as the law says; top of a strip: ten times as large, or more; foot: a tenth, or less.`,
    {
      columns,
      rows: laws.length,
      drawn: [...edges(axes.length, leads.length, laws.length), ...marks.filter((one) => one !== null)],
      x: { name: "direction, and days ahead", ticks: centred(Object.values(AXES)) },
      y: { name: "law", ticks: centred([...laws].reverse()) },
      summary: `Errors of ${laws.length} laws over what these say, by direction and days ahead. Arrow keys move from one to the next.`,
      tells: (column, fromFoot) => {
        const [row, axis] = [laws.length - 1 - fromFoot, axisOf(column)];
        const one = find(row, column);
        const of = `${capital(laws[row] ?? "")} ${AXES[axis]}, ${daysAhead(leads[column % leads.length] ?? 0)}`;
        return { text: one ? `${of}: ${ratioText(one[axis])} times the law’s, of ${count(one.predictions)} predictions, counted from ${one.since}` : `${of}: none`, href: null };
      },
    });
}

export const ratioText = (ratio: number): string => String(Number(ratio.toPrecision(2)));

const within = (decades: number): number => Math.max(-DECADES, Math.min(DECADES, decades));
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const centred = (names: readonly string[]): Tick[] => names.map((text, i) => ({ at: (i + 0.5) / names.length, text }));

// No circle: pictures of cells are stretched, strokes are not.
const dot = (x: number, y: number, values: Record<string, number>): SVGElement => svg("path", { class: "dot", d: `M${x} ${y}h0`, ...values });

const edges = (groups: number, wide: number, high: number): SVGElement[] =>
  Array.from({ length: groups - 1 }, (_, i) => svg("line", { class: "edge", x1: (i + 1) * wide, x2: (i + 1) * wide, y1: 0, y2: high }));

const pictured = (name: string, title: string, sentence: string, frame: Frame, key?: HTMLElement): HTMLElement =>
  shaped(h("figure", { "data-picture": name }, h("figcaption", {}, titled(h("h3", {}, title), sentence)), key, framed(frame)), frame);

// By script: the service's policy forbids style attributes.
function shaped(figure: HTMLElement, { rows, x }: Frame): HTMLElement {
  figure.style.setProperty("--rows", String(rows));
  figure.style.setProperty("--names", String(x.ticks.length));
  return figure;
}
