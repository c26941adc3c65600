"""Draw whole trajectories on which two objects touch, and how much of the probability each stands for.

`orbits` are elements (2, 6), axes (2, 3, 3) and spread (2, 6, m) as of `design_point_kernel`.
"""

import math

import numpy as np

from screening.kernels import kernel
from screening.risk.geometry.equinoctial_kernel import position_at
from screening.risk.monte_carlo.dwell_kernel import dwell_time
from screening.risk.monte_carlo.fixed_time_kernel import (
    dot,
    likeliest_touch,
    orthonormal_rows,
    solve_lower,
)
from screening.risk.monte_carlo.random_numbers import begin_sequence, normal, uniform
from screening.risk.monte_carlo.touching_point_kernel import draw_point
from screening.risk.probability.design_point_kernel import relative_motion

LONGEST_GRAZE = 0.1  # of the radius: a chord R / 1000 below the surface is 0.09 R long

_NEAR = 5.0  # radii: linear from there is good enough
_STEPS = 20
_LONGEST_STEP = 3.0  # sigmas
_TOLERANCE = 1e-4  # of the radius


@kernel
def touches(orbits, radius, reach, times, points, logs, speeds):  # type: ignore[no-untyped-def]
    """Fill logs and relative speeds (k,) of `likeliest_touch` at times (k,), and move points (k, m) there."""
    count = points.shape[1]
    motion, rows = (np.empty(3), np.empty(3), np.empty((3, count))), np.empty((3, count + 3))
    for k in range(len(times)):
        logs[k] = likeliest_touch(orbits, times[k], radius, reach, points[k], motion, rows)
        speeds[k] = math.sqrt(dot(motion[1], motion[1]))
        if not logs[k] > -np.inf:
            points[k, :] = 0.0


@kernel
def spread_touches(orbits, radius, reach, times, points, logs, speeds):  # type: ignore[no-untyped-def]
    """Improve what `touches` filled, times (k,) in order, by starts from the points before and after each.

    Newton's method may fail, or find another one.
    """
    count, last = points.shape[1], len(times) - 1
    motion, rows = (np.empty(3), np.empty(3), np.empty((3, count))), np.empty((3, count + 3))
    u = np.empty(count)
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
                speeds[k] = math.sqrt(dot(motion[1], motion[1]))


