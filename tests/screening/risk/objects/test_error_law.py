"""The law against the tables of measured errors, and in places where nothing is measured."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from screening.orbits.elements import ELEMENT_DTYPE, ElementArray
from screening.orbits.timegrid import FloatArray
from screening.risk.objects.burn_rates import USUAL_PER_DAY, Burns, burns_of
from screening.risk.objects.error_classes import ERROR_CLASSES, KnownOf
from screening.risk.objects.error_law import (
    LAW_SOURCES,
    LAWS,
    ErrorLaws,
    difference_sigma_rtn_m,
    error_laws,
)
from screening.risk.objects.regimes import REGIMES
from screening.vocabulary import ERROR_LAWS, OBJECT_TYPES
from tests.validation.risk.error_law import MEDIANS
from tests.validation.risk.measured_errors import MEASURED, by_age, by_operators, laws_of

UP_TO_DAYS = 7.0
# What the law may be off by, as it was asked for: the drag of November 2024 is not that of 2025-26, and the
# groups disagree among themselves.
IN_TRACK = {"LEO-POD": (0.7, 1.4), "SLR-LEO": (0.7, 1.4), "SLR-MEO": (0.7, 2.2)}
RADIAL_AND_CROSS_TRACK = (0.5, 2.0)
# Sums and roots of a few doubles.
rounding = 1e-12


def orbit(mean_motion_rev_day: float, eccentricity: float = 0.0, bstar: float = 0.0) -> ElementArray:
    elements = np.zeros(1, ELEMENT_DTYPE)
    elements["mean_motion_rev_day"], elements["eccentricity"] = mean_motion_rev_day, eccentricity
    elements["bstar_per_earth_radius"] = bstar
    elements["epoch_jd"] = 2460615.5
    return elements


ORBITS = {
    "leo": orbit(15.2, 0.001),
    "meo": orbit(2.0056, 0.01),
    "geo": orbit(1.0027),
    "gto": orbit(2.27, 0.73),
    "heo": orbit(2.006, 0.70),
}


def at(laws: ErrorLaws, *ages_days: float, speed: FloatArray | None = None) -> FloatArray:
    """Sigmas (k, 3) of the first object, m."""
    return laws.sigma_rtn_m(np.zeros(len(ages_days), np.int64), np.array(ages_days), speed)


def of_class(elements: ElementArray, name: str, factor: float = np.nan) -> ErrorLaws:
    count = len(elements)
    codes = np.full(count, ERROR_CLASSES.index(name), np.int8)
    return error_laws(elements, codes, np.full((count, 3), factor))


def drifting(elements: ElementArray) -> ErrorLaws:
    return of_class(elements, "ballistic")


@pytest.fixture(scope="module")
def real_laws(real_elements: ElementArray) -> ErrorLaws:
    return laws_of(real_elements)


@pytest.mark.parametrize("group", MEASURED)
def test_the_law_is_what_was_measured_by_age(
    group: str, real_elements: ElementArray, shared_file: Callable[[str], Path]
) -> None:
    compared = [
        row
        for row in by_age(real_elements, shared_file("errors").parent)
        if row.group == group and row.to_days <= UP_TO_DAYS
    ]
    assert len(compared) == 14
    for row in compared:
        radial, in_track, cross_track = row.ratios
        assert IN_TRACK[group][0] < in_track < IN_TRACK[group][1], row
        for ratio in (radial, cross_track):
            assert RADIAL_AND_CROSS_TRACK[0] < ratio < RADIAL_AND_CROSS_TRACK[1], row


def test_the_law_is_what_was_measured_against_operators(
    real_elements: ElementArray, shared_file: Callable[[str], Path]
) -> None:
    compared = by_operators(real_elements, shared_file("errors").parent)
    assert len(compared) == 16
    for row in compared:
        limit = MEDIANS[row.group]
        assert (row.ratios < limit).all(), row
        assert (row.ratios > 1.0 / limit).all(), row


def test_gps_hardly_grows_in_a_week() -> None:
    # Median distances at 0, 1, 3, 7 d; in-track is most of them.
    measured = np.array([1.34, 1.31, 1.27, 1.71])
    law = np.linalg.norm(at(drifting(ORBITS["meo"]), 0.0, 1.0, 3.0, 7.0), axis=1)
    ratios = (law / law[0]) / (measured / measured[0])
    np.testing.assert_allclose(ratios, 1.0, atol=0.15)


@pytest.mark.parametrize("regime", REGIMES)
@pytest.mark.parametrize("name", ERROR_CLASSES)
def test_nothing_gets_better_with_age_or_by_drag(regime: str, name: str) -> None:
    ages = (0.0, 0.5, 3.0, 30.0)
    calm, dragged = (
        at(of_class(elements, name), *ages) for elements in (ORBITS[regime], ORBITS[regime].copy())
    )
    assert (calm > 0).all()
    assert (np.diff(calm, axis=0) >= 0).all()
    with_drag = ORBITS[regime].copy()
    with_drag["bstar_per_earth_radius"] = 1e-3
    dragged = at(of_class(with_drag, name), *ages)
    assert (dragged >= calm).all()
    assert (dragged[1:, 1] > calm[1:, 1]).all() or regime in {"meo", "geo"}


def test_before_the_epoch_counts_as_after_it() -> None:
    # Over two days SGP4's own drag differs by less than a hundredth.
    after, before = at(drifting(orbit(15.2, 0.001, 5e-4)), 2.0, -2.0)
    np.testing.assert_allclose(before, after, rtol=0.01)


def test_drag_pushes_further_where_an_object_is_faster() -> None:
    laws = drifting(orbit(2.27, 0.73, 1e-3))
    speeds = np.array([[0.0, 10.0], [0.0, 2.0], [2.0, 2.0]])
    perigee, apogee, between = at(laws, 3.0, 3.0, 3.0, speed=speeds)
    at_epoch = np.array(LAWS["gto"].at_epoch_m)
    pushed = np.sqrt(np.stack([perigee, apogee, between]) ** 2 - at_epoch**2)
    assert pushed[0, 1] == pytest.approx(5.0 * pushed[1, 1], rel=0.05)  # beside the growth of all orbits
    assert pushed[2, 0] == pytest.approx(pushed[2, 1], rel=0.05)


@pytest.mark.parametrize("bstar", [np.nan, -np.nan, np.inf, 1e30, -5e-4, 1.0])
@pytest.mark.parametrize("regime", REGIMES)
def test_any_drag_term_gives_sizes(regime: str, bstar: float) -> None:
    elements = ORBITS[regime].copy()
    elements["bstar_per_earth_radius"] = bstar
    sigma = at(drifting(elements), -3650.0, -7.0, 0.0, 7.0, 3650.0)
    assert np.isfinite(sigma).all()
    assert (sigma >= at(drifting(ORBITS[regime]), 0.0)).all()


def test_an_object_lost_for_years_may_be_anywhere_on_its_orbit(
    real_laws: ErrorLaws, real_elements: ElementArray
) -> None:
    index = np.arange(len(real_elements))
    for age in (3650.0, -3650.0):
        sigma = real_laws.sigma_rtn_m(index, np.full(len(index), age))
        assert np.isfinite(sigma).all()
        assert (sigma <= real_laws.largest_m[:, np.newaxis]).all()
    lost = at(drifting(orbit(15.2, 0.001, 5e-4)), 3650.0)
    # Evenly distributed over a circumference of 43,000 km.
    assert lost[0, 1] == pytest.approx(43.0e6 / np.sqrt(12.0), rel=0.02)


@pytest.mark.parametrize("name", ERROR_CLASSES)
def test_a_factor_widens_all_and_narrows_only_what_grows(name: str) -> None:
    default, half, double = (
        of_class(orbit(15.2, 0.001, 5e-4), name, factor) for factor in (np.nan, 0.5, 2.0)
    )
    np.testing.assert_allclose(at(double, 0.0, 5.0), 2.0 * at(default, 0.0, 5.0), rtol=rounding)
    np.testing.assert_array_equal(at(half, 0.0), at(default, 0.0))
    variances = [at(laws, 5.0) ** 2 - at(laws, 0.0) ** 2 for laws in (half, default)]
    np.testing.assert_allclose(variances[0], variances[1] / 4.0, rtol=1e-9)
    assert [laws.own.item() for laws in (default, half, double)] == [False, True, True]


@pytest.mark.parametrize("name", ERROR_CLASSES)
def test_tails_and_burns_are_shares_that_add_to_the_sigmas(name: str) -> None:
    elements, burns = orbit(15.2), Burns(np.array([0.02]), np.array([0.04]))
    classes = np.full(1, ERROR_CLASSES.index(name), np.int8)
    laws = error_laws(elements, classes, np.full((1, 3), np.nan), burns)
    tails = laws.tails(np.zeros(4, np.int64), np.array([-1.0, 0.0, 1.0, 30.0]))
    assert (tails.tail_share > 0).all()
    assert (tails.tail_scale_rtn >= 1.0).all()
    np.testing.assert_allclose(tails.burn_share, 1.0 - np.exp(-0.02 * np.array([0.0, 0.0, 1.0, 30.0])))
    # 0.04 m/s at any time of a day: 3 dv t in-track, as a root mean square.
    np.testing.assert_allclose(tails.burn_in_track_m[:3], [0.0, 0.0, 3 * 0.04 * 86400 / np.sqrt(3)])


def test_payloads_in_use_burn_as_usual_and_debris_never() -> None:
    types = np.array(
        [OBJECT_TYPES.index(word) for word in ("payload", "payload", "debris", "payload")], np.int8
    )
    known = KnownOf.without_history(types, np.array(["active", "inactive", "unknown", "unknown"]))
    known.burns_per_day[3], known.burn_dv_m_s[3] = 0.3, 0.5
    burns = burns_of(np.zeros(4, np.int8), known)
    assert burns.per_day.tolist() == [USUAL_PER_DAY, 0.0, 0.0, 0.3]
    assert burns.dv_m_s[3] == 0.5
    starlink = np.full(4, ERROR_CLASSES.index("starlink"), np.int8)
    assert not burns_of(starlink, known).per_day.any()  # in its law


def test_a_difference_has_the_errors_of_both_sets() -> None:
    elements = orbit(15.2, 0.001, 5e-4)
    laws = drifting(elements)
    ages = np.array([0.0, 2.5])
    difference = difference_sigma_rtn_m(laws, np.zeros(2, np.int64), ages)
    np.testing.assert_allclose(difference**2, at(laws, 0.0, 0.0) ** 2 + at(laws, *ages) ** 2, rtol=rounding)


def test_every_law_says_what_it_rests_on() -> None:
    assert tuple(LAW_SOURCES) == tuple(LAWS) == ERROR_LAWS
    assert set(REGIMES) < set(ERROR_LAWS)
