"""How often objects thrust, and how much: by their own histories, else as satellites in use do."""

from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from screening.orbits.timegrid import FloatArray
from screening.risk.objects.error_classes import ERROR_CLASSES, ClassArray, KnownOf
from screening.vocabulary import OBJECT_TYPES

# Of 154 low satellites that watch weather and Earth, in a week of May 2026: 27 manoeuvres, a median of
# 0.035 m/s (`tests/benchmarks/manoeuvre_truth.py`).
USUAL_PER_DAY = 0.02
USUAL_DV_M_S = 0.04
SAME_BURN_HOURS = 6
# The law of the others has their burns in it, or they have none.
_BURN_BESIDE_THE_LAW = ("ballistic", "manoeuvred")


class Burns(NamedTuple):
    """How often objects (n,) thrust, and how much."""

    per_day: FloatArray  # (n,), 0: never
    dv_m_s: FloatArray  # (n,), usual size

    @classmethod
    def none(cls, count: int) -> "Burns":
        """Return what objects that never thrust have."""
        return cls(np.zeros(count), np.zeros(count))


def own_rates(owner: npt.NDArray[np.int64], manoeuvres: npt.NDArray[np.void], days: FloatArray) -> Burns:
    """Return the burns of objects (n,) by their manoeuvres (m,), of objects `owner` (m,), in days (n,).

    manoeuvres have `at` and `dv_m_s`; those within SAME_BURN_HOURS are one. The usual rate counts as one burn
    (a gamma distribution as prior), so none in 30 days is five eighths of it, not never. The size is the
    median; NaN without a burn.
    """
    order = np.lexsort((manoeuvres["at"], owner))
    owner, manoeuvres = owner[order], manoeuvres[order]
    apart = np.diff(manoeuvres["at"]) > np.timedelta64(SAME_BURN_HOURS, "h")
    new = np.append(True, (np.diff(owner) != 0) | apart)[: len(owner)]
    counts = np.bincount(owner[new], minlength=len(days))
    sizes = np.full(len(days), np.nan)
    borders = np.flatnonzero(np.diff(owner, prepend=-1, append=-1))
    for begin, end in pairwise(borders):
        sizes[owner[begin]] = np.median(manoeuvres["dv_m_s"][begin:end])
    return Burns((counts + 1.0) / (days + 1.0 / USUAL_PER_DAY), sizes)


def burns_of(classes: ClassArray, known: KnownOf) -> Burns:
    """Return the burns of objects (n,) that their error laws leave out.

    Of those whose history does not show how often they thrust, payloads count as satellites in use unless
    they are inactive.
    """
    beside = np.isin(classes, [ERROR_CLASSES.index(name) for name in _BURN_BESIDE_THE_LAW])
    may = (known.object_type == OBJECT_TYPES.index("payload")) & (known.status != "inactive")
    usual = np.where(may, USUAL_PER_DAY, 0.0)
    shown = np.isfinite(known.burns_per_day) & (may | np.isfinite(known.burn_dv_m_s))
    per_day = np.where(shown, known.burns_per_day, usual)
    dv_m_s = np.where(np.isfinite(known.burn_dv_m_s), known.burn_dv_m_s, USUAL_DV_M_S)
    return Burns(np.where(beside, per_day, 0.0), dv_m_s)
