"""The collision probability of one encounter against the combined hard-body radius, its least known input."""

from typing import NamedTuple

import numpy as np

from screening.orbits.timegrid import FloatArray
from screening.risk.geometry.encounter_plane import EncounterPlane
from screening.risk.probability.exact_2d import exact_2d

SMALLEST_M, LARGEST_M = 0.05, 30.0  # from two fragments to a station with its arrays
POINTS_PER_DECADE = 24
# An event's own radius that is outside this range, as for a station set by hand, widens it by so much.
BEYOND = 1.5


class RadiusCurve(NamedTuple):
    """The exact 2-D probability for combined radii, all else as it is."""

    radius_m: FloatArray  # (n,) ascending, in even steps of its logarithm
    probability: FloatArray  # (n,)
    hard_body_radius_m: float  # the event's own
    probability_2d: float  # with that


def radius_curve(plane: EncounterPlane, radius_m: float) -> RadiusCurve | None:
    """Compute the curve of one encounter (1,) with a combined hard-body radius.

    While the disk is small against the sigmas the probability grows as the square of the radius. None if the
    probability is not defined.
    """
    if not radius_m > 0:
        return None
    first, last = min(SMALLEST_M, radius_m / BEYOND), max(LARGEST_M, radius_m * BEYOND)
    steps = int(np.ceil(np.log10(last / first) * POINTS_PER_DECADE))
    radii = np.geomspace(first, last, steps + 1)
    every_m = np.append(radii, radius_m)
    alike = np.ones(len(every_m))
    miss_m = plane.miss_major_m * alike, plane.miss_minor_m * alike
    sigmas_m = plane.sigma_major_m * alike, plane.sigma_minor_m * alike
    probability, _ = exact_2d(*miss_m, *sigmas_m, every_m)
    if not np.isfinite(probability).all():
        return None
    return RadiusCurve(radii, probability[:-1], radius_m, float(probability[-1]))
