// The bar below the globe: slider over the window, play, rate, now, TCA.
import { h, replace } from "../dom";
import { local, span, utc } from "../format";
import { probabilityLevel } from "../levels";
import type { Conjunction } from "../types";
import { RATES, type ShownTime } from "./clock";
import { above, momentWords } from "./moments";

export interface TimeBar {
  element: HTMLElement;
  tick(): void;
  settled(): boolean; // the user is not moving it
  setWindow(): void;
  setTca(tca: number | null): void;
  setLeft(milliseconds: number | null): void; // until the TCA of the selected event
  setMoments(events: Conjunction[]): void;
}

const SETTLED_MS = 250;

const REACHED = 6;
const SECONDS_MS = 120_000;

const THUMB_PX = 16; // its middle goes from half of it to half of it before the end

function leftWords(milliseconds: number): string {
  const length = Math.abs(milliseconds) < SECONDS_MS ? `${Math.round(Math.abs(milliseconds) / 1000)} s` : span(milliseconds);
  return Math.abs(milliseconds) < 500 ? "at TCA" : `${length} ${milliseconds > 0 ? "before" : "after"} TCA`;
}

export function timeBar(clock: ShownTime, moved: () => void, toTca: () => void, choose: (event: Conjunction) => void): TimeBar {
  let held = false;
  let movedAt = -Infinity;
  const release = (): void => {
    held = false;
  };
  const slider = h("input", {
    type: "range",
    min: 0,
    step: 1,
    "aria-label": "Time shown",
    onpointerdown: () => {
      held = true;
    },
    onpointerup: release,
    onpointercancel: release,
    onblur: release,
    oninput: () => {
      movedAt = performance.now();
      clock.seek(clock.start + 1000 * Number(slider.value));
      moved();
    },
  });
  const ends = h("span", { class: "ends", "aria-hidden": "true" });
  const play = h("button", { type: "button", class: "play", onclick: () => (clock.play(!clock.playing), moved()) });
  const now = h("button", { type: "button", onclick: () => (clock.goLive(), moved()) }, "Now");
  const tcaButton = h("button", { type: "button", hidden: true, onclick: toTca }, "Jump to TCA");
  const rate = h(
    "select",
    { "aria-label": "Speed", onchange: () => (clock.setRate(Number(rate.value)), moved()) },
    RATES.map((value) => h("option", { value }, `${value}×`)),
  );
  const time = h("time", { class: "shown" });
  const local_ = h("span", { class: "local" });
  const left = h("span", { class: "left-to-tca" });
  const marker = h("span", { class: "tca-mark", hidden: true, title: "TCA of the selected event" });
  const moments = h("span", { class: "moments", role: "group", "aria-label": "Its events on the time bar", hidden: true });
  let said = "";

  const element = h(
    "div",
    { class: "time-bar", role: "group", "aria-label": "Time" },
    play,
    h("span", { class: "track" }, moments, slider, marker, ends),
    h("span", { class: "times" }, time, local_, left),
    rate,
    now,
    tcaButton,
  );
  const along = (time: number): string => {
    const part = (time - clock.start) / (clock.end - clock.start);
    return `calc(${THUMB_PX / 2}px + ${part} * (100% - ${THUMB_PX}px))`;
  };
  const setWindow = (): void => {
    slider.max = String(Math.round((clock.end - clock.start) / 1000));
    replace(ends, h("span", {}, `${utc(clock.start, false)} UTC`), h("span", {}, utc(clock.end, false)));
  };
  setWindow();
  return {
    element,
    setWindow,
    settled: () => !held && performance.now() - movedAt >= SETTLED_MS,
    tick() {
      time.dateTime = new Date(clock.time).toISOString();
      const text = `${utc(clock.time)} UTC`;
      if (text !== said) {
        said = text;
        replace(time, text);
        replace(local_, local(clock.time));
        slider.setAttribute("aria-valuetext", text);
      }
      if (document.activeElement !== slider || clock.playing) slider.value = String(Math.round((clock.time - clock.start) / 1000));
      const label = clock.playing ? "Pause" : "Play";
      if (play.getAttribute("aria-label") !== label) {
        play.setAttribute("aria-label", label);
        replace(play, clock.playing ? "❚❚" : "▶");
      }
      now.hidden = !clock.hasNow;
      now.setAttribute("aria-pressed", String(clock.isLive));
      rate.value = String(clock.rate);
    },
    setTca(tca) {
      tcaButton.hidden = tca === null;
      marker.hidden = tca === null || tca < clock.start || tca > clock.end;
      if (tca !== null) marker.style.left = along(tca);
    },
    setLeft(milliseconds) {
      const text = milliseconds === null ? "" : leftWords(milliseconds);
      if (left.textContent !== text) replace(left, text);
    },
    setMoments(events) {
      const inside = events.filter(({ tca }) => Date.parse(tca) >= clock.start && Date.parse(tca) <= clock.end);
      moments.hidden = inside.length === 0;
      // Tab goes to the most dangerous, which come first; in the order of time, as they stand. The most dangerous on top.
      const reached = new Set(inside.slice(0, REACHED));
      inside.sort((a, b) => Date.parse(a.tca) - Date.parse(b.tca));
      replace(moments, inside.map((event) => {
        const mark = h("button", { type: "button", class: `moment ${probabilityLevel(event)}`, "data-event": event.id, tabindex: reached.has(event) ? 0 : -1, title: momentWords(event), "aria-label": momentWords(event), onclick: () => choose(event) });
        mark.style.left = along(Date.parse(event.tca));
        mark.style.zIndex = String(above(event));
        return mark;
      }));
    },
  };
}
