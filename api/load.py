"""Analyses one behind the other: so many at once, the others wait, and not for ever."""

import asyncio
import math
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Lock
from typing import Any, TypeVar

from fastapi import Request

from api.problems import Busy, ClientGone

Result = TypeVar("Result")


class AnalysisQueue:
    """Threads for analyses, and those that wait for one, first come, first served."""

    def __init__(self, at_once: int, wait_s: float) -> None:
        """Run `at_once` analyses at a time; none waits longer than `wait_s` for its turn."""
        self._threads = ThreadPoolExecutor(at_once, thread_name_prefix="analysis")
        self._wait_s = wait_s
        self._lock = Lock()
        self.waiting = 0
        self.running = 0

    async def run(self, work: Callable[[], Result], gone: Coroutine[Any, Any, None]) -> Result:
        """Return what `work` returns; once begun it is brought to its end, whoever waits for it.

        Args:
            work: is called on a thread of its own, when it is its turn.
            gone: ends when nobody wants the result any more.

        Raises:
            Busy: its turn did not come in time.
            ClientGone: nobody wanted it any more before its turn came.
        """
        with self._lock:
            self.waiting += 1
        job = self._threads.submit(partial(self._counted, work))
        done, leaving = asyncio.wrap_future(job), asyncio.ensure_future(gone)
        either: set[asyncio.Future[Any]] = {done, leaving}
        try:
            await asyncio.wait(either, timeout=self._wait_s, return_when=asyncio.FIRST_COMPLETED)
            if job.done() or not job.cancel():  # it cannot be cancelled any more: it is its turn
                return await done
            with self._lock:
                self.waiting -= 1
            raise ClientGone if leaving.done() else self._busy()
        finally:
            leaving.cancel()

    def close(self) -> None:
        """Drop what waits; what is running ends by itself."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    def _counted(self, work: Callable[[], Result]) -> Result:
        with self._lock:
            self.waiting -= 1
            self.running += 1
        try:
            return work()
        finally:
            with self._lock:
                self.running -= 1

    def _busy(self) -> Busy:
        return Busy(
            f"Other analyses are under way, and {self._wait_s:g} s were not enough to wait for them.",
            retry_after_s=max(math.ceil(self._wait_s), 1),
        )


async def client_gone(request: Request) -> None:
    """Return when the client of a request, whose body has been read, has closed the connection."""
    while (await request.receive())["type"] != "http.disconnect":
        pass
