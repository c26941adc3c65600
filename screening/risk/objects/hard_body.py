"""Hard-body radii of objects, their sources, and their sums for pairs."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from screening.orbits.timegrid import FloatArray
from screening.risk.conjunctions import HARD_BODY_SOURCES
from screening.vocabulary import LARGEST_RADIUS_M, SMALLEST_RADIUS_M, ObjectType

# For objects of which only the type is known.
DEFAULT_RADIUS_M: dict[ObjectType, float] = {"payload": 5.0, "rocket_body": 5.0, "debris": 1.5}

# By code of HARD_BODY_SOURCES: higher is more certain.
_CERTAINTY = np.array([("type", "table", "override", "cdm").index(name) for name in HARD_BODY_SOURCES])


class HardBodies(NamedTuple):
    """Radii of objects and their sources."""

    radius_m: FloatArray  # (n,)
    source: npt.NDArray[np.int8]  # (n,), codes into HARD_BODY_SOURCES
    rejected: int  # overrides and table values out of range, not used


def hard_bodies(override_m: FloatArray, table_m: FloatArray, default_m: FloatArray) -> HardBodies:
    """Choose each object's radius: the override, else the table's, else the default of its type.

    All (n,), m; NaN where there is no override or the table has no value. A value outside SMALLEST_RADIUS_M
    to LARGEST_RADIUS_M is ignored and counted.
    """
    radius = default_m.astype(np.float64)
    source = np.full(len(radius), HARD_BODY_SOURCES.index("type"), np.int8)
    rejected = 0
    for values_m, name in ((table_m, "table"), (override_m, "override")):
        usable = radius_allowed(values_m)
        rejected += int(np.count_nonzero(~usable & ~np.isnan(values_m)))
        radius[usable] = values_m[usable]
        source[usable] = HARD_BODY_SOURCES.index(name)
    return HardBodies(radius, source, rejected)


def radius_allowed(radius_m: npt.ArrayLike) -> npt.NDArray[np.bool_]:
    """Return which radii are allowed; NaN is not."""
    values = np.asarray(radius_m, np.float64)
    return (values >= SMALLEST_RADIUS_M) & (values <= LARGEST_RADIUS_M)


def combined_radius_m(
    bodies: HardBodies, primary: npt.NDArray[np.integer], secondary: npt.NDArray[np.integer]
) -> tuple[FloatArray, npt.NDArray[np.int8]]:
    """Return the sums (k,) of the radii of pairs, and the source (k,) of the less certain of the two.

    `primary` and `secondary` (k,) are positions in `bodies`. The source of a sum is `override` only if both
    are, and `type` as soon as one is.
    """
    first, second = bodies.source[primary], bodies.source[secondary]
    source = np.where(_CERTAINTY[first] <= _CERTAINTY[second], first, second).astype(np.int8)
    return bodies.radius_m[primary] + bodies.radius_m[secondary], source
