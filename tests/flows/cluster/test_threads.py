"""Threads of this process do tasks as a cluster does: all, no more than are wanted, errors unchanged."""

import gc
import weakref
from threading import Barrier, Event

import pytest

from flows.cluster.threads import Threads

PATIENCE_S = 60


def test_every_task_gets_what_all_need() -> None:
    assert sorted(Threads(2).results(pow, [1, 2, 3], 2)) == [1, 4, 9]
    assert list(Threads(2).results(pow, [], 2)) == []


def test_as_many_tasks_at_once_as_threads() -> None:
    # Each task waits for two others: with fewer threads it would wait in vain.
    def meet(number: int, barrier: Barrier) -> int:
        barrier.wait(PATIENCE_S)
        return number

    assert sorted(Threads(3).results(meet, range(6), Barrier(3))) == list(range(6))


def test_an_error_is_raised_unchanged_and_nothing_else_is_begun() -> None:
    begun = []

    def fail(number: int, _: None) -> None:
        begun.append(number)
        raise FileNotFoundError("/nonexistent")

    results = Threads(1).results(fail, range(100), None)
    with pytest.raises(FileNotFoundError, match="/nonexistent"):
        next(results)
    count = len(begun)
    assert count < 100
    with pytest.raises(StopIteration):
        next(results)
    assert len(begun) <= count + 1  # one may have been under way


def test_who_has_enough_waits_for_no_task() -> None:
    begun, go_on = Event(), Event()

    def last(number: int, _: None) -> int:
        if number:
            begun.set()
            go_on.wait(PATIENCE_S)
        return number

    results = Threads(1).results(last, [0, 1, 2], None)
    assert next(results) == 0
    assert begun.wait(PATIENCE_S)
    results.close()
    assert not go_on.is_set()
    go_on.set()


@pytest.mark.slow
def test_a_result_is_kept_by_nobody_but_who_has_taken_it() -> None:
    class Large:
        pass

    results = Threads(1).results(lambda _task, _basis: Large(), range(3), None)
    first = weakref.ref(next(results))
    next(results)
    gc.collect()
    assert first() is None
    results.close()
