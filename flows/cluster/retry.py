"""Run tasks on a cluster, and repeat those that are lost."""

import logging
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import TypeVar

from distributed import Client, Future
from distributed.client import FutureCancelledError
from distributed.scheduler import KilledWorker

from flows.cluster.errors import ClusterError
from flows.cluster.remote import Cluster, WorkLost

_LOOK_AFTER_S = 2.0  # without a result
_LOSSES = 3  # in a row, without a result in between

Task = TypeVar("Task")
Basis = TypeVar("Basis")
Result = TypeVar("Result")

log = logging.getLogger("skysieve")


def results_with(
    cluster: Cluster, do: Callable[[Task, Basis], Result], tasks: Sequence[Task], basis: Basis
) -> Generator[Result]:
    """Yield the results of `do` for each task, with what all need, as they come; see `results`."""

    def begin(client: Client, tasks: Sequence[Task]) -> "list[Future[Result]]":
        # As the result of a task, which a worker recomputes if the last copy is lost; scattered data would be
        # lost for good.
        there = client.submit(_as_given, basis, pure=False)
        return client.map(do, tasks, [there] * len(tasks), pure=False)

    return results(cluster, tasks, begin)


def _as_given(basis: Basis) -> Basis:
    return basis


def results(
    cluster: Cluster,
    tasks: Sequence[Task],
    begin: "Callable[[Client, Sequence[Task]], list[Future[Result]]]",
) -> Generator[Result]:
    """Yield the results of tasks as they come; close it to cancel the others.

    `begin` sends tasks and their data to the cluster. Dask repeats those of a lost worker; those unfinished
    when the scheduler was lost are sent again when it is back.

    Raises:
        ClusterError: a task is lost again and again, or workers or scheduler are away for over a minute.
    """
    left, losses = list(tasks), 0
    while left:
        doing = dict(zip(begin(cluster.client, left), left, strict=True))
        try:
            for future in _ended(cluster, list(doing)):
                found = _result(cluster, future)
                del doing[future]
                losses = 0
                if not doing:
                    with suppress(WorkLost):  # nothing is
                        cluster.tell_of_lost_workers()
                yield found
        except WorkLost as lost:
            losses += 1
            if losses > _LOSSES:
                raise ClusterError(
                    f"The Dask scheduler lost its tasks {losses} times in a row ({lost}). Nothing of "
                    "this run is kept; the next one starts from the beginning."
                ) from lost
            log.warning("The tasks of the Dask scheduler are lost (%s): they are being resent.", lost)
            cluster.reconnect()
        except GeneratorExit:
            cluster.client.cancel(list(doing))
            raise
        left = list(doing.values())


def _ended(cluster: Cluster, futures: "list[Future[Result]]") -> "Iterator[Future[Result]]":
    """Yield each future when it has ended, in whatever way.

    None is held here: a worker keeps the result of a task as long as anyone has its future.
    """
    ended: SimpleQueue[Future[Result]] = SimpleQueue()
    left = len(futures)
    while futures:
        futures.pop().add_done_callback(ended.put)
    for _ in range(left):
        yield _next(cluster, ended)


def _next(cluster: Cluster, ended: "SimpleQueue[Future[Result]]") -> "Future[Result]":
    while True:
        try:
            return ended.get(timeout=_LOOK_AFTER_S)
        except Empty:
            cluster.look()


def _result(cluster: Cluster, future: "Future[Result]") -> Result:
    """Return a task's result, which its worker still has; if it was lost meanwhile, the task is repeated."""
    patience_s = _LOOK_AFTER_S
    while True:
        try:
            found: Result = future.result(timeout=patience_s)
        except KilledWorker as error:
            raise ClusterError(
                f"A task was lost with every worker that tried it ({error}). Check the workers' logs and "
                "memory."
            ) from error
        except FutureCancelledError as error:
            raise WorkLost(error.reason) from error
        except CancelledError as error:
            raise WorkLost(str(error)) from error
        except OSError as error:
            if future.status == "error":  # raised by the task itself
                raise
            if not isinstance(error, TimeoutError):
                raise WorkLost(str(error)) from error
            cluster.look()
            patience_s *= 2  # a large result may need longer to arrive
        else:
            return found
