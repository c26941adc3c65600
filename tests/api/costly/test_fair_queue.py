"""Costly answers that wait: how many are made at once, in which order, how long they wait, for whom."""

import asyncio
import time
from collections.abc import Callable, Iterator
from threading import Event, Semaphore
from typing import Any

import pytest

from api.costly.fair_queue import FairQueue, GoOn
from api.errors import Busy, ClientGone
from tests.api.slow_work import LONG_S, Analysis, begun, never


class Portions:
    """Work of portions without end, which asks between them whether to go on."""

    def __init__(self) -> None:
        self.begun = Event()
        self.next = Semaphore(0)
        self.done = 0

    def __call__(self, go_on: GoOn) -> None:
        self.begun.set()
        while True:
            assert self.next.acquire(timeout=LONG_S)
            go_on()
            self.done += 1


def queue_of(places: int, wait_s: float = LONG_S, **bounds: Any) -> FairQueue:
    bounds = {"longest_s": LONG_S, "waiting_of_one": 100, "waiting_in_all": 100, **bounds}
    return FairQueue({"analysis": places, "answer": places}, wait_s=wait_s, **bounds)


async def ended(*works: Callable[..., Any], whose: int | None = None, queue: FairQueue) -> list[Any]:
    return await asyncio.gather(*(queue.run("analysis", whose, work, never()) for work in works))


@pytest.fixture
def first() -> Iterator[Analysis]:
    """Give an analysis that ends at the latest with the test."""
    analysis = Analysis()
    yield analysis
    analysis.ending.set()


def test_so_many_at_once_the_others_in_their_order(first: Analysis) -> None:
    async def scenario() -> None:
        queue = queue_of(2)
        analyses = [first, *(Analysis() for _ in range(3))]
        tasks = [
            asyncio.create_task(queue.run("analysis", number, analysis, never()))
            for number, analysis in enumerate(analyses)
        ]
        await begun(analyses[0])
        await begun(analyses[1])
        assert (queue.running("analysis"), queue.waiting("analysis")) == (2, 2)
        assert not analyses[2].begun.is_set()
        analyses[1].ending.set()
        await begun(analyses[2])
        assert not analyses[3].begun.is_set()
        for analysis in analyses:
            analysis.ending.set()
        assert await asyncio.gather(*tasks) == ["result"] * 4
        assert (queue.running("analysis"), queue.waiting("analysis")) == (0, 0)
        queue.close()

    asyncio.run(scenario())


def test_a_request_that_waited_too_long_learns_when_to_retry(first: Analysis) -> None:
    async def scenario() -> None:
        queue = queue_of(1, 0.01)
        running = asyncio.create_task(queue.run("analysis", 1, first, never()))
        await begun(first)
        second = Analysis()
        with pytest.raises(Busy, match=r"0\.01 s") as raised:
            await queue.run("analysis", 1, second, never())
        assert raised.value.headers == {"Retry-After": "1"}
        assert (queue.running("analysis"), queue.waiting("analysis")) == (1, 0)
        first.ending.set()
        assert await running == "result"  # it had its turn, so it may take longer
        third = Analysis()
        third.ending.set()
        assert await queue.run("analysis", 1, third, never()) == "result"
        assert not second.begun.is_set()
        queue.close()

    asyncio.run(scenario())


def test_what_nobody_waits_for_any_more_is_dropped(first: Analysis) -> None:
    async def scenario() -> None:
        queue = queue_of(1)
        running = asyncio.create_task(queue.run("analysis", 1, first, never()))
        await begun(first)
        left, second = asyncio.Event(), Analysis()

        async def gone() -> None:
            await left.wait()

        waiting = asyncio.create_task(queue.run("analysis", 1, second, gone()))
        third = Analysis()
        third.ending.set()
        behind = asyncio.create_task(queue.run("analysis", 1, third, never()))
        left.set()
        with pytest.raises(ClientGone):
            await waiting
        first.ending.set()
        assert await asyncio.gather(running, behind) == ["result", "result"]
        assert not second.begun.is_set()
        assert (queue.running("analysis"), queue.waiting("analysis")) == (0, 0)
        queue.close()

    asyncio.run(scenario())


def test_what_was_begun_is_brought_to_its_end(first: Analysis) -> None:
    async def scenario() -> None:
        queue = queue_of(1)
        left, noticed = asyncio.Event(), asyncio.Event()

        async def gone() -> None:
            await left.wait()
            noticed.set()

        task = asyncio.create_task(queue.run("analysis", 1, first, gone()))
        await begun(first)
        left.set()
        await noticed.wait()
        first.ending.set()
        assert await task == "result"
        queue.close()

    asyncio.run(scenario())


def test_credentials_take_turns() -> None:
    # One of them asked for ten before the other asked for one, which then waited for all ten.
    order: list[str] = []

    async def scenario() -> None:
        queue, blocking = queue_of(1), Analysis()
        running = asyncio.create_task(queue.run("analysis", 1, blocking, never()))
        await begun(blocking)
        asked = [(1, "a1"), (1, "a2"), (1, "a3"), (2, "b1"), (3, "c1"), (2, "b2")]
        waiting = [
            asyncio.create_task(queue.run("analysis", whose, lambda _, n=name: order.append(n), never()))
            for whose, name in asked
        ]
        while queue.waiting("analysis") < len(asked):
            await asyncio.sleep(0)
        blocking.ending.set()
        await asyncio.gather(running, *waiting)
        queue.close()

    asyncio.run(scenario())
    assert order == ["a1", "b1", "c1", "a2", "b2", "a3"]


