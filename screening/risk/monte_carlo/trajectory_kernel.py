"""Draw whole trajectories on which two objects touch, and how much of the probability each stands for.

`orbits` are elements (2, 6), axes (2, 3, 3) and spread (2, 6, m) as of `design_point_kernel`.
"""

import math

import numpy as np

from screening.kernels import kernel
from screening.risk.geometry.equinoctial_kernel import position_at
from screening.risk.monte_carlo.dwell_kernel import dwell_time
from screening.risk.monte_carlo.fixed_time_kernel import likeliest_touch, orthonormal_rows, solve_lower
from screening.risk.monte_carlo.random_numbers import begin_sequence, normal, uniform
from screening.risk.monte_carlo.touching_point_kernel import draw_point
from screening.risk.probability.design_point_kernel import relative_motion

LONGEST_GRAZE = 0.1  # of the radius: a chord R / 1000 below the surface is 0.09 R long

_STEPS = 20
_LONGEST_STEP = 3.0  # sigmas
_TOLERANCE = 1e-7  # of the radius


@kernel
def densities(orbits, radius, reach, times, points, logs):  # type: ignore[no-untyped-def]
    """Fill logs (k,) with `likeliest_touch` at times (k,) in order, from points (k, m), which it moves.

    Each is also tried from those before and after it, since Newton's method may fail, or find another one.
    """
    count, last = points.shape[1], len(times) - 1
    motion, rows, u = (
        (np.empty(3), np.empty(3), np.empty((3, count))),
        np.empty((3, count + 3)),
        np.empty(count),
    )
    for k in range(len(times)):
        logs[k] = likeliest_touch(orbits, times[k], radius, reach, points[k], motion, rows)
        if not logs[k] > -np.inf:
            points[k, :] = 0.0
    for backwards in range(2):
        for step in range(1, last + 1):
            k = last - step if backwards else step
            before = k + 1 if backwards else k - 1
            if not logs[before] > -np.inf:
                continue
            u[:] = points[before]
            found = likeliest_touch(orbits, times[k], radius, reach, u, motion, rows)
            if found > logs[k] or np.isnan(logs[k]):
                logs[k] = found
                points[k] = u


@kernel
def draw(orbits, radius, reach, parts, path, seed, weights):  # type: ignore[no-untyped-def]
    """Fill weights (n,) of drawn trajectories, 0 for no hit; their mean is the probability.

    parts: times (k,) that divide the window, the share of the time (k - 1,) drawn between each two, and the
    likeliest errors (k, m) there. path (p, 6) is work space: as many nodes, with cubics between them, does a
    trajectory get. Returns how many points had no trajectory.
    """
    times, shares, points = parts
    count, lost = points.shape[1], 0
    state, until = np.empty(1, np.uint64), np.cumsum(shares)
    begin_sequence(state, seed)
    motion, work = (np.empty(3), np.empty(3), np.empty((3, count))), np.empty((3, count + 3))
    rows, triangle = np.empty((3, count)), np.empty((3, 3))
    u, along, point = np.empty(count), np.empty(3), np.empty(3)
    for n in range(len(weights)):
        weights[n] = 0.0
        part = min(np.searchsorted(until, uniform(state) * until[-1]), len(shares) - 1)
        length = times[part + 1] - times[part]
        seconds = times[part] + uniform(state) * length
        u[:] = points[part]
        if not likeliest_touch(orbits, seconds, radius, reach, u, motion, work) > -np.inf:
            continue
        rows[:, :] = motion[2]
        if not orthonormal_rows(rows, triangle):
            continue
        for i in range(3):
            along[i] = (rows[i] * u).sum()
        density = draw_point(along, triangle, motion[0], radius, state, point)
        if (point * point).sum() >= radius * radius:
            continue
        _draw_others(rows, triangle, along, point - motion[0], u, state)
        volume = _reach_point(orbits, seconds, radius, point, rows, u, motion)
        dwell = _dwell(orbits, u, seconds, radius, point, motion[1], (times[0], times[-1]), path)
        if volume > 0.0 and dwell > 0.0:
            per_second = shares[part] / (until[-1] * length)
            weights[n] = _density(rows, u) / (volume * per_second * density * dwell)
        else:
            lost += 1
    return lost


@kernel
def _draw_others(rows, triangle, along, further, u, state):  # type: ignore[no-untyped-def]
    """Draw all errors `u`, given that those along the rows lead, linear at `along`, `further` (3,) m."""
    solve_lower(triangle, further)
    for j in range(len(u)):
        u[j] = normal(state)
    for i in range(3):
        u += (along[i] + further[i] - (rows[i] * u).sum()) * rows[i]


