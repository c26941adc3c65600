// The decision plot: when each event of a fleet comes, how probable a collision is, how sure that is and where it stood in
// former runs. Dragging over it, or + and −, zooms in time; the list follows.
import type { Context } from "../../context";
import { canvasFont, h, newId, replace, svg } from "../../dom";
import { count, probability, utc } from "../../format";
import { nearLevel, probabilityLevel } from "../../levels";
import { eventLink } from "../../route";
import { PROBABILITY_LEVELS } from "../../types";
import { ownName, shape, words } from "../marks";
import type { FleetRow, ToDecide } from "../types";
import { Scale, type Span } from "./scale";
import { drawnNames, drawnSpots, spotOf, type Spot } from "./spots";

const HEIGHT_PX = { wide: 430, narrow: 340 };
const NARROW_PX = 640;
const REACH_PX = 28; // of the pointer around a mark
const BRUSH_PX = 6; // a shorter way is a click
const LEAST_MS = 60_000; // in sight
const ZOOM = 0.5;
const BEHIND = 0.02; // of the time, so that the last mark has room
const KEYS = "Arrow keys go from event to event: left and right in time, up and down by danger. Plus and minus zoom, Escape shows the whole time, Enter opens the event.";

export interface DecisionPlot {
  element: HTMLElement;
  show(now: number): void; // as time goes on
  end(): void;
}

// `events`: the most dangerous first. `follow`: what is in sight now; null: the whole time.
export function decisionPlot(
  context: Context, events: readonly FleetRow[], sure: ReadonlyMap<number, ToDecide>, change: (id: number) => string,
  now: number, end: number, follow: (span: Span | null) => void,
): DecisionPlot {
  const all = events.map((event) => spotOf(event, sure.get(event.id), change(event.id)));
  const largest = Math.max(1e-10, ...all.flatMap(({ probability, sure }) => [probability ?? 0, sure?.probability_high ?? 0]));
  let zoomed: Span | null = null;
  let chosen: Spot | null = null;
  let scale: Scale | null = null;
  let pressed: { x: number; finger: boolean } | null = null;

  const picture = svg("svg", { "aria-hidden": "true" });
  const brush = svg("rect", { class: "brush", visibility: "hidden" });
  const ring = svg("circle", { class: "chosen", visibility: "hidden" });
  const told = h("p", { class: "told", id: newId("told"), "aria-live": "polite" });
  const seen = h("span", {});
  const whole = h("button", { type: "button", hidden: true, onclick: () => zoom(null) }, "Whole time");
  const place = h("div", {
    class: "decision-plot", tabindex: "0", role: "application", "aria-roledescription": "plot", "aria-describedby": told.id,
    "aria-label": `${count(all.length)} ${all.length === 1 ? "event" : "events"} by time and probability. ${KEYS}`,
  }, picture);

  const last = (): number => Math.max(end + BEHIND * (end - now), now + LEAST_MS);
  const span = (): Span => zoomed ?? { from: now, to: last() };
  const inSight = (): Spot[] => all.filter(({ time }) => time >= Math.max(now, span().from) && time <= span().to);
  const wide = (text: string): number => {
    const pen = (document.createElement("canvas").getContext("2d") as CanvasRenderingContext2D);
    pen.font = canvasFont(12);
    return pen.measureText(text).width;
  };
  const draw = (): void => {
    const width = place.clientWidth;
    if (!width) return;
    const height = width < NARROW_PX ? HEIGHT_PX.narrow : HEIGHT_PX.wide;
    scale = new Scale(width, height, span(), now, context.run?.historic ? "start" : "now", largest);
    const spots = inSight();
    picture.setAttribute("viewBox", `0 0 ${width} ${height}`);
    picture.setAttribute("height", String(height));
    replace(picture, scale.drawn(), drawnSpots(spots, scale), drawnNames(spots, scale, wide), ring, brush);
    replace(seen, zoomed ? `${count(spots.length)} ${spots.length === 1 ? "event" : "events"} from ${utc(zoomed.from, false)} to ${utc(zoomed.to, false)} UTC` : "");
    whole.hidden = !zoomed;
    circle();
  };
  const circle = (): void => {
    if (!chosen || !scale || !inSight().includes(chosen)) return ring.setAttribute("visibility", "hidden");
    for (const [name, value] of [["cx", scale.x(chosen.time)], ["cy", scale.y(chosen.probability)], ["r", chosen.size / 2 + 6]] as const)
      ring.setAttribute(name, String(value));
    ring.setAttribute("visibility", "visible");
    for (const part of picture.querySelectorAll("[data-event]")) part.classList.toggle("of-chosen", part.getAttribute("data-event") === String(chosen.event.id));
  };
  const choose = (spot: Spot | null): void => {
    if (spot === chosen) return;
    chosen = spot;
    circle();
    replace(told, spot ? [h("a", { href: addressOf(spot) }, `${ownName(spot.event)}: ${words(spot.event, spot.change)}`), range(spot), ` · ${context.when(spot.time)}`, had(spot)] : []);
  };
  const had = ({ event }: Spot): string => (context.had.has(event.id) ? ` · ${context.had.get(event.id)?.words}` : "");
  const zoom = (to: Span | null): void => {
    zoomed = to && to.to - to.from >= LEAST_MS ? { from: Math.max(to.from, now), to: Math.min(to.to, last()) } : null;
    draw();
    follow(zoomed);
  };
  // Around the chosen event, or the middle.
  const zoomBy = (factor: number): void => {
    const { from, to } = span();
    const middle = chosen && inSight().includes(chosen) ? chosen.time : (from + to) / 2;
    const width = factor * (to - from);
    zoom(width >= last() - now ? null : { from: middle - ((middle - from) / (to - from)) * width, to: middle + ((to - middle) / (to - from)) * width });
  };
  const step = (spots: readonly Spot[], by: number): void => {
    const here = chosen ? spots.indexOf(chosen) : -1;
    choose(spots[here < 0 ? 0 : Math.min(spots.length - 1, Math.max(0, here + by))] ?? null);
  };
  const inTime = (): Spot[] => inSight().sort((a, b) => a.time - b.time);
  const steps: Record<string, () => void> = {
    ArrowLeft: () => step(inTime(), -1),
    ArrowRight: () => step(inTime(), 1),
    ArrowUp: () => step(inSight(), -1),
    ArrowDown: () => step(inSight(), 1),
    Home: () => choose(inSight()[0] ?? null),
    "+": () => zoomBy(ZOOM),
    "=": () => zoomBy(ZOOM),
    "-": () => zoomBy(1 / ZOOM),
    Escape: () => zoom(null),
    Enter: () => chosen && (location.hash = addressOf(chosen)),
  };
  place.addEventListener("keydown", (event) => {
    const act = event.ctrlKey || event.metaKey || event.altKey ? undefined : steps[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });
  const at = (event: MouseEvent): [number, number] => {
    const box = picture.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  const nearest = (event: MouseEvent): Spot | null => {
    const drawn = scale;
    if (!drawn) return null;
    const [x, y] = at(event);
    const far = ({ time, probability }: Spot): number => Math.hypot(drawn.x(time) - x, drawn.y(probability) - y);
    const found = inSight().reduce<Spot | null>((best, spot) => (!best || far(spot) < far(best) ? spot : best), null);
    return found && far(found) <= REACH_PX ? found : null;
  };
  place.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    pressed = { x: at(event)[0], finger: event.pointerType === "touch" };
    place.setPointerCapture(event.pointerId);
  });
  place.addEventListener("pointermove", (event) => {
    const x = at(event)[0];
    if (!pressed) return choose(nearest(event) ?? chosen);
    if (!scale || Math.abs(x - pressed.x) < BRUSH_PX) return;
    const [from, to] = [Math.min(x, pressed.x), Math.max(x, pressed.x)].map((one) => Math.min(Math.max(one, scale?.left ?? 0), scale?.right ?? 0)) as [number, number];
    for (const [name, value] of [["x", from], ["width", to - from], ["y", scale.top], ["height", scale.floor - scale.top]] as const)
      brush.setAttribute(name, String(value));
    brush.setAttribute("visibility", "visible");
  });
  place.addEventListener("pointerup", (event) => {
    const began = pressed;
    letGo();
    if (!began || !scale) return;
    const x = at(event)[0];
    if (Math.abs(x - began.x) >= BRUSH_PX) return zoom({ from: scale.time(Math.min(x, began.x)), to: scale.time(Math.max(x, began.x)) });
    // A finger chooses at its first tap, and opens what it has chosen at the second.
    const spot = nearest(event);
    const again = spot !== null && spot === chosen;
    choose(spot);
    if (spot && (again || !began.finger)) location.hash = addressOf(spot);
  });
  const letGo = (): void => {
    pressed = null;
    brush.setAttribute("visibility", "hidden");
  };
  place.addEventListener("pointercancel", letGo);
  const resized = new ResizeObserver(draw);
  resized.observe(place);
  return {
    element: h("div", { class: "decision" }, place, told, h("p", { class: "buttons seen" }, whole, seen), legend(all)),
    show(at) {
      now = at;
      if (zoomed && zoomed.to <= now) return zoom(null);
      draw();
    },
    end: () => resized.disconnect(),
  };
}

