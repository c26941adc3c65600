"""The handbook's volumes: the table as published, and each limit with the numbers next to it."""

import csv
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from screening.orbits.elements import ELEMENT_DTYPE, ElementArray
from screening.volumes.handbook import ROWS, Orbits, handbook_rows, orbits_of, rows_of

UP, DOWN = np.inf, -np.inf
REGIMES = [row.regime for row in ROWS]
# The titles of the published tables and ours.
TABLES = {"catalogue": "", "operator ephemeris": "ephemeris "}


def next_to(value: float, towards: float) -> float:
    return float(np.nextafter(value, towards))


def regime_of(
    perigee_km: float,
    e: float = 0.001,
    minutes: float = 100.0,
    i_deg: float = 53.0,
    *,
    operators: bool = False,
) -> str:
    orbits = Orbits(*(np.array([value]) for value in (perigee_km, e, minutes, i_deg)))
    (row,) = rows_of(orbits, np.array([operators]))
    return ROWS[row].regime


def test_the_numbers_are_those_of_the_published_table(shared_file: Callable[[str], Path]) -> None:
    ours = {row.regime: row.volume for row in ROWS}
    with shared_file("volumes/handbook_1_7.csv").open() as file:
        published = [row for row in csv.DictReader(file) if row["table"] in TABLES]
    assert len(published) == len(ROWS) - 1
    for row in published:
        regime = TABLES[row["table"]] + row["regime"]
        shape, *sizes_km = ours.pop(regime)
        assert shape == {"covariance": "box", "ellipsoid": "ellipsoid"}[row["shape"]]
        assert sizes_km == [float(row[f"{axis}_km"]) for axis in ("radial", "in_track", "cross_track")]
    assert ours == {"others": ("ellipsoid", 10.0, 10.0, 10.0)}


@pytest.mark.parametrize(
    ("limit_km", "below", "above"),
    [
        (500.0, "LEO 1", "LEO 2"),
        (750.0, "LEO 2", "LEO 3"),
        (1200.0, "LEO 3", "LEO 4"),
        (2000.0, "LEO 4", "others"),
    ],
)
def test_a_perigee_at_a_limit_is_below_it(limit_km: float, below: str, above: str) -> None:
    assert regime_of(next_to(limit_km, DOWN)) == regime_of(limit_km) == below
    assert regime_of(next_to(limit_km, UP)) == above


def test_an_eccentricity_of_a_quarter_fits_no_row() -> None:
    assert regime_of(400.0, next_to(0.25, DOWN)) == "LEO 1"
    assert regime_of(400.0, 0.25) == regime_of(400.0, next_to(0.25, UP)) == "others"


@pytest.mark.parametrize(("shortest", "longest"), [(1300.0, 1800.0)])
def test_synchronous_orbits_are_between_two_periods(shortest: float, longest: float) -> None:
    def regime(minutes: float, e: float = 0.0, i_deg: float = 0.1) -> str:
        return regime_of(35786.0, e, minutes, i_deg)

    assert regime(next_to(shortest, UP)) == regime(next_to(longest, DOWN)) == "deep space"
    assert {regime(minutes) for minutes in (shortest, longest)} == {"others"}
    assert regime(1436.0, e=0.25) == regime(1436.0, i_deg=35.0) == "others"
    assert regime(1436.0, next_to(0.25, DOWN), next_to(35.0, DOWN)) == "deep space"


def test_ephemerides_of_exactly_225_minutes_fit_no_row() -> None:
    regimes = [
        regime_of(3000.0, 0.3, minutes, operators=True)
        for minutes in (next_to(225.0, DOWN), 225.0, next_to(225.0, UP))
    ]
    assert regimes == ["ephemeris near Earth", "others", "ephemeris deep space"]


def test_navigation_satellites_get_the_volume_of_others(real_elements: ElementArray) -> None:
    gps = real_elements[[name.startswith("NAVSTAR") for name in real_elements["name"]]]
    gps = gps[np.abs(gps["mean_motion_rev_day"] - 2.0057) < 0.01]
    assert len(gps) > 20
    by_elements = handbook_rows(gps, np.zeros(len(gps), np.bool_))
    assert {ROWS[row].regime for row in by_elements} == {"others"}
    on_ephemerides = handbook_rows(gps, np.ones(len(gps), np.bool_))
    assert {ROWS[row].regime for row in on_ephemerides} == {"ephemeris deep space"}


def test_orbits_of_element_sets() -> None:
    # Vallado 2013, example 2-4 has this geostationary axis: 42,164 km; a day of 1,436.07 minutes.
    geostationary = np.zeros(1, ELEMENT_DTYPE)
    geostationary["mean_motion_rev_day"], geostationary["eccentricity"] = 1.00273790, 0.0
    (perigee_km,), _, (minutes,), _ = orbits_of(geostationary)
    assert perigee_km == pytest.approx(42164.2 - 6378.135, abs=0.5)
    assert minutes == pytest.approx(1436.068, abs=0.001)


def test_the_radius_of_the_earth_decides_about_no_real_object(real_elements: ElementArray) -> None:
    orbits, by_elements = orbits_of(real_elements), np.zeros(len(real_elements), np.bool_)
    wgs84 = orbits._replace(perigee_km=orbits.perigee_km - (6378.137 - 6378.135))
    assert np.array_equal(rows_of(orbits, by_elements), rows_of(wgs84, by_elements))
