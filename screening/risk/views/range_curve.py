"""The distance between two objects around their TCA, and the secondary's path seen from the primary."""

import numpy as np

from screening.orbits.reference.local_axes import rtn_axes
from screening.orbits.trajectories import Paths
from screening.risk.views.shapes import RangeCurve

METRES_PER_KM = 1000.0

# A fast encounter is over in seconds; minutes show how the two came and went.
FAST_WIDE_S = 600.0
POINTS_EACH_SIDE = 120  # of TCA
# Near: until the distance has grown to so many misses, to show the bottom of the curve.
MISSES_SHOWN = 8.0
SHORTEST_NEAR_S = 0.05
NEAR_PART_OF_WIDE = 1.0 / 6.0  # at most
# Slow encounters: a revolution on either side, or the time inside the threshold and some more.
INSIDE_MARGIN = 1.1
LONGEST_SLOW_S = 86_400.0


def range_curve(primary: Paths, secondary: Paths, half_width_s: float) -> RangeCurve:
    """Compute distances from `half_width_s` before to after TCA, at which the spans of both paths start.

    Each holds one object.
    """
    steps = np.arange(-POINTS_EACH_SIDE, POINTS_EACH_SIDE + 1.0)
    seconds = half_width_s / POINTS_EACH_SIDE * steps  # exactly 0 in the middle
    first = np.zeros(len(seconds), np.int32)
    (_, r_km, v_km_s), (_, other_km, _) = primary.at(first, seconds), secondary.at(first, seconds)
    relative_m = (other_km - r_km) * METRES_PER_KM
    rtn = np.einsum("nij,nj->ni", rtn_axes(r_km, v_km_s), relative_m)
    return RangeCurve(seconds, np.linalg.norm(relative_m, axis=1), rtn[:, 0], rtn[:, 1], rtn[:, 2])


def half_widths_s(
    miss_m: float, speed_m_s: float, period_s: float, slow: bool, inside_s: tuple[float, float] | None
) -> tuple[float, float]:
    """Return the half widths of the near and the wide curve, s.

    `inside_s` is when the pair is inside the threshold, seconds from TCA; None for a fast encounter.
    """
    wide = FAST_WIDE_S
    if slow:
        ends = [] if inside_s is None else [INSIDE_MARGIN * abs(end) for end in inside_s]
        wide = min(max(FAST_WIDE_S, period_s, *ends), LONGEST_SLOW_S)
    passing = MISSES_SHOWN * miss_m / speed_m_s if speed_m_s > 0 else np.inf
    return min(max(passing, SHORTEST_NEAR_S), NEAR_PART_OF_WIDE * wide), wide