const addressOf = ({ event }: Spot): string => eventLink(event.id, false, event.fleet_norad_id);

const range = ({ sure }: Spot): string =>
  sure && sure.probability_low !== null && sure.probability_high !== null
    ? `, ${probability(sure.probability_low)} to ${probability(sure.probability_high)} with errors half to twice as large`
    : "";

// Of what is drawn.
function legend(spots: readonly Spot[]): HTMLElement {
  const levels = PROBABILITY_LEVELS.filter((level) => spots.some(({ event }) => probabilityLevel(event) === level));
  const key = (kind: string, text: string): HTMLElement => h("span", {}, h("span", { class: kind, "aria-hidden": "true" }), ` ${text}`);
  return h("p", { class: "lane-legend help" },
    levels.map((level) => h("span", {}, shape(level), ` ${level}`)),
    spots.some(({ sure }) => sure && sure.probability_high !== null) ? key("key-bar", "errors half to twice as large") : null,
    spots.some(({ sure }) => sure?.former.length) ? key("key-tail", "in former runs") : null,
    spots.some(({ event }) => nearLevel(event)) ? key("near-bar", "near: a miss under 1,000 m") : null,
    spots.some(({ sure }) => sure?.planned) ? key("key-planned", "a burn is planned") : null,
    spots.some(({ change }) => change) ? key("ring", "new or raised") : null,
    spots.some(({ event }) => event.volume === null) ? key("key-outside", "outside the volumes") : null,
    h("span", {}, "larger: more pieces"));
}
