"""How dangerous an event is, in words: one form for every channel."""

from typing import Any

import pytest

from storage.rows.graded import graded

EVENT: dict[str, Any] = {
    "probability_level": "high",
    "probability_best": 2e-5,
    "probability_method": "2d",
    "encounter": "fast",
    "miss_distance_m": 1234.0,
}
UNKNOWN = {"probability_level": "unknown", "probability_best": None, "probability_method": None}


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({}, "high, probability 2.0e-05"),
        ({"probability_method": "bound"}, "high, probability at most 2.0e-05"),
        ({"probability_method": "3d"}, "high, probability 2.0e-05 in three dimensions"),
        ({"probability_method": "trajectory_mc"}, "high, probability 2.0e-05 from sampled trajectories"),
        ({"miss_distance_m": 80.4}, "high, probability 2.0e-05; near: 80 m"),
        (UNKNOWN, "unknown: no probability could be computed"),
        (UNKNOWN | {"miss_distance_m": 80.0}, "unknown: no probability could be computed; near: 80 m"),
        (UNKNOWN | {"encounter": "slow"}, "unknown: a slow visit has no probability"),
        ({"encounter": "slow"}, "high, probability 2.0e-05"),
        # Of earlier releases:
        (UNKNOWN | {"probability_level": None}, "unknown: no probability could be computed"),
        (UNKNOWN | {"probability_level": None, "probability": 3e-7}, "low, probability 3.0e-07"),
    ],
)
def test_each_case_has_its_words(changed: dict[str, Any], words: str) -> None:
    found = graded(EVENT | changed)
    assert found.words == words
    assert words.startswith("low") == (found.level == "low")


def test_what_a_collision_would_leave_is_a_sentence_of_its_own() -> None:
    both = EVENT | {"catastrophic": True, "fragments_10cm": 1210.7}
    expected = "A collision would shatter both; about 1,200 pieces of 10 cm or more."
    assert graded(both).consequence == expected
    assert graded(both).words == graded(EVENT).words
    assert graded(EVENT).consequence == ""  # of an earlier release, or a mass is not known


def test_headings_and_categories_follow() -> None:
    near, unknown = graded(EVENT | {"miss_distance_m": 999.0}), graded(EVENT | UNKNOWN)
    assert (near.chance_words, near.categories) == ("P 2.0e-05", ("high", "near"))
    assert (unknown.chance_words, unknown.categories) == ("no probability could be computed", ("unknown",))
