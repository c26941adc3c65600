"""Sizes of spacecraft that are known by their series, number or orbit.

A series has the sphere that casts the shadow of the spacecraft, in the mean over all directions: half the
area of flat panels. A station has the sphere around it, as NASA CARA gives its own; so has a cubesat.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from screening.orbits.timegrid import FloatArray
from screening.risk.objects.pieces import pieces

BoolArray = npt.NDArray[np.bool_]


class Station(NamedTuple):
    """A space station: the numbers of what is docked to it for good, which have its orbit and its size."""

    norad_ids: tuple[int, ...]
    radius_m: float
    source: str


class Series(NamedTuple):
    """Spacecraft of one kind, told by how their names begin."""

    name: str
    radius_m: float
    source: str
    digits: tuple[int, ...] = ()  # how many the number behind it has; empty: any number or word


STATIONS = (
    # Zarya, which stands for all, and Nauka.
    Station((25544, 49044), 54.5, "NASA, Station facts: 109 m from end to end"),
    # Tianhe, Wentian, Mengtian.
    Station((48274, 53239, 54216), 27.5, "CMSA, 2022-07-25: the wings of Wentian span more than 55 m"),
)

SERIES = (
    # Their numbers tell the generations apart: STARLINK-1007 to -6426; -30042, -11072 [DTC] and later.
    Series(
        "STARLINK-", 2.0, "one array of 8.1 x 2.8 m, body of 2.8 x 1.3 m (SpaceX to the FCC, 2022)", (2, 3, 4)
    ),
    Series("STARLINK-", 4.3, "two arrays of 52.5 m2, body of 4.1 x 2.7 m (SpaceX to the FCC, 2022)", (5, 6)),
    Series("FLOCK ", 0.2, "three-unit cubesats, 10 x 10 x 34 cm (NSSDCA, 2017-008Y)"),
    Series("LEMUR-", 0.2, "three-unit cubesats, 10 x 10 x 34 cm (CubeSat Design Specification)"),
    Series("SPACEBEE", 0.1, "quarter-unit and one-unit cubesats (CubeSat Design Specification)"),
    *(
        Series(name, radius_m, "the median of those of the series that GCAT has in 2026")
        for name, radius_m in (
            ("APRIZESAT ", 0.14),
            ("ASTROCAST-", 0.12),
            ("BRO-", 0.18),
            ("ICEYE-", 0.55),
            ("JILIN-1 GAOFEN ", 0.85),
            ("NUSAT-", 0.44),
            ("SITRO-", 0.12),
            ("ZHUHAI-1 ", 0.36),
        )
    ),
)

# The median of the 28 in NASA CARA's table of 2026-06 that it looks after itself: 1.5 to 22 m.
GEOSTATIONARY_PAYLOAD_M = 8.9


def series_radii_m(names: npt.NDArray[np.str_]) -> FloatArray:
    """Return the radii (n,) of objects of a known series, m; NaN for all others. No pieces of them count."""
    radius_m = np.full(len(names), np.nan)
    debris, rocket_bodies = pieces(names)
    whole = ~debris & ~rocket_bodies
    for series in SERIES:
        radius_m[whole & _of_series(names, series)] = series.radius_m
    return radius_m


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
    found = np.char.startswith(names, series.name)
    if series.digits:
        for place in np.flatnonzero(found):
            number = names[place].removeprefix(series.name).split(" ")[0]
            found[place] = number.isdecimal() and len(number) in series.digits
    return found
