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
        encounters = self.encounters.copy()
        for who in ("primary_index", "secondary_index"):
            encounters[who] = numbers[encounters[who]]
        swapped = np.flatnonzero(encounters["primary_index"] > encounters["secondary_index"])
        for field in ("index", "r_teme_km", "v_teme_km_s"):
            one, other = f"primary_{field}", f"secondary_{field}"
            encounters[one][swapped], encounters[other][swapped] = (
                encounters[other][swapped],
                encounters[one][swapped],
            )
        failures = [f._replace(object_index=int(numbers[f.object_index])) for f in self.failures]
        return self._replace(encounters=encounters, failures=failures)


class Screening(NamedTuple):
    """The result for a whole window."""

    encounters: EncounterArray  # ENCOUNTER_DTYPE sorted by TCA, then pair
    proximities: ProximityArray  # PROXIMITY_DTYPE sorted by pair
    failures: dict[int, Failure]  # the first failure of each object index
    candidates: int
    largest_pad_km: float
