"""How often objects burn, from what was detected."""

import numpy as np
import numpy.typing as npt
import pytest

from screening.orbits.timegrid import FloatArray
from screening.risk.objects.burn_rates import USUAL_PER_DAY, own_rates

DAYS = 30.0


def manoeuvres(hours: list[float], dv_m_s: list[float]) -> npt.NDArray[np.void]:
    out = np.zeros(len(hours), [("at", "M8[us]"), ("dv_m_s", "f8")])
    out["at"] = np.datetime64("2026-05-01", "us") + (np.array(hours) * 3.6e9).astype("m8[us]")
    out["dv_m_s"] = dv_m_s
    return out


def rates(owner: list[int], hours: list[float], dv_m_s: list[float]) -> tuple[FloatArray, FloatArray]:
    return own_rates(np.array(owner, np.int64), manoeuvres(hours, dv_m_s), np.full(3, DAYS))


def test_the_usual_rate_counts_as_one_burn() -> None:
    per_day, dv_m_s = rates([0, 2, 0], [0.0, 5.0, 200.0], [0.1, 5.0, 0.3])
    np.testing.assert_allclose(per_day, [n / (DAYS + 1.0 / USUAL_PER_DAY) for n in (3, 1, 2)])
    np.testing.assert_allclose(dv_m_s, [0.2, np.nan, 5.0])


def test_a_burn_that_is_stored_and_found_again_is_one() -> None:
    twice, _ = rates([1, 1], [10.0, 13.0], [0.1, 0.1])
    once, _ = rates([1], [10.0], [0.1])
    np.testing.assert_array_equal(twice, once)


def test_none_in_a_month_is_less_than_usual_and_not_never() -> None:
    per_day, dv_m_s = rates([], [], [])
    assert per_day == pytest.approx(np.full(3, 0.625 * USUAL_PER_DAY))
    assert np.isnan(dv_m_s).all()
