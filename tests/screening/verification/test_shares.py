"""Intervals of shares, against SciPy's."""

import pytest
from scipy.stats import binomtest

from screening.verification.shares import share_interval


@pytest.mark.parametrize(("hits", "count"), [(0, 12), (12, 12), (7, 29), (1, 1), (900, 973)])
def test_intervals_are_those_of_wilson(hits: int, count: int) -> None:
    wilson = binomtest(hits, count).proportion_ci(0.9, method="wilson")
    low, high = share_interval(hits / count, count)
    assert (low, high) == pytest.approx((wilson.low, wilson.high), abs=1e-7)
    assert 0.0 <= low <= hits / count <= high <= 1.0
