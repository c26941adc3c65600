"""The rule of what changed from one run to the next, case by case."""

from typing import NamedTuple

import numpy as np
import pytest

from screening.risk.tiers import UNKNOWN
from screening.vocabulary import PROBABILITY_LEVELS
from storage.rows.over_runs.changes import OF_BEFORE, OF_NEWEST, Side, compare, would_find

CRITICAL, HIGH, MEDIUM, LOW = (
    PROBABILITY_LEVELS.index(name) for name in ("critical", "high", "medium", "low")
)
ONE = 4711  # an event


class Run(NamedTuple):
    """What a run has of one event, and whether the other run would have found it."""

    level: int | None  # None: it has not the event
    other_finds: bool = True
    ahead: bool = True


def side(run: Run, also: tuple[int, ...] = ()) -> Side:
    """Return the events of a run: the one, and others at the level low."""
    others = [(event_id, LOW, True, True) for event_id in also]
    own = [] if run.level is None else [(ONE, run.level, run.other_finds, run.ahead)]
    columns = list(zip(*sorted(own + others), strict=True)) or [(), (), (), ()]
    return Side(
        *(np.array(values, kind) for values, kind in zip(columns, ("i8", "i1", "?", "?"), strict=True))
    )


def changes_of_one(before: Run, now: Run) -> list[str]:
    then, newest = side(before, also=(12, 9000)), side(now, also=(12, 9000))
    found = compare(then, newest)
    of = [name for name in OF_NEWEST if getattr(found, name)[newest.event_id == ONE].any()]
    of += [name for name in OF_BEFORE if getattr(found, name)[then.event_id == ONE].any()]
    others = sum(getattr(found, name)[newest.event_id != ONE].sum() for name in OF_NEWEST)
    others += sum(getattr(found, name)[then.event_id != ONE].sum() for name in OF_BEFORE)
    assert others == 0, "the others stay as they are"
    return of


@pytest.mark.parametrize(
    ("before", "now", "expected"),
    [
        (Run(None), Run(HIGH), ["new"]),
        (Run(None), Run(HIGH, other_finds=False), ["first_looked_for"]),
        (Run(MEDIUM), Run(CRITICAL), ["raised"]),
        (Run(UNKNOWN), Run(MEDIUM), ["raised"]),
        (Run(LOW), Run(UNKNOWN), ["raised"]),
        (Run(HIGH), Run(MEDIUM), ["eased"]),
        (Run(UNKNOWN), Run(LOW), ["eased"]),
        (Run(HIGH), Run(UNKNOWN), []),
        (Run(HIGH), Run(HIGH), []),
        (Run(HIGH, other_finds=False), Run(HIGH, other_finds=False), []),
        (Run(HIGH), Run(None), ["gone"]),
        (Run(HIGH, other_finds=False), Run(None), ["not_looked_for"]),
        (Run(HIGH, ahead=False), Run(None), []),
        (Run(HIGH, other_finds=False, ahead=False), Run(None), []),
        (Run(None), Run(None), []),
    ],
)
def test_an_event_changes_in_one_way_or_none(before: Run, now: Run, expected: list[str]) -> None:
    assert changes_of_one(before, now) == expected


def test_levels_before_are_those_of_the_same_events() -> None:
    none = np.zeros(3, np.bool_)
    before = Side(np.array([1, 5, 9]), np.array([HIGH, LOW, CRITICAL], np.int8), none, none)
    now = Side(np.array([5, 7, 9]), np.array([HIGH, LOW, MEDIUM], np.int8), none, none)
    found = compare(before, now)
    assert found.level_before.tolist() == [LOW, -1, CRITICAL]
    assert found.raised.tolist() == [True, False, False]
    assert found.eased.tolist() == [False, False, True]


def test_without_events_nothing_has_changed() -> None:
    found = compare(side(Run(None)), side(Run(None)))
    assert all(len(mask) == 0 for mask in found)


@pytest.mark.parametrize(
    ("begins", "ends", "screened", "near", "expected"),
    [
        (5, 5, True, True, True),
        (-1, 3, True, True, True),  # a visit that was under way when the search began
        (8, 20, True, True, True),  # one that goes on beyond its end
        (-2, 0, True, True, False),  # over at the moment in which the search began
        (10, 10, True, True, False),  # at the end, which is exclusive
        (5, 5, False, True, False),
        (5, 5, True, False, False),
    ],
)
def test_a_run_finds_what_it_has_searched(
    begins: int, ends: int, screened: bool, near: bool, expected: bool
) -> None:
    assert would_find(begins, ends, 0, 10, screened=screened, near=near) is expected
    times = (np.array([one], "M8[h]") for one in (begins, ends))
    since, until = np.datetime64(0, "h"), np.datetime64(10, "h")
    masks = {"screened": np.array([screened]), "near": np.array([near])}
    assert would_find(*times, since, until, **masks).tolist() == [expected]
