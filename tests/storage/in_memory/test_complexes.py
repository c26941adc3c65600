"""One row an encounter with a complex, against an oracle that compares all pairs of events."""

import numpy as np
import pytest

from storage.in_memory.complexes import ALONE, Side, told_by_another

SECOND = np.timedelta64(1, "s")
START = np.datetime64("2026-11-21T06:00:00", "us")


def told(rows: list[tuple[int, int, int, int, float, int]], matching: list[bool] | None = None) -> list[bool]:
    """Ask about events: primary, its complex, secondary, its complex, TCA in s, danger."""
    primary, of_primary, secondary, of_secondary, tca_s, danger = (
        np.array(column) for column in zip(*rows, strict=True)
    )
    tca = START + (tca_s * 1e6).astype("m8[us]")
    mask = np.ones(len(rows), np.bool_) if matching is None else np.array(matching)
    sides = Side(primary, of_primary), Side(secondary, of_secondary)
    return told_by_another(mask, *sides, tca, (danger, np.arange(len(rows)))).tolist()


def test_the_most_dangerous_tells_the_others() -> None:
    assert told([(5, 5, 90, ALONE, 0.0, 2), (7, 5, 90, ALONE, 0.3, 1), (9, 5, 90, ALONE, -0.3, 3)]) == [
        True,
        False,
        True,
    ]


def test_it_does_not_matter_on_which_side_they_are() -> None:
    assert told([(5, 5, 8, ALONE, 0.0, 1), (8, ALONE, 9, 5, 0.3, 2)]) == [False, True]


def test_other_encounters_and_other_objects_stay() -> None:
    rows = [
        (5, 5, 90, ALONE, 0.0, 1),
        (5, 5, 90, ALONE, 2700.0, 2),  # half a revolution later
        (5, 5, 91, ALONE, 0.0, 3),
        (6, ALONE, 90, ALONE, 0.0, 4),
        (7, ALONE, 90, ALONE, 0.0, 5),
    ]
    assert told(rows) == [False] * 5


def test_only_those_that_match_tell_others() -> None:
    rows = [(5, 5, 90, ALONE, 0.0, 1), (7, 5, 90, ALONE, 0.0, 2), (9, 5, 90, ALONE, 0.0, 3)]
    assert told(rows, [False, True, True]) == [False, False, True]


def test_two_complexes_meet_once() -> None:
    rows = [(one, 5, other, 48, 0.1 * one, one + other) for one in (5, 6) for other in (48, 49)]
    assert told(rows) == [False, True, True, True]


def test_without_events_there_is_nothing_to_tell() -> None:
    none = np.zeros(0, np.int64)
    assert (
        told_by_another(none > 0, Side(none, none), Side(none, none), none.astype("M8[us]"), (none,)).tolist()
        == []
    )


@pytest.mark.parametrize("seed", range(5))
def test_random_events_are_told_as_an_oracle_tells_them(seed: int) -> None:
    rng = np.random.default_rng(seed)
    complexes = {1: 1, 2: 1, 3: 1, 10: 10, 11: 10}
    rows = []
    for danger in rng.permutation(200).tolist():
        one, other = sorted(rng.choice([1, 2, 3, 10, 11, 20, 21], 2, replace=False).tolist())
        time_s = 3000.0 * rng.integers(0, 4) + rng.uniform(-20.0, 20.0)  # encounters are 50 min apart
        rows.append((one, complexes.get(one, ALONE), other, complexes.get(other, ALONE), time_s, danger))
    expected = []
    for one, of_one, other, of_other, time_s, danger in rows:
        bodies = {of_one if of_one != ALONE else one, of_other if of_other != ALONE else other}
        alike = [
            row
            for row in rows
            if {row[1] if row[1] != ALONE else row[0], row[3] if row[3] != ALONE else row[2]} == bodies
            and abs(row[4] - time_s) < 60.0
        ]
        expected.append((of_one != ALONE or of_other != ALONE) and any(row[5] < danger for row in alike))
    assert told(rows) == expected
