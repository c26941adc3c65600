"""What burns make of an encounter of which only the states and errors at TCA are stored.

The object that burns is flown back from TCA by gravity with J2. That gives its state at each burn well
enough: of four burns 13 to 18 h before real encounters the miss was within 0.02 % of that on the whole path.
The displacement, the new closest approach and the probability are found as in the trade space.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from screening.kernels import kernel
from screening.manoeuvre.displaced_path import states_after
from screening.manoeuvre.displacement import fly_through
from screening.manoeuvre.execution import Execution
from screening.manoeuvre.impulse import Impulse, checked
from screening.manoeuvre.shifted_encounter import M_PER_KM, probabilities, shifted
from screening.orbits.timegrid import FloatArray, TimeWindow, window
from screening.risk.probability.tails import Tails


class StoredEncounter(NamedTuple):
    """An encounter at TCA. States (6,) are km and km/s, TEME; errors (3, 3) m2 of position, own RTN."""

    tca: np.datetime64
    moved: FloatArray  # of the object that burns
    other: FloatArray
    moved_rtn_m2: FloatArray
    other_rtn_m2: FloatArray
    tails: tuple[Tails, Tails]  # (1,) of both errors
    radius_m: float  # combined hard-body radius


class AfterBurns(NamedTuple):
    """The encounter after burns; NaN where the two no longer meet there, or where it cannot be computed."""

    later_s: float  # how much later TCA is
    miss_distance_m: float
    probability: float


def after_burns(encounter: StoredEncounter, burns: Sequence[Impulse], execution: Execution) -> AfterBurns:
    """Return what burns before TCA make of an encounter; without one it stays as it is.

    Raises OutOfReach, or InputError for an impossible burn.
    """
    ahead = [one for one in checked(burns) if one.at < encounter.tca]
    moved, errors_m2 = encounter.moved, encounter.moved_rtn_m2
    if ahead:
        paths = _FlownBack(encounter, ahead[0].at)
        states = states_after(paths, 0, ahead, np.array([encounter.tca]), execution)
        moved = np.concatenate([states.r_teme_km[0], states.v_teme_km_s[0]])
        errors_m2 = errors_m2 + states.execution_rtn_m2[0]
    found = shifted(moved[None], encounter.other[None])
    (probability,) = probabilities(
        found, (errors_m2, encounter.other_rtn_m2), encounter.tails, encounter.radius_m
    )
    return AfterBurns(float(found.later_s[0]), float(found.miss_km[0]) * M_PER_KM, float(probability))


class _FlownBack:
    """The path of the object that burns, from an instant until TCA."""

    def __init__(self, encounter: StoredEncounter, since: np.datetime64) -> None:
        seconds = float((encounter.tca - since) / np.timedelta64(1, "us")) / 1e6
        self.span: TimeWindow = window(since, seconds / 3600.0)
        self._tca_s = seconds
        self._at_tca = np.ascontiguousarray(encounter.moved)

    def at(
        self, index: npt.NDArray[np.int32], times_s: FloatArray
    ) -> tuple[npt.NDArray[np.uint8], FloatArray, FloatArray]:
        """Return as `Paths` has it; `index` is 0."""
        before_s = self._tca_s - times_s
        order = np.argsort(before_s)
        states = np.empty((len(times_s), 6))
        _back(self._at_tca, before_s[order], states)
        found = np.empty_like(states)
        found[order] = states
        error: npt.NDArray[np.uint8] = np.zeros(len(index), np.uint8)
        error[~np.isfinite(found).all(axis=1)] = 1
        return error, found[:, :3], found[:, 3:]


@kernel
def _back(state: FloatArray, before_s: FloatArray, states: FloatArray) -> None:
    """Fill the states (k, 6) at times (k,), ascending, before that of a state (6,).

    Flown forwards with the velocity turned round, since gravity does not depend on it.
    """
    start = state.copy()
    start[3:] = -start[3:]
    fly_through(start, before_s, states)
    states[:, 3:] = -states[:, 3:]
