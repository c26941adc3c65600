// The axes of the decision plot: time from now on the left, the logarithm of the probability upwards, and below it a lane
// for what is less or unknown.
import { svg } from "../../dom";
import { probabilityTick, utc } from "../../format";
import { PROBABILITY_LIMITS } from "../../levels";
import type { NearLevel } from "../../types";

export interface Span {
  from: number; // ms
  to: number;
}

export const FLOOR = -10; // log10; nobody decides on less
const LEAST_TOP = -3;
const LANE_PX = 42;
const MARGIN = { left: 64, right: 54, top: 26, bottom: 40 };
const MINUTE_MS = 60_000;
const STEPS_MIN = [1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720, 1440, 2880, 4320, 10_080];
const TICK_PX = 92;
const ROW_PX = 16; // least between the labels of decades

export class Scale {
  readonly left = MARGIN.left;
  readonly top = MARGIN.top;
  readonly right: number;
  readonly bottom: number; // of the decades; the lane is below
  readonly floor: number; // of the lane
  private readonly high: number;

  // `now`: from when hours are counted, called `start`; `largest`: a probability that must be in sight.
  constructor(readonly width: number, readonly height: number, readonly span: Span, readonly now: number, readonly start: string, largest: number) {
    this.right = width - MARGIN.right;
    this.floor = height - MARGIN.bottom;
    this.bottom = this.floor - LANE_PX;
    this.high = Math.max(LEAST_TOP, Math.min(0, Math.ceil(Math.log10(largest))));
  }

  x(time: number): number {
    return this.left + ((time - this.span.from) / (this.span.to - this.span.from)) * (this.right - this.left);
  }

  time(x: number): number {
    const inside = Math.min(Math.max(x, this.left), this.right);
    return this.span.from + ((inside - this.left) / (this.right - this.left)) * (this.span.to - this.span.from);
  }

  // Null: it is not known. What is less than the floor stands in the upper half of the lane, the unknown in the lower.
  y(probability: number | null): number {
    if (probability === null) return this.floor - LANE_PX / 4;
    const power = Math.log10(probability);
    return power < FLOOR ? this.bottom + LANE_PX / 4 : this.row(power);
  }

  private row(power: number): number {
    return this.bottom - ((power - FLOOR) / (this.high - FLOOR)) * (this.bottom - this.top);
  }

  drawn(): SVGElement[] {
    return [...this.decades(), ...this.lane(), ...this.limits(), ...this.hours()];
  }

  private decades(): SVGElement[] {
    const every = Math.ceil((ROW_PX * (this.high - FLOOR)) / (this.bottom - this.top));
    const drawn: SVGElement[] = [text("at", 0, 12, "start", "Probability of a collision")];
    for (let power = this.high; power >= FLOOR; power -= every) {
      const y = this.row(power);
      drawn.push(line("rule", this.left, y, this.right, y), text("at", this.left - 7, y + 4, "end", probabilityTick(10 ** power)));
    }
    return drawn;
  }

  private lane(): SVGElement[] {
    const { left, right, bottom, floor } = this;
    return [
      svg("rect", { class: "lower", x: left, y: bottom, width: right - left, height: floor - bottom }),
      text("at", left - 7, bottom + 20, "end", "less"),
      text("at", left - 7, floor - 5, "end", "unknown"),
    ];
  }

  private limits(): SVGElement[] {
    return Object.entries(PROBABILITY_LIMITS as Record<NearLevel, number>).flatMap(([level, limit]) => {
      const y = this.row(Math.log10(limit));
      return [line(`limit ${level}`, this.left, y, this.right, y), text(`limit ${level}`, this.right + 5, y + 4, "start", level)];
    });
  }

  private hours(): SVGElement[] {
    const minutes = (this.span.to - this.span.from) / MINUTE_MS;
    const most = Math.max(1, Math.floor((this.right - this.left) / TICK_PX));
    const step = MINUTE_MS * (STEPS_MIN.find((one) => minutes / one <= most) ?? minutes);
    const drawn: SVGElement[] = [];
    for (let k = Math.ceil((this.span.from - this.now) / step); this.now + k * step <= this.span.to; k += 1) {
      const time = this.now + k * step;
      const x = this.x(time);
      // The first and the last reach no further than the picture.
      const middle = Math.min(Math.max(x, TICK_PX / 2), this.width - TICK_PX / 2);
      drawn.push(
        line("rule", x, this.top, x, this.floor),
        text("at ahead", middle, this.floor + 16, "middle", k ? ahead((k * step) / MINUTE_MS) : this.start),
        text("at", middle, this.floor + 31, "middle", utc(time, false).slice(5)),
      );
    }
    return drawn;
  }
}

function ahead(minutes: number): string {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  if (!hours) return `${rest} min`;
  if (rest) return `${hours} h ${String(rest).padStart(2, "0")}`;
  return hours % 24 ? `${hours} h` : `${hours / 24} d`;
}

export const line = (kind: string, x1: number, y1: number, x2: number, y2: number): SVGElement => svg("line", { class: kind, x1, y1, x2, y2 });

export const text = (kind: string, x: number, y: number, anchor: string, words: string): SVGElement =>
  svg("text", { class: kind, x, y, "text-anchor": anchor }, words);
