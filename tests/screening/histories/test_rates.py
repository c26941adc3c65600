"""How often objects manoeuvre, and which thrust all the time."""

import numpy as np
import pytest

from screening.histories.burns import MANOEUVRE_DTYPE, manoeuvres
from screening.histories.rates import rates
from tests.screening.histories.made_up import PLANTED_M_S, REV_PER_M_S, SPACING_DAYS, history

SETS = 60
CALM = np.zeros(0, MANOEUVRE_DTYPE)


def test_manoeuvres_are_counted_by_day() -> None:
    sets = np.concatenate([history(), history(2, dv_m_s=0.0, number=8)])
    burnt, calm = rates(sets, manoeuvres(sets))
    percent = 0.01
    assert burnt["days"] == pytest.approx((SETS - 1) * SPACING_DAYS, rel=percent)
    assert burnt["per_day"] == pytest.approx(1.0 / burnt["days"])
    assert burnt["typical_dv_m_s"] == pytest.approx(PLANTED_M_S, abs=0.002)
    assert calm["per_day"] == 0.0
    assert np.isnan(calm["typical_dv_m_s"])


def test_an_orbit_that_rises_without_steps_is_thrust() -> None:
    dv_m_s_day = 0.01
    sets = history(dv_m_s=0.0)
    day = sets["epoch_jd"] + sets["epoch_day_fraction"] - sets["epoch_jd"][0]
    sets["mean_motion_rev_day"] -= REV_PER_M_S * dv_m_s_day * day
    (rising,) = rates(sets, CALM)
    assert rising["steady_dv_m_s_day"] == pytest.approx(dv_m_s_day, rel=0.1)
    sets["mean_motion_rev_day"] += 2.0 * REV_PER_M_S * dv_m_s_day * day
    (falling,) = rates(sets, CALM)
    assert falling["steady_dv_m_s_day"] == 0.0


def test_no_thrust_is_none() -> None:
    assert rates(history(dv_m_s=0.0), CALM)["steady_dv_m_s_day"] == 0.0


def test_no_sets_have_no_rates() -> None:
    assert len(rates(history()[:0], CALM)) == 0
    assert len(rates(history()[:5], CALM)) == 0
