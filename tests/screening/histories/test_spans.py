"""Burns found in sets that are fitted to observations of several days."""

import numpy as np
import pytest

from screening.histories.pairs import History
from screening.histories.spans import FEWEST_SETS_IN_ALL, SPANS_DAYS, bends
from tests.screening.histories.made_up import BURN_DAY, PLANTED_M_S, history

HOURS = 0.1  # days


@pytest.mark.slow
@pytest.mark.parametrize("span_days", [0.0, 5.0])
def test_a_planted_burn_has_its_time_size_and_span(span_days: float) -> None:
    found = bends(History.of(history(sets=FEWEST_SETS_IN_ALL, span_days=span_days), 12))
    first_day = 3.0 / 24.0
    assert found.day - first_day == pytest.approx([BURN_DAY], abs=HOURS)
    metres_per_m_s = 2.0 * 86_400.0 / (14.5 * 2.0 * np.pi)
    tenth = 0.1
    assert found.axis_m == pytest.approx([PLANTED_M_S * metres_per_m_s], rel=tenth)
    assert found.span_days == pytest.approx([span_days], abs=1.5)
    assert SPANS_DAYS[0] == 0.0


@pytest.mark.slow
def test_no_burn_is_none() -> None:
    assert len(bends(History.of(history(dv_m_s=0.0, sets=FEWEST_SETS_IN_ALL), 12)).day) == 0


@pytest.mark.slow
def test_a_bad_set_is_none() -> None:
    sets = history(dv_m_s=0.0, sets=FEWEST_SETS_IN_ALL)
    sets["mean_motion_rev_day"][60] += 1e-4
    sets["mean_anomaly_deg"][120] += 0.2
    assert len(bends(History.of(sets, 12)).day) == 0


def test_a_short_history_says_nothing() -> None:
    sets = history(sets=FEWEST_SETS_IN_ALL - 1)
    assert len(bends(History.of(sets, 12)).day) == 0
    assert len(bends(History.of(sets[:0], 12)).day) == 0


@pytest.mark.slow
def test_objects_do_not_mix() -> None:
    one, other = history(sets=FEWEST_SETS_IN_ALL), history(2, dv_m_s=-0.03, sets=230, number=8)
    both = bends(History.of(np.concatenate([one, other]), 12))
    alone = bends(History.of(other, 12))
    assert both.step.tolist() == [both.step[0], alone.step[0] + FEWEST_SETS_IN_ALL]
    assert both.axis_m[1] == pytest.approx(alone.axis_m[0])
