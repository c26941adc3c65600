// The two frames around a time: which are loaded, and when.
import { body, pauseForOthers_ms, request } from "../api";
import { ahead } from "./ahead";
import { decode, type Frame, POSITIONS } from "./frame";

const KEPT = 8;
const AGAIN_MS = 10_000;

async function load(time: number, signal: AbortSignal): Promise<Frame> {
  const at = new Date(time).toISOString();
  const answer = await request(`positions?at=${encodeURIComponent(at)}`, { accept: POSITIONS, signal });
  return decode(await body(answer.arrayBuffer(), signal));
}

// Frames at multiples of a step from the start of the window, and at its end; a time lies between two of them.
// None lies outside what the bar shows: far from the run's window the service has no positions. One is requested at
// a time, and unneeded requests are cancelled: however the time is moved, the service has little to do.
export class Frames {
  private readonly here = new Map<number, Frame>();
  private estimate: { from: Frame; frame: Frame } | null = null;
  private asked: { time: number; stop: AbortController } | null = null;
  private notBefore_ms = 0;
  incomplete = false; // the second of the frames last asked for is computed, not the service's

  constructor(
    private start: number,
    private end: number,
    private readonly failed: (error: unknown) => void,
  ) {}

  // The two frames around a time, if the first is loaded; the second is computed until it is. `ask` requests missing
  // ones, and the next if `playing`.
  around(time: number, step_ms: number, playing: boolean, ask: boolean): [Frame, Frame] | null {
    const last = Math.max(0, Math.ceil((this.end - this.start) / step_ms) - 1); // the step that contains the end
    const before = this.start + Math.min(last, Math.max(0, Math.floor((time - this.start) / step_ms))) * step_ms;
    const after = Math.min(before + step_ms, this.end);
    const wanted = [before, after];
    const [first, second] = wanted.map((t) => this.here.get(t));
    this.incomplete = first !== undefined && second === undefined;
    const pair: [Frame, Frame] | null = first ? [first, second ?? this.estimated(first, after)] : null;
    if (second && playing && after < this.end) wanted.push(Math.min(after + step_ms, this.end));
    if (this.asked && !wanted.includes(this.asked.time)) this.giveUp();
    if (ask && !this.asked && Date.now() >= this.notBefore_ms) this.next(wanted);
    return pair;
  }

  private estimated(first: Frame, time: number): Frame {
    if (this.estimate?.from !== first || this.estimate.frame.time !== time) this.estimate = { from: first, frame: ahead(first, time) };
    return this.estimate.frame;
  }

  // Farther ahead, by the same steps.
  reachTo(end: number): void {
    this.end = end;
  }

  // For a new run.
  begin(start: number, end: number): void {
    this.giveUp();
    Object.assign(this, { start, end });
    this.here.clear();
  }

  // How long until the next can be requested, ms.
  get pause_ms(): number {
    return this.asked ? 0 : Math.max(this.notBefore_ms - Date.now(), 0);
  }

  giveUp(): void {
    this.asked?.stop.abort();
    this.asked = null;
  }

  private next(wanted: number[]): void {
    const time = wanted.find((t) => !this.here.has(t));
    if (time === undefined) return;
    const pause_ms = pauseForOthers_ms();
    this.notBefore_ms = Date.now() + pause_ms;
    if (pause_ms > 0) return;
    const asked = { time, stop: new AbortController() };
    this.asked = asked;
    load(time, asked.stop.signal).then(
      (frame) => this.asked === asked && this.keep(time, frame),
      (error: unknown) => {
        if (this.asked !== asked) return;
        this.asked = null;
        this.notBefore_ms = Date.now() + AGAIN_MS; // not in every picture
        this.failed(error);
      },
    );
  }

  private keep(time: number, frame: Frame): void {
    this.asked = null;
    this.here.set(time, frame);
    for (const old of [...this.here.keys()].slice(0, -KEPT)) this.here.delete(old);
  }
}

// The second frame in the order of the first; an object missing in it continues straight on.
export function aligned(first: Frame, second: Frame): { r: Float32Array; v: Float32Array } {
  const same = first.count === second.count && first.norad_id.every((id, i) => id === second.norad_id[i]);
  if (same) return { r: second.r_itrf_km, v: second.v_itrf_km_s };
  const seconds = (second.time - first.time) / 1000;
  const place = new Map<number, number>();
  second.norad_id.forEach((id, i) => place.set(id, i));
  const r = new Float32Array(3 * first.count);
  const v = new Float32Array(3 * first.count);
  for (let i = 0; i < first.count; i += 1) {
    const j = place.get(first.norad_id[i] as number);
    for (let axis = 0; axis < 3; axis += 1) {
      const from = 3 * i + axis;
      v[from] = j === undefined ? (first.v_itrf_km_s[from] as number) : (second.v_itrf_km_s[3 * j + axis] as number);
      r[from] = j === undefined ? (first.r_itrf_km[from] as number) + seconds * (first.v_itrf_km_s[from] as number) : (second.r_itrf_km[3 * j + axis] as number);
    }
  }
  return { r, v };
}
