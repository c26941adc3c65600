"""The largest collision probability over all sizes of the covariance, at constant shape."""

import math

import numpy as np

from screening.kernels import kernel
from screening.orbits.timegrid import FloatArray
from screening.risk.geometry.encounter_plane import BoolArray
from screening.risk.probability.exact_2d import contiguous, exact_2d
from screening.risk.probability.exact_2d_kernel import log_probability_of, nearest_point

FIRST_STEP = 0.05  # of ln k: the start is mostly within 0.01 of the peak
WIDEST_TRUSTED = 0.5  # of ln k: a parabola over more than this does not locate the peak
NEGLIGIBLE_GAIN = 1e-10  # of ln P


def maximum_over_scale(
    miss_major_m: FloatArray,
    miss_minor_m: FloatArray,
    sigma_major_m: FloatArray,
    sigma_minor_m: FloatArray,
    radius_m: FloatArray,
    log_probability: FloatArray | None = None,
) -> tuple[FloatArray, BoolArray, FloatArray]:
    """Maximise the exact 2-D probability over k > 0 with all sigmas times k.

    Takes and returns (n,): the maximum, whether it is diluted (the maximum lies at k < 1: better data would
    give a larger probability, so the data are too poor to tell), and k itself. Where the mean lies in the
    disk the maximum is 1, at k = 0. Never below the probability at k = 1, never above R^2 / (e s1 s2 q), q
    the squared distance in sigmas to the nearest disk point. NaN (and not diluted) where `exact_2d` is NaN;
    `log_probability` is its second value, for who has it.
    """
    geometry = contiguous(miss_major_m, miss_minor_m, sigma_major_m, sigma_minor_m, radius_m)
    if log_probability is None:
        _, log_probability = exact_2d(*geometry)
    largest, scale = np.empty(len(geometry[0])), np.empty(len(geometry[0]))
    _maxima(*geometry, log_probability, largest, scale)
    return largest, scale < 1.0, scale


@kernel
def _at(t, major, minor, s_major, s_minor, radius):  # type: ignore[no-untyped-def]
    k = math.exp(t)
    return log_probability_of(major, minor, s_major * k, s_minor * k, radius)


@kernel
def _bracket(start, major, minor, s_major, s_minor, radius):  # type: ignore[no-untyped-def]
    """Return three values of ln k, the middle one with the highest probability, and ln P at each."""
    step = FIRST_STEP
    a, b, c = start - step, start, start + step
    at_a = _at(a, major, minor, s_major, s_minor, radius)
    at_b = _at(b, major, minor, s_major, s_minor, radius)
    at_c = _at(c, major, minor, s_major, s_minor, radius)
    while at_a > at_b:
        step *= 2.0
        c, at_c, b, at_b, a = b, at_b, a, at_a, a - step
        at_a = _at(a, major, minor, s_major, s_minor, radius)
    while at_c > at_b:
        step *= 2.0
        a, at_a, b, at_b, c = b, at_b, c, at_c, c + step
        at_c = _at(c, major, minor, s_major, s_minor, radius)
    return a, b, c, at_a, at_b, at_c


@kernel
def _peak(start, major, minor, s_major, s_minor, radius):  # type: ignore[no-untyped-def]
    """Return ln k of the single peak, and ln P there, by parabolas through the three best points."""
    a, b, c, at_a, at_b, at_c = _bracket(start, major, minor, s_major, s_minor, radius)
    for _ in range(60):
        rise, fall = (at_b - at_a) / (b - a), (at_c - at_b) / (c - b)
        bend = (fall - rise) / (c - a)  # half the second derivative
        vertex = 0.5 * (a + b) - 0.5 * rise / bend
        wide = c - a > WIDEST_TRUSTED
        if not wide and -bend * (vertex - b) ** 2 < NEGLIGIBLE_GAIN:
            break
        if wide or not a < vertex < c:
            vertex = 0.5 * (b + c) if c - b > b - a else 0.5 * (a + b)
        height = _at(vertex, major, minor, s_major, s_minor, radius)
        if height > at_b:
            if vertex > b:
                a, at_a = b, at_b
            else:
                c, at_c = b, at_b
            b, at_b = vertex, height
        elif vertex > b:
            c, at_c = vertex, height
        else:
            a, at_a = vertex, height
    return b, at_b


@kernel
def _maxima(major, minor, s_major, s_minor, radius, log_probability, largest, scale):  # type: ignore[no-untyped-def]
    for i in range(largest.shape[0]):
        as_given = log_probability[i]
        if not as_given > -np.inf:
            largest[i] = math.exp(as_given)
            scale[i] = np.nan
            continue
        _, _, p0 = nearest_point(abs(major[i]), abs(minor[i]), s_major[i], s_minor[i], radius[i])
        if p0 == 0.0:
            largest[i], scale[i] = 1.0, 0.0
            continue
        t, height = _peak(0.5 * math.log(p0), major[i], minor[i], s_major[i], s_minor[i], radius[i])
        # The peak is known only to NEGLIGIBLE_GAIN, and the event itself may be at it.
        largest[i] = math.exp(max(height, as_given))
        scale[i] = math.exp(t)