@kernel
def _density(rows, u):  # type: ignore[no-untyped-def]
    """Return the density of three standard normals, those along the rows."""
    square = 0.0
    for i in range(3):
        square += (rows[i] * u).sum() ** 2
    return math.exp(-0.5 * square) / (2.0 * math.pi) ** 1.5


@kernel
def _reach_point(orbits, seconds, radius, point, rows, u, motion):  # type: ignore[no-untyped-def]
    """Move `u` along three rows until the relative position is `point`, by Newton's method.

    Returns how many cubic metres a unit of the three changes the position by there, 0 if it fails.
    """
    elements, axes, spread = orbits
    position, velocity, gradient = motion
    matrix, move = np.empty((3, 3)), np.empty(3)
    for _ in range(_STEPS):
        if not relative_motion(elements, axes, spread, u, seconds, position, velocity, gradient):
            return 0.0
        left = point - position
        for i in range(3):
            for k in range(3):
                matrix[i, k] = (gradient[i] * rows[k]).sum()
        determinant = _solved(matrix, left, move)
        if (left * left).sum() < (_TOLERANCE * radius) ** 2:
            return abs(determinant)
        length = math.sqrt((move * move).sum())
        if not length < np.inf:
            return 0.0
        move *= _LONGEST_STEP / max(length, _LONGEST_STEP)
        for k in range(3):
            u += move[k] * rows[k]
    return 0.0


@kernel
def _solved(m, right, out):  # type: ignore[no-untyped-def]
    """Fill `out` (3,) with the solution of m @ x = right, by Cramer's rule; returns the determinant."""
    out[:] = 0.0
    determinant = 0.0
    for i in range(3):
        a, b = (i + 1) % 3, (i + 2) % 3
        for k in range(3):
            c, d = (k + 1) % 3, (k + 2) % 3
            minor = m[c, a] * m[d, b] - m[c, b] * m[d, a]
            out[i] += right[k] * minor
            if i == 0:
                determinant += m[k, 0] * minor
    out /= determinant
    return determinant


@kernel
def _dwell(orbits, u, seconds, radius, point, velocity, window, path):  # type: ignore[no-untyped-def]
    """Return the time that a trajectory spends in the sphere during the window, 0 if it is none."""
    step_s = (window[1] - window[0]) / (len(path) - 1)
    if not _follow(orbits, u, window[0], step_s, path):
        return 0.0
    dwell = dwell_time(path, step_s, radius)
    crossing = _straight_crossing(point, velocity, radius, seconds, window)
    # If a trajectory grazes the sphere by less than the pieces' sagitta, they may miss it. Anywhere else
    # straight motion is no measure: a slow trajectory turns inside the sphere.
    if crossing * math.sqrt((velocity * velocity).sum()) < LONGEST_GRAZE * radius or dwell == 0.0:
        return max(dwell, crossing)
    return dwell


@kernel
def _follow(orbits, u, begin_s, step_s, path):  # type: ignore[no-untyped-def]
    """Fill relative positions and velocities (p, 6) along a trajectory; False if an orbit is no ellipse."""
    elements, axes, spread = orbits
    moved, position, speed, partials = np.empty(6), np.empty(3), np.empty(3), np.empty((3, 6))
    path[:, :] = 0.0
    for which in range(2):
        sign = 2.0 * which - 1.0
        for i in range(6):
            moved[i] = elements[which, i] + (spread[which, i] * u).sum()
        for k in range(len(path)):
            if not position_at(moved, begin_s + k * step_s, position, speed, partials):
                return False
            for i in range(3):
                for a in range(3):
                    path[k, i] += sign * axes[which, a, i] * position[a]
                    path[k, 3 + i] += sign * axes[which, a, i] * speed[a]
    return True


@kernel
def _straight_crossing(point, velocity, radius, at_s, window):  # type: ignore[no-untyped-def]
    """Return the time in sphere and window of straight motion through a point (3,) at a time."""
    speed2 = (velocity * velocity).sum()
    if speed2 == 0.0:
        return window[1] - window[0]
    middle = -(point * velocity).sum() / speed2
    square = middle * middle + (radius * radius - (point * point).sum()) / speed2
    half = math.sqrt(max(square, 0.0))
    return min(at_s + middle + half, window[1]) - max(at_s + middle - half, window[0])
