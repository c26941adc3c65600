"""The certificates of an encrypted cluster. Does not import Dask."""

from pathlib import Path
from typing import NamedTuple

from flows.settings import FlowSettings
from screening.errors import UsageError


class Certificates(NamedTuple):
    """Files (PEM) for an encrypted connection: the CA, and this program's certificate and key."""

    authority: Path
    certificate: Path
    key: Path


def certificates_of(settings: FlowSettings) -> Certificates | None:
    """Return the files for an encrypted connection to the scheduler, None for an unencrypted one.

    Raises:
        UsageError: the address begins with tls://, and a file is missing.
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
