"""How many analyses on demand are kept, and which go."""

from datetime import timedelta
from pathlib import Path

import pytest

from storage.analyses.asked import OF_OBJECT, Bounds
from storage.analyses.stored import analysis_files, read_analysis, store_analysis
from tests.made_up_run import MadeUpRun, make_run
from tests.storage.analyses.test_stored import asked

LARGE = Bounds(1000, 1_000_000)


@pytest.fixture
def made_up() -> MadeUpRun:
    return make_run()


@pytest.fixture
def ask(make, store: Path, made_up: MadeUpRun):  # type: ignore[no-untyped-def]
    """Give what stores an analysis, each a minute after the one before."""
    question = asked(make.publish(store, made_up), made_up)
    asks = 0

    def ask(bounds: Bounds = LARGE, rows: int = 2, **other: object) -> None:
        nonlocal asks
        asks += 1
        later = question._replace(computed_at=question.computed_at + timedelta(minutes=asks), **other)
        store_analysis(store, later, made_up.conjunctions[:rows], made_up.elements, bounds)

    return ask


def rows_of(store: Path) -> list[int]:
    return sorted(len(read_analysis(store, name)) for name in analysis_files(store) if "asked" in name)


def test_a_question_asked_of_a_later_run_replaces_the_earlier_answer(ask, store: Path) -> None:  # type: ignore[no-untyped-def]
    for basis in ("20261121T000000Z", "20261121T060000Z"):
        ask(basis=basis)
    assert rows_of(store) == [2]


@pytest.mark.slow
def test_of_one_object_so_many_questions_are_kept(ask, store: Path) -> None:  # type: ignore[no-untyped-def]
    # 52 questions that differ by minutes added 290,000 events to the list.
    for number in range(OF_OBJECT + 5):
        ask(hours=1.0 + number / 60)
    assert len(rows_of(store)) == OF_OBJECT


def test_of_all_so_many_are_kept_and_the_oldest_goes(ask, store: Path) -> None:  # type: ignore[no-untyped-def]
    for number in range(5):
        ask(Bounds(3, 1000), rows=1 + number, primaries=(4711 + number,))
    assert rows_of(store) == [3, 4, 5]


def test_of_all_so_many_events_are_kept_and_their_place_is_used_again(ask, store: Path) -> None:  # type: ignore[no-untyped-def]
    for number in range(4):
        ask(Bounds(100, 9), rows=4, primaries=(4711 + number,))
    assert rows_of(store) == [0, 4, 4]
    ask(Bounds(100, 9), rows=1, primaries=(4720,))
    assert rows_of(store) == [1, 4, 4]
