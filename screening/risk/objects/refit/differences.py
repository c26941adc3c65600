"""How far element sets are off later sets of the same objects."""

from collections.abc import Sequence
from typing import NamedTuple, Self

import numpy as np
import numpy.typing as npt

from screening.orbits.elements import ElementArray
from screening.orbits.reference.local_axes import rtn_axes
from screening.orbits.sgp4.propagate import Propagator
from screening.orbits.timegrid import SECONDS_PER_DAY, FloatArray, TimeWindow

IntArray = npt.NDArray[np.int64]

_NEAREST_DAYS = 0.25  # a set so far from the age wanted is still taken, or a quarter of the age
_AT_ONCE = 200_000
_FAR_APART_DAYS = 1000.0


class Differences(NamedTuple):
    """What older sets predict for the epochs of newer ones of the same objects, less what these say."""

    older: IntArray  # (k,), indices of sets
    newer: IntArray  # (k,)
    age_days: FloatArray  # (k,)
    rtn_m: FloatArray  # (k, 3), in the newer one's RTN

    @classmethod
    def of(cls, sets: ElementArray, older: IntArray, newer: IntArray) -> Self:
        """Compare pairs (m,) of sets (n,); those that SGP4 cannot fly are left out."""
        if not len(older):
            return cls(older, newer, np.zeros(0), np.zeros((0, 3)))
        day = days_of(sets)
        span = TimeWindow(float(sets["epoch_jd"].min()), 0.0, float(day.max()) * SECONDS_PER_DAY)
        propagator = Propagator(sets, span)
        parts = []
        for first in range(0, len(older), _AT_ONCE):
            theirs, ours = newer[first : first + _AT_ONCE], older[first : first + _AT_ONCE]
            at_s = day[theirs] * SECONDS_PER_DAY
            _, r_km, v_km_s = propagator.at(theirs.astype(np.int32), at_s)
            _, predicted_km, _ = propagator.at(ours.astype(np.int32), at_s)
            parts.append(np.einsum("kij,kj->ki", rtn_axes(r_km, v_km_s), predicted_km - r_km) * 1e3)
        rtn_m = np.concatenate(parts)
        there = np.isfinite(rtn_m).all(axis=1)
        older, newer = older[there], newer[there]
        return cls(older, newer, day[newer] - day[older], rtn_m[there])


def pairs_by_age(sets: ElementArray, ages_days: Sequence[float]) -> tuple[IntArray, IntArray]:
    """Return older and newer ones (m,) of sets (n,), sorted by norad_id and epoch, about these ages apart."""
    if not len(sets):
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    day, (_, owner) = days_of(sets), np.unique(sets["norad_id"], return_inverse=True)
    place = day + owner * _FAR_APART_DAYS
    pairs = [np.zeros((2, 0), np.int64)]
    for age in ages_days:
        newer = np.minimum(np.searchsorted(place, place + age), len(place) - 1)
        off = np.abs(day[newer] - day - age)
        near = (owner[newer] == owner) & (day[newer] > day) & (off < np.maximum(0.25 * age, _NEAREST_DAYS))
        pairs.append(np.stack([np.flatnonzero(near), newer[near]]))
    older, newer = np.unique(np.concatenate(pairs, axis=1), axis=1)
    return older, newer


def days_of(sets: ElementArray) -> FloatArray:
    """Return the epochs (n,) of sets in days since the first one's Julian date."""
    days: FloatArray = (sets["epoch_jd"] - sets["epoch_jd"].min()) + sets["epoch_day_fraction"]
    return days
