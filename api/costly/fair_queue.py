"""A queue for costly answers: a few run at once, the others wait, and credentials take turns."""

import asyncio
import math
import time
from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Coroutine, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Lock
from typing import Any, Literal, TypeVar

from fastapi import Request
from fastapi.concurrency import run_in_threadpool

from api.errors import Busy, ClientGone
from api.http.request_notes import exchange_of

Result = TypeVar("Result")
GoOn = Callable[[], None]  # raises if work on the answer should stop
Kind = Literal["analysis", "answer"]


class Job:
    """One costly answer."""

    def __init__(self, kind: Kind, whose: int | None, work: Callable[[GoOn], Any], longest_s: float) -> None:
        self.kind = kind
        self.whose = whose  # id of a credential
        self.work = work
        self.result: Future[Any] = Future()
        self.left = False  # its client has gone
        self.longest_s = longest_s
        self._ends_s = math.inf

    def begin(self) -> None:
        """Start the clock."""
        self._ends_s = time.monotonic() + self.longest_s

    def go_on(self) -> None:
        """Raise if the client has gone, or the answer takes too long."""
        if self.left:
            raise ClientGone
        if time.monotonic() > self._ends_s:
            raise Busy(
                f"The response takes longer than the {self.longest_s:g} s allowed: request less.",
                retry_after_s=max(math.ceil(self.longest_s), 1),
            )


