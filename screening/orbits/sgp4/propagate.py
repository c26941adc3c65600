"""SGP4 states of element sets, in TEME (Vallado, Crawford, Hujsak & Kelso 2006).

All objects go through our own vectorised kernels; python-sgp4 recomputes every doubtful state, so that error
codes are always python-sgp4's.
"""

from collections.abc import Callable, Sequence
from math import pi
from typing import NamedTuple, Self

import numpy as np
import numpy.typing as npt
from sgp4.api import WGS72, Satrec

from screening.groups import groups
from screening.orbits.elements import DERIVATIVES, ORBIT_FIELDS, ElementArray, narrowed
from screening.orbits.gravity import MU_KM3_S2
from screening.orbits.sgp4.deep_space import deep_space_constants
from screening.orbits.sgp4.deep_space_kernel import deep_space_grid, deep_space_points
from screening.orbits.sgp4.lanes import in_blocks, out_of_blocks
from screening.orbits.sgp4.near_earth import is_near_earth, near_earth_constants
from screening.orbits.sgp4.near_earth_kernel import near_earth_grid, near_earth_points
from screening.orbits.sgp4.resonance_integrator import start_integrators
from screening.orbits.timegrid import SECONDS_PER_DAY, FloatArray, TimeWindow

ErrorArray = npt.NDArray[np.uint8]
IndexArray = npt.NDArray[np.int32]

NO_ORBIT = 7
# Margin in energy beyond escape; SGP4's own eccentricities stay below 1.
_UNBOUND = 1.05
# SGP4's velocity comes from the semi-major axis, its path from a polynomial of the mean anomaly. Long after a
# decay they are 41 to 1e8 km/s apart, in an orbit 1.1 km/s at most (COSMOS 1024, four weeks after its epoch).
_LARGEST_DEFECT_KM_S = 3.0
_DIFFERENCE_S = 0.5

_DEGREE = pi / 180.0
_JULIAN_DATE_OF_SGP4_EPOCH_ZERO = 2433281.5  # 1949-12-31T00:00Z
_MINUTES_PER_DAY = 1440.0


class _Group(NamedTuple):
    """The objects of one theory, near-earth or deep-space, with its kernels."""

    objects: IndexArray  # (k,) their columns
    blocks: FloatArray  # their constants
    grid: Callable[..., None]
    points: Callable[..., None]


def _group(
    members: npt.NDArray[np.bool_],
    constants: FloatArray,
    grid: Callable[..., None],
    points: Callable[..., None],
) -> _Group:
    objects = np.flatnonzero(members).astype(np.int32)
    return _Group(objects, in_blocks(constants), grid, points)


