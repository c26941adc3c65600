"""The dilution curve: the collision probability when all sigmas grow or shrink together."""

import numpy as np

from screening.orbits.timegrid import FloatArray
from screening.risk.geometry.encounter_plane import EncounterPlane
from screening.risk.probability.exact_2d import exact_2d
from screening.risk.probability.maximum import maximum_over_scale
from screening.risk.views.shapes import ScaleCurve

# Range on both sides of the peak and of k = 1, whichever is further out.
DECADES_BEYOND = 1.5
POINTS_PER_DECADE = 24


def scale_curve(plane: EncounterPlane, radius_m: float) -> ScaleCurve | None:
    """Compute the curve of one encounter (1,) with a combined hard-body radius.

    Below the peak the data are good, and better data would show a miss; if k = 1 lies beyond the peak the
    probability is diluted: it is small because little is known (Alfano 2005, "Relating position uncertainty
    to maximum conjunction probability"). None if the probability is not defined.
    """
    miss_m = plane.miss_major_m, plane.miss_minor_m
    sigmas_m = plane.sigma_major_m, plane.sigma_minor_m
    radii_m = np.array([radius_m])
    as_it_is = float(exact_2d(*miss_m, *sigmas_m, radii_m)[0][0])
    largest, _, peak = maximum_over_scale(*miss_m, *sigmas_m, radii_m)
    if not (np.isfinite(as_it_is) and np.isfinite(peak[0])):
        return None
    scale = _scales(float(peak[0]))
    probability, _ = exact_2d(*miss_m, sigmas_m[0] * scale, sigmas_m[1] * scale, radii_m)
    return ScaleCurve(
        scale, probability, as_it_is, float(peak[0]), float(largest[0]), diluted=float(peak[0]) < 1.0
    )


def _scales(peak: float) -> FloatArray:
    """Return k from well below to well above 1 and the peak, on one logarithmic grid through 1."""
    exponent = np.log10(peak) if peak > 0 else 0.0
    first = np.floor((min(0.0, exponent) - DECADES_BEYOND) * POINTS_PER_DECADE)
    last = np.ceil((max(0.0, exponent) + DECADES_BEYOND) * POINTS_PER_DECADE)
    scales: FloatArray = 10.0 ** (np.arange(first, last + 1) / POINTS_PER_DECADE)
    return scales
