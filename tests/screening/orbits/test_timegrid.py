"""Instants to the microsecond, spans to the nanosecond, over every year that element sets know."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sgp4.api import jday

from screening.orbits.timegrid import (
    TimeWindow,
    instants,
    julian_date,
    seconds_since,
    utc,
    window,
)

FIRST, LAST = (int(np.datetime64(year, "us").astype(np.int64)) for year in ("1957", "2101"))
# A day fraction resolves 1e-16 of a day, 1e-11 s; a few of them add up.
ONE_NANOSECOND_S = 1e-9


@given(microseconds=st.integers(FIRST, LAST - 1))
@settings(max_examples=300)
def test_an_instant_comes_back_to_the_microsecond(microseconds: int) -> None:
    instant = np.array([microseconds]).astype("M8[us]")
    jd, day_fraction = julian_date(instant)
    assert jd[0] % 1.0 == 0.5
    assert 0.0 <= day_fraction[0] < 1.0
    assert instants(jd, day_fraction)[0] == instant[0]


@pytest.mark.parametrize(
    ("date", "instant"),
    [
        ((2024, 11, 1, 12, 30, 15.25), "2024-11-01T12:30:15.25"),
        ((1957, 10, 4, 19, 28, 34.0), "1957-10-04T19:28:34"),
    ],
)
def test_instants_are_those_of_the_calendar(
    date: tuple[int, int, int, int, int, float], instant: str
) -> None:
    """Against sgp4's own calendar, whose day and fraction are what element sets carry."""
    day, fraction = jday(*date)
    assert instants(np.array([day]), np.array([fraction]))[0] == np.datetime64(instant)


@pytest.mark.parametrize(
    ("instant", "jd", "day_fraction"),
    [
        ("2000-01-01T12:00", 2451544.5, 0.5),  # J2000
        ("1970-01-01T00:00", 2440587.5, 0.0),
        ("1969-12-31T18:00", 2440586.5, 0.75),  # before 1970: the midnight before, not after
        ("2024-11-01T00:00:00.000001", 2460615.5, 1e-6 / 86400.0),
    ],
)
def test_known_julian_dates(instant: str, jd: float, day_fraction: float) -> None:
    found_jd, found_fraction = julian_date(np.array([instant], "M8[us]"))
    assert found_jd[0] == jd
    assert found_fraction[0] == pytest.approx(day_fraction, rel=1e-12)


def test_a_window_knows_its_start_and_its_end() -> None:
    span = window(np.datetime64("2026-12-31T23:59:59.999999", "us"), 1.0)
    assert span.seconds == 3600.0
    assert span.start == np.datetime64("2026-12-31T23:59:59.999999", "us")
    assert span.end == np.datetime64("2027-01-01T00:59:59.999999", "us")


def test_a_date_without_a_time_is_midnight() -> None:
    assert window(np.datetime64("2024-11-01"), 24.0) == TimeWindow(2460615.5, 0.0, 86400.0)


def test_unknown_seconds_become_no_time() -> None:
    span = window(np.datetime64("2024-11-01", "us"), 24.0)
    out = utc(span, np.array([0.0, np.nan, -1.5, 86400.000001, np.inf]))
    assert np.isnat(out[[1, 4]]).all()
    expected = ["2024-11-01T00:00:00", "2024-10-31T23:59:58.5", "2024-11-02T00:00:00.000001"]
    assert (out[[0, 2, 3]] == np.array(expected, "M8[us]")).all()


def test_no_seconds_make_no_times() -> None:
    assert utc(window(np.datetime64("2024-11-01", "us"), 24.0), np.empty(0)).shape == (0,)


@given(seconds=st.floats(-86400.0 * 40, 86400.0 * 40), start=st.integers(FIRST, LAST - 1))
@settings(max_examples=200)
def test_seconds_from_the_start_come_back(seconds: float, start: int) -> None:
    span = window(np.datetime64(start, "us"), 720.0)
    whole_days, day_fraction = divmod(span.start_day_fraction + seconds / 86400.0, 1.0)
    found = seconds_since(span, np.array([span.start_jd + whole_days]), np.array([day_fraction]))
    assert found[0] == pytest.approx(seconds, abs=ONE_NANOSECOND_S)