class Propagator:
    """Propagates a set of objects; times are seconds from the start of a window."""

    def __init__(self, elements: ElementArray, span: TimeWindow) -> None:
        own = narrowed(elements, (*ORBIT_FIELDS, *DERIVATIVES))
        near = is_near_earth(own)
        deep_space = deep_space_constants(own[~near], span)
        start_integrators(deep_space, span)
        self._hold(own, span, near, near_earth_constants(own[near], span), deep_space)

    def _hold(
        self,
        elements: ElementArray,
        span: TimeWindow,
        near: npt.NDArray[np.bool_],
        near_earth: FloatArray,
        deep_space: FloatArray,
    ) -> None:
        self.span = span
        self._elements = elements
        self._near = near
        self._groups = (
            _group(near, near_earth, near_earth_grid, near_earth_points),
            _group(~near, deep_space, deep_space_grid, deep_space_points),
        )
        self._place = np.empty(len(elements), np.int32)
        for group in self._groups:
            self._place[group.objects] = np.arange(len(group.objects))

    def __len__(self) -> int:
        return len(self._elements)

    @property
    def is_deep_space(self) -> npt.NDArray[np.bool_]:
        """Return which objects (n,) have periods of 225 minutes or more."""
        deep: npt.NDArray[np.bool_] = ~self._near
        return deep

    def subset(self, index: npt.NDArray[np.integer]) -> Self:
        """Return a propagator of some of the objects, in the given order; itself if that is of all as is."""
        if np.array_equal(index, np.arange(len(self))):
            return self
        near, place = self._near[index], self._place[index]
        chosen = object.__new__(type(self))
        constants = (
            out_of_blocks(group.blocks, place[members])
            for group, members in zip(self._groups, (near, ~near), strict=True)
        )
        chosen._hold(self._elements[index], self.span, near, *constants)
        return chosen

    def on_grid(self, times_s: FloatArray) -> tuple[ErrorArray, FloatArray, FloatArray]:
        """Propagate every object to every time (m,).

        Returns error codes (m, n), positions (m, 3, n) in km and velocities (m, 3, n) in km/s, TEME; where a
        code is not 0 the state is NaN.
        """
        shape = (len(times_s), len(self))
        error, doubtful = np.zeros(shape, np.uint8), np.zeros(shape, np.bool_)
        r, v = np.empty((shape[0], 3, shape[1])), np.empty((shape[0], 3, shape[1]))
        for group in self._groups:
            group.grid(group.blocks, times_s / 60.0, group.objects, r, v, doubtful)
        k, i = np.nonzero(doubtful)
        if len(k):
            error[k, i], r[k, :, i], v[k, :, i] = self._by_python_sgp4(i.astype(np.int32), times_s[k])
        return error, r, v

    def at(self, index: IndexArray, times_s: FloatArray) -> tuple[ErrorArray, FloatArray, FloatArray]:
        """Propagate object `index[k]` to `times_s[k]`.

        Returns error codes (k,), positions (k, 3) in km and velocities (k, 3) in km/s, TEME, NaN on error.
        """
        error, doubtful = np.zeros(len(index), np.uint8), np.empty(len(index), np.bool_)
        r, v = np.empty((len(index), 3)), np.empty((len(index), 3))
        near, place, minutes = self._near[index], self._place[index], times_s / 60.0
        for group, members in zip(self._groups, (near, ~near), strict=True):
            here = np.flatnonzero(members)
            if len(here) == 0:
                continue
            r_here, v_here = np.empty((len(here), 3)), np.empty((len(here), 3))
            doubtful_here = np.empty(len(here), np.bool_)
            group.points(group.blocks, place[here], minutes[here], r_here, v_here, doubtful_here)
            r[here], v[here], doubtful[here] = r_here, v_here, doubtful_here
        asked = np.flatnonzero(doubtful)
        if len(asked):
            error[asked], r[asked], v[asked] = self._by_python_sgp4(index[asked], times_s[asked])
        return error, r, v

    def _by_python_sgp4(
        self, index: IndexArray, times_s: FloatArray
    ) -> tuple[ErrorArray, FloatArray, FloatArray]:
        error = np.empty(len(index), np.uint8)
        r, v = np.empty((len(index), 3)), np.empty((len(index), 3))
        order = np.argsort(index, kind="stable")
        grouped = index[order]
        jd, fraction = self._jd(times_s[order])
        runs = groups(grouped)
        # New ones each time: what a record answers in deep space depends on what it was asked before.
        records = satrecs(self._elements[[grouped[run.start] for run in runs]])
        for here, record in zip(runs, records, strict=True):
            rows = order[here]
            error[rows], r[rows], v[rows] = record.sgp4_array(jd[here], fraction[here])
            given = np.flatnonzero(error[rows] == 0)
            if len(given):
                off = _off_path(record, jd[here][given], fraction[here][given], v[rows[given]])
                error[rows[given[off]]] = NO_ORBIT
        error[(error == 0) & _unbound(r, v)] = NO_ORBIT
        r[error != 0], v[error != 0] = np.nan, np.nan
        return error, r, v

    def _jd(self, times_s: FloatArray) -> tuple[FloatArray, FloatArray]:
        fraction = self.span.start_day_fraction + times_s / SECONDS_PER_DAY
        return np.full(len(times_s), self.span.start_jd), fraction


def satrecs(elements: ElementArray) -> Sequence[Satrec]:
    """Prepare one python-sgp4 record per element set (WGS-72, improved mode).

    The catalogue number is left out: python-sgp4 refuses numbers above 339999 and propagation needs none.
    """
    turns = 2.0 * pi / _MINUTES_PER_DAY
    columns = (
        elements["epoch_jd"] - _JULIAN_DATE_OF_SGP4_EPOCH_ZERO + elements["epoch_day_fraction"],
        elements["bstar_per_earth_radius"],
        elements["mean_motion_dot_rev_day2"] * turns / _MINUTES_PER_DAY,
        elements["mean_motion_ddot_rev_day3"] * turns / _MINUTES_PER_DAY**2,
        elements["eccentricity"],
        elements["argument_of_perigee_deg"] * _DEGREE,
        elements["inclination_deg"] * _DEGREE,
        elements["mean_anomaly_deg"] * _DEGREE,
        elements["mean_motion_rev_day"] / 720.0 * pi,
        elements["raan_deg"] * _DEGREE,
    )
    records = []
    for values in zip(*(column.tolist() for column in columns), strict=True):
        record = Satrec()
        record.sgp4init(WGS72, "i", 0, *values)
        records.append(record)
    return records


def _off_path(
    record: Satrec, jd: FloatArray, fraction: FloatArray, v_km_s: FloatArray
) -> npt.NDArray[np.bool_]:
    """Return which velocities (k, 3) do not match the motion of the positions; False where positions end."""
    apart = _DIFFERENCE_S / SECONDS_PER_DAY
    (early, before, _), (late, after, _) = (
        record.sgp4_array(jd, fraction + side * apart) for side in (-1.0, 1.0)
    )
    defect_km_s = np.linalg.norm((after - before) / (2.0 * _DIFFERENCE_S) - v_km_s, axis=1)
    off: npt.NDArray[np.bool_] = (early == 0) & (late == 0) & ~(defect_km_s < _LARGEST_DEFECT_KM_S)
    return off


def _unbound(r_km: FloatArray, v_km_s: FloatArray) -> npt.NDArray[np.bool_]:
    """Return which states (..., 3) are unbound, as SGP4 has orbits long after their decay."""
    speed2 = np.einsum("...i,...i->...", v_km_s, v_km_s)
    radius = np.sqrt(np.einsum("...i,...i->...", r_km, r_km))
    unbound: npt.NDArray[np.bool_] = ~(speed2 * radius < 2.0 * _UNBOUND * MU_KM3_S2)
    return unbound
