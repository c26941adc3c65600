"""Connect to a Dask scheduler, of local processes or external, encrypted or not, and check its workers."""

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from functools import partial
from math import ceil
from types import TracebackType
from typing import Self

from distributed import Client, wait
from distributed.security import Security

from flows.cluster.certificates import Certificates
from flows.cluster.errors import ClusterError
from flows.cluster.releases import release

CONNECT_TIMEOUT_S = 30  # that of `skysieve up` is imported first, on a machine that may be busy
WORKER_TIMEOUT_S = 60  # for the first worker, which may be starting too
_AGAIN_S = 0.2  # between two attempts
AWAY_S = 60  # for a lost scheduler; Dask takes up to 35 s to notice that a link is cut

log = logging.getLogger("skysieve")


class WorkLost(Exception):
    """The cluster has lost what was sent to it, or does not answer."""


class Cluster:
    """A connection to a Dask cluster that can be re-established, and the known workers.

    The scheduler forgets everything of a client whose connection it loses. So `client` is a new one after
    `reconnect`. Use it as a context manager.
    """

    client: Client
    starts_workers = False  # there were none: perhaps they come when there are tasks

    def __init__(
        self,
        connect: Callable[[float], AbstractContextManager[Client]],
        check: Callable[[Client], None] = lambda _client: None,
        *,
        alike: bool = False,
    ) -> None:
        """Take functions that make a connection within a number of seconds, and check its workers.

        `alike`: the workers are known to be equally fast, and without a limit of memory.
        """
        self._connect, self._check = connect, check
        self.alike = alike
        self._until_left = ExitStack()
        self._workers: set[str] = set()
        self._none_since: float | None = None  # by the monotonic clock, s

    def __enter__(self) -> Self:
        self._enter(CONNECT_TIMEOUT_S)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._until_left.close()

    @property
    def threads(self) -> int:
        """Return the threads of all workers."""
        return sum(self.client.nthreads().values())

    def reconnect(self) -> None:
        """Connect again, as a new client, to a scheduler that may be away for a minute.

        Raises:
            ClusterError: it is away for longer, or no worker comes back to it.
        """
        self._until_left.close()
        try:
            self._enter(AWAY_S)
        except (ClusterError, OSError) as error:
            raise ClusterError(
                f"The Dask scheduler was lost during the run. {error} Nothing of this run is stored; the "
                "next one starts from the beginning."
            ) from error

    def look(self) -> None:
        """Check the workers, and log those that are gone.

        Raises:
            ClusterError: there has been no worker for a minute.
            WorkLost: the scheduler does not answer.
        """
        self.tell_of_lost_workers()
        now = time.monotonic()
        if self._workers:
            self._none_since = None
        elif self._none_since is None:
            self._none_since = now
        elif now - self._none_since > WORKER_TIMEOUT_S:
            raise ClusterError(
                f"The last Dask worker was lost, and none joined within {WORKER_TIMEOUT_S} s. Check the "
                "workers' logs and memory. Nothing of this run is stored; the next one starts from the "
                "beginning."
            )

    def tell_of_lost_workers(self) -> None:
        """Log the workers that have gone since the last check.

        Raises:
            WorkLost: the scheduler does not answer.
        """
        present = self._present()
        for gone in sorted(self._workers - present):
            log.warning("The Dask worker at %s was lost: others take over its tasks.", gone)
        self._workers = present

    def _enter(self, timeout_s: float) -> None:
        with ExitStack() as until_failed:
            self.client = until_failed.enter_context(self._connect(timeout_s))
            self.starts_workers = self.starts_workers or not self.client.nthreads()
            self._check(self.client)
            self._until_left = until_failed.pop_all()
        self._workers, self._none_since = set(self.client.nthreads()), None

    def _present(self) -> set[str]:
        scheduler = self.client.scheduler
        if self.client.status != "running" or scheduler is None:
            raise WorkLost("the connection is closed")
        try:
            return set(self.client.sync(scheduler.ncores, callback_timeout=AWAY_S))
        except OSError as error:
            raise WorkLost(str(error)) from error


def remote(scheduler: str, certificates: Certificates | None) -> Cluster:
    """Return a connection to the scheduler at an address.

    Raises, when it is entered:
        ClusterError: there is no answer, the certificates do not match, no worker comes within a minute, or a
            worker has another release than this process.
    """
    return Cluster(partial(_connected, scheduler, certificates), partial(_check_workers, scheduler=scheduler))


@contextmanager
def _connected(scheduler: str, certificates: Certificates | None, timeout_s: float) -> Iterator[Client]:
    try:
        client = _client(scheduler, certificates, timeout_s)
    except (OSError, ValueError) as error:
        raise ClusterError(
            f"No Dask scheduler answers at {scheduler!r} ({error}). Expected the address of a running one, "
            "such as tcp://host:8786, and for tls:// the certificates it was started with."
        ) from error
    with client:
        yield client


def _client(scheduler: str, certificates: Certificates | None, timeout_s: float) -> Client:
    """Return a new client.

    Dask does not try again when it is cut off while it connects, as by a scheduler that is just starting:
    `skysieve up` starts its own for the first client.
    """
    end = time.monotonic() + timeout_s
    while True:
        try:
            left_s = max(ceil(end - time.monotonic()), 1)  # Dask's message has it
            return Client(scheduler, timeout=left_s, security=_security(certificates))
        except OSError:
            if time.monotonic() + _AGAIN_S > end:
                raise
            time.sleep(_AGAIN_S)


def _security(certificates: Certificates | None) -> Security | None:
    if certificates is None:
        return None
    return Security(
        tls_ca_file=str(certificates.authority),
        tls_client_cert=str(certificates.certificate),
        tls_client_key=str(certificates.key),
        require_encryption=True,
    )


def _check_workers(client: Client, scheduler: str) -> None:
    """Wait for the first worker if there is none, and refuse workers of another release.

    An adaptive cluster starts workers only for tasks, so the wait is a task.
    """
    if not client.nthreads():
        log.info("the Dask scheduler at %s has no workers yet: waiting for one", scheduler)
        first = client.submit(int, pure=False)  # nothing of ours: a worker of another release would die of it
        try:
            wait(first, timeout=WORKER_TIMEOUT_S)
        except TimeoutError as error:
            raise ClusterError(
                f"The Dask scheduler at {scheduler!r} has no workers, and none joined within "
                f"{WORKER_TIMEOUT_S} s; start some."
            ) from error
    _refuse_other_releases(client)


def _refuse_other_releases(client: Client) -> None:
    """Refuse workers with other sources of the screening: results would depend on which worker did a task."""
    ours = release()
    # A worker that has just died does not answer (an OSError): others do its work. One of release 0.1 answers
    # that it cannot unpickle the function.
    told = client.run(release, on_error="return")
    others = [worker for worker, found in told.items() if found != ours and not isinstance(found, OSError)]
    if others:
        raise ClusterError(
            f"{len(others)} Dask workers have another release of skysieve than this process, the first at "
            f"{others[0]}: install the same release everywhere."
        )