def test_no_credential_takes_the_last_place(first: Analysis) -> None:
    async def scenario() -> None:
        queue, second, other = queue_of(2), Analysis(), Analysis()
        second.ending.set()
        other.ending.set()
        running = [asyncio.create_task(queue.run("analysis", 1, work, never())) for work in (first, second)]
        await begun(first)
        assert await queue.run("analysis", 2, other, never()) == "result"
        assert not second.begun.is_set()
        first.ending.set()
        assert await asyncio.gather(*running) == ["result", "result"]
        queue.close()

    asyncio.run(scenario())


def test_analyses_hold_up_no_other_answers(first: Analysis) -> None:
    async def scenario() -> None:
        queue = queue_of(1)
        running = asyncio.create_task(queue.run("analysis", 1, first, never()))
        await begun(first)
        assert await queue.run("answer", 1, lambda _: "answer", never()) == "answer"
        first.ending.set()
        await running
        queue.close()

    asyncio.run(scenario())


@pytest.mark.parametrize(
    ("bounds", "said"),
    [
        ({"waiting_of_one": 2}, "2 requests from this credential are already waiting"),
        ({"waiting_in_all": 2}, "too many"),
    ],
)
def test_only_so_many_may_wait(first: Analysis, bounds: dict[str, int], said: str) -> None:
    async def scenario() -> None:
        queue = queue_of(1, **bounds)
        running = asyncio.create_task(queue.run("analysis", 1, first, never()))
        await begun(first)
        waiting = asyncio.create_task(ended(lambda _: 1, lambda _: 2, whose=1, queue=queue))
        while queue.waiting("analysis") < 2:
            await asyncio.sleep(0)
        with pytest.raises(Busy, match=said) as raised:
            await queue.run("answer" if "waiting_in_all" in bounds else "analysis", 1, first, never())
        assert raised.value.headers == {"Retry-After": "60"}
        if "waiting_of_one" in bounds:
            assert await queue.run("answer", 2, lambda _: "other", never()) == "other"
        first.ending.set()
        assert await waiting == [1, 2]
        await running
        queue.close()

    asyncio.run(scenario())


def test_an_answer_that_has_begun_is_not_refused(first: Analysis) -> None:
    async def scenario() -> None:
        queue = queue_of(1, 0.01, waiting_of_one=1, waiting_in_all=1)
        running = asyncio.create_task(queue.run("answer", 1, first, never()))
        await begun(first)
        parts = [
            asyncio.create_task(queue.run("answer", 1, lambda _: "part", never(), begun=True))
            for _ in range(3)
        ]
        while queue.waiting("answer") < 3:
            await asyncio.sleep(0)
        first.ending.set()
        assert await asyncio.gather(running, *parts) == ["result", "part", "part", "part"]
        queue.close()

    asyncio.run(scenario())


def test_what_is_begun_ends_between_portions_when_its_client_leaves() -> None:
    # It went on to its end: a client that asked and left a hundred times kept the service busy for minutes.
    async def scenario() -> None:
        queue, work, left = queue_of(1), Portions(), asyncio.Event()

        async def gone() -> None:
            await left.wait()

        task = asyncio.create_task(queue.run("analysis", 1, work, gone()))
        assert await asyncio.to_thread(work.begun.wait, LONG_S)
        work.next.release()
        while work.done < 1:
            await asyncio.sleep(0)
        left.set()
        for _ in range(10):  # the task notices
            await asyncio.sleep(0)
        work.next.release()
        with pytest.raises(ClientGone):
            await task
        assert work.done == 1
        assert queue.running("analysis") == 0
        queue.close()

    asyncio.run(scenario())


def test_what_takes_too_long_ends_between_portions(monkeypatch: pytest.MonkeyPatch) -> None:
    clock_s = [1000.0]
    monkeypatch.setattr(time, "monotonic", lambda: clock_s[0])

    def work(go_on: GoOn) -> None:
        for _ in range(100):
            clock_s[0] += 1.0
            go_on()

    async def scenario() -> None:
        queue = queue_of(1, longest_s=7.0)
        with pytest.raises(Busy, match="longer than the 7 s"):
            await queue.run("analysis", 1, work, never())
        queue.close()

    asyncio.run(scenario())
    assert clock_s == [1008.0]


def test_what_fails_leaves_its_place() -> None:
    def broken(_go_on: GoOn) -> None:
        raise ZeroDivisionError

    async def scenario() -> None:
        queue = queue_of(1)
        for _ in range(3):
            with pytest.raises(ZeroDivisionError):
                await queue.run("analysis", 1, broken, never())
        assert (queue.running("analysis"), queue.waiting("analysis")) == (0, 0)
        queue.close()

    asyncio.run(scenario())
