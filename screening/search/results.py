"""Results of a search: of one task, and of a whole window."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from screening.encounters import EncounterArray, ProximityArray, swap_sides


class Absence(NamedTuple):
    """Neighbouring knots, from the first to the last, at which an object has no state."""

    object_index: int  # or the id of a piece, where paths have several
    first_s: float
    last_s: float
    code: int  # at the first


class Failure(NamedTuple):
    """An object for which SGP4 fails somewhere in the window."""

    object_index: int
    code: int  # of the first failure
    first_s: float  # when it first fails, 0 if it failed before the window
    lost_s: float  # start of a failure that lasts to the window's end, NaN if the object comes back


class Found(NamedTuple):
    """The result of one search: minima of distance in [begin, end), below the threshold."""

    encounters: EncounterArray  # ENCOUNTER_DTYPE, slow ones not merged to visits yet
    absences: list[Absence]
    candidates: int  # minima on the interpolated curves that reached the final stage
    largest_pad_km: float


class Screening(NamedTuple):
    """The result for a whole window."""

    encounters: EncounterArray  # ENCOUNTER_DTYPE sorted by TCA, then pair
    proximities: ProximityArray  # PROXIMITY_DTYPE sorted by pair
    failures: dict[int, Failure]  # by object index
    candidates: int
    largest_pad_km: float

    def renumbered(self, numbers: npt.NDArray[np.int32]) -> "Screening":
        """Return the same with object `i` called `numbers[i]`; primaries stay primaries."""
        failures = [
            one._replace(object_index=int(numbers[one.object_index])) for one in self.failures.values()
        ]
        return self._replace(
            encounters=_renumbered(self.encounters, numbers),
            proximities=_renumbered(self.proximities, numbers),
            failures={failure.object_index: failure for failure in failures},
        )

    def asked_first(self, asked: npt.NDArray[np.integer]) -> "Screening":
        """Return a copy with the objects at some indices as primaries, unless both of a pair are."""
        encounters, proximities = self.encounters.copy(), self.proximities.copy()
        for rows in (encounters, proximities):
            other_way = np.isin(rows["secondary_index"], asked) & ~np.isin(rows["primary_index"], asked)
            swap_sides(rows, other_way)
        return self._replace(encounters=encounters, proximities=proximities)


def _renumbered(rows: npt.NDArray[np.void], numbers: npt.NDArray[np.int32]) -> npt.NDArray[np.void]:
    rows = rows.copy()
    for who in ("primary_index", "secondary_index"):
        rows[who] = numbers[rows[who]]
    return rows
