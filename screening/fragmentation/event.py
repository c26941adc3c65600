"""Whether new objects are pieces of a break-up: of what, when, and how fast they left.

What satellites released, and what launchers placed, also passed through one point, but left at a few metres
per second. Pieces of an old break-up that are catalogued late have planes that stay open for the whole span.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from screening.fragmentation.passages import Orbits, beside, orbits, passages, tolerance_km
from screening.fragmentation.pinch import Pinch, pinch
from screening.orbits.elements import ElementArray
from screening.orbits.gravity import MU_KM3_S2
from screening.orbits.sgp4.propagate import Propagator
from screening.orbits.timegrid import SECONDS_PER_DAY, FloatArray, TimeWindow, utc, window

Mask = npt.NDArray[np.bool_]

LONGEST_DAYS = 60.0  # how long ago: farther back drag is not known well enough
FEWEST_PIECES = 10
MOST_FITTED = 100  # pieces: 0.1 CPU-s
INSIDE = 3.0  # tolerances within which a path passes through the point
# Springs part satellites at 0.3 to 2 m/s, kick stages and thrusters in one direction only; the weakest
# break-up that catalogues show, a burst tank, gives pieces 5 to 15 m/s in at least two directions.
SLOWEST_M_S = 5.0
# Of pieces that left in all directions no axis has this many times the speed of the others. In an old cloud
# nodes have drifted apart, which looks like speed across the planes alone.
MOST_ACROSS = 3.0
# The parent flies with its pieces: of objects that cross there the relative speed is kilometres per second.
WITH_PIECES = 3.0
FASTEST_M_S = 1000.0  # of pieces that catalogues show
# Drag and the theory's own errors shift the time, whatever the pieces say: measured on pieces of Cosmos 1408,
# 37 days after the event, 6 to 9 hours.
_SHIFT_PER_DAY = 0.01
_COARSE_S, _FINE_S, _AROUND_S, _HOLDS_S = 7200.0, 60.0, 36 * 3600.0, 5400.0
_LATE_S = np.arange(-90.0, 91.0, 30.0)  # around the nearest minute
_MOST_REVOLUTIONS = 48
_RESAMPLED = 40
_NEAR_POINT_KM = 100.0


class Cloud(NamedTuple):
    """New objects whose orbits have a point in common."""

    pieces: ElementArray  # (n,) some of them
    pinch: Pinch
    span: TimeWindow  # in which times count; it starts LONGEST_DAYS ago

    @property
    def at(self) -> np.datetime64:
        """The time of the pinch, UTC."""
        return _instant(self.span, self.pinch.time_s)


class BreakUp(NamedTuple):
    """A break-up: what flew through the point at that time, and left pieces at these speeds."""

    at: np.datetime64  # UTC
    uncertainty_hours: float  # 1-sigma
    r_km: FloatArray  # (3,) of the parent then, TEME
    v_km_s: FloatArray  # (3,)
    speeds_m_s: FloatArray  # (3,) robust 1-sigma of the pieces' speeds, radial, in-track, cross-track
    misfit: float  # mean of log(1 + (distance / tolerance)^2)


def cloud(pieces: ElementArray, now: np.datetime64) -> Cloud | None:
    """Return where and when, in the LONGEST_DAYS before `now` (UTC), the orbits of objects (n,) pinched.

    None: they did not, or left the point too slowly, or in one direction: satellites that were released.
    """
    days = np.timedelta64(int(LONGEST_DAYS), "D")
    tolerance = tolerance_km(pieces, now - days // 2)
    # Evenly of the half that drag has moved less: the least moved alone left upwards.
    half = np.argsort(tolerance, kind="stable")[: max(MOST_FITTED, len(pieces) // 2)]
    fitted = half[:: -(-len(half) // MOST_FITTED)]
    span = window(now - days, 24.0 * LONGEST_DAYS)
    times_s = np.arange(0.0, LONGEST_DAYS * SECONDS_PER_DAY, _COARSE_S)
    some = pieces[fitted]
    paths = Propagator(some, span)
    found = Cloud(some, pinch(paths, times_s, tolerance[fitted]), span)
    point_km, then_s = found.pinch.point_km[np.newaxis], np.array([found.pinch.time_s])
    normal = orbits(*paths.on_grid(then_s)[1:]).normal[0]
    turns_per_s = np.sqrt(MU_KM3_S2 / np.linalg.norm(point_km) ** 3)  # of a circular orbit
    v_km_s = np.cross(np.nanmedian(normal, axis=1), point_km) * turns_per_s
    distance_km, speed_m_s = passages(paths, then_s, point_km, v_km_s)
    # Up to an hour from the event some pieces have left the others a little.
    inside = distance_km[0] < 2.0 * INSIDE * tolerance_km(some, found.at)
    if inside.sum() < FEWEST_PIECES or np.sort(_spread(speed_m_s[0, inside]))[1] < 0.5 * SLOWEST_M_S:
        return None
    return found


def possible_parents(found: Cloud, known: ElementArray) -> npt.NDArray[np.intp]:
    """Return places of objects (m,) that fly near the point of a cloud, in its planes, the nearest first."""
    point_km = float(np.linalg.norm(found.pinch.point_km))
    near = np.abs(known["inclination_deg"] - np.median(found.pieces["inclination_deg"])) < 3.0
    axis_km = 42241.1 * known["mean_motion_rev_day"] ** (-2.0 / 3.0)
    near &= np.abs(axis_km - point_km) < known["eccentricity"] * axis_km + _NEAR_POINT_KM
    some = np.flatnonzero(near)
    _, r_km, v_km_s = Propagator(known[some], found.span).on_grid(np.array([found.pinch.time_s]))
    sine, radius_km = beside(orbits(r_km, v_km_s), found.pinch.point_km[np.newaxis] / point_km)
    off_km = np.hypot(point_km * sine, radius_km - point_km)[0]
    order = np.argsort(off_km, kind="stable")
    return np.asarray(some[order[off_km[order] < _NEAR_POINT_KM]])


def break_up(found: Cloud, parent: ElementArray) -> BreakUp | None:
    """Return how a parent (1,) broke up into the pieces of a cloud; None: it did not."""
    paths, flown = Propagator(found.pieces, found.span), Propagator(parent, found.span)
    tolerance = tolerance_km(found.pieces, found.at)
    at_s = _nearest_times(found.pinch.time_s, paths, flown, tolerance)
    _, r_km, v_km_s = flown.at(np.zeros(len(at_s), np.int32), at_s)
    has_state = np.isfinite(r_km[:, 0])
    at_s, r_km, v_km_s = at_s[has_state], r_km[has_state], v_km_s[has_state]
    if not len(at_s):
        return None
    distance_km, speed_m_s = passages(paths, at_s, r_km, v_km_s)
    off = np.where(np.isnan(distance_km), np.inf, distance_km) / tolerance
    misfit = np.log1p(np.minimum(off, 1e6) ** 2)
    best = int(np.argmin(misfit.mean(axis=1)))
    inside = off[best] < INSIDE
    if inside.sum() < max(FEWEST_PIECES, 0.5 * len(found.pieces)):
        return None
    left = speed_m_s[best, inside]
    median, spread = np.median(left, axis=0), _spread(left)
    total = float(np.linalg.norm(spread))
    if np.sort(spread)[1] < SLOWEST_M_S or spread[2] > MOST_ACROSS * np.hypot(*spread[:2]):
        return None
    if np.linalg.norm(median) > WITH_PIECES * total:
        return None
    return BreakUp(
        _instant(found.span, at_s[best]),
        _uncertainty_hours(misfit, at_s, found),
        r_km[best],
        v_km_s[best],
        spread,
        float(misfit[best].mean()),
    )


def belongs(some: ElementArray, at: np.datetime64, r_km: FloatArray, v_km_s: FloatArray) -> Mask:
    """Return which objects (n,) pass through the point of a break-up and flew with what broke up there."""
    paths = Propagator(some, window(at, 24.0))
    distance_km, speed_m_s = passages(paths, np.zeros(1), r_km[np.newaxis], v_km_s[np.newaxis])
    inside: Mask = distance_km[0] < INSIDE * tolerance_km(some, at)
    inside &= np.linalg.norm(speed_m_s[0], axis=1) < FASTEST_M_S
    return inside


def _spread(speeds_m_s: FloatArray) -> FloatArray:
    """Return the robust 1-sigma (3,) of speeds (n, 3): of a Gaussian its sigma."""
    off = np.abs(speeds_m_s - np.median(speeds_m_s, axis=0))
    return np.asarray(1.4826 * np.median(off, axis=0))


def _nearest_times(
    around_s: float, paths: Propagator, flown: Propagator, tolerance: FloatArray
) -> FloatArray:
    """Return times at which a parent passes nearest to the orbits of pieces: some each revolution."""
    steps_s = np.arange(around_s - _AROUND_S, around_s + _AROUND_S + 1.0, _HOLDS_S)
    times_s = np.arange(steps_s[0], steps_s[-1], _FINE_S)
    every = orbits(*paths.on_grid(steps_s)[1:])
    r_km = flown.on_grid(times_s)[1][:, :, 0]
    radius_km = np.linalg.norm(r_km, axis=1, keepdims=True)
    held = np.rint((times_s - steps_s[0]) / _HOLDS_S).astype(np.intp)
    sine, there_km = beside(Orbits(*(values[held] for values in every)), r_km / radius_km)
    off = np.hypot(radius_km * sine, there_km - radius_km) / tolerance
    typical = np.median(np.where(np.isnan(off), np.inf, off), axis=1)
    before, after = np.append(np.inf, typical[:-1]), np.append(typical[1:], np.inf)
    least = np.flatnonzero((typical <= before) & (typical <= after))
    least = least[np.argsort(typical[least], kind="stable")][:_MOST_REVOLUTIONS]
    return np.asarray(times_s[np.sort(least), np.newaxis] + _LATE_S).ravel()


def _uncertainty_hours(misfit: FloatArray, at_s: FloatArray, found: Cloud) -> float:
    """Return the 1-sigma of the time: of pieces drawn again (bootstrap), and what all share."""
    draws = np.random.default_rng(0).integers(0, misfit.shape[1], (_RESAMPLED, misfit.shape[1]))
    drawn = at_s[np.argmin(np.stack([misfit[:, draw].mean(axis=1) for draw in draws]), axis=1)]
    shift_s = _SHIFT_PER_DAY * (found.span.seconds - found.pinch.time_s)
    return float(np.hypot(np.std(drawn), shift_s) / 3600.0)


def _instant(span: TimeWindow, seconds: float) -> np.datetime64:
    return np.datetime64(utc(span, np.array([seconds]))[0], "us")
