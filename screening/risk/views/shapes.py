"""What an event's pictures are drawn from, as the functions beside compute it and the service sends it.

Nothing here imports numba: the service declares these answers when it starts.
"""

import numpy as np

from screening.answers import FloatOrNull, Matrix, Numbers, NumbersOrNull, Vector, answer
from screening.orbits.timegrid import FloatArray
from screening.risk.tiers import Limits

ALIKE = 1.001  # radii within this factor are one mark on a picture


@answer(
    xx_m2=81114.1, xy_m2=-106.8, yy_m2=332468.6, sigma_major_m=576.6, sigma_minor_m=284.8,
    major_axis_deg=-89.98,
)  # fmt: skip
class Spread:
    """A position covariance as seen in the encounter plane; the k-sigma ellipse has k times these axes."""

    xx_m2: float
    """m^2, variance along x."""
    xy_m2: float
    """m^2, covariance of x and y."""
    yy_m2: float
    """m^2, variance along y."""
    sigma_major_m: float
    """m, semi-major axis of the 1-sigma ellipse."""
    sigma_minor_m: FloatOrNull
    """m, its semi-minor axis; null: the covariance is not positive definite."""
    major_axis_deg: float
    """Degrees from the x axis towards the y axis, to the major axis."""


@answer(
    miss_x_m=60.9, miss_y_m=-12.43, miss_along_m=0.0, miss_sigmas=0.215, hard_body_radius_m=6.5,
    hard_body_source="type",
)  # fmt: skip
class PlaneView:
    """The plane normal to the relative velocity at TCA; the primary lies in its origin."""

    x_axis: str
    """The x axis in words."""
    y_axis: str
    """The y axis in words."""
    x_teme: Vector
    """Unit vector of the x axis, TEME."""
    y_teme: Vector
    """Unit vector of the y axis, TEME."""
    z_teme: Vector
    """Unit vector along the relative velocity, TEME: out of the picture."""
    miss_x_m: float
    """m, the secondary at TCA, along x."""
    miss_y_m: float
    """m, the secondary at TCA, along y."""
    miss_along_m: float
    """m, the secondary at TCA, along the relative velocity: 0 unless a slow event lies at the edge of
    the window."""
    miss_sigmas: float | None
    """Mahalanobis distance: the miss in sigmas of the combined covariance."""
    hard_body_radius_m: float | None
    """m, combined: radius of the circle around the origin."""
    hard_body_source: str | None
    """Source of the less certain of the two radii."""
    primary: Spread | None
    """The primary's own covariance."""
    secondary: Spread | None
    """The secondary's own covariance."""
    combined: Spread | None
    """The sum of both, that of the relative position: draw its ellipses around the miss."""

    @property
    def axes_teme(self) -> FloatArray:
        """The unit vectors as rows, (3, 3)."""
        return np.stack([self.x_teme, self.y_teme, self.z_teme])


@answer(probability_2d=1.26e-4, peak_scale=0.151, peak_probability=2.05e-3, diluted=True)
class ScaleCurve:
    """How the collision probability changes when all sigmas are multiplied by k: the dilution curve."""

    scale: Numbers
    """k, ascending, even steps of its logarithm; 1 is among them."""
    probability: Numbers
    """Exact 2-D collision probability at each k."""
    probability_2d: float
    """At k = 1: the data as they are."""
    peak_scale: float
    """k of the largest probability."""
    peak_probability: float
    """The largest probability."""
    diluted: bool
    """The peak lies below k = 1: the data are too poor, and better data could raise the probability."""


@answer(
    hard_body_radius_m=3.0, probability_2d=4.19e-6, mean_shadow_radius_m=2.1, probability_mean_shadow=2.05e-6,
    bounding_radius_m=4.0, probability_bounding=7.4e-6,
)  # fmt: skip
class RadiusCurve:
    """How the collision probability depends on the combined hard-body radius, all else as it is."""

    radius_m: Numbers
    """m, ascending, even steps of its logarithm: 0.05 to 30 m, further if the event's own radius is
    outside."""
    probability: Numbers
    """Exact 2-D collision probability with each radius."""
    hard_body_radius_m: float
    """m, the event's own radius."""
    probability_2d: float
    """With the event's own radius."""
    mean_shadow_radius_m: float | None
    """m, of the spheres with the mean shadows of both; of one without published dimensions the radius it was
    rated with counts; null: neither has any."""
    probability_mean_shadow: float | None
    """With that radius."""
    bounding_radius_m: float | None
    """m, as mean_shadow_radius_m, of the spheres around both."""
    probability_bounding: float | None
    """With that radius: the most that the sizes of both allow."""
    limits: Limits
    """The limits of the levels."""

    @property
    def at_most(self) -> float | None:
        """The probability with the spheres around both; None if these are no larger than the event's own."""
        larger = (self.bounding_radius_m or 0.0) > ALIKE * self.hard_body_radius_m
        return self.probability_bounding if larger else None


@answer()
class RangeCurve:
    """Distance at evenly spaced times, in the primary's RTN at each time; null where there is no path."""

    seconds_from_tca: Numbers
    """s, ascending; the middle one is 0, TCA."""
    range_m: NumbersOrNull
    """m, distance between the two."""
    radial_m: NumbersOrNull
    """m, secondary minus primary, radial."""
    in_track_m: NumbersOrNull
    """m, secondary minus primary, in-track."""
    cross_track_m: NumbersOrNull
    """m, secondary minus primary, cross-track."""


@answer()
class RelativePath:
    """Where the secondary is relative to the primary, along the fixed axes."""

    seconds_from_tca: Numbers
    """s, -5 to 5 in 201 even steps; the middle one is 0, TCA."""
    radial_m: Numbers
    """m, secondary minus primary, radial."""
    in_track_m: Numbers
    """m, secondary minus primary, in-track."""
    cross_track_m: Numbers
    """m, secondary minus primary, cross-track."""


@answer(
    secondary_m=(-12.43, -4.78, -60.71), relative_velocity_m_s=(13.1, -14877.1, 1171.4),
    primary_velocity_m_s=(5.2, 7461.4, 0.0),
)  # fmt: skip
class EncounterRtn:
    """The encounter in the primary's RTN at TCA, axes at rest; vectors are radial, in-track, cross-track."""

    secondary_m: Vector
    """m, the secondary at TCA; the primary is at the origin."""
    relative_velocity_m_s: Vector
    """m/s, secondary minus primary at TCA."""
    primary_velocity_m_s: Vector
    """m/s, the primary's own at TCA, inertial; the secondary's is the sum of both."""
    x_axis: Vector | None
    """Unit vector of the encounter plane's x axis; null: there is no plane."""
    y_axis: Vector | None
    """Unit vector of its y axis."""
    z_axis: Vector | None
    """Unit vector along the relative velocity."""
    covariance_primary_m2: Matrix | None
    """m^2, the primary's position covariance; null: as `encounter_plane.primary`."""
    covariance_secondary_m2: Matrix | None
    """m^2, the secondary's, in the same axes, those of the primary."""
    covariance_combined_m2: Matrix | None
    """m^2, their sum: that of the relative position; it belongs around the secondary."""
    path: RelativePath | None
    """The secondary's path around TCA, on what the event rests on; where that is gone, two-body motion from
    both states. null: one of them is on no closed orbit."""
