"""Integrate a two-dimensional Gaussian over a disk, accurately in the far tail.

The disk is cut into chords along the major axis; the probability of a chord is a difference of error
functions, and Gauss quadrature adds the chords up along the minor axis. The exponent p0 at the disk point
nearest to the mean (in sigmas) is factored out of everything, so nothing underflows: P = exp(-p0) * factor.
"""

import math

import numpy as np

from screening.kernels import kernel

# If the Gaussian varies little over the disk, the chords' half length R sqrt(1 - x^2) is the weight of
# Chebyshev polynomials of the second kind and the rest is entire: 10 nodes leave under 1e-12.
_SMALL_NODES = 10
SMALL_RADIUS_SIGMAS = 1.0
SMALL_VARIATION = 4.0  # of the exponent from the centre of the disk to its edge
_angles = np.arange(1, _SMALL_NODES + 1) * np.pi / (_SMALL_NODES + 1)
_COSINES, _SINES = np.cos(_angles), np.sin(_angles)
_CHEBYSHEV_WEIGHTS = np.pi / (_SMALL_NODES + 1) * np.sin(_angles)

# Where all chords are short, the density being that of the middle of the disk but for a few percent, 4 nodes
# leave under 1e-15: two pairs, each symmetric about the middle.
_SHORT_CHORD = 0.05  # half its length, times the larger of 1 and its offset, in sigmas
_PAIRED_COSINES, _PAIRED_SINES = np.cos(np.pi * np.array([0.2, 0.4])), np.sin(np.pi * np.array([0.2, 0.4]))
_PAIRED_WEIGHTS = 0.4 * _PAIRED_SINES**2

# Otherwise Gauss-Legendre in t, y = R sin t, over the part of the disk that matters.
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(40)
# The pole of a disk of several sigmas is resolved only by more nodes: 2e-8 with 40 of them at 10 sigmas.
_MANY_NODES, _MANY_WEIGHTS = np.polynomial.legendre.leggauss(120)
LARGE_RADIUS_SIGMAS = 3.0
NEGLIGIBLE_EXPONENT = 28.0  # exp(-28) = 7e-13 of the peak
_RANGE_TOLERANCE = 0.04  # of the range kept; costs only a few nodes' worth of accuracy

_SQRT2 = math.sqrt(2.0)
_SQRT_PI = math.sqrt(math.pi)
_DENSITY = math.sqrt(2.0 / math.pi)


@kernel
def scaled_erfc(x: float) -> float:
    """Return exp(x^2) erfc(x) for x >= 0; asymptotic series (Abramowitz & Stegun 7.1.23) from 25 on."""
    if x < 25.0:
        return math.exp(x * x) * math.erfc(x)
    q = 0.5 / (x * x)
    return (1.0 - q * (1.0 - 3.0 * q * (1.0 - 5.0 * q * (1.0 - 7.0 * q)))) / (x * _SQRT_PI)


@kernel
def _bent(half: float, offset: float) -> float:
    """Return the mean density along a short chord over that in its middle."""
    o2, h2 = offset * offset, half * half
    return 1.0 + h2 * ((o2 - 1.0) / 6.0 + h2 * (o2 * (o2 - 6.0) + 3.0) / 120.0)


@kernel
def chord(half: float, offset: float) -> tuple[float, float]:
    """Return (e, f) with P(|N(0,1) - offset| < half) = exp(-e) f; both in sigmas, offset >= 0.

    Short chords take the Taylor series of the density about their middle: the difference of two error
    functions would lose the digits.
    """
    if half * max(1.0, offset) < _SHORT_CHORD:
        return 0.5 * offset * offset, half * _DENSITY * _bent(half, offset)
    inner, outer = (offset - half) / _SQRT2, (offset + half) / _SQRT2
    if inner <= 0.0:
        return 0.0, 0.5 * (math.erf(-inner) + math.erf(outer))
    gap = 2.0 * offset * half  # outer^2 - inner^2
    beyond = scaled_erfc(outer) * math.exp(-gap) if gap < 745.0 else 0.0
    return inner * inner, 0.5 * (scaled_erfc(inner) - beyond)


@kernel
def nearest_point(
    miss_major: float, miss_minor: float, sigma_major: float, sigma_minor: float, radius: float
) -> tuple[float, float, float]:
    """Return the disk point nearest to the mean in sigmas, and half the squared distance p0.

    Outside, the point is m / (1 + lambda s^2) per axis with lambda > 0 that puts it on the edge; Newton on
    1/|point| - 1/R starts from the left of the root, stays there and needs 2 to 6 steps (More & Sorensen
    1983, "Computing a trust region step").
    """
    if miss_major * miss_major + miss_minor * miss_minor <= radius * radius:
        return miss_major, miss_minor, 0.0
    c1, c2 = sigma_major / sigma_minor, 1.0  # lambda is counted in units of sigma_minor^-2
    multiplier = 0.0
    for _ in range(100):
        d1, d2 = 1.0 + multiplier * c1 * c1, 1.0 + multiplier * c2 * c2
        p1, p2 = miss_major / d1, miss_minor / d2
        square = p1 * p1 + p2 * p2
        excess = math.sqrt(square) / radius - 1.0
        slope = p1 * p1 * c1 * c1 / d1 + p2 * p2 * c2 * c2 / d2
        step = excess * square / slope
        multiplier += step
        if step <= 1e-15 * multiplier:
            break
    d1, d2 = 1.0 + multiplier * c1 * c1, 1.0 + multiplier * c2 * c2
    g1 = miss_major / sigma_major * multiplier * c1 * c1 / d1
    g2 = miss_minor / sigma_minor * multiplier * c2 * c2 / d2
    return miss_major / d1, miss_minor / d2, 0.5 * (g1 * g1 + g2 * g2)


