"""Element sets of one object, each against the next ones, at both epochs."""

from typing import NamedTuple, Self

import numpy as np
import numpy.typing as npt

from screening.orbits.elements import ElementArray
from screening.orbits.gravity import MU_KM3_S2
from screening.orbits.reference.leap_seconds import tai_minus_utc_s
from screening.orbits.reference.local_axes import cross
from screening.orbits.sgp4.propagate import Propagator
from screening.orbits.timegrid import SECONDS_PER_DAY, FloatArray, TimeWindow, instants

IntArray = npt.NDArray[np.int64]

MOST_STEPS = 6  # on either side, of what looks at places along the orbit
_METRES_PER_KM = 1000.0


class History(NamedTuple):
    """Element sets of several objects by object and time, one for each epoch."""

    sets: ElementArray  # (n,)
    owner: IntArray  # (n,), ascending from 0
    day: FloatArray  # (n,), of 86,400 s each since the midnight of the first
    utc_day: FloatArray  # (n,), the same less the leap seconds since then

    @classmethod
    def of(cls, sets: ElementArray, fewest: int) -> Self:
        """Sort sets (n,) in any order, the last of an object's sets of one epoch counting.

        Objects with fewer than `fewest` sets are left out.
        """
        jd, fraction, number = sets["epoch_jd"], sets["epoch_day_fraction"], sets["norad_id"]
        order = np.lexsort((fraction, jd, number))  # stable
        jd, fraction, number = jd[order], fraction[order], number[order]
        utc_day = (jd - jd.min(initial=np.inf)) + fraction
        leap_s = tai_minus_utc_s(instants(jd, fraction))
        day = utc_day + (leap_s - leap_s.min(initial=np.inf)) / SECONDS_PER_DAY
        last = np.append((np.diff(number) != 0) | (np.diff(day) != 0.0), True)[: len(day)]
        _, owner, sizes = np.unique(number[last], return_inverse=True, return_counts=True)
        kept = np.flatnonzero(last)[sizes[owner] >= fewest]
        _, owner = np.unique(number[kept], return_inverse=True)
        return cls(sets[order[kept]], owner, day[kept], utc_day[kept])

    def without(self, left_out: npt.NDArray[np.bool_]) -> Self:
        """Leave out some sets (n,)."""
        kept = ~left_out
        return type(self)(self.sets[kept], self.owner[kept], self.day[kept], self.utc_day[kept])


class SetPairs(NamedTuple):
    """How the set `lag` places later differs from each set, row 0 for lag 1; NaN if another object's.

    The newer less the older, in metres: of the semi-major axis, the mean of both epochs, and along the orbit.
    """

    axis: FloatArray  # (lags, n)
    along_at_older: FloatArray  # (lags, n), at the older one's epoch
    along_at_newer: FloatArray  # (lags, n)
    turn: FloatArray  # (lags, n), of the orbit's plane, rad

    def axis_m(self, older: IntArray, newer: IntArray) -> FloatArray:
        """Return how the semi-major axes of pairs of sets differ; NaN beyond an object's history."""
        return _picked(self.axis, older, newer)

    def along_m(self, older: IntArray, newer: IntArray) -> tuple[FloatArray, FloatArray]:
        """Return how pairs differ along the orbit, at the older set's epoch and at the newer one's."""
        return _picked(self.along_at_older, older, newer), _picked(self.along_at_newer, older, newer)

    def turn_rad(self, older: IntArray, newer: IntArray) -> FloatArray:
        """Return the angles between the planes of pairs of sets; NaN beyond an object's history."""
        return _picked(self.turn, older, newer)

    def place_m(self, reference: IntArray, other: IntArray) -> FloatArray:
        """Return how far sets are, at their own epochs, ahead of where reference sets put the object."""
        later = _picked(self.along_at_newer, reference, other)
        earlier = -_picked(self.along_at_older, other, reference)
        return np.where(other == reference, 0.0, np.where(other > reference, later, earlier))


def _picked(by_lag: FloatArray, older: IntArray, newer: IntArray) -> FloatArray:
    lags, count = by_lag.shape
    lag = newer - older
    known = (older >= 0) & (newer < count) & (lag >= 1) & (lag <= lags)
    picked = by_lag[np.clip(lag - 1, 0, lags - 1), np.clip(older, 0, count - 1)]
    return np.where(known, picked, np.nan)


