"""The changes of encounters: what is reported in each story, as docs/alerts.md says it to users."""

import time
from collections.abc import Iterator
from datetime import timedelta

import pytest

from flows.alerts.changes import after_run, after_time, settled, to_report
from flows.alerts.other_paths import OnPath
from storage.rows.limits import EVERYTHING, Limits
from storage.state.alerts.encounters import Change, Encounter
from tests.flows.alerts.stories import (
    AGAIN,
    CLOSED,
    EASED,
    NEW,
    OURS,
    QUIET,
    RAISED,
    RESOLVED,
    STORIES,
    Passes,
    Run,
    Step,
    at,
    row,
    unknown,
)

HIGH = Limits()


def stepped(known: dict[int, Encounter], step: Run | Passes, limits: Limits) -> dict[int, Encounter]:
    if isinstance(step, Passes):
        return after_time(known, at(step.hours))
    return after_run(known, step.rows, step.look, limits, at(step.hours) + timedelta(minutes=5))


def sent(known: dict[int, Encounter]) -> tuple[dict[int, Encounter], dict[int, Change]]:
    """Return what is known once all changes have been sent, and what was sent of each encounter."""
    reported = {number: to_report(one) for number, one in known.items() if one.changes}
    after = {
        number: one._replace(changes=()) if reported.get(number) or not one.changes else settled(one)
        for number, one in known.items()
    }
    return (
        {number: one for number, one in after.items() if one is not None},
        {number: change for number, change in reported.items() if change is not None},
    )


def told(steps: list[Step], limits: Limits) -> Iterator[list[str]]:
    known: dict[int, Encounter] = {}
    for step, _ in steps:
        known, changes = sent(stepped(known, step, limits))
        yield sorted(f"{one.kind}{' again' if one.again else ''} {number}" for number, one in changes.items())


@pytest.mark.parametrize("story", STORIES)
def test_what_is_told_in_each_story(story: str) -> None:
    steps = STORIES[story]
    assert list(told(steps, HIGH)) == [expected for _, expected in steps]


@pytest.mark.parametrize(
    ("limits", "within"),
    [
        (EVERYTHING, [("unknown", None), ("low", 0.0), ("critical", 1.0)]),
        (Limits("critical", None), [("critical", 1.1e-4), ("unknown", None)]),
        (Limits("high", None, 1e-4), [("high", 1e-4), ("critical", 0.5)]),
        (Limits("low", None, 1e-7), [("low", 1e-7)]),
    ],
)
def test_within_limits(limits: Limits, within: list[tuple[str, float | None]]) -> None:
    for level, probability in within:
        assert list(told([(Run(0, row(level, probability)), [])], limits)) == [NEW]


@pytest.mark.parametrize(
    ("limits", "outside"),
    [
        (Limits("critical", None), [("high", 1.0), ("low", 0.0)]),
        (
            Limits("high", None, 1e-4),
            [("high", 9.9e-5), ("unknown", None), ("critical", 1e-5), ("medium", 1e-3)],
        ),
        (Limits("low", None, 1.0), [("critical", 0.99)]),
    ],
)
def test_outside_limits(limits: Limits, outside: list[tuple[str, float | None]]) -> None:
    for level, probability in outside:
        assert list(told([(Run(0, row(level, probability)), [])], limits)) == [QUIET]


def test_probabilities_that_sink_below_the_limit_have_eased() -> None:
    limits = Limits("high", None, 1e-5)
    steps: list[Step] = [
        (Run(0, row("high", 2e-5)), NEW),
        (Run(3, row("high", 9e-6)), QUIET),
        (Run(6, row("high", 8e-6)), EASED),
        (Run(9, row("high", 1e-5)), AGAIN),
    ]
    assert list(told(steps, limits)) == [expected for _, expected in steps]


def test_a_probability_that_becomes_unknown_resolves_nothing() -> None:
    """With a least probability it is not within the limits any more, but nobody knows that it has eased."""
    limits = Limits("high", None, 1e-5)
    steps: list[Step] = [
        (Run(0, row("high", 2e-5)), NEW),
        (Run(3, unknown()), QUIET),
        (Run(6, unknown()), QUIET),
        (Run(9, row("high", 9e-6)), QUIET),
        (Run(12, row("high", 9e-6)), EASED),
    ]
    assert list(told(steps, limits)) == [expected for _, expected in steps]


