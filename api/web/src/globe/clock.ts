// The time shown: now, or any other in the look-ahead window, paused or running.

import { reducedMotion } from "../dom";

export const RATES = [1, 10, 60, 300] as const;

export class ShownTime {
  time: number;
  rate: number = 1;
  playing = true;
  private live: boolean;
  private stopAt: number | null = null; // where a replay ends
  private replayedTo = NaN; // where the last one ended

  constructor(
    public start: number,
    public end: number,
    private readonly now: () => number,
    historic: boolean,
  ) {
    this.live = !historic && this.hasNow;
    this.time = this.live ? now() : historic || now() < start ? start : end;
    this.playing = this.live || (historic && !reducedMotion());
  }

  // For a new run; the time shown stays within its window.
  setWindow(start: number, end: number): void {
    Object.assign(this, { start, end });
    if (!this.live) this.time = Math.min(end, Math.max(start, this.time));
  }

  get isLive(): boolean {
    return this.live;
  }

  get hasNow(): boolean {
    const now = this.now();
    return now >= this.start && now < this.end;
  }

  get isReplaying(): boolean {
    return this.stopAt !== null;
  }

  get isAtEndOfReplay(): boolean {
    return this.time === this.replayedTo;
  }

  goLive(): void {
    this.live = this.playing = true;
    this.rate = 1;
    this.stopAt = null;
    this.time = this.now();
  }

  seek(time: number): void {
    this.live = false;
    this.playing = false;
    this.stopAt = null;
    this.time = Math.min(this.end, Math.max(this.start, time));
  }

  // From one time to another, then stop.
  replay(from: number, to: number, rate: number): void {
    this.seek(from);
    this.rate = rate;
    this.playing = true;
    this.stopAt = this.replayedTo = Math.min(this.end, to);
  }

  play(on: boolean): void {
    this.playing = on;
    if (!on) this.live = false;
    if (on && this.time >= this.end) this.time = this.start;
  }

  setRate(rate: number): void {
    this.rate = rate;
    if (rate !== 1) this.live = false;
    this.playing = true;
  }

  advance(milliseconds: number): void {
    if (this.live) this.time = this.now();
    else if (this.playing) this.time += milliseconds * this.rate;
    const stop = this.stopAt ?? this.end;
    if (this.time < stop) return;
    this.time = stop;
    this.live = this.playing = false;
    if (this.stopAt !== null) this.rate = 1;
    this.stopAt = null;
  }
}
