"""Paths of objects in pieces: an element set, or a segment of an ephemeris, each active for a while.

An object's ephemerides come first; where they give no states, its element set takes over. The search between
knots works on pieces, each as if it were an object that is not there outside its time; what is asked about
whole paths, as whether two objects stay together, is asked of objects.

A curve needs states at the knots on either side, so a piece goes on to the next knot beyond both ends: an
element set as it is, a segment flown on by gravity. What is found there does not count.
"""

from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple, Self

import numpy as np
import numpy.typing as npt

from screening.orbits.elements import ElementArray
from screening.orbits.ephemerides import Ephemerides, Ephemeris, Segment
from screening.orbits.interpolated import NOT_THERE, POINTS, Interpolated, Tracks, tracks_of
from screening.orbits.knots import KNOT_STEP_S
from screening.orbits.sgp4.propagate import ErrorArray, IndexArray, Propagator
from screening.orbits.timegrid import FloatArray, TimeWindow
from screening.vocabulary import TRAJECTORY_KINDS

BY_ELEMENTS = -1
# Curves go on by so much beyond both ends, and then to the next knot: the minimum of a slow pair's curve may
# be on the other side of a knot than that of its paths.
_OVERLAP_S = 150.0
# No knot of a search is farther outside its window, or a piece.
_MARGIN_S = _OVERLAP_S + KNOT_STEP_S + 10.0
# An encounter may be beyond the end of each of two pieces that disagree: by half a second for 4 km.
BEYOND_END_S = 0.25


class Pieces(NamedTuple):
    """The pieces (p,) of objects; those of one object one behind the other, in time."""

    ids: IndexArray  # (p,) their places among the pieces of all objects
    objects: IndexArray  # (p,) ascending
    segments: IndexArray  # (p,) rows of the tracks, or BY_ELEMENTS
    from_s: FloatArray  # (p,) active from here, from the start of the window
    to_s: FloatArray  # (p,) to here, both included; those of one object have no instant in common
    tracks: Tracks

    def some(self, index: npt.NDArray[np.integer]) -> "Pieces":
        """Return some of the pieces, in the given order."""
        return Pieces(
            self.ids[index],
            self.objects[index],
            self.segments[index],
            self.from_s[index],
            self.to_s[index],
            self.tracks,
        )

    def of_objects(self, chosen: npt.NDArray[np.integer]) -> "Pieces":
        """Return the pieces of some objects (m,), which are called 0, 1, ... then."""
        first, behind = (np.searchsorted(self.objects, chosen, side) for side in ("left", "right"))
        count = behind - first
        number = np.repeat(np.arange(len(chosen), dtype=np.int32), count)
        place = np.arange(len(number)) - np.repeat(np.cumsum(count) - count, count)
        return self.some(first[number] + place)._replace(objects=number)

    def active(self, objects: npt.NDArray[np.integer], times_s: FloatArray) -> npt.NDArray[np.intp]:
        """Return the pieces (k,) on which objects (k,) are at times (k,); -1 where on none."""
        piece, behind = (np.searchsorted(self.objects, objects, side) for side in ("left", "right"))
        to_s, from_s = np.append(self.to_s, np.inf), np.append(self.from_s, np.inf)
        while True:
            later = (piece < behind) & (times_s > to_s[piece])
            if not later.any():
                break
            piece = piece + later
        return np.where((piece < behind) & (times_s >= from_s[piece]), piece, -1)


class Used(NamedTuple):
    """A segment of an ephemeris near a window, and when it is used."""

    segment: Segment  # what of it is near the window
    begins: np.datetime64  # UTC, the first state of its ephemeris
    departs_at: np.datetime64  # UTC, as of its ephemeris
    from_s: float
    to_s: float


