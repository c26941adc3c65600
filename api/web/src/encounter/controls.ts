// What is shown: the time, the zoom, the sigmas, the side it is seen from, the sheet, and what the probability is.
import { h, newId, reducedMotion } from "../dom";
import { fixed } from "../format";
import type { EncounterRtn, Radii, Shown } from "./types";
import type { Look } from "./view";
import { length } from "./words";
import { RANGES_S, STEPS, STOPS, zooms, type Stop } from "./zoom";

const FLIGHT_MS = 500; // of a change of zoom
const PLAY_S = 10; // from one end of the slider to the other
const TICKS = 100; // of the slider, on each side of TCA
const KEY_STEPS = STEPS / 25; // of the zoom, a press of plus or minus…
const WHEEL_STEPS = 6; // …and a turn of the wheel
const STILL_TICKS = 10; // a press of "Step", where nothing shall move by itself
const STOP_WORDS: Record<Stop, string> = { flight: "Whole flight", ellipsoids: "Ellipsoids", miss: "Miss", bodies: "Bodies" };
const TURNED = "turned";
const LOOKS: [Look, string][] = [
  ["aside", "from the side"], ["along", "along the flight: the encounter plane"], ["radial", "from above"], ["in-track", "from the front"], ["cross-track", "across"],
];

export interface Controls {
  explain: HTMLElement; // what the probability is, on and off
  time: HTMLElement;
  view: HTMLElement;
  begin(): void;
  turned(): void; // by hand: seen from none of the chosen sides
}

export function controls(record: EncounterRtn, radii: Radii, show: (shown: Shown) => void, look: (from: Look) => void, stage: HTMLElement, signal: AbortSignal): Controls {
  const zoom = zooms(record, radii);
  const shown: Shown = { seconds: 0, sigma: 3, reach_m: zoom.stops.ellipsoids, around: "primary", sheet: true, explained: false };
  const update = (change: Partial<Shown>): void => {
    Object.assign(shown, change);
    show({ ...shown });
  };
  const time = timeControl((seconds) => update({ seconds }), signal);
  const size = zoomControl(zoom, (reach_m) => update({ reach_m }), (stop) => time.range(zoom.range(zoom.stops[stop])), signal);
  // The probability is explained where it is computed: at TCA, in the plane, with the whole cloud in sight.
  let before: Pick<Shown, "around" | "reach_m"> = shown;
  const explain = (explained: boolean): void => {
    if (explained) {
      before = { around: shown.around, reach_m: shown.reach_m };
      time.set(0);
    }
    update({ explained, around: explained ? "primary" : before.around });
    size.fly(explained ? zoom.stops.cloud : before.reach_m);
  };
  const options = optionControls(record, update, look, explain);
  stage.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === " ") time.play();
    else if (event.key === "+" || event.key === "=") size.step(-KEY_STEPS);
    else if (event.key === "-") size.step(KEY_STEPS);
    else return;
    event.preventDefault();
  });
  stage.addEventListener("wheel", (event) => {
    if (!event.ctrlKey) return; // the page scrolls
    event.preventDefault();
    size.step(Math.sign(event.deltaY) * WHEEL_STEPS);
  }, { passive: false });
  return {
    explain: options.explain,
    time: time.element,
    view: h("div", { class: "encounter-controls" }, size.element, ...options.elements),
    turned: options.turned,
    begin() {
      time.range(zoom.range(shown.reach_m));
      size.show(shown.reach_m);
      update({});
    },
  };
}

interface TimeControl {
  element: HTMLElement;
  range(seconds: number): void;
  set(seconds: number): void;
  play(): void;
}

function timeControl(moved: (seconds: number) => void, signal: AbortSignal): TimeControl {
  const slider = h("input", { type: "range", min: -TICKS, max: TICKS, step: 1, value: 0, "aria-label": "Time from TCA" });
  const out = h("output", { class: "encounter-time" });
  const span = h("select", { "aria-label": "The slider spans", onchange: () => range(Number(span.value)) }, RANGES_S.map((seconds) => h("option", { value: seconds }, `±${seconds} s`)));
  const button = h("button", { type: "button", class: "play", onclick: () => play() });
  let half = RANGES_S[0] as number;
  let seconds = 0;
  let playing = 0;
  const set = (next: number): void => {
    seconds = Math.abs(next) < 1e-12 ? 0 : next;
    slider.value = String((TICKS * seconds) / half);
    const text = `${seconds > 0 ? "+" : ""}${fixed(seconds, half < 0.5 ? 4 : half < 5 ? 3 : 2)} s`;
    slider.setAttribute("aria-valuetext", `${text} from TCA`);
    out.textContent = text;
    moved(seconds);
  };
  // Rounded: a slider's tick is one of the path's own times.
  const range = (wanted: number): void => {
    half = wanted;
    span.value = String(wanted);
    set(Math.abs(seconds) > half ? 0 : seconds);
  };
  const stop = (): void => {
    cancelAnimationFrame(playing);
    playing = 0;
    name();
  };
  const name = (): void => {
    const still = reducedMotion();
    button.textContent = playing ? "❚❚" : still ? "⇥" : "▶";
    button.setAttribute("aria-label", playing ? "Pause" : still ? "Step" : "Play");
    button.title = still ? "A step on" : half === PLAY_S / 2 ? "Plays in real time" : `Plays ${fixed(PLAY_S / 2 / half, 0)} times slower`;
  };
  const play = (): void => {
    if (playing) return stop();
    const first = seconds >= half ? -half : seconds;
    if (reducedMotion()) return set(Math.min(half, Math.round((first * TICKS) / half + STILL_TICKS) * (half / TICKS)));
    const begun = performance.now();
    const next = (now: number): void => {
      const at = first + (((now - begun) / 1000) * 2 * half) / PLAY_S;
      set(Math.min(half, Math.max(first, at)));
      if (at >= half || !button.isConnected) return stop();
      playing = requestAnimationFrame(next);
    };
    playing = requestAnimationFrame(next);
    name();
  };
  slider.addEventListener("input", () => {
    stop();
    set(Number((Number(slider.value) * half).toFixed(9)) / TICKS);
  });
  signal.addEventListener("abort", stop, { once: true });
  name();
  return { element: h("div", { class: "encounter-times" }, button, slider, out, span), range, set: (to) => (stop(), set(to)), play };
}