class FairQueue:
    """Threads for costly answers, and a queue in which credentials take turns.

    Analyses and other answers have separate places, so that analyses of seconds do not delay other answers.
    No credential takes the last place of a kind: it is kept for the others.
    """

    def __init__(
        self,
        places: Mapping[Kind, int],
        *,
        wait_s: float,
        longest_s: float,
        waiting_of_one: int,
        waiting_in_all: int,
    ) -> None:
        """Make as many answers at a time as there are `places`; none waits longer than `wait_s`."""
        self._places = dict(places)
        self._wait_s = wait_s
        self.longest_s = longest_s
        self._most_of_one = waiting_of_one
        self._most_in_all = waiting_in_all
        self._threads = ThreadPoolExecutor(sum(places.values()), thread_name_prefix="costly")
        self._lock = Lock()
        self._queues: dict[Kind, OrderedDict[int | None, deque[Job]]] = {
            kind: OrderedDict() for kind in places
        }
        self._running: Counter[tuple[Kind, int | None]] = Counter()
        self._closed = False

    def running(self, kind: Kind) -> int:
        """Return how many answers of a kind are being made."""
        return sum(count for (of, _), count in list(self._running.items()) if of == kind)

    def waiting(self, kind: Kind) -> int:
        """Return how many answers of a kind wait for their turn."""
        with self._lock:
            return sum(len(jobs) for jobs in self._queues[kind].values())

    async def run(
        self,
        kind: Kind,
        whose: int | None,
        work: Callable[[GoOn], Result],
        gone: Coroutine[Any, Any, None],
        *,
        begun: bool = False,
    ) -> Result:
        """Run `work` when its turn comes, and return its result.

        Args:
            kind: the kind of place that it takes.
            whose: the credential whose turn it takes.
            work: is called on a thread when its turn comes; it calls its argument between portions.
            gone: ends when the client has gone.
            begun: the answer is already being sent: this part of it waits as long as necessary and is not
                refused.

        Raises:
            Busy: too many wait, its turn did not come in time, or it took too long.
            ClientGone: the client has gone.
        """
        leaving = asyncio.ensure_future(gone)
        try:
            job = self._entered(Job(kind, whose, work, self.longest_s), refusable=not begun)
        except Busy:
            leaving.cancel()
            raise
        done = asyncio.wrap_future(job.result)
        done.add_done_callback(lambda future: future.cancelled() or future.exception())  # handled below
        either: set[asyncio.Future[Any]] = {done, leaving}
        try:
            timeout_s = None if begun else self._wait_s
            await asyncio.wait(either, timeout=timeout_s, return_when=asyncio.FIRST_COMPLETED)
            if leaving.done():
                leaving.result()  # the error of the request, if that is the reason
            if not job.result.done() and self._withdrawn(job):
                raise ClientGone if leaving.done() else self._busy("this one did not get its turn in time")
            await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
            job.left = leaving.done() and not done.done()
            result: Result = await asyncio.shield(done)
            return result
        finally:
            job.left = True  # also if this request itself is cancelled
            self._withdrawn(job)
            leaving.cancel()

    def begin(self, kind: Kind, whose: int | None, work: Callable[[GoOn], object]) -> None:
        """Run `work` when its turn comes, with no one waiting for a result; it is not refused."""
        self._entered(Job(kind, whose, work, self.longest_s), refusable=False)

    def close(self) -> None:
        """Drop waiting answers; running ones end by themselves."""
        with self._lock:
            self._closed = True
            for queue in self._queues.values():
                for jobs in queue.values():
                    for job in jobs:
                        job.result.cancel()
                queue.clear()
        self._threads.shutdown(wait=False)

    def _entered(self, job: Job, *, refusable: bool) -> Job:
        with self._lock:
            all_waiting = [jobs for queue in self._queues.values() for jobs in queue.values()]
            of_one = sum(len(queue.get(job.whose, ())) for queue in self._queues.values())
            if refusable and of_one >= self._most_of_one:
                raise self._busy(f"{of_one} requests from this credential are already waiting")
            if refusable and sum(map(len, all_waiting)) >= self._most_in_all:
                raise self._busy("too many requests are already waiting")
            self._queues[job.kind].setdefault(job.whose, deque()).append(job)
            self._dispatch()
        return job

    def _dispatch(self) -> None:
        """Start the jobs that may start now, one of each credential in turn. Needs the lock."""
        for kind, queue in self._queues.items():
            while not self._closed and self.running(kind) < self._places[kind]:
                most = max(self._places[kind] - 1, 1)
                whose = next((one for one in queue if self._running[kind, one] < most), _NOBODY)
                if isinstance(whose, _Nobody):
                    break
                job = queue[whose].popleft()
                if queue[whose]:
                    queue.move_to_end(whose)
                else:
                    del queue[whose]
                self._running[kind, whose] += 1
                self._threads.submit(self._do, job)

    def _do(self, job: Job) -> None:
        job.begin()
        result, fault = None, None
        try:
            job.go_on()
            result = job.work(job.go_on)
        except BaseException as error:  # any error goes to the caller of run
            fault = error
        with self._lock:
            self._running[job.kind, job.whose] -= 1
            if not self._running[job.kind, job.whose]:
                del self._running[job.kind, job.whose]
            self._dispatch()
        if not job.result.set_running_or_notify_cancel():
            return
        if fault is None:
            job.result.set_result(result)
        else:
            job.result.set_exception(fault)

    def _withdrawn(self, job: Job) -> bool:
        """Take a waiting job out of the queue; return whether it was still waiting."""
        with self._lock:
            queue = self._queues[job.kind]
            if job not in queue.get(job.whose, ()):
                return False
            queue[job.whose].remove(job)
            if not queue[job.whose]:
                del queue[job.whose]
            return True

    def _busy(self, why: str) -> Busy:
        return Busy(
            f"The service is busy with other costly answers; {why} (at most {self._wait_s:g} s, "
            f"{self._most_of_one} per credential, {self._most_in_all} in all).",
            retry_after_s=max(math.ceil(self._wait_s), 1),
        )


class _Nobody:
    """The type of a marker for "no credential", since None stands for a request without one."""


_NOBODY = _Nobody()


async def in_turn(
    request: Request, queue: FairQueue, work: Callable[[GoOn], Result], kind: Kind = "answer"
) -> Result:
    """Run `work` when the turn of the request's credential comes, and return its result."""
    return await queue.run(kind, exchange_of(request).credential, work, client_gone(request))


async def at_once_or_in_turn(
    request: Request, queue: FairQueue | None, work: Callable[[GoOn], Result]
) -> Result:
    """Run `work` in turn, or at once if it costs too little for a queue, and return its result."""
    if queue is None:
        return await run_in_threadpool(work, lambda: None)
    return await in_turn(request, queue, work)


async def client_gone(request: Request) -> None:
    """Return when the client of a request, whose body has been read, has closed the connection."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


async def nobody_leaves() -> None:
    """Never return: for an answer whose sender itself notices that the client has gone."""
    await asyncio.Event().wait()