def pieces_of(
    elements: ElementArray, ephemerides: Ephemerides, span: TimeWindow
) -> tuple[Pieces, list[Used]]:
    """Return the pieces of objects (n,) in a window, and the segments among them in the order of the tracks.

    Objects whose elements are marked `ephemeris` are not there outside their ephemerides.
    """
    used: list[Used] = []
    rows: list[tuple[int, int, float, float]] = []
    only = elements["trajectory"] == TRAJECTORY_KINDS.index("ephemeris")
    special = sorted(ephemerides.keys() | set(np.flatnonzero(only).tolist()))
    for i in special:
        from_s = -np.inf
        for one in _used(ephemerides.get(i, ()), span):
            if one.from_s > from_s and not only[i]:
                rows.append((i, BY_ELEMENTS, from_s, _before(one.from_s)))
            rows.append((i, len(used), max(one.from_s, from_s), one.to_s))
            used.append(one)
            from_s = _behind(one.to_s)
        if not only[i]:
            rows.append((i, BY_ELEMENTS, from_s, np.inf))
    rows = [row for row in rows if row[3] > -_MARGIN_S and row[2] < span.seconds + _MARGIN_S]
    apart = np.setdiff1d(np.arange(len(elements)), special)
    by_elements = [np.full(len(apart), value) for value in (BY_ELEMENTS, -np.inf, np.inf)]
    table = np.concatenate([np.reshape(rows, (-1, 4)), np.stack([apart, *by_elements], axis=1)])
    objects, of_segments, begins, ends = table[np.argsort(table[:, 0], kind="stable")].T.copy()
    pieces = Pieces(
        np.arange(len(table), dtype=np.int32),
        objects.astype(np.int32),
        of_segments.astype(np.int32),
        begins,
        ends,
        tracks_of([one.segment for one in used], span),
    )
    return pieces, used


def _near(segment: Segment, span: TimeWindow) -> Segment:
    """Return the part of a segment that the search in a window can ask for: of days, that is little."""
    margin = np.timedelta64(round(_MARGIN_S), "s")
    first, behind = np.searchsorted(segment.epochs, [span.start - margin, span.end + margin])
    part = slice(max(0, int(first) - POINTS), int(behind) + POINTS)
    epochs = segment.epochs[part]
    if len(epochs) == 0:
        return segment._replace(epochs=epochs)
    first, behind = np.searchsorted(segment.covariance_epochs, [epochs[0], epochs[-1]])
    around = slice(max(0, int(first) - 1), int(behind) + 1)
    return Segment(
        epochs,
        segment.r_teme_km[part],
        max(segment.usable_from, epochs[0]),
        min(segment.usable_to, epochs[-1]),
        segment.covariance_epochs[around],
        segment.covariance_rtn[around],
    )


def _before(time_s: float) -> float:
    return float(np.nextafter(time_s, -np.inf))


def _behind(time_s: float) -> float:
    return float(np.nextafter(time_s, np.inf))


def _used(ephemerides: Sequence[Ephemeris], span: TimeWindow) -> list[Used]:
    """Return the segments near a window, in time."""
    used: list[Used] = []
    near = (
        (_near(segment, span), (one.segments[0].epochs[0], one.departs_at))
        for one in ephemerides
        for segment in one.segments
    )
    for segment, of_all in near:
        if len(segment.epochs) < POINTS:
            continue
        ends = np.array([segment.usable_from, segment.usable_to], "M8[us]") - span.start
        from_s, to_s = (ends / np.timedelta64(1, "us") / 1e6).tolist()
        if to_s < -_MARGIN_S or from_s > span.seconds + _MARGIN_S:
            continue
        free = [(from_s, to_s)]
        for other in used:
            free = [
                part
                for a, b in free
                for part in ((a, min(b, _before(other.from_s))), (max(a, _behind(other.to_s)), b))
                if part[0] < part[1]
            ]
        used += [Used(segment, *of_all, a, b) for a, b in free]
    return sorted(used, key=lambda one: one.from_s)


