"""One encounter as drawn: the encounter plane with fixed axes, the miss, and its uncertainty.

y points up, along the primary's radial as seen in the plane. x points right, and x, y and the relative
velocity (of the secondary as seen from the primary) are right-handed in this order: the secondary comes out
of the picture. The primary is at the origin.
"""

from typing import NamedTuple

import numpy as np

from screening.orbits.timegrid import FloatArray
from screening.risk.geometry.encounter_plane import principal, radial_and_normal


class Spread(NamedTuple):
    """A position covariance seen in the plane: the 1-sigma ellipse."""

    xx_m2: float
    xy_m2: float
    yy_m2: float
    sigma_major_m: float
    sigma_minor_m: float  # NaN where the covariance is not positive definite
    major_axis_deg: float  # from x towards y, (-90, 90]


class PlaneView(NamedTuple):
    """One encounter seen along its relative velocity; secondary minus primary."""

    axes_teme: FloatArray  # (3, 3) unit vectors: x, y, along the relative velocity
    miss_x_m: float
    miss_y_m: float
    miss_along_m: float  # along the relative velocity: 0 at an exact TCA
    primary: Spread | None
    secondary: Spread | None
    combined: Spread | None  # of the relative position: the sum of both
    miss_sigmas: float | None  # Mahalanobis length of the miss in the plane


def plane_view(
    primary_teme_m: FloatArray,
    secondary_teme_m: FloatArray,
    covariances_m2: tuple[FloatArray, FloatArray] | None,
) -> PlaneView | None:
    """Project an encounter along its relative velocity.

    States (6,) in m and m/s at TCA; position covariances (3, 3) of primary and secondary in the frame of the
    states, None if there are none. Without relative motion there is no plane: None.
    """
    relative = secondary_teme_m - primary_teme_m
    speed = np.linalg.norm(relative[3:])
    if not speed > 0:
        return None
    along = relative[3:] / speed
    radial, normal = radial_and_normal(primary_teme_m[np.newaxis, :3].copy(), along[np.newaxis])
    axes = np.stack([-normal[0], radial[0], along])
    x, y, rest = (float(part) for part in axes @ relative[:3])
    if covariances_m2 is None:
        return PlaneView(axes, x, y, rest, None, None, None, None)
    first, second = covariances_m2
    combined = _spread(axes, first + second)
    return PlaneView(
        axes,
        x,
        y,
        rest,
        primary=_spread(axes, first),
        secondary=_spread(axes, second),
        combined=combined,
        miss_sigmas=_sigmas(x, y, combined),
    )


def _spread(axes: FloatArray, covariance_m2: FloatArray) -> Spread:
    projected = axes[:2] @ covariance_m2 @ axes[:2].T
    with np.errstate(invalid="ignore"):  # zeros, for an object that is known exactly
        larger, smaller, angle = (float(values[0]) for values in principal(projected[np.newaxis]))
    return Spread(
        xx_m2=float(projected[0, 0]),
        xy_m2=float(projected[0, 1]),
        yy_m2=float(projected[1, 1]),
        sigma_major_m=float(np.sqrt(larger)),
        sigma_minor_m=float(np.sqrt(smaller)) if smaller > 0 else (0.0 if larger == 0 else np.nan),
        major_axis_deg=float(np.degrees(angle)),
    )


def _sigmas(x_m: float, y_m: float, spread: Spread) -> float:
    turn = np.radians(spread.major_axis_deg)
    major = x_m * np.cos(turn) + y_m * np.sin(turn)
    minor = y_m * np.cos(turn) - x_m * np.sin(turn)
    return float(np.hypot(major / spread.sigma_major_m, minor / spread.sigma_minor_m))
