"""Listings of SOCRATES are put together by encounter, and shifts of TCAs are seen."""

from math import erfc
from pathlib import Path

import numpy as np
import pytest

from screening.risk.objects.error_law import TAIL_SCALES_RTN, TAIL_SHARES
from tests.validation.copies import beyond
from tests.validation.risk import listed_again
from tests.validation.risk.listed_again import Listings, compare, last_listings, same_encounters, tca_sigma_s

MADE, TCA = np.datetime64("2020-12-10T08:00", "us"), np.datetime64("2020-12-12T12:00", "us")
DAY, SECOND, REVOLUTION_S = np.timedelta64(1, "D"), np.timedelta64(1_000_000, "us"), 5_900.0
# Number of the list, pair, TCA in seconds, whether listed by time.
ROWS = (
    (1, (7, 9), 4.0, False),
    (0, (7, 9), 0.0, False),
    (0, (7, 9), 0.0, True),
    (0, (7, 9), REVOLUTION_S, False),
    (2, (7, 9), -3.0, True),
    (0, (7, 10), 0.0, False),
)


def listings() -> Listings:
    """Return those rows, not yet put together."""
    lists, pairs, late_s, by_time = zip(*ROWS, strict=True)
    k = len(ROWS)
    return Listings(
        np.zeros(k, np.int64),
        MADE + np.array(lists) * DAY,
        TCA + np.array(late_s, np.int64) * SECOND,
        np.array(pairs),
        np.ones((k, 2)),
        np.zeros((k, 2), bool),
        np.ones(k),
        np.full(k, 10.0),
        np.array(by_time),
    )


def test_an_encounter_is_one_when_its_tca_shifts_and_another_a_revolution_later() -> None:
    rows = same_encounters(listings())
    assert rows.encounter.tolist() == [0, 0, 0, 1, 2]
    assert ((rows.tca - TCA) / SECOND).tolist() == [0.0, 4.0, -3.0, REVOLUTION_S, 0.0]
    assert rows.by_time.tolist() == [False, False, True, False, False]  # in one list by both: not by time
    assert last_listings(rows.encounter).tolist() == [2, 2, 2, 3, 4]


@pytest.mark.parametrize("angle_deg", [15.0, 90.0, 175.0])
def test_sigmas_of_tcas_are_those_of_straight_flights(angle_deg: float) -> None:
    """Displaced at random, objects on two straight lines come closest at times that scatter as much."""
    speed_m_s, in_track_m, cross_m = 7_500.0, np.array([[400.0, 900.0]]), np.array([[100.0, 300.0]])
    angle = np.radians([0.0, angle_deg])
    along = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    across = np.stack([-np.sin(angle), np.cos(angle)], axis=1)
    drawn = np.random.default_rng(5).normal(size=(200_000, 2, 2))
    moved_m = drawn[..., :1] * in_track_m.T * along + drawn[..., 1:] * cross_m.T * across
    apart_m, relative_m_s = moved_m[:, 1] - moved_m[:, 0], speed_m_s * (along[1] - along[0])
    scatter_s = float(np.std(apart_m @ relative_m_s / (relative_m_s @ relative_m_s)))
    speeds_m_s = np.array([speed_m_s]), np.linalg.norm([relative_m_s], axis=1)
    (sigma_s,) = tca_sigma_s(in_track_m, cross_m, *speeds_m_s)
    assert sigma_s == pytest.approx(scatter_s, rel=0.01)


def test_what_is_allowed_are_the_quantiles_of_the_law_with_its_tails() -> None:
    share, scale = float(TAIL_SHARES[0]), float(TAIL_SCALES_RTN[0, 1])  # low orbits, in-track
    for allowed, beyond_it in ((listed_again.MEDIAN, 0.5), (listed_again.NINETY_PERCENT, 0.1)):
        law = (1.0 - share) * erfc(allowed / 2**0.5) + share * erfc(allowed / scale / 2**0.5)
        assert law == pytest.approx(beyond_it, abs=0.002)


@pytest.mark.slow
def test_shifts_of_real_listings_are_within_the_law_and_not_within_a_third_of_it(
    shared_data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = compare(shared_data)
    told = {measure.name: measure.value for measure in found.measures}
    assert beyond(found) == []
    assert found.number > 7 * told["encounters"] - 1_000
    medians = [value for name, value in told.items() if name.endswith("TCA: median, sigmas")]
    assert len(medians) == 5
    assert medians == sorted(medians)  # the longer before, the more
    assert told["of these with a larger range: selection"] > 90.0
    monkeypatch.setattr(listed_again, "tca_sigma_s", lambda *given: tca_sigma_s(*given) / 3.0)
    assert len(beyond(compare(shared_data))) >= 8
