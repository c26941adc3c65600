// Numbers in sentences, as the report writes them (api/report/words.py).
import { fixed, odds, probability, utc } from "../format";

const shortMetres = (value: number): string => fixed(value, Math.abs(value) < 1000 ? 1 : 0);

// With its unit: m up to 10 km.
export const distance = (value_m: number): string => (Math.abs(value_m) < 10_000 ? `${shortMetres(value_m)} m` : `${fixed(value_m / 1000, 1)} km`);

// With its unit: m/s up to 1 km/s.
export const speed = (value_m_s: number): string => (value_m_s < 1000 ? `${fixed(value_m_s, 1)} m/s` : `${fixed(value_m_s / 1000, 2)} km/s`);

export const threeDigits = (value: number): string => probability(value, 3);

export const minute = (time: string): string => utc(time, false);

// To the millisecond, rounded: a Date cuts what the service gives to the microsecond.
export function instant(time: string): string {
  const micros = Number((/\.(\d+)/.exec(time)?.[1] ?? "").padEnd(6, "0").slice(0, 6));
  const whole = Date.parse(time.replace(/\.\d+/, ""));
  const text = new Date(whole + Math.floor((micros + 500) / 1000)).toISOString();
  return `${text.slice(0, 10)} ${text.slice(11, 23)}`;
}

export const latitude = (value: number): string => `${fixed(Math.abs(value), 1)}° ${value >= 0 ? "N" : "S"}`;
export const longitude = (value: number): string => `${fixed(Math.abs(value), 1)}° ${value >= 0 ? "E" : "W"}`;

// "1 in 7,960", or why not.
export const chances = (value: number | null): string => odds(value) || (value === null ? "not defined" : value > 0.5 ? "above 1 in 2" : "next to none");
