"""SGP4 states of element sets, in TEME (Vallado, Crawford, Hujsak & Kelso 2006).

Near-earth objects go through our own vectorised kernel, deep-space ones through python-sgp4, which also
decides wherever the kernel's state looks doubtful, so that error codes are always python-sgp4's.
"""

from collections.abc import Sequence
from math import pi
from typing import Self

import numpy as np
import numpy.typing as npt
from sgp4.api import WGS72, Satrec, SatrecArray

from screening.groups import groups
from screening.orbits.elements import ElementArray
from screening.orbits.gravity import MU_KM3_S2
from screening.orbits.near_earth import in_blocks, is_near_earth, near_earth_constants
from screening.orbits.near_earth_kernel import near_earth_grid, near_earth_points
from screening.orbits.timegrid import SECONDS_PER_DAY, FloatArray, TimeWindow

ErrorArray = npt.NDArray[np.uint8]
IndexArray = npt.NDArray[np.int32]

# What python-sgp4 reports, in words.
SGP4_ERRORS = {
    1: "mean eccentricity outside [0, 1) or semi-major axis under 0.95 Earth radii",
    2: "mean motion not positive",
    3: "perturbed eccentricity outside [0, 1]",
    4: "semi-latus rectum negative",
    5: "epoch elements are sub-orbital",
    6: "the object has decayed",
    7: "the state is no orbit around the Earth any more",  # ours: python-sgp4 reports no error there
}
NO_ORBIT = 7
# Beyond escape speed by this much in energy; SGP4's own eccentricities stay below 1.
_UNBOUND = 1.05

_DEGREE = pi / 180.0
_JULIAN_DATE_OF_SGP4_EPOCH_ZERO = 2433281.5  # 1949-12-31T00:00Z
_MINUTES_PER_DAY = 1440.0


