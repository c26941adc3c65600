"""SGP4 states of element sets, in TEME, by python-sgp4 (Vallado, Crawford, Hujsak & Kelso 2006)."""

from collections.abc import Sequence
from math import pi

import numpy as np
import numpy.typing as npt
from sgp4.api import WGS72, Satrec, SatrecArray

from screening.groups import groups
from screening.orbits.elements import ElementArray
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
}

_DEGREE = pi / 180.0
_JULIAN_DATE_OF_SGP4_EPOCH_ZERO = 2433281.5  # 1949-12-31T00:00Z
_MINUTES_PER_DAY = 1440.0


def initialise(elements: ElementArray) -> list[Satrec]:
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


def states_on_grid(
    records: Sequence[Satrec], start: TimeWindow, times_s: FloatArray
) -> tuple[ErrorArray, FloatArray, FloatArray]:
    """Propagate every record to every time.

    `times_s` (m,) are seconds from the start of the window. Returns error codes (m, n), positions
    (m, 3, n) in km and velocities (m, 3, n) in km/s, TEME; where a code is not 0 the state is NaN.
    """
    if not records:
        empty = np.empty((len(times_s), 3, 0))
        return np.empty((len(times_s), 0), np.uint8), empty, empty.copy()
    jd, fraction = _jd(start, times_s)
    error, r, v = SatrecArray(records).sgp4(jd, fraction)
    r[error != 0] = np.nan
    v[error != 0] = np.nan
    return (
        np.ascontiguousarray(error.T),
        np.ascontiguousarray(r.transpose(1, 2, 0)),
        np.ascontiguousarray(v.transpose(1, 2, 0)),
    )


def states_at(
    records: Sequence[Satrec], start: TimeWindow, index: IndexArray, times_s: FloatArray
) -> tuple[ErrorArray, FloatArray, FloatArray]:
    """Propagate record `index[k]` to `times_s[k]`.

    Returns error codes (k,), positions (k, 3) in km and velocities (k, 3) in km/s, TEME, NaN on error.
    """
    count = len(index)
    error = np.empty(count, np.uint8)
    r = np.empty((count, 3))
    v = np.empty((count, 3))
    order = np.argsort(index, kind="stable")
    jd, fraction = _jd(start, times_s[order])
    grouped = index[order]
    for here in groups(grouped):
        record = records[grouped[here.start]]
        error[order[here]], r[order[here]], v[order[here]] = record.sgp4_array(jd[here], fraction[here])
    r[error != 0] = np.nan
    v[error != 0] = np.nan
    return error, r, v


def _jd(start: TimeWindow, times_s: FloatArray) -> tuple[FloatArray, FloatArray]:
    fraction = start.start_day_fraction + times_s / SECONDS_PER_DAY
    return np.full(len(times_s), start.start_jd), fraction
