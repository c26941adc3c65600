"""The life cycle of encounters: what is told in each story, as docs/alerts.md says it to users."""

import time
from collections.abc import Iterator
from datetime import timedelta

import pytest

from flows.alerts.lifecycle import after_run, after_time
from storage.rows.limits import EVERYTHING, Limits
from storage.state.alerts.encounters import Encounter
from tests.flows.alerts.stories import (
    AGAIN,
    EASED,
    NEW,
    QUIET,
    STORIES,
    Passes,
    Run,
    Step,
    at,
    row,
    unknown,
)

HIGH = Limits()


def told(steps: list[Step], limits: Limits) -> Iterator[list[str]]:
    known: dict[int, Encounter] = {}
    for step, _ in steps:
        if isinstance(step, Passes):
            known, changes = after_time(known, at(step.hours))
        else:
            known, changes = after_run(
                known, step.rows, step.look, limits, at(step.hours) + timedelta(minutes=5)
            )
        yield sorted(
            f"{one.change}{' again' if one.again else ''} {one.encounter.event_id}" for one in changes
        )


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
        known, changes = after_run(known, run.rows, run.look, HIGH, at(run.hours))
    (change,) = changes
    assert change.before == {"level": "high", "probability": 2e-5}
    assert change.encounter.event == row("critical", 5e-5).event


def test_nothing_that_is_known_is_changed_in_place() -> None:
    run, later = Run(0, row()), Run(6)
    known, _ = after_run({}, run.rows, run.look, HIGH, at(0))
    before = dict(known)
    after_run(known, later.rows, later.look, HIGH, at(6))
    after_time(known, at(30))
    assert known == before


def test_what_is_over_is_forgotten_two_days_after_its_tca() -> None:
    run = Run(0, row())
    known, _ = after_run({}, run.rows, run.look, HIGH, at(0))
    known, _ = after_time(known, at(20))
    assert list(after_time(known, at(67))[0]) == [1]
    assert after_time(known, at(68.1)) == ({}, [])


def test_thousands_of_encounters_take_a_second() -> None:
    rows = [row("low", 1e-9, event_id=k, other=1000 + k % 500, tca=1 + k / 1000) for k in range(5_000)]
    run, later = Run(0, *rows), Run(6, *rows[::2])
    began = time.process_time()
    known, changes = after_run({}, run.rows, run.look, EVERYTHING, at(0))
    known, _ = after_run(known, later.rows, later.look, EVERYTHING, at(6))
    assert len(changes) == len(rows)
    assert time.process_time() - began < 2.0  # 0.4 s here; comparing all with all takes longer
