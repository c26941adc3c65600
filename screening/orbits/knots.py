"""The continuous curve of each object: quintic Hermite polynomials between SGP4 states.

A knot is an SGP4 state on a grid of 600 s. Between two knots each coordinate is the polynomial of degree 5
that has the position, the velocity and the modelled acceleration of both (Hermite 1878). In an interval the
parameter `s` runs from 0 to 1 and `coefficients[object, power, axis]` belongs to `s**power`.
"""

import numpy as np
from numba import njit

from screening.orbits.gravity import acceleration_km_s2
from screening.orbits.timegrid import FloatArray

KNOT_STEP_S = 600.0
POWERS = 6


@njit(cache=True, error_model="numpy", nogil=True)
def hermite_coefficients(
    r0_km: FloatArray, v0_km_s: FloatArray, r1_km: FloatArray, v1_km_s: FloatArray, out: FloatArray
) -> None:
    """Fill `out` (n, 6, 3), km, from the states (3, n) at both ends of an interval of 600 s."""
    h = KNOT_STEP_S
    half_h2 = 0.5 * h * h
    for i in range(r0_km.shape[1]):
        a0 = acceleration_km_s2(r0_km[0, i], r0_km[1, i], r0_km[2, i])
        a1 = acceleration_km_s2(r1_km[0, i], r1_km[1, i], r1_km[2, i])
        for axis in range(3):
            p0 = r0_km[axis, i]
            p1 = v0_km_s[axis, i] * h
            p2 = half_h2 * a0[axis]
            # What position, velocity and acceleration still lack at s = 1.
            position = r1_km[axis, i] - p0 - p1 - p2
            velocity = v1_km_s[axis, i] * h - p1 - 2.0 * p2
            curvature = half_h2 * a1[axis] - p2
            out[i, 0, axis] = p0
            out[i, 1, axis] = p1
            out[i, 2, axis] = p2
            out[i, 3, axis] = 10.0 * position - 4.0 * velocity + curvature
            out[i, 4, axis] = -15.0 * position + 7.0 * velocity - 2.0 * curvature
            out[i, 5, axis] = 6.0 * position - 3.0 * velocity + curvature


@njit(cache=True, error_model="numpy", inline="always")
def position_along(c: FloatArray, axis: int, s: float) -> float:
    """Return one coordinate, km, of the curve with coefficients `c` (6, 3) at `s`."""
    high = c[3, axis] + s * (c[4, axis] + s * c[5, axis])
    return float(c[0, axis] + s * (c[1, axis] + s * (c[2, axis] + s * high)))


@njit(cache=True, error_model="numpy", inline="always")
def velocity_along(c: FloatArray, axis: int, s: float) -> float:
    """Return the derivative of one coordinate by `s`, km, of the curve with coefficients `c` (6, 3)."""
    high = 3.0 * c[3, axis] + s * (4.0 * c[4, axis] + s * (5.0 * c[5, axis]))
    return float(c[1, axis] + s * (2.0 * c[2, axis] + s * high))


@njit(cache=True, error_model="numpy", inline="always")
def acceleration_along(c: FloatArray, axis: int, s: float) -> float:
    """Return the second derivative of one coordinate by `s`, km, of the curve with coefficients `c`."""
    return float(
        2.0 * c[2, axis] + s * (6.0 * c[3, axis] + s * (12.0 * c[4, axis] + s * (20.0 * c[5, axis])))
    )


@njit(cache=True, error_model="numpy", nogil=True)
def interpolate_km(coefficients: FloatArray, s: float) -> FloatArray:
    """Evaluate all curves (n, 6, 3) at `s`; returns positions (3, n) in km."""
    out = np.empty((3, coefficients.shape[0]))
    for i in range(coefficients.shape[0]):
        for axis in range(3):
            out[axis, i] = position_along(coefficients[i], axis, s)
    return out
