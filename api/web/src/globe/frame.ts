// Positions of all objects at one instant, as the service sends them for pictures.
import { ApiError } from "../api";
import { geodetic } from "./places";

export const POSITIONS = "application/vnd.skysieve.positions";

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

interface Header {
  timestamp: string;
  count: number;
  omitted: number;
  columns: { name: string; type: string; per_object: number }[];
}

interface Columns {
  norad_id_step: Uint32Array; // from the number before
  r_itrf_steps: Int16Array; // three an object, each 2**exponent km
  v_itrf_steps: Int16Array;
  r_exponent: Int8Array;
  v_exponent: Int8Array;
  risk: Uint8Array;
}

const MAGIC = "SKYPOS1\n";
const KINDS = { u1: Uint8Array, i1: Int8Array, i2: Int16Array, u4: Uint32Array } as const;

const wrong = (why: string): ApiError => new ApiError(200, "Unreadable positions", `The positions cannot be read: ${why}.`);

export function decode(buffer: ArrayBuffer): Frame {
  const text = new TextDecoder();
  if (buffer.byteLength < 12 || text.decode(buffer.slice(0, 8)) !== MAGIC) throw wrong("their format is unknown");
  const length = new DataView(buffer).getUint32(8, true);
  const header = JSON.parse(text.decode(buffer.slice(12, 12 + length))) as Header;
  const columns: Record<string, ArrayBufferView> = {};
  let offset = 12 + length;
  for (const { name, type, per_object } of header.columns) {
    const kind = KINDS[type as keyof typeof KINDS];
    if (!kind || offset + header.count * per_object * kind.BYTES_PER_ELEMENT > buffer.byteLength) throw wrong(`${name} is cut off`);
    columns[name] = new kind(buffer, offset, header.count * per_object);
    offset += header.count * per_object * kind.BYTES_PER_ELEMENT;
  }
  const { norad_id_step, r_itrf_steps, r_exponent, v_itrf_steps, v_exponent, risk } = columns as unknown as Columns;
  const r_itrf_km = scaled(r_itrf_steps, r_exponent);
  return {
    time: Date.parse(header.timestamp),
    count: header.count,
    omitted: header.omitted,
    norad_id: summed(norad_id_step),
    r_itrf_km,
    v_itrf_km_s: scaled(v_itrf_steps, v_exponent),
    altitude_km: altitudes(r_itrf_km),
    risk,
  };
}

const scaled = (steps: Int16Array, exponents: Int8Array): Float32Array =>
  Float32Array.from(steps, (step, i) => step * 2 ** (exponents[Math.floor(i / 3)] as number));

function summed(steps: Uint32Array): Uint32Array {
  let sum = 0;
  return steps.map((step) => (sum += step));
}

function altitudes(r_itrf_km: Float32Array): Float32Array {
  const found = new Float32Array(r_itrf_km.length / 3);
  for (let i = 0; i < found.length; i += 1) {
    found[i] = geodetic(r_itrf_km[3 * i] as number, r_itrf_km[3 * i + 1] as number, r_itrf_km[3 * i + 2] as number).altitude_km;
  }
  return found;
}
