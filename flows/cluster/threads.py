"""Do tasks in threads of this process: what a run on one machine uses instead of Dask.

The search releases the interpreter nearly all of its time, so that threads do as well as processes and start
at once.
"""

from collections.abc import Callable, Generator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from typing import TypeVar

Task = TypeVar("Task")
Basis = TypeVar("Basis")
Result = TypeVar("Result")


class Threads:
    """A pool of threads of this process."""

    def __init__(self, threads: int) -> None:
        self.threads = threads

    def results(
        self, do: Callable[[Task, Basis], Result], tasks: Sequence[Task], basis: Basis
    ) -> Generator[Result]:
        """Yield the results of `do` for each task, with what all need, as they come.

        Close it, or let an error pass, and no other task is begun; those under way are not waited for.
        """
        pool = ThreadPoolExecutor(self.threads)
        try:
            for ended in as_completed([pool.submit(do, task, basis) for task in tasks]):
                yield ended.result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
