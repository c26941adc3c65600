"""What scoring needs to know about objects besides their element sets."""

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from screening.orbits.timegrid import FloatArray
from screening.risk.objects.burn_rates import Burns
from screening.risk.objects.error_classes import ClassArray
from screening.risk.objects.hard_body import HardBodies

# It imports numba, which an idle service does not need.
if TYPE_CHECKING:
    from screening.risk.objects.known_paths import OnEphemerides

FactorArray = npt.NDArray[np.void]

# How well an object's element sets agree with each other. NaN: too few sets; NaT: no manoeuvre seen.
FACTOR_DTYPE = np.dtype(
    [
        ("norad_id", "i8"),
        ("element_sets", "i8"),  # used in a difference
        ("factor_r", "f8"),  # on the sigmas of the error law
        ("factor_t", "f8"),
        ("factor_n", "f8"),
        ("last_manoeuvre", "M8[us]"),  # UTC, epoch of the first element set after it
        ("burns_per_day", "f8"),
        ("burn_dv_m_s", "f8"),  # usual size
    ]
)


class ObjectKnowledge(NamedTuple):
    """What scoring needs to know about objects (n,), in the order of their element sets."""

    bodies: HardBodies
    error_classes: ClassArray  # (n,), codes into ERROR_CLASSES
    factors_rtn: FloatArray  # (n, 3) on the sigmas of the error law, NaN where there are none
    complex_ids: npt.NDArray[np.int64]  # (n,) of what stays together as one body; negative: alone
    burns: Burns | None = None  # None: nothing thrusts
    planned: npt.NDArray[np.bool_] | None = None  # (n,) its ephemeris is its element set after planned burns
    on_ephemerides: "OnEphemerides | None" = None  # None: nothing is
    law_factors_rtn: FloatArray | None = None  # (n, 3) of refitted laws; NaN, None: as shipped

    def of(self, rows: npt.NDArray[np.integer]) -> "ObjectKnowledge":
        """Return the facts about some of the objects (m,)."""
        bodies = HardBodies(*(values[rows] for values in self.bodies))
        return ObjectKnowledge(
            bodies,
            self.error_classes[rows],
            self.factors_rtn[rows],
            self.complex_ids[rows],
            self.burns and Burns(*(values[rows] for values in self.burns)),
            None if self.planned is None else self.planned[rows],
            self.on_ephemerides and self.on_ephemerides.of(rows),
            None if self.law_factors_rtn is None else self.law_factors_rtn[rows],
        )
