"""The tables of the Earth's orientation: between days, across leap seconds, and outside."""

import numpy as np
import pytest

from screening.orbits import earth_orientation as tables
from screening.orbits.earth_orientation import EarthOrientation, earth_orientation
from screening.orbits.timegrid import julian_date

RAD_PER_ARCSEC = np.pi / 648_000
# Vallado et al. (AIAA 2006-6753, appendix C) print these for 2004-04-06; Bulletin A has been revised since.
PAPER_UT1_MINUS_UTC_S, PAPER_POLE_X_ARCSEC, PAPER_POLE_Y_ARCSEC = -0.4399619, -0.140682, 0.333309
REVISED_S = 1e-4
REVISED_ARCSEC = 5e-4


def at(text: str) -> EarthOrientation:
    jd, day_fraction = julian_date(np.array([text], "M8[us]"))
    return earth_orientation(jd[0], day_fraction[0])


def test_published_values() -> None:
    found = at("2004-04-06")
    assert abs(found.ut1_minus_utc_s - PAPER_UT1_MINUS_UTC_S) < REVISED_S
    assert abs(found.pole_x_rad / RAD_PER_ARCSEC - PAPER_POLE_X_ARCSEC) < REVISED_ARCSEC
    assert abs(found.pole_y_rad / RAD_PER_ARCSEC - PAPER_POLE_Y_ARCSEC) < REVISED_ARCSEC
    assert not found.extrapolated


def test_ut1_crosses_a_leap_second_without_a_jump() -> None:
    # Interpolated across, UT1 - UTC came out up to half a second wrong on the day before: 230 m.
    before = at("2016-12-31T23:59:59.999999").ut1_minus_utc_s
    after = at("2017-01-01").ut1_minus_utc_s
    noon = at("2016-12-31T12:00:00").ut1_minus_utc_s
    morning = at("2016-12-31").ut1_minus_utc_s
    one_microsecond = 1e-6
    assert after - before == pytest.approx(1.0, abs=one_microsecond)
    assert noon == pytest.approx((morning + before) / 2, abs=one_microsecond)


def test_every_leap_second_since_1973_is_seen() -> None:
    assert tables._tables().jumps_s[-1] >= 25


def test_ut1_is_linear_between_midnights() -> None:
    start, noon, end = (at(t) for t in ("2024-11-01", "2024-11-01T12:00:00", "2024-11-02"))
    for name in ("ut1_minus_utc_s", "pole_x_rad", "pole_y_rad"):
        middle = (getattr(start, name) + getattr(end, name)) / 2
        assert getattr(noon, name) == pytest.approx(middle, rel=1e-12)


def test_a_day_fraction_may_lie_outside_its_day() -> None:
    jd = 2457753.5  # 2016-12-31
    expected = at("2017-01-01T06:00:00")
    found = earth_orientation(np.array([jd, jd + 2]), np.array([1.25, -0.75]))
    np.testing.assert_allclose(found.ut1_minus_utc_s, expected.ut1_minus_utc_s, atol=1e-12)
    np.testing.assert_allclose(found.pole_x_rad, expected.pole_x_rad, rtol=1e-12)


@pytest.mark.parametrize(("instant", "nearest"), [("1960-01-01", 0), ("2099-06-01", -1)])
def test_outside_the_tables_the_nearest_day_holds_and_says_so(instant: str, nearest: int) -> None:
    found, held = at(instant), tables._tables()
    assert found.extrapolated
    assert found.ut1_minus_utc_s == held.steady_ut1_s[nearest] + held.jumps_s[nearest]
    assert found.pole_x_rad == held.pole_x_rad[nearest]
    assert found.pole_y_rad == held.pole_y_rad[nearest]


def test_the_edges_of_the_tables_are_inside() -> None:
    mjd = tables._tables().mjd[[0, -1]]
    inside = earth_orientation(mjd + 2400000.5, np.zeros(2))
    outside = earth_orientation(mjd + 2400000.5, np.array([-1e-9, 1e-9]))
    assert inside.extrapolated.tolist() == [False, False]
    assert outside.extrapolated.tolist() == [True, True]
