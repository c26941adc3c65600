"""How often objects thrust, and how much: by their own histories, else as satellites in use do."""

from typing import NamedTuple

import numpy as np

from screening.orbits.timegrid import FloatArray
from screening.risk.objects.error_classes import ERROR_CLASSES, ClassArray, KnownOf
from screening.vocabulary import OBJECT_TYPES

# Of 154 low satellites that watch weather and Earth, in a week of May 2026: 27 manoeuvres, a median of
# 0.035 m/s (`tests/benchmarks/manoeuvre_truth.py`).
USUAL_PER_DAY = 0.02
USUAL_DV_M_S = 0.04
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


def burns_of(classes: ClassArray, known: KnownOf) -> Burns:
    """Return the burns of objects (n,) that their error laws leave out.

    Of those whose history does not show how often they thrust, payloads count as satellites in use unless
    they are inactive.
    """
    beside = np.isin(classes, [ERROR_CLASSES.index(name) for name in _BURN_BESIDE_THE_LAW])
    may = (known.object_type == OBJECT_TYPES.index("payload")) & (known.status != "inactive")
    per_day = np.where(
        np.isfinite(known.burns_per_day), known.burns_per_day, np.where(may, USUAL_PER_DAY, 0.0)
    )
    dv_m_s = np.where(np.isfinite(known.burn_dv_m_s), known.burn_dv_m_s, USUAL_DV_M_S)
    return Burns(np.where(beside, per_day, 0.0), dv_m_s)
