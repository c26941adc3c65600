"""The collision probability of one encounter against the combined hard-body radius, its least known input."""

import numpy as np

from screening.risk.geometry.encounter_plane import EncounterPlane
from screening.risk.probability.exact_2d import exact_2d
from screening.risk.tiers import LIMITS
from screening.risk.views.shapes import RadiusCurve

SMALLEST_M, LARGEST_M = 0.05, 30.0  # from two fragments to a station with its arrays
POINTS_PER_DECADE = 24
# An event's own radius that is outside this range, as for a station set by hand, widens it by so much.
BEYOND = 1.5


def radius_curve(
    plane: EncounterPlane, radius_m: float, shadow_m: float | None = None, bounding_m: float | None = None
) -> RadiusCurve | None:
    """Compute the curve of one encounter (1,) with a combined hard-body radius.

    `shadow_m`, `bounding_m`: the same of the spheres with both mean shadows, and around both. While the disk
    is small against the sigmas the probability grows as the square of the radius. None if the probability is
    not defined.
    """
    if not radius_m > 0:
        return None
    marked_m = [own for own in (radius_m, shadow_m, bounding_m) if own is not None]
    first, last = min(SMALLEST_M, min(marked_m) / BEYOND), max(LARGEST_M, max(marked_m) * BEYOND)
    steps = int(np.ceil(np.log10(last / first) * POINTS_PER_DECADE))
    radii = np.geomspace(first, last, steps + 1)
    every_m = np.append(radii, marked_m)
    alike = np.ones(len(every_m))
    miss_m = plane.miss_major_m * alike, plane.miss_minor_m * alike
    sigmas_m = plane.sigma_major_m * alike, plane.sigma_minor_m * alike
    probability, _ = exact_2d(*miss_m, *sigmas_m, every_m)
    if not np.isfinite(probability).all():
        return None
    of_marked = dict(zip(marked_m, probability[len(radii) :].tolist(), strict=True))
    return RadiusCurve(
        radius_m=radii,
        probability=probability[: len(radii)],
        hard_body_radius_m=radius_m,
        probability_2d=of_marked[radius_m],
        mean_shadow_radius_m=shadow_m,
        probability_mean_shadow=None if shadow_m is None else of_marked[shadow_m],
        bounding_radius_m=bounding_m,
        probability_bounding=None if bounding_m is None else of_marked[bounding_m],
        limits=LIMITS,
    )