class Propagator:
    """A set of objects, ready to be propagated; times are seconds from the start of a window."""

    def __init__(self, elements: ElementArray, span: TimeWindow) -> None:
        self.span = span
        self._elements = elements
        self._near = np.flatnonzero(is_near_earth(elements)).astype(np.int32)
        self._deep = np.setdiff1d(np.arange(len(elements), dtype=np.int32), self._near)
        self._blocks = in_blocks(near_earth_constants(elements[self._near], span))
        self._place_near = np.full(len(elements), -1, np.int32)
        self._place_near[self._near] = np.arange(len(self._near))
        self._records = dict(zip(self._deep.tolist(), satrecs(elements[self._deep]), strict=True))

    def __len__(self) -> int:
        return len(self._elements)

    @property
    def is_deep_space(self) -> npt.NDArray[np.bool_]:
        """Which objects (n,) have periods of 225 minutes or more."""
        deep: npt.NDArray[np.bool_] = self._place_near < 0
        return deep

    def subset(self, index: npt.NDArray[np.integer]) -> Self:
        """Return a propagator of some of the objects, in the given order."""
        return type(self)(self._elements[index], self.span)

    def on_grid(self, times_s: FloatArray) -> tuple[ErrorArray, FloatArray, FloatArray]:
        """Propagate every object to every time (m,).

        Returns error codes (m, n), positions (m, 3, n) in km and velocities (m, 3, n) in km/s, TEME; where a
        code is not 0 the state is NaN.
        """
        shape = (len(times_s), len(self))
        error = np.zeros(shape, np.uint8)
        r, v = np.empty((shape[0], 3, shape[1])), np.empty((shape[0], 3, shape[1]))
        if len(self._near):
            doubtful = np.zeros(shape, np.bool_)
            near_earth_grid(self._blocks, times_s / 60.0, self._near, r, v, doubtful)
            self._ask_again_on_grid(times_s, doubtful, error, r, v)
        if len(self._deep):
            records = SatrecArray(list(self._records_of(self._deep)))
            code, r_deep, v_deep = records.sgp4(*self._jd(times_s))
            code[(code == 0) & _unbound(r_deep, v_deep)] = NO_ORBIT
            error[:, self._deep] = code.T
            r[:, :, self._deep], v[:, :, self._deep] = r_deep.transpose(1, 2, 0), v_deep.transpose(1, 2, 0)
        failed = np.broadcast_to((error != 0)[:, None, :], r.shape)
        r[failed], v[failed] = np.nan, np.nan
        return error, r, v

    def at(self, index: IndexArray, times_s: FloatArray) -> tuple[ErrorArray, FloatArray, FloatArray]:
        """Propagate object `index[k]` to `times_s[k]`.

        Returns error codes (k,), positions (k, 3) in km and velocities (k, 3) in km/s, TEME, NaN on error.
        """
        error = np.zeros(len(index), np.uint8)
        r, v = np.empty((len(index), 3)), np.empty((len(index), 3))
        place = self._place_near[index]
        ask = place < 0
        near = np.flatnonzero(~ask)
        if len(near):
            r_near, v_near = np.empty((len(near), 3)), np.empty((len(near), 3))
            doubtful = np.empty(len(near), np.bool_)
            near_earth_points(self._blocks, place[near], times_s[near] / 60.0, r_near, v_near, doubtful)
            r[near], v[near], ask[near] = r_near, v_near, doubtful
        asked = np.flatnonzero(ask)
        error[asked], r[asked], v[asked] = self._by_python_sgp4(index[asked], times_s[asked])
        return error, r, v

    def _ask_again_on_grid(
        self,
        times_s: FloatArray,
        doubtful: npt.NDArray[np.bool_],
        error: ErrorArray,
        r: FloatArray,
        v: FloatArray,
    ) -> None:
        k, i = np.nonzero(doubtful)
        code, r_again, v_again = self._by_python_sgp4(i.astype(np.int32), times_s[k])
        error[k, i], r[k, :, i], v[k, :, i] = code, r_again, v_again

    def _by_python_sgp4(
        self, index: IndexArray, times_s: FloatArray
    ) -> tuple[ErrorArray, FloatArray, FloatArray]:
        error = np.empty(len(index), np.uint8)
        r, v = np.empty((len(index), 3)), np.empty((len(index), 3))
        order = np.argsort(index, kind="stable")
        grouped = index[order]
        jd, fraction = self._jd(times_s[order])
        runs = groups(grouped)
        records = self._records_of(np.array([grouped[run.start] for run in runs], np.int32))
        for here, record in zip(runs, records, strict=True):
            error[order[here]], r[order[here]], v[order[here]] = record.sgp4_array(jd[here], fraction[here])
        error[(error == 0) & _unbound(r, v)] = NO_ORBIT
        r[error != 0], v[error != 0] = np.nan, np.nan
        return error, r, v

    def _jd(self, times_s: FloatArray) -> tuple[FloatArray, FloatArray]:
        fraction = self.span.start_day_fraction + times_s / SECONDS_PER_DAY
        return np.full(len(times_s), self.span.start_jd), fraction

    def _records_of(self, index: IndexArray) -> list[Satrec]:
        """Return python-sgp4's records of objects, made when first asked for."""
        missing = [i for i in index.tolist() if i not in self._records]
        self._records.update(zip(missing, satrecs(self._elements[missing]), strict=True))
        return [self._records[i] for i in index.tolist()]


def satrecs(elements: ElementArray) -> Sequence[Satrec]:
    """Prepare one python-sgp4 record per element set (WGS-72, improved mode).

    The catalogue number stays beside: python-sgp4 refuses numbers above 339999 and propagation needs none.
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


def _unbound(r_km: FloatArray, v_km_s: FloatArray) -> npt.NDArray[np.bool_]:
    """Return which states (..., 3) are beyond escape: what SGP4 makes of an orbit long after its decay."""
    speed2 = np.einsum("...i,...i->...", v_km_s, v_km_s)
    radius = np.sqrt(np.einsum("...i,...i->...", r_km, r_km))
    unbound: npt.NDArray[np.bool_] = ~(speed2 * radius < 2.0 * _UNBOUND * MU_KM3_S2)
    return unbound
