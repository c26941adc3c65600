"""What a search hands on: the part of one task, and the whole of a window."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from screening.encounters import EncounterArray, ProximityArray


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


def _renumbered(rows: npt.NDArray[np.void], numbers: npt.NDArray[np.int32]) -> npt.NDArray[np.void]:
    rows = rows.copy()
    for who in ("primary_index", "secondary_index"):
        rows[who] = numbers[rows[who]]
    swapped = np.flatnonzero(rows["primary_index"] > rows["secondary_index"])
    if len(swapped) == 0:
        return rows
    for field in ("index", "r_teme_km", "v_teme_km_s"):
        one, other = f"primary_{field}", f"secondary_{field}"
        if one in (rows.dtype.names or ()):
            rows[one][swapped], rows[other][swapped] = rows[other][swapped], rows[one][swapped]
    return rows


def _renumbered_failure(failure: Failure, numbers: npt.NDArray[np.int32]) -> Failure:
    return failure._replace(object_index=int(numbers[failure.object_index]))
