"""Leap seconds against the published dates."""

import numpy as np
import pytest

from screening.orbits.reference.leap_seconds import tai_minus_utc_s, utc_from_tai


@pytest.mark.parametrize(
    ("utc", "seconds"),
    [
        ("1972-01-01T00:00:00", 10),
        ("2016-12-31T23:59:59.999999", 36),
        ("2017-01-01T00:00:00", 37),
        ("2024-11-01T00:00:00", 37),
    ],
)
def test_tai_minus_utc_is_as_announced(utc: str, seconds: int) -> None:
    instant = np.array([utc], "M8[us]")
    assert tai_minus_utc_s(instant).tolist() == [seconds]
    assert utc_from_tai(instant + np.timedelta64(seconds, "s")) == instant
