"""States between those of ephemerides: Lagrange's polynomial through the nearest positions.

Velocities are the derivative of the polynomial: those in files may disagree with their positions, by 4.5 m/s
in some. Nothing is interpolated across the ends of a segment. Beyond them it may be
flown on by gravity, for as long as curves between knots need states there.
"""

from collections.abc import Sequence
from typing import NamedTuple, Self

import numpy as np
import numpy.typing as npt

from screening.kernels import inlined_kernel, kernel
from screening.orbits.ephemerides import Segment
from screening.orbits.flight import fly
from screening.orbits.timegrid import FloatArray, TimeWindow

# Points of a polynomial. Between states of SGP4 each 60 s they leave 0.01 mm. Each 240 s they leave 2 mm for
# the median and 8.5 m for the worst object near the Earth, and 42 m at low perigees of long orbits; eight
# points leave 0.3 m, 52 m and 150 m.
POINTS = 12
# Code of an object at a time at which it is not given, or not in use.
NOT_THERE = 9
_FLIGHT_STEP_S = 60.0  # 3 mm off in a low orbit

_IndexArray = npt.NDArray[np.int32]
_CodeArray = npt.NDArray[np.uint8]


class Tracks(NamedTuple):
    """The positions of many segments, one behind the other; times are seconds from a window's start."""

    times_s: FloatArray  # (n,) ascending in each segment
    r_teme_km: FloatArray  # (n, 3)
    starts: npt.NDArray[np.int64]  # (s + 1,) where each segment begins
    from_s: FloatArray  # (s,) usable from here
    to_s: FloatArray  # (s,) to here, both included


def tracks_of(segments: Sequence[Segment], span: TimeWindow) -> Tracks:
    """Return the positions of segments, with times from the start of a window."""
    epochs = [np.empty(0, "M8[us]"), *(one.epochs.astype("M8[us]") for one in segments)]
    positions = [np.empty((0, 3)), *(one.r_teme_km for one in segments)]
    usable = np.array([(one.usable_from, one.usable_to) for one in segments], "M8[us]").reshape(-1, 2)
    times_s, from_s, to_s = (
        (instants - span.start) / np.timedelta64(1, "us") / 1e6
        for instants in (np.concatenate(epochs), usable[:, 0], usable[:, 1])
    )
    starts = np.cumsum([0, *(len(one.epochs) for one in segments)]).astype(np.int64)
    return Tracks(times_s, np.concatenate(positions), starts, from_s, to_s)


class Interpolated:
    """Segments of ephemerides as a set of objects; a segment of fewer than POINTS states gives none."""

    def __init__(
        self, tracks: Tracks, span: TimeWindow, places: npt.NDArray[np.integer], beyond_s: float = 0.0
    ) -> None:
        """Take the segments at `places` (n,), flown on by gravity for some time beyond both ends."""
        self.span = span
        self._beyond_s = beyond_s
        self._tracks = tracks
        self._places = places.astype(np.int32)

    def __len__(self) -> int:
        return len(self._places)

    @property
    def is_deep_space(self) -> npt.NDArray[np.bool_]:
        """Return that no object (n,) is: all velocities are the derivative of the position."""
        return np.zeros(len(self._places), np.bool_)

    def subset(self, index: npt.NDArray[np.integer]) -> Self:
        """Return some of the segments, in the given order."""
        return type(self)(self._tracks, self.span, self._places[index], self._beyond_s)

    def on_grid(self, times_s: FloatArray) -> tuple[_CodeArray, FloatArray, FloatArray]:
        """Return codes (m, n), positions (m, 3, n) km and velocities (m, 3, n) km/s, TEME; NaN on error."""
        count = len(self._places)
        index = np.tile(np.arange(count, dtype=np.int32), len(times_s))
        error, r, v = self.at(index, np.repeat(times_s, count))
        shape = (len(times_s), count, 3)
        r, v = (np.ascontiguousarray(x.reshape(shape).transpose(0, 2, 1)) for x in (r, v))
        return error.reshape(shape[:2]), r, v

    def at(self, index: _IndexArray, times_s: FloatArray) -> tuple[_CodeArray, FloatArray, FloatArray]:
        """Return codes (k,), positions (k, 3) and velocities (k, 3) of segment `index[k]` at `times_s[k]`."""
        error = np.empty(len(index), np.uint8)
        r, v = np.empty((len(index), 3)), np.empty((len(index), 3))
        times_s = np.ascontiguousarray(times_s)
        _interpolate(*self._tracks, self._beyond_s, self._places[index], times_s, error, r, v)
        return error, r, v


@inlined_kernel
def _first_point(times_s, start, end, t):  # type: ignore[no-untyped-def]
    """Return the first of the POINTS points around a time, of a segment that has as many."""
    low, high = start, end  # `t` lies before the point `high`, at or behind the one before `low`
    while low < high:
        middle = (low + high) // 2
        if times_s[middle] <= t:
            low = middle + 1
        else:
            high = middle
    return min(max(low - POINTS // 2, start), end - POINTS)


@kernel
def _interpolate(
    track_s: FloatArray,
    track_km: FloatArray,
    starts: npt.NDArray[np.int64],
    from_s: FloatArray,
    to_s: FloatArray,
    beyond_s: float,
    places: _IndexArray,
    times_s: FloatArray,
    error: _CodeArray,
    r_km: FloatArray,
    v_km_s: FloatArray,
) -> None:
    """Fill the states (k, 3) of segments at times (k,), and codes where there is none.

    The polynomial of point j is the product of all other (t - t_k) / (t_j - t_k): those of the points before
    it and behind it are kept, with their derivatives.
    """
    behind, behind_rate = np.empty(POINTS + 1), np.empty(POINTS + 1)
    for q in range(len(places)):
        i, t = places[q], min(max(times_s[q], from_s[places[q]]), to_s[places[q]])
        start, end = starts[i], starts[i + 1]
        flight_s = times_s[q] - t
        if not abs(flight_s) <= beyond_s or end - start < POINTS:
            error[q] = NOT_THERE
            r_km[q], v_km_s[q] = np.nan, np.nan
            continue
        error[q] = 0
        first = _first_point(track_s, start, end, t)
        behind[POINTS], behind_rate[POINTS] = 1.0, 0.0
        for j in range(POINTS - 1, -1, -1):
            ahead = t - track_s[first + j]
            behind[j] = behind[j + 1] * ahead
            behind_rate[j] = behind_rate[j + 1] * ahead + behind[j + 1]
        before, before_rate = 1.0, 0.0
        r_km[q], v_km_s[q] = 0.0, 0.0
        for j in range(POINTS):
            own_s = track_s[first + j]
            scale = 1.0
            for k in range(POINTS):
                if k != j:
                    scale *= own_s - track_s[first + k]
            weight = before * behind[j + 1] / scale
            rate = (before_rate * behind[j + 1] + before * behind_rate[j + 1]) / scale
            for axis in range(3):
                r_km[q, axis] += weight * track_km[first + j, axis]
                v_km_s[q, axis] += rate * track_km[first + j, axis]
            before_rate = before_rate * (t - own_s) + before
            before *= t - own_s
        if flight_s != 0.0:
            fly(r_km[q], v_km_s[q], flight_s, 1 + int(abs(flight_s) / _FLIGHT_STEP_S))
