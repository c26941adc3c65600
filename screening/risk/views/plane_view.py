"""One encounter as drawn: the encounter plane with fixed axes, the miss, and its uncertainty.

y points up, along the primary's radial as seen in the plane. x points right, and x, y and the relative
velocity (of the secondary as seen from the primary) are right-handed in this order: the secondary comes out
of the picture. The primary is at the origin.
"""

import numpy as np

from screening.orbits.timegrid import FloatArray
from screening.risk.geometry.encounter_plane import principal, radial_and_normal
from screening.risk.geometry.rtn import rtn_covariance_to_inertial
from screening.risk.views.shapes import PlaneView, Spread

X_AXIS = "right: in the plane, perpendicular to the y axis; x, y and the relative velocity are right-handed"
Y_AXIS = "up: the primary's radial direction, away from the Earth, as seen in the plane"


def plane_view(
    primary_teme_m: FloatArray,
    secondary_teme_m: FloatArray,
    covariances_m2: tuple[FloatArray, FloatArray] | None,
    hard_body: tuple[float | None, str | None] = (None, None),
) -> PlaneView | None:
    """Project an encounter along its relative velocity.

    States (6,) in m and m/s at TCA; position covariances (3, 3) of primary and secondary in the frame of the
    states, None if there are none; the combined hard-body radius in m and its source. Without relative motion
    there is no plane: None.
    """
    relative = secondary_teme_m - primary_teme_m
    speed = np.linalg.norm(relative[3:])
    if not speed > 0:
        return None
    along = relative[3:] / speed
    radial, normal = radial_and_normal(primary_teme_m[np.newaxis, :3].copy(), along[np.newaxis])
    axes = np.stack([-normal[0], radial[0], along])
    x, y, rest = (float(part) for part in axes @ relative[:3])
    spreads: tuple[Spread | None, Spread | None, Spread | None] = (None, None, None)
    sigmas = None
    if covariances_m2 is not None:
        first, second = covariances_m2
        combined = _spread(axes, first + second)
        spreads, sigmas = (_spread(axes, first), _spread(axes, second), combined), _sigmas(x, y, combined)
    x_teme, y_teme, z_teme = axes
    return PlaneView(X_AXIS, Y_AXIS, x_teme, y_teme, z_teme, x, y, rest, sigmas, *hard_body, *spreads)


def covariance_teme_m2(
    r_teme_km: FloatArray, v_teme_km_s: FloatArray, sigma_rtn_m: FloatArray, correlations: FloatArray
) -> FloatArray:
    """Return a position covariance (3, 3), m^2, in the frame of its object's state.

    `sigma_rtn_m` (3,) along the object's own R, T, N; `correlations` (3,) of RT, RN, TN.
    """
    errors = sigma_rtn_m
    if correlations.any():
        together = np.eye(3)
        rows, columns = np.triu_indices(3, 1)
        together[rows, columns] = together[columns, rows] = correlations
        errors = together * np.outer(sigma_rtn_m, sigma_rtn_m)
    turned: FloatArray = rtn_covariance_to_inertial(
        errors[np.newaxis], r_teme_km[np.newaxis], v_teme_km_s[np.newaxis]
    )[0]
    return turned


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