class PiecePaths:
    """The pieces as trajectories: NOT_THERE beyond the knots around their time."""

    def __init__(self, pieces: Pieces, by_elements: Propagator) -> None:
        """Take pieces (p,) and, in the same order, the element sets of the objects that they belong to."""
        self.span = by_elements.span
        self.pieces = pieces
        self._by_elements = by_elements
        self._given = np.flatnonzero(pieces.segments != BY_ELEMENTS)
        places = pieces.segments[self._given]
        self._interpolated = Interpolated(pieces.tracks, self.span, places, _MARGIN_S)
        self._limited = np.flatnonzero(np.isfinite(pieces.from_s) | np.isfinite(pieces.to_s))
        self._from_s = np.floor((pieces.from_s - _OVERLAP_S) / KNOT_STEP_S) * KNOT_STEP_S
        self._to_s = np.ceil((pieces.to_s + _OVERLAP_S) / KNOT_STEP_S) * KNOT_STEP_S
        self._place = np.full(len(pieces.ids), BY_ELEMENTS, np.int32)
        self._place[self._given] = np.arange(len(self._given))

    def __len__(self) -> int:
        return len(self.pieces.ids)

    @property
    def is_deep_space(self) -> npt.NDArray[np.bool_]:
        """Return which pieces (p,) are element sets with periods of 225 minutes or more."""
        return self._by_elements.is_deep_space & ~self.is_interpolated

    @property
    def is_interpolated(self) -> npt.NDArray[np.bool_]:
        """Return which pieces (p,) are segments of ephemerides."""
        interpolated: npt.NDArray[np.bool_] = self.pieces.segments != BY_ELEMENTS
        return interpolated

    def subset(self, index: npt.NDArray[np.integer]) -> Self:
        """Return some of the pieces, in the given order."""
        return type(self)(self.pieces.some(index), self._by_elements.subset(index))

    def on_grid(self, times_s: FloatArray) -> tuple[ErrorArray, FloatArray, FloatArray]:
        """Return codes (m, p), positions (m, 3, p) km and velocities (m, 3, p) km/s, TEME; NaN on error."""
        given = self._given
        if len(given) == len(self):
            error, r, v = self._interpolated.on_grid(times_s)
        else:  # all by elements, then some anew: cheaper than to put columns together
            error, r, v = self._by_elements.on_grid(times_s)
            if len(given):
                error[:, given], r[:, :, given], v[:, :, given] = self._interpolated.on_grid(times_s)
        limited = self._limited
        away = times_s[:, None] < self._from_s[limited]
        away |= times_s[:, None] > self._to_s[limited]
        k, i = np.nonzero(away)
        error[k, limited[i]] = NOT_THERE
        r[k, :, limited[i]], v[k, :, limited[i]] = np.nan, np.nan
        return error, r, v

    def at(self, index: IndexArray, times_s: FloatArray) -> tuple[ErrorArray, FloatArray, FloatArray]:
        """Return codes (k,), positions (k, 3) and velocities (k, 3) of piece `index[k]` at `times_s[k]`."""
        error = np.full(len(index), NOT_THERE, np.uint8)
        r, v = np.full((len(index), 3), np.nan), np.full((len(index), 3), np.nan)
        active = (times_s >= self._from_s[index]) & (times_s <= self._to_s[index])
        place = self._place[index]
        for paths, those, numbers in (
            (self._by_elements, place == BY_ELEMENTS, index),
            (self._interpolated, place != BY_ELEMENTS, place),
        ):
            here = np.flatnonzero(active & those)
            if len(here):
                error[here], r[here], v[here] = paths.at(numbers[here], times_s[here])
        return error, r, v


