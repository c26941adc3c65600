"""Where objects will be, as their operators publish it: states at epochs, in TEME."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from screening.orbits.timegrid import FloatArray, UtcArray

NEVER = np.datetime64("NaT", "us")


class Segment(NamedTuple):
    """States between which an object moves without a thrust; no interpolation crosses its ends."""

    epochs: UtcArray  # (n,) M8[us] UTC, ascending
    r_teme_km: FloatArray  # (n, 3)
    usable_from: np.datetime64  # M8[us] UTC, within the epochs
    usable_to: np.datetime64
    covariance_epochs: UtcArray  # (k,) UTC, ascending; empty: none
    covariance_rtn: FloatArray  # (k, 6, 6) km2, km2/s, km2/s2, in the object's RTN (inertial velocity)


class Ephemeris(NamedTuple):
    """Where one object will be, by its operator."""

    norad_id: int  # 0: the file does not say
    name: str
    object_id: str  # international designator; empty: not said
    segments: tuple[Segment, ...]  # in time, not overlapping
    departs_at: np.datetime64 = NEVER  # M8[us] UTC, since when it is another path than the element set's


# Of some objects, by their indices; of several the first counts that gives states for a time.
Ephemerides = Mapping[int, Sequence[Ephemeris]]
