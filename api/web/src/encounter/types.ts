// The encounter in space, in the primary's RTN at TCA, whose axes stand still.
import type { Names } from "../format";
import type { EncounterRtn as Sent } from "../generated";

export type { RelativePath } from "../generated";
export type EncounterRtn = Sent & { names: Names };

export type Vector = readonly [number, number, number]; // radial, in-track, cross-track
export type Matrix = readonly [Vector, Vector, Vector];

// An ellipsoid of 1 sigma; a row of `axes` is the direction of a semi-axis.
export interface Ellipsoid {
  semi_axes_m: Vector;
  axes: Matrix;
}

export interface Radii {
  primary: number | null;
  secondary: number | null;
  combined: number | null;
}

// What the user chose to see.
export interface Shown {
  seconds: number;
  sigma: number;
  reach_m: number; // from the middle of the picture to its nearer edge
  around: "primary" | "secondary";
  sheet: boolean;
  explained: boolean; // what the probability is
}
