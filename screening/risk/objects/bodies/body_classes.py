"""Sizes of spacecraft that are known by their series, number or orbit.

A series has the sphere that casts the shadow of the spacecraft, in the mean over all directions: half the
area of flat panels. A station has the sphere around it, as NASA CARA gives its own; so has a cubesat.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from screening.orbits.timegrid import FloatArray
from screening.risk.objects.bodies.stages import NamedBodies
from screening.risk.objects.pieces import beginning_with, pieces

BoolArray = npt.NDArray[np.bool_]


class Station(NamedTuple):
    """A space station: the numbers of what is docked to it for good, which have its orbit and its size."""

    norad_ids: tuple[int, ...]
    radius_m: float
    source: str


class Series(NamedTuple):
    """Spacecraft of one kind, recognised by how their names begin."""

    name: str
    radius_m: float
    bounding_radius_m: float
    mass_kg: float  # NaN: not known
    source: str
    digits: tuple[int, ...] = ()  # how many the number behind it has; empty: any number or word


STATIONS = (
    # Zarya, which stands for all, and Nauka.
    Station((25544, 49044), 54.5, "NASA, Station facts: 109 m from end to end"),
    # Tianhe, Wentian, Mengtian.
    Station((48274, 53239, 54216), 27.5, "CMSA, 2022-07-25: the wings of Wentian span more than 55 m"),
)

_OF_GCAT = "the median of the series in GCAT, 2026"
_SPACEX = "(SpaceX to the FCC, 2022)"
# Masses, and radii around, are medians of GCAT's.
SERIES = (
    # Their numbers tell the generations apart: STARLINK-1007 to -6426; -30042, -11072 [DTC] and later.
    Series(
        "STARLINK-", 2.0, 4.5, 297.0, f"one array of 8.1 x 2.8 m, body of 2.8 x 1.3 m {_SPACEX}", (2, 3, 4)
    ),
    Series("STARLINK-", 4.3, 14.5, 730.0, f"two arrays of 52.5 m2, body of 4.1 x 2.7 m {_SPACEX}", (5, 6)),
    Series("FLOCK ", 0.2, 0.28, 5.7, "three-unit cubesats, 10 x 10 x 34 cm (NSSDCA, 2017-008Y)"),
    Series("LEMUR-", 0.2, 0.28, 7.6, "three-unit cubesats, 10 x 10 x 34 cm (CubeSat Design Specification)"),
    Series("SPACEBEE", 0.1, 0.1, np.nan, "quarter-unit and one-unit cubesats (CubeSat Design Specification)"),
    Series("APRIZESAT ", 0.14, 0.14, 11.0, _OF_GCAT),
    Series("ASTROCAST-", 0.12, 0.16, 4.5, _OF_GCAT),
    Series("BRO-", 0.18, 0.20, 12.5, _OF_GCAT),
    Series("ICEYE-", 0.55, 0.75, 80.0, _OF_GCAT),
    Series("JILIN-1 GAOFEN ", 0.85, 0.90, 42.0, _OF_GCAT),
    Series("NUSAT-", 0.44, 0.48, 41.5, _OF_GCAT),
    Series("SITRO-", 0.12, 0.16, 3.0, _OF_GCAT),
    Series("ZHUHAI-1 ", 0.36, 0.50, 69.0, _OF_GCAT),
)

# The median of the 28 in NASA CARA's table of 2026-06 that it looks after itself: 1.5 to 22 m.
GEOSTATIONARY_PAYLOAD_M = 8.9


def series_bodies(names: npt.NDArray[np.str_]) -> NamedBodies:
    """Return the bodies (n,) of objects of a known series; NaN for all others. No pieces of them count."""
    which = np.full(len(names), len(SERIES))
    for place, series in enumerate(SERIES):
        which[_of_series(names, series)] = place
    some = np.flatnonzero(which < len(SERIES))
    which[some[np.logical_or(*pieces(names[some]))]] = len(SERIES)
    values = np.array([series[1:4] for series in SERIES]).T
    return NamedBodies(*(np.append(each, np.nan)[which] for each in values))


def station_radii_m(norad_ids: npt.NDArray[np.int64]) -> FloatArray:
    """Return the radii (n,) of the stations that objects are parts of, m; NaN for all others."""
    return np.array([*(station.radius_m for station in STATIONS), np.nan])[stations_of(norad_ids)]


def stations_of(norad_ids: npt.NDArray[np.int64]) -> npt.NDArray[np.int8]:
    """Return which of STATIONS the objects (n,) are parts of, -1: none."""
    found = np.full(len(norad_ids), -1, np.int8)
    for place, station in enumerate(STATIONS):
        found[np.isin(norad_ids, station.norad_ids)] = place
    return found


def _of_series(names: npt.NDArray[np.str_], series: Series) -> BoolArray:
    found = beginning_with(names, series.name)
    if series.digits:
        begin = len(series.name)
        numbers = [name[begin:].partition(" ")[0] for name in names[found].tolist()]
        found[found] = [number.isdecimal() and len(number) in series.digits for number in numbers]
    return found
