"""The paths of an event's objects around TCA: the ephemeris or the element set that the event rests on.

Of an event known only from messages, two-body motion from the state at TCA.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from screening.orbits.elements import ElementArray
from screening.orbits.ephemerides import Ephemeris
from screening.orbits.gravity import EARTH_RADIUS_KM, MU_KM3_S2
from screening.orbits.interpolated import NOT_THERE, Interpolated, tracks_of
from screening.orbits.revolution import Revolution, apsides_km, period_s, revolution
from screening.orbits.sgp4.propagate import Propagator
from screening.orbits.timegrid import FloatArray, TimeWindow
from screening.orbits.trajectories import Paths
from screening.risk.geometry.two_body import propagate_two_body

METRES_PER_KM = 1000.0
# An ephemeris is the one behind an event if it begins when that one did, or leads to the same place.
SAME_PLACE_M = 1.0

NO_ELEMENTS = "The element set of {} that the event rests on is no longer in the store."
NO_ELEMENTS_EITHER = "The ephemeris of {} that the event rests on is no longer in the store."
FAILED = "SGP4 cannot propagate the element set of {} around TCA."
INSTEAD = f"{NO_ELEMENTS_EITHER} Distances and orbit follow its newest element set instead."
NO_STATE = "This event comes only from messages without states: the position of {} at TCA is unknown."
BY_STATE = (
    "This event comes only from messages: distances and orbit of {} follow two-body motion from its state."
)
NOT_CLOSED = "At TCA {} is on no closed orbit around the Earth."


class Side(NamedTuple):
    """One of the two objects at TCA."""

    called: str  # for the reasons: its number and name
    r_teme_km: FloatArray  # (3,) NaN if not known, as the velocity
    v_teme_km_s: FloatArray  # (3,)
    sigma_rtn_m: FloatArray | None  # (3,) 1-sigma position, own RTN; None if not known
    correlations: FloatArray  # (3,) of these errors: R with T, R with N, T with N
    element_sets: ElementArray  # (k,) those with the event's epoch; on an ephemeris, the newest or none
    on_ephemeris: bool = False
    ephemerides: Sequence[Ephemeris] = ()  # of the object, those that there are
    epoch: np.datetime64 = np.datetime64("NaT")  # UTC, the first state of the ephemeris behind the event
    told: bool = False  # by a message: there is a state at TCA, or not even that, and no path

    @property
    def has_state(self) -> bool:
        """Whether position and velocity at TCA are known."""
        return bool(np.isfinite(self.r_teme_km).all() and np.isfinite(self.v_teme_km_s).all())


class Track(NamedTuple):
    """One object on the path behind an event, or on the one that stands in for it."""

    paths: Paths  # one object; its span starts at TCA
    ephemeris: int | None  # which of the side's; None: on an element set
    period_s: float
    apsides_km: tuple[float, float]  # altitudes of perigee and apogee
    inclination_deg: float
    offset_m: float  # from the event's position to that on the path, at TCA
    orbit: Revolution


class Osculating(NamedTuple):
    """The orbit that a state would keep without perturbations."""

    period_s: float
    apsides_km: tuple[float, float]
    inclination_deg: float


class OnEphemeris:
    """One ephemeris as a path: NOT_THERE between its segments and outside."""

    def __init__(self, ephemeris: Ephemeris, span: TimeWindow) -> None:
        """Take an ephemeris; times are seconds from the start of a span."""
        self.span = span
        self._count = len(ephemeris.segments)
        tracks = tracks_of(ephemeris.segments, span)
        self._segments = Interpolated(tracks, span, np.arange(self._count, dtype=np.int32))

    def at(
        self, index: npt.NDArray[np.int32], times_s: FloatArray
    ) -> tuple[npt.NDArray[np.uint8], FloatArray, FloatArray]:
        """Return codes (k,), positions (k, 3) and velocities (k, 3) at times (k,); `index` is all 0."""
        error = np.full(len(times_s), NOT_THERE, np.uint8)
        r, v = np.full((len(times_s), 3), np.nan), np.full((len(times_s), 3), np.nan)
        for segment in range(self._count):
            left = np.flatnonzero(error)
            if len(left):
                error[left], r[left], v[left] = self._segments.at(index[left] + segment, times_s[left])
        return error, r, v


class TwoBody:
    """Unperturbed motion from a closed orbit's state at the start of a span: a picture of minutes."""

    def __init__(self, r_teme_km: FloatArray, v_teme_km_s: FloatArray, span: TimeWindow) -> None:
        """Take a state (3,), (3,)."""
        self.span = span
        self._state_m = np.concatenate([r_teme_km, v_teme_km_s]) * METRES_PER_KM

    def at(
        self, index: npt.NDArray[np.int32], times_s: FloatArray
    ) -> tuple[npt.NDArray[np.uint8], FloatArray, FloatArray]:
        """Return codes (k,), all 0, positions (k, 3) and velocities (k, 3) at times (k,)."""
        moved = propagate_two_body(self._state_m, times_s) / METRES_PER_KM
        return np.zeros(len(index), np.uint8), moved[:, :3], moved[:, 3:]


