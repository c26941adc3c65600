// Every number of an event: its name and the word of the glossary that explains it, format, unit, and what is
// special about it here, as the service declares them.
import { fixed, metres, probability } from "../format";
import { NUMBERS } from "../generated";
import type { Word } from "../words/glossary";

export interface Entry {
  field: string;
  label: string;
  text: (value: number) => string;
  unit: string;
  word: Word | null;
  note: string | null;
}

type Declared = (typeof NUMBERS)[keyof typeof NUMBERS][number];

const FORMATS: Record<Declared["format"], (value: number) => string> = {
  length: metres,
  mass: (value) => (value < 10 ? metres(value) : fixed(value, 0)),
  probability: (value) => probability(value, 3),
  significant: (value) => (value === 0 ? "0" : Math.abs(value) < 1e-3 ? probability(value, 3) : Math.abs(value) >= 100 ? fixed(value, 0) : String(Number(value.toPrecision(3)))),
  tenths: (value) => fixed(value, 1),
  hundredths: (value) => fixed(value, 2),
};

const sentence = (phrase: string): string => `${phrase.charAt(0).toUpperCase()}${phrase.slice(1)}.`;
const entry = ({ field, label, format, note, term, unit }: Declared): Entry => ({ field, label, text: FORMATS[format], unit, word: term, note: note && sentence(note) });

export const APPROACH: readonly Entry[] = NUMBERS.approach.map(entry);
export const PROBABILITIES: readonly Entry[] = NUMBERS.probability.map(entry);
export const OBJECT: readonly Entry[] = NUMBERS.object.map(entry);
export const INTO_EPHEMERIS: readonly Entry[] = OBJECT.map((one) =>
  one.field === "age_hours" ? { ...one, label: "Into the ephemeris", word: "ephemeris", note: "From its first state to TCA; no age of element sets applies." } : one);

export const BASES: Record<string, string> = {
  distance: "the miss distance decided the level",
  probability: "the probability decided the level",
  monte_carlo: "the probability from sampled trajectories decided the level",
  bound: "the largest known probability decided the level",
  claimed: "the probability that the sender claims decided the level",
  maximum: "the largest probability that fits decided the level, because a covariance is missing",
};

// Why there is no probability in a plane, or why it is doubtful.
export const FLAGS: Record<string, Word> = {
  slow: "slow encounter",
  long: "long encounter",
  curved: "curved encounter",
  non_positive_definite: "not positive definite",
};
