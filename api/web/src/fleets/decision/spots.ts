// The marks of the decision plot: of each event its level as a shape, its size by what a collision would leave, how sure
// its probability is as a bar, where it stood in former runs as a tail.
import { newId, svg } from "../../dom";
import { bestProbability, nearLevel, notable, probabilityLevel } from "../../levels";
import { otherName, ownName, SHAPES } from "../marks";
import type { FleetRow, ToDecide } from "../types";
import { placed, type Wanted } from "./labels";
import { line, text, type Scale } from "./scale";

export interface Spot {
  event: FleetRow;
  time: number; // TCA, ms
  probability: number | null;
  size: number; // px
  sure: ToDecide | undefined;
  change: string; // since the run before, in a word
}

const HOUR_MS = 3_600_000;
const SIZES_PX = { least: 8, most: 20, each: 2.8 };
const FAINT = 0.65; // of the size, what deserves no look
const CAP_PX = 3;
const TAILS = 40; // drawn strongly: more hide each other
const NAMED = [[0, 4], [640, 8], [1000, 14]] as const; // so many on a picture of at least this width

export function spotOf(event: FleetRow, sure: ToDecide | undefined, change: string): Spot {
  const pieces = event.fragments_10cm ?? 0;
  const size = Math.min(SIZES_PX.most, SIZES_PX.least + SIZES_PX.each * Math.log10(1 + pieces));
  return { event, time: Date.parse(event.tca), probability: bestProbability(event), size: isFaint(event, change) ? FAINT * size : size, sure, change };
}

const isFaint = (event: FleetRow, change: string): boolean => !notable(event) && !change;

// The most dangerous come last, so that none lies below others.
export function drawnSpots(spots: readonly Spot[], scale: Scale): SVGElement[] {
  const clip = newId("clip");
  const layer = (parts: (SVGElement | null)[], clipped = {}): SVGElement => svg("g", clipped, parts.toReversed());
  return [
    svg("clipPath", { id: clip }, svg("rect", { x: scale.left, y: 0, width: scale.right - scale.left, height: scale.height })),
    layer(spots.map((spot, i) => tail(spot, scale, i < TAILS)), { "clip-path": `url(#${clip})` }),
    layer(spots.map((spot) => bar(spot, scale))),
    layer(spots.map((spot) => mark(spot, scale))),
  ];
}

function mark({ event, time, probability, size, sure, change }: Spot, scale: Scale): SVGElement {
  const [x, y, level] = [scale.x(time), scale.y(probability), probabilityLevel(event)];
  const kinds = [level, faint(event, change), event.volume === null ? "outside" : "", nearLevel(event) ? "near" : ""];
  return svg(
    "g",
    { class: `spot ${kinds.join(" ")}`, "data-event": event.id, transform: `translate(${x.toFixed(2)} ${y.toFixed(2)})` },
    change ? svg("circle", { class: "changed", r: size / 2 + 3 }) : null,
    sure?.planned ? line("planned", size / 2 + 2, -size / 2 - 3, size / 2 + 2, size / 2) : null,
    nearLevel(event) ? line("near", -size / 2, size / 2 + 3, size / 2, size / 2 + 3) : null,
    svg("path", { class: level, d: SHAPES[level], transform: `scale(${size / 16}) translate(-8 -8)` }),
  );
}

function bar({ event, change, time, sure }: Spot, scale: Scale): SVGElement | null {
  if (!sure || sure.probability_low === null || sure.probability_high === null) return null;
  const [x, low, high] = [scale.x(time), scale.y(sure.probability_low), scale.y(sure.probability_high)];
  const d = `M${x - CAP_PX} ${high}h${2 * CAP_PX}M${x} ${high}V${low}M${x - CAP_PX} ${low}h${2 * CAP_PX}`;
  return svg("path", { class: `bar ${faint(event, change)}`, "data-event": event.id, d });
}

const faint = (event: FleetRow, change: string): string => (isFaint(event, change) ? "faint" : "");

// Where it stood: as long before its TCA as each former run was.
function tail({ event, change, time, probability, sure }: Spot, scale: Scale, strong: boolean): SVGElement | null {
  if (!sure?.former.length) return null;
  const points = sure.former.map((one): [number, number] => [scale.x(scale.now + HOUR_MS * one.hours_to_tca), scale.y(one.probability)]);
  const d = [...points, [scale.x(time), scale.y(probability)]].map(([x, y]) => `${x?.toFixed(1)} ${y?.toFixed(1)}`).join("L");
  return svg("path", { class: `tail ${strong ? faint(event, change) : "faint"}`, "data-event": event.id, d: `M${d}` });
}

export function drawnNames(spots: readonly Spot[], scale: Scale, wide: (text: string) => number): SVGElement[] {
  const most = NAMED.findLast(([width]) => scale.width >= width)?.[1] ?? 0;
  const worth = spots.filter(({ event, change }) => notable(event) || change);
  const wanted = (worth.length ? worth : spots).map((spot): Wanted => ({
    x: scale.x(spot.time), y: scale.y(spot.probability), size: spot.size, text: `${ownName(spot.event)} × ${otherName(spot.event)}`,
  }));
  const inside = { left: scale.left, right: scale.right, top: scale.top, bottom: scale.bottom };
  // Of two that meet again and again, the most dangerous time.
  const once = wanted.filter((one, i) => wanted.findIndex((other) => other.text === one.text) === i);
  return placed(once.slice(0, most), inside, wide).map((one) => text("name", one.x, one.y, "start", one.text));
}