@kernel
def _exponent(y: float, major: float, minor: float, s_major: float, s_minor: float, radius: float) -> float:
    """Return half the squared distance, in sigmas, from the mean to the chord at minor coordinate y."""
    across = (y - minor) / s_minor
    beside = (major - math.sqrt(max(radius * radius - y * y, 0.0))) / s_major
    return 0.5 * (across * across + (beside * beside if beside > 0.0 else 0.0))


@kernel
def _edge_angle(
    inside: float,
    edge: float,
    limit: float,
    major: float,
    minor: float,
    s_major: float,
    s_minor: float,
    radius: float,
) -> float:
    """Return the angle t of the last chord from `inside` towards `edge` whose exponent is below `limit`.

    The exponent is convex along y, since disk and Gaussian are, so it crosses the limit once.
    """
    if _exponent(edge, major, minor, s_major, s_minor, radius) > limit:
        near, far = inside, edge
        while abs(far - near) > _RANGE_TOLERANCE * abs(far - inside):
            middle = 0.5 * (near + far)
            if middle in (near, far):
                break
            if _exponent(middle, major, minor, s_major, s_minor, radius) > limit:
                far = middle
            else:
                near = middle
        edge = far
    return math.asin(max(-1.0, min(1.0, edge / radius)))


@kernel
def _log_of_short_chords(beside: float, across: float, r_major: float, r_minor: float) -> float:
    """Return the logarithm of the probability; the miss and the radius are in sigmas of both axes."""
    total = 0.0
    for k in range(2):
        offset = r_minor * _PAIRED_COSINES[k]
        x, y2 = 0.5 * offset * offset, (offset * across) ** 2
        # By their series: exp(-x) and cosh(y).
        density = 1.0 - x * (1.0 - x * (1.0 / 2.0 - x * (1.0 / 6.0 - x * (1.0 / 24.0))))
        both = 1.0 + y2 * (1.0 / 2.0 + y2 * (1.0 / 24.0 + y2 * (1.0 / 720.0)))
        total += _PAIRED_WEIGHTS[k] * density * both * _bent(r_major * _PAIRED_SINES[k], beside)
    return math.log(total * r_major * r_minor) - 0.5 * (beside * beside + across * across)


@kernel
def _small_disk(
    major: float, minor: float, s_major: float, s_minor: float, radius: float, p0: float
) -> float:
    total = 0.0
    for k in range(_SMALL_NODES):
        e, f = chord(radius * _SINES[k] / s_major, major / s_major)
        z = (radius * _COSINES[k] - minor) / s_minor
        total += _CHEBYSHEV_WEIGHTS[k] * math.exp(p0 - 0.5 * z * z - e) * f
    return total * radius / s_minor / math.sqrt(2.0 * math.pi)


@kernel
def _any_disk(  # type: ignore[no-untyped-def]
    major, minor, s_major, s_minor, radius, nearest_minor, p0, nodes, weights
):
    limit = p0 + NEGLIGIBLE_EXPONENT
    first = _edge_angle(nearest_minor, -radius, limit, major, minor, s_major, s_minor, radius)
    last = _edge_angle(nearest_minor, radius, limit, major, minor, s_major, s_minor, radius)
    middle, half_range = 0.5 * (last + first), 0.5 * (last - first)
    total = 0.0
    for k in range(nodes.shape[0]):
        t = middle + half_range * nodes[k]
        half = radius * math.cos(t)
        e, f = chord(half / s_major, major / s_major)
        z = (radius * math.sin(t) - minor) / s_minor
        total += weights[k] * math.exp(p0 - 0.5 * z * z - e) * f * half
    return total * half_range / s_minor / math.sqrt(2.0 * math.pi)


@kernel
def _scaled_probability(
    major: float, minor: float, s_major: float, s_minor: float, radius: float, steepest: float
) -> tuple[float, float]:
    """Return (p0, factor): the Gaussian's probability in the disk about the origin is exp(-p0) * factor."""
    _, nearest_minor, p0 = nearest_point(major, minor, s_major, s_minor, radius)
    ratio = radius / s_minor
    if ratio <= SMALL_RADIUS_SIGMAS and steepest <= SMALL_VARIATION:
        return p0, _small_disk(major, minor, s_major, s_minor, radius, p0)
    nodes, weights = (_MANY_NODES, _MANY_WEIGHTS) if ratio > LARGE_RADIUS_SIGMAS else (_NODES, _WEIGHTS)
    return p0, _any_disk(major, minor, s_major, s_minor, radius, nearest_minor, p0, nodes, weights)


@kernel
def log_probability_of(
    miss_major: float, miss_minor: float, sigma_major: float, sigma_minor: float, radius: float
) -> float:
    """Return the natural logarithm of the probability; -inf for an empty disk, NaN without a Gaussian."""
    if not (sigma_minor > 0.0 and sigma_major < np.inf and radius >= 0.0 and radius < np.inf):
        return np.nan
    if radius == 0.0:
        return -np.inf
    major, minor = abs(miss_major), abs(miss_minor)
    beside, across = major / sigma_major, minor / sigma_minor
    r_major, r_minor = radius / sigma_major, radius / sigma_minor
    steepest = beside * r_major + across * r_minor
    logarithm: float
    if max(r_minor, steepest) < _SHORT_CHORD:
        logarithm = _log_of_short_chords(beside, across, r_major, r_minor)
        return logarithm
    p0, factor = _scaled_probability(major, minor, sigma_major, sigma_minor, radius, steepest)
    if not factor > 0.0:
        return np.nan
    logarithm = min(math.log(factor) - p0, 0.0)
    return logarithm
