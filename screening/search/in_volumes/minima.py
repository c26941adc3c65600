"""The minima of distance that may be inside volumes, from one chunk of knots to the next."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from screening.orbits.elements import ElementArray
from screening.orbits.knots import KNOT_STEP_S
from screening.orbits.sgp4.propagate import NO_ORBIT, IndexArray
from screening.orbits.timegrid import FloatArray
from screening.orbits.trajectories import Trajectories
from screening.search.all_pairs.screen import EDGE_S, absences_at, chunks_of_knots
from screening.search.few_objects.straight_line_sieve import LEAST_SLACK_KM, raise_to_slack
from screening.search.in_volumes.curve_minima import STATE, minima_in_half, states_at_knot
from screening.search.in_volumes.radial_sieve import (
    ENTRY_ROWS,
    arrange,
    candidates_near_knot,
    radii_near_knot,
)
from screening.search.one_step.middle_states import FloatArray32
from screening.search.one_step.pads import FLOOR_KM, LARGEST_KM, Knots, checked_groups, measured_pads_km
from screening.search.one_step.pair_tests import LANES, IntArray
from screening.search.results import Absence
from screening.search.staying_close.crowds import Crowded

_ROOM = 4096  # at first


class Sought(NamedTuple):
    """The paths (p,) around which is searched, among all (n,)."""

    paths: IndexArray  # (p,)
    reach_km: FloatArray32  # (p,) radius of the sphere around what is claimed
    half_height_km: FloatArray32  # (p,)
    above_km: FloatArray32  # (p,) how much farther from the Earth's centre something inside may be
    until_s: FloatArray  # (p,)

    def after(self, time_s: float) -> "Sought":
        """Return those that are searched for after a time."""
        still = self.until_s > time_s
        return Sought(
            self.paths[still],
            self.reach_km[still],
            self.half_height_km[still],
            self.above_km[still],
            self.until_s[still],
        )


class Chunk(NamedTuple):
    """What has been found between some knots: k minima on curves."""

    pairs: IntArray  # (2, k) the path around which, and the other
    times_s: FloatArray  # (k,)
    absences: list[Absence]


def minima_by_chunk(
    elements: ElementArray, propagator: Trajectories, sought: Sought, room: int | None = None
) -> Iterator[Chunk]:
    """Yield the minima on curves of paths (n,), `elements` (n,), that may be inside what is claimed.

    Raises Crowded if a chunk has more than `room`, or more candidates near a knot.
    """
    checked = checked_groups(elements, propagator)
    end_s = min(propagator.span.seconds, float(sought.until_s.max(initial=0.0)))
    for times_s in chunks_of_knots(0.0, end_s):
        knots = Knots(times_s, *propagator.on_grid(times_s))
        pads_km = measured_pads_km(checked, knots)
        without_curve = pads_km > LARGEST_KM
        knots.errors[:, without_curve], pads_km[without_curve] = NO_ORBIT, FLOOR_KM
        still = sought.after(times_s[0] - EDGE_S)
        pairs, minima_s = _minima(knots, pads_km, still, end_s + EDGE_S, room)
        yield Chunk(pairs, minima_s, absences_at(knots))


def _minima(
    knots: Knots, pads_km: FloatArray32, sought: Sought, end_s: float, room: int | None
) -> tuple[IntArray, FloatArray]:
    """Return pairs (2, k) and times (k,) of minima in a chunk, up to a time."""
    slack_km = np.full(len(pads_km), LEAST_SLACK_KM)
    r_km, v_km_s, count = knots.r_teme_km, knots.v_teme_km_s, len(knots.times_s)
    for k in range(count - 1):
        raise_to_slack(r_km[k], v_km_s[k], r_km[k + 1], v_km_s[k + 1], slack_km)
    states = np.empty((count, len(pads_km), STATE))
    for k in range(count):
        states_at_knot(r_km[k], v_km_s[k], states[k])
    near, rooms = _Near(len(pads_km), room), _Rooms(room)
    for k in range(count):
        candidates = near.candidates(knots, k, slack_km, sought)
        for interval, begin, end in ((k - 1, 0.5, 1.0), (k, 0.0, 0.5)):
            begin = max(begin, (-EDGE_S - knots.times_s[0]) / KNOT_STEP_S - interval)
            end = min(end, (end_s - knots.times_s[0]) / KNOT_STEP_S - interval)
            if 0 <= interval < count - 1 and begin < end:
                good = (knots.errors[interval : interval + 2] == 0).all(axis=0)
                some = candidates[:, good[candidates[1]] & good[sought.paths[candidates[0]]]]
                rooms.add(states, knots.times_s, interval, (begin, end), some, sought, pads_km)
    return rooms.found()


class _Near:
    """The first sieve, with its memory."""

    def __init__(self, count: int, room: int | None) -> None:
        self._room = room
        tiles = -(-count // LANES)
        self._low_km, self._high_km, self._keys = np.empty(count), np.empty(count), np.empty(count)
        self._place = np.empty(count, np.int32)
        self._entries = np.empty((ENTRY_ROWS, tiles * LANES), np.float32)
        self._tiles = np.empty(tiles, np.float32), np.empty(tiles, np.float32)
        self._found = np.empty((2, _ROOM), np.int32)

    def candidates(self, knots: Knots, k: int, slack_km: FloatArray, sought: Sought) -> IntArray:
        """Return candidates (2, c) near knot `k`: places among what is sought, and other paths."""
        r_km, v_km_s = knots.r_teme_km[k], knots.v_teme_km_s[k]
        radii = self._low_km, self._high_km
        radii_near_knot(knots.errors[k], r_km, v_km_s, slack_km, *radii, self._keys)
        order = np.argsort(self._keys)
        arrange(order, r_km, v_km_s, slack_km, *radii, self._entries, *self._tiles)
        self._place[order] = np.arange(len(order), dtype=np.int32)
        while True:
            count = candidates_near_knot(
                self._entries, *self._tiles, order, self._place[sought.paths],
                sought.reach_km, sought.half_height_km, sought.above_km, self._found,
            )  # fmt: skip
            if count <= self._found.shape[1]:
                return self._found[:, :count]
            _check_room(count, self._room, "pairs of objects may meet within a few minutes")
            self._found = np.empty((2, count + count // 4), np.int32)


class _Rooms:
    """The second sieve, with its memory, and what it has found."""

    def __init__(self, room: int | None) -> None:
        self._room, self._count = room, 0
        self._pairs, self._s = np.empty((2, _ROOM), np.int32), np.empty(_ROOM)
        self._found = [(self._pairs[:, :0], self._s[:0])]

    def add(
        self,
        states: FloatArray,
        times_s: FloatArray,
        interval: int,
        within: tuple[float, float],
        candidates: IntArray,
        sought: Sought,
        pads_km: FloatArray32,
    ) -> None:
        """Find the minima of candidates in a half of an interval, or what is `within` the window of it."""
        first_half = within[1] <= 0.5
        while True:
            count = minima_in_half(
                states[interval], states[interval + 1], first_half, *within, candidates,
                candidates.shape[1], sought.paths, pads_km, sought.reach_km, sought.half_height_km,
                self._pairs, self._s,
            )  # fmt: skip
            _check_room(self._count + count, self._room, "approaches are within a few hours")
            if count <= len(self._s):
                break
            self._pairs, self._s = np.empty((2, 2 * count), np.int32), np.empty(2 * count)
        self._count += count
        minima_s = times_s[interval] + KNOT_STEP_S * self._s[:count]
        self._found.append((self._pairs[:, :count].copy(), minima_s))

    def found(self) -> tuple[IntArray, FloatArray]:
        """Return pairs (2, k) and times (k,)."""
        pairs, times_s = zip(*self._found, strict=True)
        return np.concatenate(pairs, axis=1), np.concatenate(times_s)


def _check_room(count: int, room: int | None, what: str) -> None:
    if room is not None and count > room:
        raise Crowded(f"{count:,} {what} inside volumes.")