@pytest.mark.parametrize(
    ("level", "probability", "expected"),
    [("medium", 2e-6, ["raised 1"]), ("critical", 2e-4, ["raised 1"]), ("low", 1e-7, QUIET)],
)
def test_a_number_in_place_of_an_unknown_one_raises_it_from_medium_on(
    level: str, probability: float, expected: list[str]
) -> None:
    steps: list[Step] = [(Run(0, unknown()), NEW), (Run(6, row(level, probability)), expected)]
    assert list(told(steps, EVERYTHING)) == [NEW, expected]


def test_a_raised_encounter_tells_what_was_told_before() -> None:
    runs = [Run(0, row("high", 2e-5)), Run(3, row("high", 1e-7)), Run(6, row("critical", 5e-5))]
    known: dict[int, Encounter] = {}
    for run in runs:
        known, changes = sent(stepped(known, run, HIGH))
    assert changes[1].before == {"level": "high", "probability": 2e-5}
    assert known[1].event == row("critical", 5e-5).event


GONE_FOR_TWO = (Run(6), Run(9))
AWAY: dict[str, tuple[list[Run | Passes], int, list[str]]] = {
    # The steps that a receiver was away for, how many of them were tried in vain, and what goes out at last.
    "new, worse": ([Run(0, row()), Run(3, row("critical", 5e-4))], 0, NEW),
    "new and gone": ([Run(0, row()), *GONE_FOR_TWO], 0, QUIET),
    "new, perhaps seen, and gone": ([Run(0, row()), *GONE_FOR_TWO], 1, RESOLVED),
    "new, gone, back": ([Run(0, row()), *GONE_FOR_TWO, Run(12, row())], 0, NEW),
    "new, perhaps seen, gone, back": ([Run(0, row()), *GONE_FOR_TWO, Run(12, row())], 3, NEW),
    "new and past": ([Run(0, row()), Passes(21)], 0, CLOSED),
}
AWAY_LATER: dict[str, tuple[list[Run | Passes], int, list[str]]] = {
    # The same of a receiver that has taken the encounter as new, of level high.
    "worse, worse still": ([Run(3, row("critical", 2e-4)), Run(6, row("critical", 3e-3))], 0, RAISED),
    "worse, then as before": ([Run(3, row("critical", 2e-4)), Run(6, row())], 0, QUIET),
    "worse, and gone": ([Run(3, row("critical", 2e-4)), *GONE_FOR_TWO], 0, RESOLVED),
    "gone": ([Run(3), Run(6)], 0, RESOLVED),
    "gone, back as it was": ([Run(3), Run(6), Run(9, row())], 0, QUIET),
    "gone, perhaps seen, back as it was": ([Run(3), Run(6), Run(9, row())], 2, AGAIN),
    "gone, back worse": ([Run(3), Run(6), Run(9, row("critical", 2e-4))], 0, RAISED),
    "gone, back, worse": ([Run(3), Run(6), Run(9, row()), Run(12, row("critical", 2e-4))], 0, RAISED),
    "worse, gone, back as it was": (
        [Run(3, row("critical", 2e-4)), *GONE_FOR_TWO, Run(12, row())],
        0,
        QUIET,
    ),
    "gone, back, gone": ([Run(3), Run(6), Run(9, row()), Run(12), Run(15)], 0, RESOLVED),
    "worse, past": ([Run(3, row("critical", 2e-4)), Passes(21)], 0, CLOSED),
}


def gathered(
    known: dict[int, Encounter], steps: list[Run | Passes], tried: int
) -> tuple[dict[int, Encounter], list[str]]:
    for place, step in enumerate(steps):
        known = stepped(known, step, HIGH)
        if place < tried:
            known = {
                number: one._replace(changes=tuple(each._replace(tried_in="m") for each in one.changes))
                for number, one in known.items()
            }
    known, changes = sent(known)
    words = [f"{one.kind}{' again' if one.again else ''} {number}" for number, one in changes.items()]
    return known, words


