"""Connect to a Dask scheduler that others run, encrypted or not, and make sure of its workers."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from distributed import Client
from distributed.security import Security

from flows.settings import FlowSettings
from screening.errors import SkysieveError, UsageError

CONNECT_TIMEOUT_S = 10
WORKER_TIMEOUT_S = 60  # for the first worker: it may be starting, too

log = logging.getLogger("skysieve")


class ClusterError(SkysieveError):
    """The Dask cluster cannot be reached, or lost its workers."""


class Certificates(NamedTuple):
    """Files (PEM) for an encrypted connection: who is trusted, and who this program is."""

    authority: Path
    certificate: Path
    key: Path


def certificates_of(settings: FlowSettings) -> Certificates | None:
    """Return the files for an encrypted connection to the scheduler; None: it is not encrypted.

    Raises:
        UsageError: the address is a tls:// one, and a file is missing.
    """
    if not settings.scheduler.startswith("tls://"):
        return None
    files = (settings.scheduler_ca_file, settings.scheduler_cert_file, settings.scheduler_key_file)
    for name, file in zip(("CA", "CERT", "KEY"), files, strict=True):
        if file is None or not file.is_file():
            raise UsageError(
                f"SKYSIEVE_SCHEDULER_{name}_FILE={file or ''}: a tls:// scheduler needs a PEM file there."
            )
    return Certificates(*filter(None, files))


@contextmanager
def connected(scheduler: str, certificates: Certificates | None) -> Iterator[Client]:
    """Connect to the scheduler at an address, once it has a worker.

    Raises:
        ClusterError: nobody answers, the certificates do not match, or no worker comes within a minute, or a
            worker has another release than this process.
    """
    try:
        client = Client(scheduler, timeout=CONNECT_TIMEOUT_S, security=_security(certificates))
    except (OSError, ValueError) as error:
        raise ClusterError(
            f"No Dask scheduler answers at {scheduler!r} ({error}). Expected the address of one that runs, "
            "such as tcp://host:8786, and for tls:// the certificates that it was started with."
        ) from error
    with client:
        if not client.nthreads():
            log.info("the Dask scheduler at %s has no workers yet: waiting for one", scheduler)
            _wait_for_worker(client, scheduler)
        _refuse_other_releases(client)
        yield client


def _security(certificates: Certificates | None) -> Security | None:
    if certificates is None:
        return None
    return Security(
        tls_ca_file=str(certificates.authority),
        tls_client_cert=str(certificates.certificate),
        tls_client_key=str(certificates.key),
        require_encryption=True,
    )


def _wait_for_worker(client: Client, scheduler: str) -> None:
    try:
        client.wait_for_workers(1, timeout=WORKER_TIMEOUT_S)
    except TimeoutError as error:
        raise ClusterError(
            f"The Dask scheduler at {scheduler!r} has no workers, and none came within {WORKER_TIMEOUT_S} s; "
            "start some."
        ) from error


def _refuse_other_releases(client: Client) -> None:
    """Refuse workers whose sources of the screening differ: their results would depend on who did a task."""
    ours = release()
    # A worker that has just died answers with an error, which is no release either: others do its work.
    told = client.run(release, on_error="return")
    others = [worker for worker, found in told.items() if isinstance(found, str) and found != ours]
    if others:
        raise ClusterError(
            f"{len(others)} Dask workers have another release of skysieve than this process, the first at "
            f"{others[0]}: install the same everywhere."
        )


def release() -> str:
    """Return what is the same where the sources of the screening are."""
    from screening.kernels import keep_kernels_in
    from storage.settings import StoreSettings, load_settings

    return keep_kernels_in(load_settings(StoreSettings).kernel_cache).name