interface ZoomControl {
  element: HTMLElement;
  show(reach_m: number): void;
  fly(to: number): void;
  step(by: number): void;
}

function zoomControl(zoom: ReturnType<typeof zooms>, moved: (reach_m: number) => void, stopped: (stop: Stop) => void, signal: AbortSignal): ZoomControl {
  const slider = h("input", { type: "range", min: 0, max: STEPS, step: 1, "aria-label": "Zoom: bodies to whole flight" });
  let reach = 1;
  let flight = 0;
  const show = (next: number): void => {
    reach = next;
    slider.value = String(zoom.stepOf(next));
    slider.setAttribute("aria-valuetext", `${length(2 * next)} across`);
    const here = STOPS.find((stop) => Math.abs(Math.log(next / zoom.stops[stop])) < 1e-9); // of two that are one, the first
    for (const [i, stop] of STOPS.entries()) buttons[i]?.setAttribute("aria-pressed", String(stop === here));
  };
  const set = (next: number): void => (show(next), moved(next));
  const fly = (to: number): void => {
    cancelAnimationFrame(flight);
    const [from, begun] = [reach, performance.now()];
    if (reducedMotion()) return set(to);
    const next = (now: number): void => {
      const part = Math.min(1, Math.max(0, (now - begun) / FLIGHT_MS));
      set(part === 1 ? to : from * (to / from) ** (1 - (1 - part) ** 3));
      if (part < 1 && slider.isConnected) flight = requestAnimationFrame(next);
    };
    flight = requestAnimationFrame(next);
  };
  const buttons = STOPS.map((stop) => h("button", { type: "button", "data-stop": stop, onclick: () => (fly(zoom.stops[stop]), stopped(stop)) }, STOP_WORDS[stop]));
  slider.addEventListener("input", () => (cancelAnimationFrame(flight), set(zoom.reachOf(Number(slider.value)))));
  signal.addEventListener("abort", () => cancelAnimationFrame(flight), { once: true });
  return {
    element: h("div", { class: "encounter-zoom" }, h("div", { class: "switch", role: "group", "aria-label": "Zoom to" }, buttons), slider),
    show,
    fly,
    step: (by) => (cancelAnimationFrame(flight), set(zoom.reachOf(Math.min(STEPS, Math.max(0, zoom.stepOf(reach) + by))))),
  };
}

function optionControls(record: EncounterRtn, update: (change: Partial<Shown>) => void, look: (from: Look) => void, told: (explained: boolean) => void): { elements: HTMLElement[]; explain: HTMLElement; turned(): void } {
  const chosen = 3;
  const sigmas = [1, 2, 3].map((sigma) => h("button", { type: "button", "aria-pressed": sigma === chosen, onclick: () => press(sigma) }, `${sigma} σ`));
  for (const [i, button] of sigmas.entries()) button.setAttribute("aria-pressed", String(i + 1 === chosen));
  const press = (sigma: number): void => {
    sigmas.forEach((button, i) => button.setAttribute("aria-pressed", String(i + 1 === sigma)));
    update({ sigma });
  };
  const from = h("select", { onchange: () => look(from.value as Look) }, LOOKS.map(([key, words]) => h("option", { value: key }, words)), h("option", { value: TURNED, hidden: true }, "turned by hand"));
  const around = h("select", { onchange: () => update({ around: around.value as Shown["around"] }) }, h("option", { value: "primary" }, record.names.primary), h("option", { value: "secondary" }, record.names.secondary));
  const sheet = h("input", { type: "checkbox", checked: true, onchange: () => update({ sheet: sheet.checked }) });
  let before: [string, string] = ["aside", "primary"]; // of the user, while the probability is explained
  const explain = h("button", { type: "button", class: "explain", "aria-pressed": "false", onclick: () => {
    const explained = explain.getAttribute("aria-pressed") !== "true";
    explain.setAttribute("aria-pressed", String(explained));
    const [side, middle] = explained ? (before = [from.value, around.value], ["along", "primary"]) : before;
    [from.value, around.value] = [side === TURNED ? "aside" : side, middle];
    look(from.value as Look);
    told(explained);
  } }, "What the probability is");
  const named = (words: string, control: HTMLElement): HTMLElement => {
    control.id ||= newId("encounter");
    return h("span", { class: "check" }, h("label", { for: control.id }, words), control);
  };
  const elements = [
    h("div", { class: "switch", role: "group", "aria-label": "Size of the ellipsoids" }, sigmas),
    named("Seen", from),
    named("around", around),
    named("Encounter plane", sheet),
  ];
  return { elements, explain, turned: () => (from.value = TURNED) };
}
