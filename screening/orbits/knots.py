"""The continuous curve of each object: quintic Hermite polynomials between SGP4 states.

A knot is an SGP4 state on a grid of 600 s. Between two knots each coordinate is the polynomial of degree 5
that has the position, the velocity and the modelled acceleration of both (Hermite 1878). In an interval the
parameter `s` runs from 0 to 1 and `coefficients[object, power, axis]` belongs to `s**power`.
"""

from screening.kernels import inlined_kernel, kernel
from screening.orbits.acceleration import acceleration_km_s2
from screening.orbits.timegrid import FloatArray

KNOT_STEP_S = 600.0
POWERS = 6


@inlined_kernel
def quintic(p0, v0, a0, p1, v1, a1):  # type: ignore[no-untyped-def]
    """Return the coefficients of one coordinate from position, velocity and acceleration at both ends."""
    h = KNOT_STEP_S
    c1 = v0 * h
    c2 = 0.5 * h * h * a0
    # What position, velocity and acceleration still lack at s = 1.
    position = p1 - p0 - c1 - c2
    velocity = v1 * h - c1 - 2.0 * c2
    curvature = 0.5 * h * h * a1 - c2
    return (
        p0,
        c1,
        c2,
        10.0 * position - 4.0 * velocity + curvature,
        -15.0 * position + 7.0 * velocity - 2.0 * curvature,
        6.0 * position - 3.0 * velocity + curvature,
    )


@kernel
def hermite_coefficients(
    r0_km: FloatArray, v0_km_s: FloatArray, r1_km: FloatArray, v1_km_s: FloatArray, out: FloatArray
) -> None:
    """Fill `out` (n, 6, 3), km, from the states (3, n) at both ends of an interval of 600 s."""
    for i in range(r0_km.shape[1]):
        hermite_coefficients_of(i, r0_km, v0_km_s, r1_km, v1_km_s, out)


@kernel
def hermite_coefficients_of(
    i: int, r0_km: FloatArray, v0_km_s: FloatArray, r1_km: FloatArray, v1_km_s: FloatArray, out: FloatArray
) -> None:
    """Fill `out[i]` of (n, 6, 3), km, from the states (3, n) at both ends of an interval of 600 s."""
    a0 = acceleration_km_s2(r0_km[0, i], r0_km[1, i], r0_km[2, i])
    a1 = acceleration_km_s2(r1_km[0, i], r1_km[1, i], r1_km[2, i])
    for axis in range(3):
        c0, c1, c2, c3, c4, c5 = quintic(
            r0_km[axis, i], v0_km_s[axis, i], a0[axis], r1_km[axis, i], v1_km_s[axis, i], a1[axis]
        )
        out[i, 0, axis] = c0
        out[i, 1, axis] = c1
        out[i, 2, axis] = c2
        out[i, 3, axis] = c3
        out[i, 4, axis] = c4
        out[i, 5, axis] = c5


@inlined_kernel
def position_along(c: FloatArray, axis: int, s: float) -> float:
    """Return one coordinate, km, of the curve with coefficients `c` (6, 3) at `s`."""
    high = c[3, axis] + s * (c[4, axis] + s * c[5, axis])
    return float(c[0, axis] + s * (c[1, axis] + s * (c[2, axis] + s * high)))


@inlined_kernel
def velocity_along(c: FloatArray, axis: int, s: float) -> float:
    """Return the derivative of one coordinate by `s`, km, of the curve with coefficients `c` (6, 3)."""
    high = 3.0 * c[3, axis] + s * (4.0 * c[4, axis] + s * (5.0 * c[5, axis]))
    return float(c[1, axis] + s * (2.0 * c[2, axis] + s * high))


@inlined_kernel
def acceleration_along(c: FloatArray, axis: int, s: float) -> float:
    """Return the second derivative of one coordinate by `s`, km, of the curve with coefficients `c`."""
    return float(
        2.0 * c[2, axis] + s * (6.0 * c[3, axis] + s * (12.0 * c[4, axis] + s * (20.0 * c[5, axis])))
    )
