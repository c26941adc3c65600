// Draws pictures one after the other: as often as something moves, and only once positions are loaded.
import * as api from "../api";
import { reducedMotion, replace } from "../dom";
import type { ShownTime } from "./clock";
import type { Frames } from "./frames";
import type { Markers } from "./markers";
import type { Globe } from "./scene";
import type { TimeBar } from "./timebar";

const STEP_MS = 300_000;
const FAST_STEP_MS = 600_000;
const FAST = 60;
const LIVE_PICTURE_MS = 40; // in real time nothing moves by a pixel in less
const LONGEST_STEP_MS = 1000; // a hidden tab draws nothing: its absence is no time that has run
const CALM_PICTURE_MS = 1000; // for users who prefer reduced motion

interface Surroundings {
  globe: Globe;
  clock: ShownTime;
  frames: Frames;
  bar: TimeBar;
  marks: Markers;
  note: HTMLElement;
  newPoints(): void;
  tick(settled: boolean): void; // often, also without a new picture
  drawn(complete: boolean): void;
}

export class Pictures {
  private last = performance.now();
  private drawn = 0;
  private request = 0;
  private count = 0;
  private complete = false; // the positions of the time shown are loaded
  private problem = "";

  constructor(private readonly at: Surroundings) {}

  begin(): void {
    this.request = requestAnimationFrame((at) => this.next(at));
  }

  stop(): void {
    cancelAnimationFrame(this.request);
  }

  failed(error: unknown): void {
    this.problem = error instanceof api.ApiError ? error.message : String(error);
  }

  private next(at: number): void {
    const { globe, clock, frames, bar } = this.at;
    this.begin();
    // A running time waits for its positions; the present does not.
    const wasPlaying = clock.playing;
    if (this.complete || clock.isLive) clock.advance(Math.min(at - this.last, LONGEST_STEP_MS));
    if (wasPlaying && !clock.playing) globe.dirty = true; // the end is shown too
    if (this.drawn === this.last) globe.took(at - this.last);
    this.last = at;
    this.at.tick(bar.settled());
    const pause = reducedMotion() ? CALM_PICTURE_MS : clock.rate === 1 ? LIVE_PICTURE_MS : 0;
    const step = clock.playing && clock.rate >= FAST ? FAST_STEP_MS : STEP_MS; // the longer one is 4 km off in low orbits: for motion only
    const around = (): ReturnType<Frames["around"]> => frames.around(clock.time, step, clock.playing, bar.settled());
    if (!globe.dirty && this.complete && !(clock.playing && at - this.drawn >= pause)) {
      // The missing frame may have come, or may now be asked for.
      if (frames.incomplete) around();
      else return;
      if (frames.incomplete) return;
    }
    bar.tick();
    const pair = around();
    if (!pair && !this.complete && !globe.dirty) return this.say(this.waitingText());
    this.complete = pair !== null;
    if (pair) {
      if (globe.points.show(pair, clock.time)) this.at.newPoints();
      this.problem = "";
    } else globe.points.hide();
    this.say(pair ? "" : this.waitingText());
    this.draw();
    this.drawn = at;
  }

  private draw(): void {
    const { globe, clock, marks } = this.at;
    const sun = globe.render(clock.time);
    marks.draw(this.complete);
    this.at.drawn(this.complete);
    globe.canvas.toggleAttribute("data-still", this.complete && !globe.dirty);
    globe.canvas.dataset.sun = sun.toArray().map((part) => part.toFixed(5)).join(" ");
    this.count += 1;
    globe.canvas.dataset.pictures = String(this.count);
    globe.canvas.dataset.objects = String(this.complete ? (globe.points.first?.count ?? 0) : 0);
  }

  private waitingText(): string {
    const wait_s = Math.ceil(this.at.frames.pause_ms / 1000);
    if (this.problem) return `${this.problem} Trying again in ${wait_s} s.`;
    return wait_s ? `Many requests: positions wait ${wait_s} s so that the lists can load first.` : "Loading positions…";
  }

  private say(text: string): void {
    if (this.at.note.textContent !== text) replace(this.at.note, text);
  }
}