def compared(known: History, most_lags: int) -> SetPairs:
    """Compare each set with up to `most_lags` later ones of its object."""
    count = len(known.day)
    span = TimeWindow(float(known.sets["epoch_jd"].min()), 0.0, float(known.day.max()) * SECONDS_PER_DAY)
    propagator = Propagator(known.sets, span)
    own = _Orbits.of(propagator, np.arange(count), known.utc_day)
    axis, at_older, at_newer, turn = (np.full((most_lags, count), np.nan) for _ in range(4))
    for lag in range(1, most_lags + 1):
        older = np.flatnonzero(known.owner[lag:] == known.owner[:-lag])
        newer = older + lag
        apart = known.day[newer] - known.day[older]
        forward = _Orbits.of(propagator, older, known.utc_day[older] + apart)
        backward = _Orbits.of(propagator, newer, known.utc_day[newer] - apart)
        ahead, behind = own.at(newer).less(forward), backward.less(own.at(older))
        axis[lag - 1, older] = (ahead.axis_m + behind.axis_m) / 2.0
        at_newer[lag - 1, older], at_older[lag - 1, older] = ahead.along_m, behind.along_m
        turn[lag - 1, older] = ahead.turn_rad
    return SetPairs(axis, at_older, at_newer, turn)


def osculating_axis_m(propagator: Propagator, sets: IntArray, seconds: FloatArray) -> FloatArray:
    """Return the semi-major axes of sets at instants of the propagator's window."""
    _, r, v = propagator.at(sets.astype(np.int32), seconds)
    speed2 = np.einsum("ki,ki->k", v, v)
    axis: FloatArray = _METRES_PER_KM / (2.0 / np.linalg.norm(r, axis=1) - speed2 / MU_KM3_S2)
    return axis


class _Difference(NamedTuple):
    axis_m: FloatArray
    along_m: FloatArray
    turn_rad: FloatArray


class _Orbits(NamedTuple):
    """Osculating orbits: what is periodic in them is the same for two sets of one object at one time."""

    axis_km: FloatArray  # (k,)
    normal: FloatArray  # (k, 3)
    radial: FloatArray  # (k, 3), to the object
    eccentricity: FloatArray  # (k, 3), vector to the perigee

    @classmethod
    def of(cls, propagator: Propagator, sets: IntArray, day: FloatArray) -> Self:
        _, r, v = propagator.at(sets.astype(np.int32), day * SECONDS_PER_DAY)
        radius = np.linalg.norm(r, axis=1)
        h = cross(r, v)
        eccentricity = cross(v, h) / MU_KM3_S2 - r / radius[:, None]
        axis = 1.0 / (2.0 / radius - np.einsum("ki,ki->k", v, v) / MU_KM3_S2)
        return cls(axis, h / np.linalg.norm(h, axis=1)[:, None], r / radius[:, None], eccentricity)

    def at(self, index: IntArray) -> Self:
        return type(self)(*(column[index] for column in self))

    def less(self, other: "_Orbits") -> _Difference:
        """Return this less another, near it.

        Along the orbit: the angle between both places, less what the change of the eccentricity makes of the
        true longitude, which swings with each revolution and does not grow.
        """
        across = cross(other.normal, other.radial)
        angle = np.arctan2(
            np.einsum("ki,ki->k", self.radial, across), np.einsum("ki,ki->k", self.radial, other.radial)
        )
        swing = _equation_of_centre(self) - _equation_of_centre(other)
        turn = np.linalg.norm(cross(self.normal, other.normal), axis=1)
        return _Difference(
            (self.axis_km - other.axis_km) * _METRES_PER_KM,
            (angle - swing) * other.axis_km * _METRES_PER_KM,
            turn,
        )


def _equation_of_centre(orbits: _Orbits) -> FloatArray:
    """Return true less mean anomaly."""
    e = np.linalg.norm(orbits.eccentricity, axis=1)
    cosine = np.einsum("ki,ki->k", orbits.eccentricity, orbits.radial)
    sine = np.einsum("ki,ki->k", cross(orbits.eccentricity, orbits.radial), orbits.normal)
    true = np.arctan2(sine, cosine)
    with np.errstate(invalid="ignore"):
        half = np.arctan(np.sqrt((1.0 - e) / (1.0 + e)) * np.tan(true / 2.0))
    eccentric = 2.0 * half
    swing: FloatArray = true - (eccentric - e * np.sin(eccentric))
    return swing
