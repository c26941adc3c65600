"""Sizes of spacecraft that are known by their series, number or orbit: the rung `class` of the radii.

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
)

# The median of the 28 in NASA CARA's table of 2026-06 that it looks after itself: 1.5 to 22 m.
GEOSTATIONARY_PAYLOAD_M = 8.9


def class_radii_m(
    norad_ids: npt.NDArray[np.int64], names: npt.NDArray[np.str_], geostationary_payload: BoolArray
) -> FloatArray:
    """Return the radii (n,) of objects of a known class, m; NaN for all others. No pieces of them count."""
    radius_m = np.where(geostationary_payload, GEOSTATIONARY_PAYLOAD_M, np.nan)
    debris, rocket_bodies = pieces(names)
    whole = ~debris & ~rocket_bodies
    for series in SERIES:
        radius_m[whole & _of_series(names, series)] = series.radius_m
    of_station = stations_of(norad_ids)
    for place, station in enumerate(STATIONS):
        radius_m[of_station == place] = station.radius_m
    return radius_m


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
