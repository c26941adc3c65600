"""Hard-body radii of objects by a ladder of sources, and their sums for pairs."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from screening.orbits.timegrid import FloatArray
from screening.risk.conjunctions import HARD_BODY_SOURCES
from screening.vocabulary import LARGEST_RADIUS_M, SMALLEST_RADIUS_M, ObjectType

# For objects of which only the type is known. NASA CARA's table of 2026-06 over the catalogue of 2024-11-01
# (docs/probability.md): quartiles of debris 0.05, 0.069, 0.114 m, of UNKNOWN 0.05, 0.062, 0.074 m, of rocket
# bodies 1.6, 2.7, 3.7 m (17 of them), of payloads 0.2, 2.0, 4.5 m. That of debris gives, with a payload, the
# same probabilities as all debris of the table together (0.143 m).
DEFAULT_RADIUS_M: dict[ObjectType, float] = {
    "payload": 2.0,
    "rocket_body": 3.5,
    "debris": 0.15,
    "unknown": 0.1,
}

# A radar cross-section says something about a size within these limits: below, objects are smaller than the
# wavelength, above they are seen from few directions.
RCS_RADIUS_RANGE_M = (0.05, 15.0)


class Sizes(NamedTuple):
    """Sizes of objects (n,), by source; NaN: unknown."""

    override_m: FloatArray
    body_m: FloatArray  # by the table of bodies, or of a series whose dimensions are published
    table_m: FloatArray  # by NASA CARA
    stage_m: FloatArray  # of stages, by their names
    rcs_m2: FloatArray  # radar cross-section
    class_m: FloatArray
    type_m: FloatArray  # known for every object


class HardBodies(NamedTuple):
    """Radii of objects and their sources."""

    radius_m: FloatArray  # (n,)
    source: npt.NDArray[np.int8]  # (n,), codes into HARD_BODY_SOURCES
    mass_kg: FloatArray  # (n,), NaN: not known


def hard_bodies(sizes: Sizes) -> tuple[FloatArray, npt.NDArray[np.int8]]:
    """Return each object's radius (n,) and its source (n,): override, body, table, stage, rcs, class, type.

    The first that is known decides. A value outside SMALLEST_RADIUS_M to LARGEST_RADIUS_M counts as unknown.
    """
    radius_m = sizes.type_m.astype(np.float64)
    source = np.full(len(radius_m), HARD_BODY_SOURCES.index("type"), np.int8)
    rungs = {
        "class": sizes.class_m,
        "rcs": radius_of_rcs_m(sizes.rcs_m2),
        "stage": sizes.stage_m,
        "table": sizes.table_m,
        "body": sizes.body_m,
        "override": sizes.override_m,
    }
    for name, values_m in rungs.items():
        usable = radius_allowed(values_m)
        radius_m[usable] = values_m[usable]
        source[usable] = HARD_BODY_SOURCES.index(name)
    return radius_m, source


def radius_of_rcs_m(rcs_m2: npt.ArrayLike) -> FloatArray:
    """Return the radii, m, of spheres with these radar cross-sections, m^2; NaN if not above 0.

    A large sphere's cross-section is that of its shadow, pi r^2. Limited to RCS_RADIUS_RANGE_M.
    """
    values = np.asarray(rcs_m2, np.float64)
    known = np.where(values > 0.0, values, np.nan)
    radius_m: FloatArray = np.clip(np.sqrt(known / np.pi), *RCS_RADIUS_RANGE_M)
    return radius_m


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
    return bodies.radius_m[primary] + bodies.radius_m[secondary], np.maximum(first, second)
