"""Draw whole trajectories on which two objects touch, and how much of the probability each stands for.

`orbits` are elements (2, 6), axes (2, 3, 3) and spread (2, 6, m) as of `design_point_kernel`.
"""

import math

import numpy as np

from screening.kernels import kernel
from screening.risk.geometry.equinoctial_kernel import least_distance
from screening.risk.geometry.two_body import MU_M3_S2
from screening.risk.monte_carlo.dwell_kernel import dwell_between
from screening.risk.monte_carlo.fixed_time_kernel import (
    dot,
    likeliest_touch,
    orthonormal_rows,
    solve_lower,
)
from screening.risk.monte_carlo.random_numbers import begin_sequence, normal, uniform
from screening.risk.monte_carlo.touching_point_kernel import draw_point
from screening.risk.probability.design_point_kernel import both_ellipses, relative_motion, relative_state

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
def draw(orbits, radius, reach, parts, nodes, seed, weights):  # type: ignore[no-untyped-def]
    """Fill weights (n,) of drawn trajectories, 0 for no hit; their mean is the probability.

    parts: times (k,) that divide the window, the rates (k,) with which times are drawn there, linear between,
    and the likeliest errors (k, m). Times are drawn in pairs, one pair from each of n / 2 equal shares. A
    trajectory gets as many nodes, with cubics between them. Returns how many points had no trajectory.
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
        dwell = _dwell(orbits, u, seconds, radius, point, motion[1], (times[0], times[-1]), nodes)
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
def _dwell(orbits, u, seconds, radius, point, velocity, window, nodes):  # type: ignore[no-untyped-def]
    """Return the time that a trajectory spends in the sphere during the window, 0 if it is none."""
    step_s = (window[1] - window[0]) / (nodes - 1)
    dwell = _dwell_in_cubics(orbits, u, radius, window[0], step_s, nodes - 1)
    if dwell < 0.0:
        return 0.0
    crossing = _straight_crossing(point, velocity, radius, seconds, window)
    # If a trajectory grazes the sphere by less than the pieces' sagitta, they may miss it. Anywhere else
    # straight motion is no measure: a slow trajectory turns inside the sphere.
    if crossing * math.sqrt(dot(velocity, velocity)) < LONGEST_GRAZE * radius or dwell == 0.0:
        return max(dwell, crossing)
    return dwell


@kernel
def _dwell_in_cubics(orbits, u, radius, begin_s, step_s, steps):  # type: ignore[no-untyped-def]
    """Return the time in the sphere of the cubics between a trajectory's nodes; -1 if one is no ellipse.

    From a node far away it goes on to the first at which the objects may be near.
    """
    elements, axes, spread = orbits
    moved = np.empty((2, 6))
    for which in range(2):
        for i in range(6):
            moved[which, i] = elements[which, i] + dot(spread[which, i], u)
    before, after = np.empty(6), np.empty(6)
    exist, ellipses = both_ellipses(moved)
    if not exist:
        return -1.0
    relative_state(ellipses, axes, begin_s, before[:3], before[3:])
    lowest = min(least_distance(moved[0]), least_distance(moved[1]))
    dwell, done = 0.0, 0
    while done < steps:
        clear = _clear_steps(before, lowest, radius, step_s)
        done = min(done + max(clear, 1), steps)
        relative_state(ellipses, axes, begin_s + done * step_s, after[:3], after[3:])
        if clear == 0:
            dwell += dwell_between(before, after, step_s, radius)
        before, after = after, before
    return dwell


@kernel
def _clear_steps(state, lowest, radius, step_s):  # type: ignore[no-untyped-def]
    """Return in how many next steps no cubic can reach the sphere, from a relative position and velocity.

    At the distance d, with the relative speed v, their rate of change is below w^2 times the distance, w^2 =
    2 mu / rho^3, rho being how near the Earth any point between the objects may come. So in the time 0.8 d /
    (v + w d) the distance stays between 0.2 d and 1.8 d, and the cubics differ from the motion by less than
    (w step)^2 d.
    """
    distance = math.sqrt(dot(state[:3], state[:3]))
    rho = lowest - distance
    if not rho > 0.0:
        return 0
    rate = math.sqrt(2.0 * MU_M3_S2 / rho**3)
    if distance * (0.2 - (rate * step_s) ** 2) <= radius:
        return 0
    speed = math.sqrt(dot(state[3:], state[3:]))
    return int(0.8 * distance / ((speed + rate * distance) * step_s))


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
