"""What operators intend: the newest of each organisation counts, also of two at once."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path

import pytest

from screening.errors import UsageError
from storage.state.operators.intents import NewIntent, counting, intended, intents_of, state_intent
from storage.state.whose.organisations import add_organisation

NOW = datetime(2026, 11, 21, 6, tzinfo=UTC)
NEW = NewIntent(7, 25544, "ISS (ZARYA)", "will_move", datetime(2026, 11, 21, 14, 5, tzinfo=UTC))


def test_the_newest_of_each_organisation_counts(store: Path) -> None:
    beta = add_organisation(store, "Beta").id
    state_intent(store, NEW._replace(intent="waiting", move_at=None), NOW)
    state_intent(store, NEW._replace(organisation_id=beta, intent="will_not_move", move_at=None), NOW)
    state_intent(store, NEW._replace(note="0.1 m/s"), NOW)
    found = intents_of(store, 7)
    assert [one.intent for one in found] == ["will_move", "will_not_move", "waiting"]
    assert [one.id for one in counting(found)] == [3, 2]
    assert intended(store, [7, 8]) == {
        7: [
            ("ISS (ZARYA): its operator will move, 2026-11-21 14:05 UTC "
            "(default, 2026-11-21 06:00 UTC: 0.1 m/s)."),
            "ISS (ZARYA): its operator will not move (Beta, 2026-11-21 06:00 UTC).",
        ]
    }  # fmt: skip


def test_two_at_once_are_both_there_and_one_counts(store: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        made = list(
            pool.map(lambda number: state_intent(store, NEW._replace(note=str(number)), NOW), range(16))
        )
    found = intents_of(store, 7)  # whose checksums are verified
    assert sorted(one.note for one in found) == sorted(map(str, range(16)))
    assert counting(found) == [max(made, key=lambda one: one.id)]


def test_nothing_moves_at_a_time_of_who_does_not_move(store: Path) -> None:
    with pytest.raises(UsageError, match="will move"):
        state_intent(store, NEW._replace(intent="waiting"), NOW)