class ObjectPaths:
    """Objects whose paths are pieces, as trajectories: at each time that of the piece that is active."""

    def __init__(self, pieces: Pieces, by_elements: Propagator) -> None:
        """Take all pieces of the objects (n,), and the element sets of these."""
        self.span = by_elements.span
        self.pieces = pieces
        self.objects = pieces.objects
        self._by_elements = by_elements
        always = (pieces.segments == BY_ELEMENTS) & np.isneginf(pieces.from_s) & np.isposinf(pieces.to_s)
        special = np.ones(len(by_elements), np.bool_)
        special[pieces.objects[always]] = False
        self._special = np.flatnonzero(special)
        self._place = np.full(len(by_elements), BY_ELEMENTS, np.int32)
        self._place[self._special] = np.arange(len(self._special))
        theirs = pieces.of_objects(self._special)
        self._of_special = PiecePaths(theirs, by_elements.subset(self._special[theirs.objects]))

    def __len__(self) -> int:
        return len(self._by_elements)

    @cached_property
    def piece_paths(self) -> PiecePaths:
        """The paths of the pieces (p,)."""
        return PiecePaths(self.pieces, self._by_elements.subset(self.objects))

    @property
    def is_deep_space(self) -> npt.NDArray[np.bool_]:
        """Return which objects (n,) have velocities that are not the derivative of their positions."""
        by_elements = np.zeros(len(self), np.bool_)
        by_elements[self.objects[self.pieces.segments == BY_ELEMENTS]] = True
        return by_elements & self._by_elements.is_deep_space

    @property
    def has_ephemeris(self) -> npt.NDArray[np.bool_]:
        """Return which objects (n,) do not follow an element set through the whole window."""
        apart: npt.NDArray[np.bool_] = self._place >= 0
        return apart

    def subset(self, index: npt.NDArray[np.integer]) -> Self:
        """Return some of the objects, in the given order, with their pieces."""
        return type(self)(self.pieces.of_objects(index), self._by_elements.subset(index))

    def on_grid(self, times_s: FloatArray) -> tuple[ErrorArray, FloatArray, FloatArray]:
        """Return codes (m, n), positions (m, 3, n) km and velocities (m, 3, n) km/s, TEME; NaN on error."""
        # All by elements, then some anew: cheaper than to put columns together.
        error, r, v = self._by_elements.on_grid(times_s)
        special, shape = self._special, (len(times_s), len(self._special))
        if len(special):
            places = np.tile(np.arange(len(special), dtype=np.int32), len(times_s))
            codes, r_km, v_km_s = self._at_special(places, np.repeat(times_s, len(special)))
            error[:, special] = codes.reshape(shape)
            for out, states in ((r, r_km), (v, v_km_s)):
                out[:, :, special] = np.ascontiguousarray(states.reshape(*shape, 3).transpose(0, 2, 1))
        return error, r, v

    def at(self, index: IndexArray, times_s: FloatArray) -> tuple[ErrorArray, FloatArray, FloatArray]:
        """Return codes (k,), positions (k, 3) and velocities (k, 3) of object `index[k]` at `times_s[k]`."""
        place = self._place[index]
        here, others = np.flatnonzero(place >= 0), np.flatnonzero(place < 0)
        error, r, v = np.empty(len(index), np.uint8), np.empty((len(index), 3)), np.empty((len(index), 3))
        error[here], r[here], v[here] = self._at_special(place[here], times_s[here])
        error[others], r[others], v[others] = self._by_elements.at(index[others], times_s[others])
        return error, r, v

    def _at_special(
        self, places: IndexArray, times_s: FloatArray
    ) -> tuple[ErrorArray, FloatArray, FloatArray]:
        """Return the states (k, 3) of the special object `places[k]` at `times_s[k]`, as `at`."""
        piece = self._of_special.pieces.active(places, times_s)
        error = np.full(len(places), NOT_THERE, np.uint8)
        r, v = np.full((len(places), 3), np.nan), np.full((len(places), 3), np.nan)
        here = np.flatnonzero(piece >= 0)
        error[here], r[here], v[here] = self._of_special.at(piece[here].astype(np.int32), times_s[here])
        return error, r, v


def paths_of(elements: ElementArray, span: TimeWindow, pieces: Pieces | None) -> "Propagator | ObjectPaths":
    """Return the paths of objects (n,) in a window; `pieces` are None if all follow their element sets."""
    propagator = Propagator(elements, span)
    return propagator if pieces is None else ObjectPaths(pieces, propagator)


def piece_paths_of(
    elements: ElementArray, span: TimeWindow, pieces: Pieces | None
) -> "Propagator | PiecePaths":
    """Return the paths of pieces (p,), with a row of `elements` (p,) each; None as in `paths_of`."""
    propagator = Propagator(elements, span)
    if pieces is None:
        return propagator
    return PiecePaths(pieces, propagator)