@kernel
def draw(orbits, radius, reach, parts, path, seed, weights):  # type: ignore[no-untyped-def]
    """Fill weights (n,) of drawn trajectories, 0 for no hit; their mean is the probability.

    parts: times (k,) that divide the window, the rates (k,) with which times are drawn there, linear between,
    and the likeliest errors (k, m). Times are drawn in pairs, one pair from each of n / 2 equal shares. path
    (p, 6) is work space: as many nodes, with cubics between them, does a trajectory get. Returns how many
    points had no trajectory.
    """
    times, rates, points = parts
    count, lost, total = points.shape[1], 0, 0.0
    for k in range(len(times) - 1):
        total += 0.5 * (rates[k] + rates[k + 1]) * (times[k + 1] - times[k])
    state = np.empty(1, np.uint64)
    begin_sequence(state, seed)
    motion = np.empty(3), np.empty(3), np.empty((3, count))
    rows, triangle, work = np.empty((3, count)), np.empty((3, 3)), np.empty((3, count + 3))
    u, along, point = np.empty(count), np.empty(3), np.empty(3)
    for n in range(len(weights)):
        weights[n] = 0.0
        wanted = (n // 2 + uniform(state)) / (len(weights) // 2) * total
        part, s, rate = _drawn_time(times, rates, wanted)
        seconds = times[part] + s * (times[part + 1] - times[part])
        for j in range(count):
            u[j] = points[part, j] + s * (points[part + 1, j] - points[part, j])
        if not _about(orbits, seconds, radius, reach, u, motion, work):
            continue
        rows[:, :] = motion[2]
        if not orthonormal_rows(rows, triangle):
            continue
        for i in range(3):
            along[i] = dot(rows[i], u)
        inverse = draw_point(along, triangle, motion[0], motion[1], radius, state, point)
        if inverse == 0.0:
            continue
        _draw_others(rows, triangle, along, point - motion[0], u, state)
        volume = _reach_point(orbits, seconds, radius, point, rows, u, motion)
        dwell = _dwell(orbits, u, seconds, radius, point, motion[1], (times[0], times[-1]), path)
        if volume > 0.0 and dwell > 0.0:
            weights[n] = _density(rows, u) * inverse * total / (volume * rate * dwell)
        else:
            lost += 1
    return lost


@kernel
def _about(orbits, seconds, radius, reach, u, motion, work):  # type: ignore[no-untyped-def]
    """Fill the motion at `u`, first moved to the likeliest touch if it is none; False if there is none."""
    if not relative_motion(*orbits, u, seconds, *motion):
        return False
    if dot(motion[0], motion[0]) < (_NEAR * radius) ** 2:
        return True
    return likeliest_touch(orbits, seconds, radius, reach, u, motion, work) > -np.inf


@kernel
def _drawn_time(times, rates, wanted):  # type: ignore[no-untyped-def]
    """Return the part, the share of it and the rate at which the integral of linear rates reaches a value.

    In the first and the last part times lie more densely towards the end of the window, since those that
    enter shortly before it dwell as shortly.
    """
    last, left = len(times) - 2, wanted
    for part in range(last + 1):
        length = times[part + 1] - times[part]
        area = 0.5 * (rates[part] + rates[part + 1]) * length
        if left < area or part == last:
            break
        left -= area
    begin, change = rates[part], rates[part + 1] - rates[part]
    mean = min(left, area) / length
    s = min(2.0 * mean / (begin + math.sqrt(max(begin * begin + 2.0 * change * mean, 0.0))), 1.0)
    rate = begin + s * change
    if part == 0:
        return part, s * s, rate / (2.0 * s)
    if part == last:
        return part, 1.0 - (1.0 - s) ** 2, rate / (2.0 * (1.0 - s))
    return part, s, rate


@kernel
def _draw_others(rows, triangle, along, further, u, state):  # type: ignore[no-untyped-def]
    """Draw all errors `u`, given that those along the rows lead, linear at `along`, `further` (3,) m."""
    solve_lower(triangle, further)
    for j in range(len(u)):
        u[j] = normal(state)
    for i in range(3):
        move = along[i] + further[i] - dot(rows[i], u)
        for j in range(len(u)):
            u[j] += move * rows[i, j]


@kernel
def _density(rows, u):  # type: ignore[no-untyped-def]
    """Return the density of three standard normals, those along the rows."""
    square = 0.0
    for i in range(3):
        square += dot(rows[i], u) ** 2
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
                matrix[i, k] = dot(gradient[i], rows[k])
        determinant = _solved(matrix, left, move)
        if dot(left, left) < (_TOLERANCE * radius) ** 2:
            return abs(determinant)
        length = math.sqrt(dot(move, move))
        if not length < np.inf:
            return 0.0
        move *= _LONGEST_STEP / max(length, _LONGEST_STEP)
        for k in range(3):
            for j in range(len(u)):
                u[j] += move[k] * rows[k, j]
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
    if crossing * math.sqrt(dot(velocity, velocity)) < LONGEST_GRAZE * radius or dwell == 0.0:
        return max(dwell, crossing)
    return dwell


@kernel
def _follow(orbits, u, begin_s, step_s, path):  # type: ignore[no-untyped-def]
    """Fill relative positions and velocities (p, 6) along a trajectory; False if one is no ellipse."""
    elements, axes, spread = orbits
    moved, position, speed, partials = np.empty(6), np.empty(3), np.empty(3), np.empty((3, 6))
    path[:, :] = 0.0
    for which in range(2):
        sign = 2.0 * which - 1.0
        for i in range(6):
            moved[i] = elements[which, i] + dot(spread[which, i], u)
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
    speed2 = dot(velocity, velocity)
    if speed2 == 0.0:
        return window[1] - window[0]
    middle = -dot(point, velocity) / speed2
    square = middle * middle + (radius * radius - dot(point, point)) / speed2
    half = math.sqrt(max(square, 0.0))
    return min(at_s + middle + half, window[1]) - max(at_s + middle - half, window[0])
