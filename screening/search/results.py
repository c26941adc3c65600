"""What a search hands on: the part of one task, and the whole of a window."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from screening.encounters import EncounterArray, ProximityArray, swap_sides


class Failure(NamedTuple):
    """An object that SGP4 could not propagate, from `first_s` on."""

    object_index: int
    code: int
    first_s: float


class Found(NamedTuple):
    """What one search found: minima of distance in [begin, end), below the threshold."""

    encounters: EncounterArray  # ENCOUNTER_DTYPE, slow ones not merged yet
    failures: list[Failure]
    candidates: int  # minima on the interpolated curves that went to the final stage
    largest_pad_km: float

    def renumbered(self, numbers: npt.NDArray[np.int32]) -> "Found":
        """Return the same with object `i` called `numbers[i]`."""
        failures = [_renumbered_failure(failure, numbers) for failure in self.failures]
        return self._replace(encounters=_renumbered(self.encounters, numbers), failures=failures)


class Screening(NamedTuple):
    """The result for a whole window."""

    encounters: EncounterArray  # ENCOUNTER_DTYPE sorted by TCA, then pair
    proximities: ProximityArray  # PROXIMITY_DTYPE sorted by pair
    failures: dict[int, Failure]  # the first failure of each object index
    candidates: int
    largest_pad_km: float

    def renumbered(self, numbers: npt.NDArray[np.int32]) -> "Screening":
        """Return the same with object `i` called `numbers[i]`."""
        failures = [_renumbered_failure(failure, numbers) for failure in self.failures.values()]
        return self._replace(
            encounters=_renumbered(self.encounters, numbers),
            proximities=_renumbered(self.proximities, numbers),
            failures={failure.object_index: failure for failure in failures},
        )

    def asked_first(self, asked: npt.NDArray[np.integer]) -> "Screening":
        """Return the same with the objects of some indices as primaries, wherever only one of a pair is."""
        encounters, proximities = self.encounters.copy(), self.proximities.copy()
        for rows in (encounters, proximities):
            other_way = np.isin(rows["secondary_index"], asked) & ~np.isin(rows["primary_index"], asked)
            swap_sides(rows, other_way)
        return self._replace(encounters=encounters, proximities=proximities)


def _renumbered(rows: npt.NDArray[np.void], numbers: npt.NDArray[np.int32]) -> npt.NDArray[np.void]:
    rows = rows.copy()
    for who in ("primary_index", "secondary_index"):
        rows[who] = numbers[rows[who]]
    swap_sides(rows, rows["primary_index"] > rows["secondary_index"])
    return rows


def _renumbered_failure(failure: Failure, numbers: npt.NDArray[np.int32]) -> Failure:
    return failure._replace(object_index=int(numbers[failure.object_index]))