@pytest.mark.parametrize("away", AWAY)
def test_changes_that_could_not_be_sent_go_out_as_one(away: str) -> None:
    steps, tried, expected = AWAY[away]
    assert gathered({}, steps, tried)[1] == expected


@pytest.mark.parametrize("away", AWAY_LATER)
def test_changes_of_what_was_reported_go_out_as_one(away: str) -> None:
    steps, tried, expected = AWAY_LATER[away]
    known, _ = sent(stepped({}, Run(0, row()), HIGH))
    known, words = gathered(known, steps, tried)
    assert words == expected


def test_what_comes_back_before_its_end_was_sent_is_compared_with_what_was_reported() -> None:
    """It went out as raised a second time, to the level that it had been reported with."""
    known, _ = sent(stepped({}, Run(0, row("critical", 1e-3)), HIGH))
    known, words = gathered(known, [Run(3), Run(6), Run(9, row("high", 2e-5))], 0)
    assert words == QUIET
    assert gathered(known, [Run(12, row("critical", 1e-3))], 0)[1] == QUIET


def test_what_came_and_went_unsent_is_new_when_it_comes_again() -> None:
    known, _ = gathered({}, [Run(0, row()), *GONE_FOR_TWO], 0)
    assert known == {}


def test_nothing_that_is_known_is_changed_in_place() -> None:
    run, later = Run(0, row()), Run(6)
    known = after_run({}, run.rows, run.look, HIGH, at(0))
    before = dict(known)
    after_run(known, later.rows, later.look, HIGH, at(6))
    after_time(known, at(30))
    assert known == before


@pytest.mark.parametrize(
    ("on_ephemeris", "departed", "departs", "says"),
    [
        ([], [], None, True),  # it flew by its element set
        ([OURS], [], None, False),  # it has a new ephemeris a day
        ([OURS], [], -1.0, True),
        ([OURS], [OURS], -1.0, False),
        ([OURS], [], 21.0, False),  # it departs after TCA
        (None, None, -1.0, False),  # an earlier release did not say
    ],
)
def test_what_is_gone_because_an_object_flies_another_path_says_so(
    on_ephemeris: list[int] | None, departed: list[int] | None, departs: float | None, says: bool
) -> None:
    flown = {} if on_ephemeris is None else {"on_ephemeris": on_ephemeris, "departed": departed}
    seen = row(tca=20)
    event = seen.event | flown | {"norad_id": OURS, "name": "MINE", "other_name": "OTHER"}
    known = after_run({}, [seen._replace(event=event)], Run(0).look, HIGH, at(0))
    path = OnPath(at(5), at(30), None if departs is None else at(departs), "flight dynamics")
    for hours in (6, 12):
        look = Run(hours).look._replace(paths={OURS: [path]})
        known = after_run(known, [], look, HIGH, at(hours))
    (one,) = known.values()
    expected = "MINE flies another path (its operator's ephemeris, added by flight dynamics)"
    found = "two consecutive runs no longer found it"
    assert one.changes[-1].kind == "resolved"
    assert one.changes[-1].reason == (f"{found}: {expected}" if says else "")


def test_what_is_over_is_forgotten_two_days_after_its_tca_and_what_is_not_sent_after_a_month() -> None:
    run = Run(0, row())
    unsent = after_time(after_run({}, run.rows, run.look, HIGH, at(0)), at(20))
    known, _ = sent(unsent)
    assert list(after_time(known, at(67))) == [1]
    assert after_time(known, at(68.1)) == {}
    assert list(after_time(unsent, at(30 * 24))) == [1]
    assert after_time(unsent, at(31 * 24)) == {}


def test_thousands_of_encounters_take_a_second() -> None:
    rows = [row("low", 1e-9, event_id=k, other=1000 + k % 500, tca=1 + k / 1000) for k in range(5_000)]
    run, later = Run(0, *rows), Run(6, *rows[::2])
    began = time.process_time()
    known = after_run({}, run.rows, run.look, EVERYTHING, at(0))
    after_run(known, later.rows, later.look, EVERYTHING, at(6))
    assert len(known) == len(rows)
    assert time.process_time() - began < 2.0  # 0.4 s here; comparing all with all takes longer
