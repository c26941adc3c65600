"""The Earth's orientation: UT1 - UTC and the pole's position, from the tables of the IERS.

The tables are package data of astropy-iers-data (finals2000A, Bulletin A): daily values since 1973, those of
the last year predicted. Linear interpolation between days is within 0.1 ms of UT1, 5 cm at the ground;
variations within a day (0.1 ms, 3 cm) are left out.
"""

from functools import cache
from math import pi
from pathlib import Path
from typing import NamedTuple

import astropy_iers_data
import numpy as np
import numpy.typing as npt

from screening.orbits.timegrid import FloatArray

_MJD_ZERO_JD = 2400000.5
_RAD_PER_ARCSEC = pi / 648_000.0

# Columns of finals2000A, from 0: Modified Julian Date, pole x and y (arcsec), UT1 - UTC (s) of Bulletin A.
_MJD, _POLE_X, _POLE_Y, _UT1 = slice(7, 15), slice(18, 27), slice(37, 46), slice(58, 68)


class EarthOrientation(NamedTuple):
    """UT1 - UTC and the pole's coordinates, each of the shape of the given instants."""

    ut1_minus_utc_s: FloatArray
    pole_x_rad: FloatArray
    pole_y_rad: FloatArray
    extrapolated: npt.NDArray[np.bool_]  # outside the tables: the nearest day's values


class _Tables(NamedTuple):
    mjd: FloatArray  # (k,) UTC midnights, one per day
    steady_ut1_s: FloatArray  # (k,) UT1 - UTC without its jumps at leap seconds
    jumps_s: FloatArray  # (k,) their sum up to each midnight, whole seconds
    pole_x_rad: FloatArray
    pole_y_rad: FloatArray


def earth_orientation(jd: npt.ArrayLike, day_fraction: npt.ArrayLike) -> EarthOrientation:
    """Return the Earth's orientation at UTC instants of any shape: Julian dates of midnights, day fractions.

    UT1 - UTC jumps by a second at the midnight after a leap second: the value of an instant is interpolated
    on the curve without jumps, plus the jumps up to its own day. The leap second itself belongs to the day it
    ends, but has no instant of its own here.

    Outside the tables the first or the last day's values are returned, and `extrapolated` is true: UT1 - UTC
    then drifts off by up to 0.5 s a year, 230 m on the ground.
    """
    tables = _tables()
    whole = np.floor(day_fraction)
    day_mjd = np.asarray(jd) - _MJD_ZERO_JD + whole
    mjd = day_mjd + (np.asarray(day_fraction) - whole)
    day = np.clip(day_mjd - tables.mjd[0], 0, len(tables.mjd) - 1).astype(np.intp)
    return EarthOrientation(
        ut1_minus_utc_s=_at(mjd, tables, tables.steady_ut1_s) + tables.jumps_s[day],
        pole_x_rad=_at(mjd, tables, tables.pole_x_rad),
        pole_y_rad=_at(mjd, tables, tables.pole_y_rad),
        extrapolated=np.asarray((mjd < tables.mjd[0]) | (mjd > tables.mjd[-1])),
    )


def _at(mjd: FloatArray, tables: _Tables, daily: FloatArray) -> FloatArray:
    return np.asarray(np.interp(mjd, tables.mjd, daily))  # outside, the first or the last day's value


@cache
def _tables() -> _Tables:
    text = Path(astropy_iers_data.IERS_A_FILE).read_text(encoding="ascii")
    # After the last prediction the file has dates alone.
    lines = [line for line in text.splitlines() if line[_UT1].strip()]
    mjd, pole_x, pole_y, ut1 = np.array(
        [[float(line[column]) for column in (_MJD, _POLE_X, _POLE_Y, _UT1)] for line in lines]
    ).T
    assert np.all(np.diff(mjd) == 1.0), "every day between the first and the last has a line"
    # The day's length differs from 86,400 s by milliseconds, so a step is rounded to the leap seconds in it.
    jumps = np.concatenate([[0.0], np.cumsum(np.rint(np.diff(ut1)))])
    return _Tables(mjd, ut1 - jumps, jumps, pole_x * _RAD_PER_ARCSEC, pole_y * _RAD_PER_ARCSEC)
