// Positions of all objects at one instant, as the service sends them in binary, and the two frames around a time.
import { ApiError, request } from "../api";

export interface Frame {
  time: number; // ms
  count: number;
  omitted: number;
  norad_id: Uint32Array;
  r_itrf_km: Float32Array; // three an object
  v_itrf_km_s: Float32Array;
  altitude_km: Float32Array;
  risk: Uint8Array; // position in RISKS
}

const MAGIC = "SKYPOS1\n";
const KEPT = 8;

interface Header {
  timestamp: string;
  count: number;
  omitted: number;
  columns: { name: string; type: string; per_object: number }[];
}

const KINDS = { u1: Uint8Array, u4: Uint32Array, f4: Float32Array } as const;

export function decode(buffer: ArrayBuffer): Frame {
  const text = new TextDecoder();
  const wrong = (why: string): ApiError => new ApiError(200, "Unreadable positions", `The positions cannot be read: ${why}.`);
  if (buffer.byteLength < 12 || text.decode(buffer.slice(0, 8)) !== MAGIC) throw wrong("they are of another format");
  const length = new DataView(buffer).getUint32(8, true);
  const header = JSON.parse(text.decode(buffer.slice(12, 12 + length))) as Header;
  const columns: Record<string, Uint8Array | Uint32Array | Float32Array> = {};
  let offset = 12 + length;
  for (const { name, type, per_object } of header.columns) {
    const kind = KINDS[type as keyof typeof KINDS];
    if (!kind || offset + header.count * per_object * kind.BYTES_PER_ELEMENT > buffer.byteLength) throw wrong(`${name} is cut off`);
    columns[name] = new kind(buffer, offset, header.count * per_object);
    offset += header.count * per_object * kind.BYTES_PER_ELEMENT;
  }
  return { ...(columns as unknown as Frame), time: Date.parse(header.timestamp), count: header.count, omitted: header.omitted };
}

async function load(time: number): Promise<Frame> {
  const at = new Date(time).toISOString();
  const answer = await request(`positions?at=${encodeURIComponent(at)}`, { accept: "application/octet-stream" });
  return decode(await answer.arrayBuffer());
}

// Frames at multiples of `step` from the start of the window; a time lies between two of them.
export class Frames {
  private readonly kept = new Map<number, Promise<Frame>>();
  private readonly here = new Map<number, Frame>();

  constructor(
    private readonly start: number,
    private readonly failed: (error: unknown) => void,
  ) {}

  // The two frames around a time, if both are there; what is missing is asked for.
  around(time: number, step_ms: number, ahead: boolean): [Frame, Frame] | null {
    const before = this.start + Math.floor((time - this.start) / step_ms) * step_ms;
    const pair = [before, before + step_ms].map((t) => this.get(t));
    if (ahead && pair[0] && pair[1]) this.get(before + 2 * step_ms);
    return pair[0] && pair[1] ? [pair[0], pair[1]] : null;
  }

  clear(): void {
    this.kept.clear();
    this.here.clear();
  }

  private get(time: number): Frame | undefined {
    if (!this.kept.has(time)) {
      const asked = load(time);
      this.kept.set(time, asked);
      asked.then(
        (frame) => this.kept.get(time) === asked && this.here.set(time, frame),
        (error: unknown) => {
          // Asked for again in a while, not in every picture.
          setTimeout(() => this.kept.delete(time), 10_000);
          this.failed(error);
        },
      );
      for (const old of [...this.kept.keys()].slice(0, -KEPT)) {
        this.kept.delete(old);
        this.here.delete(old);
      }
    }
    return this.here.get(time);
  }
}

// The second frame in the order of the first; an object that it lacks goes on straight.
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
