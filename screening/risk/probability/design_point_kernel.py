"""Find the likeliest way in which two objects meet, in the errors of their orbits (a design point).

u (m,) are independent standard normals; orbits are equinoctial elements + spread @ u. The design point is the
u of least norm with which the centres meet (Hasofer & Lind 1974, Exact and invariant second-moment code
format; Rackwitz & Fiessler 1978, Structural reliability under combined random load sequences): Newton's
method with steps of at most 1, the miss being that of the closest approach which belongs to u.
"""

import math

import numpy as np

from screening.kernels import kernel
from screening.risk.geometry.equinoctial_kernel import derive_place, ellipse_of, place_on

CONVERGED, NO_ELLIPSE, NO_MOTION, NO_CONVERGENCE, MEET_TOO_LONG, NO_SPREAD = range(6)

_STEPS = 60
_LONGEST_STEP = 1.0  # sigmas
_TOLERANCE = 1e-6  # sigmas
_LEAST_DETERMINANT = 1e-15  # of the product of both variances: less is rounding
_APPROACH_STEPS = 12
_APPROACH_TOLERANCE_S = 1e-7
_LONGEST_APPROACH_STEP = 0.1  # rad of mean motion: further away relative motion is not straight


@kernel
def design_point(elements, axes, spread, seconds, reach, u, found):  # type: ignore[no-untyped-def]
    """Move `u` (m,) to a design point, and fill what is linear there.

    elements (2, 6) and axes (2, 3, 3), rows RTN in one inertial frame, of the primary and the secondary,
    spread (2, 6, m); the first approach is sought from `seconds`, counted from TCA, and a point no farther
    than `reach` sigmas. found (8,): the mean of the miss in the plane normal to the relative velocity at the
    design point (2), its covariance there, xx, xy, yy (3), m and m^2; seconds from TCA; the standard
    deviation of the time at which the objects meet there, as an angle of mean motion, rad; relative speed,
    m/s. Returns CONVERGED, or why there is none.
    """
    count = u.shape[0]
    miss, velocity, gradient = np.empty(3), np.empty(3), np.empty((3, count))
    across = np.empty((2, 3))
    in_plane, step = np.empty((2, count)), np.empty(count)
    for _ in range(_STEPS):
        state, seconds = closest_approach(elements, axes, spread, u, seconds, miss, velocity, gradient)
        if state != CONVERGED:
            return state
        plane_axes(velocity, across)
        _project(across, gradient, in_plane)
        xx, xy, yy = _products(in_plane)
        x, y = _linear_miss(across, in_plane, miss, u)
        change = _step_to_least(in_plane, xx, xy, yy, x, y, u, step)
        if not change < np.inf:
            return NO_SPREAD
        if change < _TOLERANCE:
            # x, y is how far the miss, linear here, has come from its value at u = 0.
            found[0], found[1], found[2], found[3], found[4] = -x, -y, xx, xy, yy
            found[5] = seconds
            found[6] = elements[0, 0] * _meeting_time_sigma_s(velocity, gradient, in_plane, xx, xy, yy)
            found[7] = math.sqrt(velocity[0] ** 2 + velocity[1] ** 2 + velocity[2] ** 2)
            return CONVERGED
        u += min(1.0, _LONGEST_STEP / change) * step
        if (u * u).sum() > reach * reach:
            return NO_CONVERGENCE
    return NO_CONVERGENCE


@kernel
def _linear_miss(across, in_plane, miss, u):  # type: ignore[no-untyped-def]
    """Return in the plane minus the miss that is left at u = 0, linear at u: B u - miss."""
    x, y = 0.0, 0.0
    for i in range(3):
        x -= across[0, i] * miss[i]
        y -= across[1, i] * miss[i]
    for j in range(len(u)):
        x += in_plane[0, j] * u[j]
        y += in_plane[1, j] * u[j]
    return x, y


@kernel
def _step_to_least(in_plane, xx, xy, yy, x, y, u, step):  # type: ignore[no-untyped-def]
    """Fill `step` (m,) to the least u with which the linear miss vanishes; returns its length, maybe NaN.

    That is B' (B B')^-1 (B u - miss).
    """
    determinant = xx * yy - xy * xy
    if not determinant > _LEAST_DETERMINANT * xx * yy:
        return np.nan
    first, second = (yy * x - xy * y) / determinant, (xx * y - xy * x) / determinant
    for j in range(len(u)):
        step[j] = in_plane[0, j] * first + in_plane[1, j] * second - u[j]
    return math.sqrt((step * step).sum())


@kernel
def closest_approach(  # type: ignore[no-untyped-def]
    elements, axes, spread, u, seconds, miss, velocity, gradient
):
    """Fill miss, relative velocity (3,) and the miss' derivatives (3, m) to u at the closest approach.

    Newton's method from `seconds`. Returns CONVERGED, NO_ELLIPSE or NO_MOTION, and the time.
    """
    longest = _LONGEST_APPROACH_STEP / elements[0, 0]
    moved = np.empty((2, 6))
    _move(elements, spread, u, moved)
    exist, ellipses = both_ellipses(moved)
    if not exist:
        return NO_ELLIPSE, seconds
    for _ in range(_APPROACH_STEPS):
        at_s = seconds
        longitudes = relative_state(ellipses, axes, at_s, miss, velocity)
        speed2, approach = 0.0, 0.0
        for i in range(3):
            speed2 += velocity[i] * velocity[i]
            approach -= velocity[i] * miss[i]
        if not speed2 > 0.0:
            return NO_MOTION, seconds
        step = min(max(approach / speed2, -longest), longest)
        if abs(step) < _APPROACH_TOLERANCE_S:
            break
        seconds += step
    _derive(ellipses, axes, spread, at_s, longitudes, gradient)
    return CONVERGED, seconds


