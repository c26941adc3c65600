"""Curves between stored states, with the interface of a propagator: a search without SGP4."""

from itertools import pairwise
from typing import NamedTuple, Self

import numpy as np
import numpy.typing as npt

from screening.kernels import kernel
from screening.orbits.acceleration import acceleration_km_s2
from screening.orbits.knots import KNOT_STEP_S, POWERS, position_along, quintic, velocity_along
from screening.orbits.sgp4.propagate import NO_ORBIT, ErrorArray, IndexArray
from screening.orbits.timegrid import FloatArray, TimeWindow
from screening.search.few_objects.ephemeris import FAR_KM, Chunk
from screening.search.one_step.middle_states import FloatArray32
from screening.search.radial_range import RadialRange


class Ephemeris(NamedTuple):
    """Stored states of all objects of a run, n of them in tiles, at m knots 600 s apart."""

    norad_ids: npt.NDArray[np.int64]  # (k,) the object at place 0, 1, ...; places after the last are FAR
    ranges: RadialRange  # (k,)
    start: np.datetime64  # UTC, of the first knot
    states: FloatArray32  # (m, 6, n) TEME, km and km/s
    slack_km: FloatArray32  # (c, n) in each chunk of knots
    chunk_borders: tuple[int, ...]  # (c + 1,) knots

    @property
    def end(self) -> np.datetime64:
        """The last knot, UTC."""
        seconds = (len(self.states) - 1) * KNOT_STEP_S
        return self.start + np.timedelta64(round(seconds * 1e6), "us")


class Curves:
    """Objects of an ephemeris in a window; an object has failed where it has no state."""

    def __init__(self, ephemeris: Ephemeris, span: TimeWindow, places: IndexArray) -> None:
        """Take the objects at `places` (n,), -1: not in the ephemeris."""
        self.span = span
        self.first_s = float((ephemeris.start - span.start) / np.timedelta64(1, "us")) / 1e6
        self._ephemeris = ephemeris
        self._places = places

    def __len__(self) -> int:
        return len(self._places)

    @property
    def is_deep_space(self) -> npt.NDArray[np.bool_]:
        """Return that no object (n,) is: a curve's velocity is the derivative of its position."""
        return np.zeros(len(self._places), np.bool_)

    def subset(self, index: npt.NDArray[np.integer]) -> Self:
        """Return some of the objects, in the given order."""
        return type(self)(self._ephemeris, self.span, self._places[index])

    def on_grid(self, times_s: FloatArray) -> tuple[ErrorArray, FloatArray, FloatArray]:
        """Return codes (m, n), positions (m, 3, n) km and velocities (m, 3, n) km/s, TEME; NaN on error."""
        count = len(self._places)
        error, r, v = self.at(
            np.tile(np.arange(count, dtype=np.int32), len(times_s)), np.repeat(times_s, count)
        )
        shape = (len(times_s), count, 3)
        r, v = (x.reshape(shape).transpose(0, 2, 1) for x in (r, v))
        return error.reshape(shape[:2]), r, v

    def at(self, index: IndexArray, times_s: FloatArray) -> tuple[ErrorArray, FloatArray, FloatArray]:
        """Return codes (k,), positions (k, 3) and velocities (k, 3) of object `index[k]` at `times_s[k]`."""
        error = np.zeros(len(index), np.uint8)
        r, v = np.full((len(index), 3), np.nan), np.full((len(index), 3), np.nan)
        since_s = times_s - self.first_s
        _curve_points(self._ephemeris.states, self._places[index], since_s, error, r, v)
        return error, r, v

    def chunks(self, begin_s: float, end_s: float) -> list[Chunk]:
        """Return the ephemeris between two times, in the chunks in which it was written."""
        borders = self._ephemeris.chunk_borders
        times_s = self.first_s + KNOT_STEP_S * np.arange(len(self._ephemeris.states), dtype=np.float64)
        return [
            Chunk(times_s[a : b + 1], self._ephemeris.states[a : b + 1], self._ephemeris.slack_km[k])
            for k, (a, b) in enumerate(pairwise(borders))
            if times_s[a] < end_s and times_s[b] > begin_s
        ]


@kernel
def _curve_points(
    states: FloatArray32,
    places: IndexArray,
    since_s: FloatArray,
    error: ErrorArray,
    r_km: FloatArray,
    v_km_s: FloatArray,
) -> None:
    """Fill states (k, 3) at times since the first knot, and codes where there is none."""
    c = np.empty((POWERS, 3))
    last = states.shape[0] - 1
    for q in range(places.shape[0]):
        i = places[q]
        k = min(max(int(np.floor(since_s[q] / KNOT_STEP_S)), 0), last - 1)
        s = since_s[q] / KNOT_STEP_S - k
        inside = 0.0 <= s <= 1.0 and i >= 0
        if not inside or states[k, 0, i] == FAR_KM or states[k + 1, 0, i] == FAR_KM:
            error[q] = NO_ORBIT
            continue
        a0 = acceleration_km_s2(
            np.float64(states[k, 0, i]), np.float64(states[k, 1, i]), np.float64(states[k, 2, i])
        )
        a1 = acceleration_km_s2(
            np.float64(states[k + 1, 0, i]), np.float64(states[k + 1, 1, i]), np.float64(states[k + 1, 2, i])
        )
        for axis in range(3):
            c0, c1, c2, c3, c4, c5 = quintic(
                np.float64(states[k, axis, i]), np.float64(states[k, 3 + axis, i]), a0[axis],
                np.float64(states[k + 1, axis, i]), np.float64(states[k + 1, 3 + axis, i]), a1[axis],
            )  # fmt: skip
            c[0, axis], c[1, axis], c[2, axis] = c0, c1, c2
            c[3, axis], c[4, axis], c[5, axis] = c3, c4, c5
        for axis in range(3):
            r_km[q, axis] = position_along(c, axis, s)
            v_km_s[q, axis] = velocity_along(c, axis, s) / KNOT_STEP_S