def track(side: Side, at_tca: TimeWindow, who: str, missing: dict[str, str]) -> Track | None:
    """Return the path behind one side of an event; note in `missing` why there is none, or another."""
    if side.told:
        return _by_state(side, at_tca, who, missing)
    if not side.on_ephemeris:
        return _by_elements(side, at_tca, f"orbits.{who}", missing)
    found = _by_ephemeris(side, at_tca, f"orbits.{who}", missing)
    if found is not None or f"orbits.{who}" in missing:
        return found
    gone = f"objects.{who}.trajectory_id"
    if len(side.element_sets) == 0:
        missing[gone] = missing[f"orbits.{who}"] = NO_ELEMENTS_EITHER.format(side.called)
        return None
    missing[gone] = INSTEAD.format(side.called)
    return _by_elements(side, at_tca, f"orbits.{who}", missing)


def _by_elements(side: Side, at_tca: TimeWindow, part: str, missing: dict[str, str]) -> Track | None:
    """Propagate the element set of the event's state, the nearest one if several have its epoch."""
    if len(side.element_sets) == 0:
        missing[part] = NO_ELEMENTS.format(side.called)
        return None
    candidates = Propagator(side.element_sets, at_tca)
    _, r_km, v_km_s = candidates.on_grid(np.zeros(1))
    offsets_m = np.linalg.norm(r_km[0].T - side.r_teme_km, axis=1) * METRES_PER_KM
    if np.all(np.isnan(offsets_m)):
        missing[part] = FAILED.format(side.called)
        return None
    best = int(np.nanargmin(offsets_m))
    chosen = side.element_sets[best]
    motion, eccentricity = float(chosen["mean_motion_rev_day"]), float(chosen["eccentricity"])
    period = period_s(motion)
    orbit = revolution(candidates, best, r_km[0, :, best], v_km_s[0, :, best], period)
    return Track(
        paths=candidates.subset(np.array([best], np.int32)),
        ephemeris=None,
        period_s=period,
        apsides_km=apsides_km(motion, eccentricity),
        inclination_deg=float(chosen["inclination_deg"]),
        offset_m=float(offsets_m[best]),
        orbit=orbit,
    )


def _by_ephemeris(side: Side, at_tca: TimeWindow, part: str, missing: dict[str, str]) -> Track | None:
    """Return the path on the ephemeris behind the event, None if it is not among those there are."""
    paths = [OnEphemeris(one, at_tca) for one in side.ephemerides]
    states = [one.at(np.zeros(1, np.int32), np.zeros(1)) for one in paths]
    offsets_m = [float(np.linalg.norm(r[0] - side.r_teme_km)) * METRES_PER_KM for _, r, _ in states]
    there = [i for i, offset_m in enumerate(offsets_m) if np.isfinite(offset_m)]
    begun = [i for i in there if side.ephemerides[i].segments[0].epochs[0] == side.epoch]
    fitting = begun or [i for i in there if offsets_m[i] <= SAME_PLACE_M]
    if not fitting:
        return None
    best = min(fitting, key=offsets_m.__getitem__)
    r_km, v_km_s = states[best][1][0], states[best][2][0]
    orbit = osculating(r_km, v_km_s)
    if orbit is None:
        missing[part] = NOT_CLOSED.format(side.called)
        return None
    around = revolution(paths[best], 0, r_km, v_km_s, orbit.period_s)
    return Track(paths[best], best, *orbit, offsets_m[best], around)


def _by_state(side: Side, at_tca: TimeWindow, who: str, missing: dict[str, str]) -> Track | None:
    """Return the two-body motion from the state of a message, if it has one."""
    if not side.has_state:
        missing[f"orbits.{who}"] = NO_STATE.format(side.called)
        return None
    orbit = osculating(side.r_teme_km, side.v_teme_km_s)
    if orbit is None:
        missing[f"orbits.{who}"] = NOT_CLOSED.format(side.called)
        return None
    missing[f"objects.{who}.epoch"] = BY_STATE.format(side.called)
    paths = TwoBody(side.r_teme_km, side.v_teme_km_s, at_tca)
    around = revolution(paths, 0, side.r_teme_km, side.v_teme_km_s, orbit.period_s)
    return Track(paths, None, *orbit, 0.0, around)


def osculating(r_km: FloatArray, v_km_s: FloatArray) -> Osculating | None:
    """Return the orbit of a state (3,), (3,); None if it is not closed."""
    distance, square = float(np.linalg.norm(r_km)), float(v_km_s @ v_km_s)
    inverse_axis = 2.0 / distance - square / MU_KM3_S2
    if not inverse_axis > 0.0:
        return None
    momentum = np.cross(r_km, v_km_s)
    parameter_km = float(momentum @ momentum) / MU_KM3_S2
    eccentricity = np.sqrt(max(0.0, 1.0 - parameter_km * inverse_axis))
    perigee, apogee = ((1.0 + sign * eccentricity) / inverse_axis - EARTH_RADIUS_KM for sign in (-1.0, 1.0))
    return Osculating(
        period_s=float(2.0 * np.pi / np.sqrt(MU_KM3_S2 * inverse_axis**3)),
        apsides_km=(float(perigee), float(apogee)),
        inclination_deg=float(np.degrees(np.arccos(momentum[2] / np.linalg.norm(momentum)))),
    )
