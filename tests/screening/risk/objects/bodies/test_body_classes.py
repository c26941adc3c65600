"""Classes of spacecraft told by number, name and orbit."""

import numpy as np
import pytest

from screening.risk.objects.bodies.body_classes import (
    SERIES,
    STATIONS,
    series_bodies,
    station_radii_m,
    stations_of,
)
from screening.risk.objects.hard_body import radius_allowed


@pytest.mark.parametrize(
    ("name", "expected_m"),
    [
        ("STARLINK-1007", 2.0),
        ("STARLINK-30042", 4.3),
        ("STARLINK-11072 [DTC]", 4.3),
        ("STARLINK-1007 DEB", np.nan),
        ("STARLINK-", np.nan),
        ("FLOCK 4Q-1", 0.2),
        ("LEMUR-2-JOEL", 0.2),
        ("SPACEBEE-10", 0.1),
        ("FLOCKED", np.nan),
        ("COSMOS 2251", np.nan),
        ("", np.nan),
    ],
)
def test_a_series_is_told_by_its_name(name: str, expected_m: float) -> None:
    assert series_bodies(np.array([name])).radius_m[0] == pytest.approx(expected_m, nan_ok=True)


def test_a_station_is_told_by_its_number_whatever_its_name() -> None:
    found_m = station_radii_m(np.array([25544, 49044, 48274, 5]))
    assert found_m == pytest.approx([54.5, 54.5, 27.5, np.nan], nan_ok=True)
    assert stations_of(np.array([25544, 5, 54216, 49044])).tolist() == [0, -1, 1, 0]


def test_every_size_is_allowed_and_has_a_source() -> None:
    for known in (*STATIONS, *SERIES):
        assert radius_allowed(known.radius_m), known
        assert len(known.source) > 20, known


def test_all_of_a_series_is_within_the_sphere_around_it() -> None:
    for series in SERIES:
        assert series.radius_m <= series.bounding_radius_m, series
        assert not series.mass_kg <= 0.0, series
