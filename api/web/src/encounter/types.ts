// The encounter in space, as the service answers it: in the primary's RTN at TCA, whose axes stand still.
import type { Geometry } from "../types";

export type Vector = readonly [number, number, number]; // radial, in-track, cross-track
export type Matrix = readonly [Vector, Vector, Vector];

export interface RelativePath {
  seconds_from_tca: number[];
  radial_m: (number | null)[];
  in_track_m: (number | null)[];
  cross_track_m: (number | null)[];
}

export interface EncounterRtn {
  secondary_m: Vector;
  relative_velocity_m_s: Vector;
  primary_velocity_m_s: Vector; // the secondary's is the sum of both
  x_axis: Vector | null;
  y_axis: Vector | null;
  z_axis: Vector | null;
  covariance_primary_m2: Matrix | null;
  covariance_secondary_m2: Matrix | null;
  covariance_combined_m2: Matrix | null;
  path: RelativePath | null;
}

export type GeometryInSpace = Geometry & { encounter_rtn?: EncounterRtn | null };

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
