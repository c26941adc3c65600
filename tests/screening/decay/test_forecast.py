"""Forecasts of decays against decays that came, and what they say where nothing can be said."""

import numpy as np
import pytest

from screening.decay.forecast import Recent, decays
from screening.decay.life import Lives
from tests.screening.decay.real_decays import (
    Decayed,
    catalogue,
    catalogue_kelvin,
    decayed,
    forecasts,
    of_catalogues,
)

# What the issue asks for, of decays that the constants were not fitted to.
MOST_ERROR, FEWEST_INSIDE, MOST_INSIDE = 0.20, 0.85, 0.955


@pytest.fixture(scope="module")
def sets() -> Decayed:
    return decayed()


def test_half_of_the_decays_that_were_not_fitted(sets: Decayed) -> None:
    found = forecasts(sets)
    for lead_days in (60.0, 30.0, 10.0):
        off = np.abs(np.log(sets.left_days / lead_days))
        near = np.flatnonzero(((sets.norad_id // 2) % 2 == 1) & (off < np.log(1.33)))
        near = near[np.lexsort((off[near], sets.norad_id[near]))]
        near = near[np.append(True, np.diff(sets.norad_id[near]) != 0)]
        median, left = found.median_days[near], sets.left_days[near]
        said = np.isfinite(median)
        assert said.mean() > 0.8
        assert np.median(np.abs(median / left - 1.0)[said]) < MOST_ERROR
        inside = (found.begin_days[near] <= left) & (left <= found.end_days[near])
        assert FEWEST_INSIDE - 0.005 < inside[said].mean() < MOST_INSIDE


def test_an_active_sun() -> None:
    some, kelvin = of_catalogues("20140111", "20140101")
    near = np.flatnonzero((some.left_days > 5) & (some.left_days < 90))
    found = decays(some.recent, Lives.at(kelvin))
    error = np.abs(found.median_days / some.left_days - 1.0)[near]
    assert len(near) > 100
    assert np.nanmedian(error) < MOST_ERROR
    quiet = decays(some.recent, Lives.at(780.0))  # the temperature matters
    assert np.nanmedian(np.abs(quiet.median_days / some.left_days - 1.0)[near]) > 1.4 * np.nanmedian(error)


def test_stages_show_how_hot_the_thermosphere_is() -> None:
    assert catalogue_kelvin(catalogue("20140111")) > catalogue_kelvin(catalogue("20160112")) + 100.0
    assert catalogue_kelvin(catalogue("20160112")) > catalogue_kelvin(catalogue("20200108")) + 100.0


def one(rate_rev_day2: float, *, payload: bool, earlier_rev_day: float = np.nan) -> Recent:
    """Return an object at some 390 km whose earlier set, if there is one, is ten days older."""
    days = np.nan if np.isnan(earlier_rev_day) else 10.0
    numbers = (15.6, 5e-4, rate_rev_day2, 100.0)
    return Recent(
        *(np.array([value]) for value in numbers),
        np.array([payload]),
        *(np.array([value]) for value in (earlier_rev_day, 5e-4 if days == 10.0 else np.nan, days)),
    )


@pytest.mark.parametrize(
    ("recent", "said"),
    [
        (one(1e-3, payload=False), True),
        (one(1e-3, payload=False, earlier_rev_day=15.59), True),
        (one(-1e-3, payload=False, earlier_rev_day=15.59), True),
        (one(-1e-3, payload=False), False),
        (one(0.0, payload=False), False),
        (one(1e-3, payload=True, earlier_rev_day=15.59), True),
        (one(1e-3, payload=True), False),
        (one(1e-3, payload=True, earlier_rev_day=15.61), False),
        (one(1e-4, payload=True, earlier_rev_day=15.59), False),
    ],
)
def test_nothing_is_said_of_what_drag_alone_does_not_move(recent: Recent, *, said: bool) -> None:
    found = decays(recent, Lives.at(900.0))
    assert np.isfinite(found.median_days[0]) == said
    assert found.thrusts[0] == (bool(recent.payload[0]) and not said)
    if said:
        assert found.begin_days[0] < found.median_days[0] < found.end_days[0]
