// Numbers beside the pictures of an event, as reports write them (storage/rows/words/numbers.py).
import { fixed, odds } from "../format";

export const latitude = (value: number): string => `${fixed(Math.abs(value), 1)}° ${value >= 0 ? "N" : "S"}`;
export const longitude = (value: number): string => `${fixed(Math.abs(value), 1)}° ${value >= 0 ? "E" : "W"}`;

// "1 in 7,960", or why not.
export const chances = (value: number | null): string => odds(value) || (value === null ? "not defined" : value > 0.5 ? "above 1 in 2" : "next to none");
