"""What changed for a fleet between two runs."""

from datetime import timedelta
from typing import Any

from storage.fleets.changes import Changes, changes_between
from storage.rows.danger import level_of
from tests.storage.fleets.rows import at, look, row

FIRST, SECOND = "20261121T060000Z", "20261121T120000Z"


def rated(probability: float | None) -> dict[str, Any]:
    return {"probability": probability, "probability_2d": probability}


critical, medium, low, unknown = map(rated, (2e-4, 2e-6, 1e-9, None))


def numbers(rows: Any) -> list[int]:
    return [one["event_id"] for one in rows]


def test_new_raised_and_gone_are_told_the_most_dangerous_first() -> None:
    before = look(
        FIRST,
        row(1),
        row(2, **medium),
        row(3, **low),
        row(4, **low),
        row(5, tca=at(SECOND)),  # passed, and so not gone
        row(6, **critical),
        row(9, **low),
        row(10, **unknown),
        row(11, **low),
    )
    after = look(
        SECOND,
        row(2),
        row(3, **critical),
        row(6),
        row(7, miss_distance_m=900.0),
        row(8, miss_distance_m=10.0),
        row(9, **low, miss_distance_m=10.0, risk_level="critical"),  # nearer, and as unlikely as before
        row(10, **low),
        row(11, **unknown),
    )
    eased = {6: "critical", 10: "unknown"}
    found = changes_between([before, after])
    assert (found.run_id, found.before_run_id) == (SECOND, FIRST)
    assert numbers(found.new) == [8, 7]
    assert {row["event_id"]: level_of(was) for row, was in found.eased} == eased
    assert [(one["event_id"], level_of(was)) for one, was in found.raised] == [
        (3, "low"),
        (2, "medium"),
        (11, "low"),
    ]
    assert numbers(found.gone) == [1, 4]


def test_an_encounter_just_ahead_of_the_newest_run_may_be_gone() -> None:
    ahead = row(1, tca=at(SECOND) + timedelta(microseconds=1))
    assert numbers(changes_between([look(FIRST, ahead), look(SECOND)]).gone) == [1]


def test_what_the_newest_run_could_not_find_is_not_gone() -> None:
    """A shorter look-ahead, or an object that the catalogue lacked, made encounters "gone"."""
    for newest in (look(SECOND, hours=12.0), look(SECOND, found=())):
        found = changes_between([look(FIRST, row(1)), newest])
        assert (found.gone, numbers(found.not_looked_for)) == ((), [1])
    found = changes_between([look(FIRST, row(1)), look(SECOND, missing=(34602,))])
    assert (found.gone, numbers(found.not_looked_for)) == ((), [1])
    assert numbers(changes_between([look(FIRST, row(1)), look(SECOND, missing=(34603,))]).gone) == [1]


def test_what_the_run_before_could_not_find_is_not_new() -> None:
    """Everything that the last six hours had brought into reach was "new", and what a larger volume holds."""
    for before in (
        look(FIRST, hours=20.0),
        look(FIRST, found=()),
        look(FIRST, missing=(34602,)),
        look(FIRST, volume="box:2x1x25"),
        look(FIRST, members=(20580,)),
    ):
        found = changes_between([before, look(SECOND, row(1))])
        assert (found.new, numbers(found.first_looked_for)) == ((), [1])
    for before in (look(FIRST), look(FIRST, volume="handbook LEO 1: box:0.4x44x51")):
        assert numbers(changes_between([before, look(SECOND, row(1))]).new) == [1]


def test_what_left_the_volume_or_the_fleet_is_not_gone() -> None:
    for newest in (look(SECOND, volume="sphere:1"), look(SECOND, members=(20580,))):
        found = changes_between([look(FIRST, row(1)), newest])
        assert (found.gone, numbers(found.not_looked_for)) == ((), [1])


def test_what_becomes_unknown_has_not_eased() -> None:
    found = changes_between([look(FIRST, row(1)), look(SECOND, row(1, **unknown))])
    assert (found.raised, found.eased) == ((), ())


def test_what_must_not_be_handed_on_is_no_change() -> None:
    secret = row(1, origin="restricted_message")
    found = changes_between([look(FIRST), look(SECOND, secret)])
    assert (found.new, found.gone) == ((), ())


def test_what_only_messages_tell_is_not_new_with_every_run() -> None:
    found = changes_between([look(FIRST), look(SECOND, row(1, origin="message"))])
    assert (found.new, found.first_looked_for) == ((), ())


def test_without_an_earlier_run_nothing_has_changed() -> None:
    assert changes_between([]) == Changes()
    assert changes_between([look(FIRST, row(1))]) == Changes(FIRST)