@kernel
def relative_motion(  # type: ignore[no-untyped-def]
    elements, axes, spread, u, seconds, miss, velocity, gradient
):
    """Fill position and velocity (3,) of the secondary from the primary, and d position / d u (3, m).

    Returns False if an orbit is not an ellipse.
    """
    moved = np.empty((2, 6))
    _move(elements, spread, u, moved)
    exist, ellipses = both_ellipses(moved)
    if exist:
        longitudes = relative_state(ellipses, axes, seconds, miss, velocity)
        _derive(ellipses, axes, spread, seconds, longitudes, gradient)
    return exist


@kernel
def _move(elements, spread, u, moved):  # type: ignore[no-untyped-def]
    """Fill the elements (2, 6) of both orbits with these errors."""
    for which in range(2):
        for i in range(6):
            total = elements[which, i]
            for j in range(len(u)):
                total += spread[which, i, j] * u[j]
            moved[which, i] = total


@kernel
def both_ellipses(moved):  # type: ignore[no-untyped-def]
    """Return whether both orbits (2, 6) are ellipses, and these, as of `ellipse_of`."""
    first, primary = ellipse_of(moved[0])
    second, secondary = ellipse_of(moved[1])
    return first and second, (primary, secondary)


@kernel
def relative_state(ellipses, axes, seconds, position, velocity):  # type: ignore[no-untyped-def]
    """Fill position and velocity (3,) of the secondary from the primary; return both longitudes."""
    place, speed, of_primary = place_on(ellipses[0], seconds)
    other_place, other_speed, of_secondary = place_on(ellipses[1], seconds)
    for i in range(3):
        r, v = 0.0, 0.0
        for k in range(3):
            r -= axes[0, k, i] * place[k]
            v -= axes[0, k, i] * speed[k]
        for k in range(3):
            r += axes[1, k, i] * other_place[k]
            v += axes[1, k, i] * other_speed[k]
        position[i], velocity[i] = r, v
    return of_primary, of_secondary


@kernel
def _derive(ellipses, axes, spread, seconds, longitudes, gradient):  # type: ignore[no-untyped-def]
    """Fill the derivatives (3, m) of the relative position, from what `relative_state` returned."""
    partials, turned = np.empty((2, 3, 6)), np.empty(6)
    derive_place(ellipses[0], seconds, longitudes[0], partials[0])
    derive_place(ellipses[1], seconds, longitudes[1], partials[1])
    gradient[:, :] = 0.0
    for which in range(2):
        sign = 2.0 * which - 1.0
        for i in range(3):
            for k in range(6):
                total = 0.0
                for a in range(3):
                    total += axes[which, a, i] * partials[which, a, k]
                turned[k] = sign * total
            for j in range(gradient.shape[1]):
                total = gradient[i, j]
                for k in range(6):
                    total += turned[k] * spread[which, k, j]
                gradient[i, j] = total


@kernel
def plane_axes(velocity, across):  # type: ignore[no-untyped-def]
    """Fill two unit vectors (2, 3) normal to a velocity and to each other."""
    x, y, z = velocity[0], velocity[1], velocity[2]
    least = 0
    for i in range(1, 3):
        if abs(velocity[i]) < abs(velocity[least]):
            least = i
    across[0, :] = 0.0
    across[0, least] = 1.0
    speed2 = x * x + y * y + z * z
    along = velocity[least] / speed2
    length = math.sqrt(1.0 - velocity[least] * along)
    for i in range(3):
        across[0, i] = (across[0, i] - along * velocity[i]) / length
    speed = math.sqrt(speed2)
    across[1, 0] = (y * across[0, 2] - z * across[0, 1]) / speed
    across[1, 1] = (z * across[0, 0] - x * across[0, 2]) / speed
    across[1, 2] = (x * across[0, 1] - y * across[0, 0]) / speed


@kernel
def _project(across, gradient, in_plane):  # type: ignore[no-untyped-def]
    for i in range(2):
        for j in range(gradient.shape[1]):
            in_plane[i, j] = (
                across[i, 0] * gradient[0, j] + across[i, 1] * gradient[1, j] + across[i, 2] * gradient[2, j]
            )


@kernel
def _products(in_plane):  # type: ignore[no-untyped-def]
    xx, xy, yy = 0.0, 0.0, 0.0
    for j in range(in_plane.shape[1]):
        xx += in_plane[0, j] * in_plane[0, j]
        xy += in_plane[0, j] * in_plane[1, j]
        yy += in_plane[1, j] * in_plane[1, j]
    return xx, xy, yy


@kernel
def _meeting_time_sigma_s(velocity, gradient, in_plane, xx, xy, yy):  # type: ignore[no-untyped-def]
    """Return the standard deviation of the time at which the objects meet, given that they do."""
    speed2 = velocity[0] ** 2 + velocity[1] ** 2 + velocity[2] ** 2
    square, first, second = 0.0, 0.0, 0.0
    for j in range(gradient.shape[1]):
        along = velocity[0] * gradient[0, j] + velocity[1] * gradient[1, j] + velocity[2] * gradient[2, j]
        square += along * along
        first += along * in_plane[0, j]
        second += along * in_plane[1, j]
    explained = (yy * first * first - 2.0 * xy * first * second + xx * second * second) / (xx * yy - xy * xy)
    return math.sqrt(max(square - explained, 0.0)) / speed2
