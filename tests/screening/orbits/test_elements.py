"""What SGP4 assumes of an element set, at the borders of each field."""

import numpy as np
import pytest

from screening.orbits.elements import ELEMENT_DTYPE, ElementArray, LineNumbers, validate

JD_2024_10_29 = 2460612.5


def elements(count: int = 1) -> ElementArray:
    array = np.zeros(count, ELEMENT_DTYPE)
    array["norad_id"] = np.arange(1, count + 1)
    array["epoch_jd"] = JD_2024_10_29
    array["mean_motion_rev_day"] = 15.5
    array["inclination_deg"] = 51.64
    return array


def lines(count: int = 1) -> LineNumbers:
    return np.arange(2, count + 2)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("norad_id", 1),
        ("norad_id", 999_999_999),
        ("epoch_jd", 2435839.5),  # 1957-01-01
        ("epoch_jd", 2488433.5),  # 2100-12-31
        ("epoch_day_fraction", np.nextafter(1.0, 0.0)),
        ("mean_motion_rev_day", 1e-5),
        ("mean_motion_rev_day", 18.0),
        ("eccentricity", 0.0),
        ("eccentricity", np.nextafter(1.0, 0.0)),
        ("inclination_deg", 0.0),
        ("inclination_deg", 180.0),
        ("bstar_per_earth_radius", -0.638),
        ("bstar_per_earth_radius", 3.7693),  # the largest of the real catalogue
        ("ephemeris_type", 2),
    ],
)
def test_accepts_the_borders(field: str, value: float) -> None:
    array = elements()
    array[field] = value
    accepted, rejected = validate(array, lines())
    assert rejected == []
    assert accepted[field][0] == value


@pytest.mark.parametrize(
    ("field", "value", "reason"),
    [
        ("norad_id", 0, "NORAD_CAT_ID 0 must be from 1 to 999999999"),
        ("norad_id", 1_000_000_000, "NORAD_CAT_ID 1000000000 must be from 1 to 999999999"),
        ("epoch_jd", 2435838.5, "EPOCH 1956-12-31 must be in the years 1957 to 2100"),
        ("epoch_jd", 2488434.5, "EPOCH 2101-01-01 must be in the years 1957 to 2100"),
        ("epoch_jd", np.inf, "EPOCH inf must be in the years 1957 to 2100"),
        ("epoch_day_fraction", 1.0, "EPOCH 1.0 must be a fraction of a day from 0 to below 1"),
        ("mean_motion_rev_day", 0.0, "MEAN_MOTION 0.0 must be above 0 and at most 18 rev/day"),
        ("mean_motion_rev_day", 18.001, "MEAN_MOTION 18.001 must be above 0 and at most 18 rev/day"),
        ("eccentricity", 1.0, "ECCENTRICITY 1.0 must be at least 0 and below 1"),
        ("eccentricity", -1e-9, "ECCENTRICITY -1e-09 must be at least 0 and below 1"),
        ("inclination_deg", 180.0001, "INCLINATION 180.0001 must be from 0 to 180 deg"),
        ("raan_deg", 3528.583, "RA_OF_ASC_NODE 3528.583 must be from -360 to 720 deg"),
        ("bstar_per_earth_radius", 1001.0, "BSTAR 1001.0 must be from -1000 to 1000 per Earth radius"),
        ("mean_motion_dot_rev_day2", np.inf, "MEAN_MOTION_DOT inf must be finite"),
        ("ephemeris_type", 4, "EPHEMERIS_TYPE 4 must be 0 or 2, SGP4 (4, SGP4-XP, is not supported)"),
    ],
)
def test_rejects_beyond_the_borders(field: str, value: float, reason: str) -> None:
    array = elements(3)
    array[field][1] = value
    accepted, rejected = validate(array, lines(3))
    assert [(rejection.line, rejection.reason) for rejection in rejected] == [(3, reason)]
    assert rejected[0].record == str(array["norad_id"][1])
    assert list(accepted["norad_id"]) == [1, 3]


@pytest.mark.parametrize(
    "field", [name for name in ELEMENT_DTYPE.names or () if ELEMENT_DTYPE[name].kind == "f"]
)
@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_rejects_what_is_not_finite_in_any_field(field: str, value: float) -> None:
    array = elements()
    array[field] = value
    accepted, rejected = validate(array, lines())
    assert len(accepted) == 0
    assert str(value) in rejected[0].reason


@pytest.mark.parametrize(
    ("published_deg", "reduced_deg"),
    [
        (0.0, 0.0),
        (359.9999, 359.9999),
        (360.0, 0.0),
        (-90.0, 270.0),
        (450.0, 90.0),
        (-1e-20, 0.0),
        (720.0, 0.0),
    ],
)
@pytest.mark.parametrize("field", ["raan_deg", "argument_of_perigee_deg", "mean_anomaly_deg"])
def test_reduces_angles_and_leaves_the_array_alone(
    field: str, published_deg: float, reduced_deg: float
) -> None:
    array = elements()
    array[field] = published_deg
    accepted, rejected = validate(array, lines())
    assert rejected == []
    assert accepted[field][0] == reduced_deg
    assert array[field][0] == published_deg


def test_gives_one_reason_for_a_record_with_several_faults() -> None:
    array = elements()
    array["mean_motion_rev_day"] = -1.0
    array["eccentricity"] = 2.0
    _, rejected = validate(array, lines())
    assert [rejection.reason.split()[0] for rejection in rejected] == ["MEAN_MOTION"]


def test_takes_no_records() -> None:
    accepted, rejected = validate(elements(0), lines(0))
    assert len(accepted) == 0
    assert rejected == []
