"""Fetch catalogues from services, addresses and files."""

import hashlib
from datetime import datetime
from pathlib import Path

from flows.settings import FlowSettings
from flows.sources.download import Web
from flows.sources.names import find_origin
from flows.sources.newest_text import Fetched, Reading, fetch_remote
from screening.errors import InputError
from screening.orbits.elements import Catalogue
from screening.orbits.texts.catalogue import parse_catalogue

DEFAULT_WEB = Web()


def fetch_catalogue(
    source: str, settings: FlowSettings, now: datetime, web: Web = DEFAULT_WEB
) -> tuple[Fetched, Catalogue]:
    """Return the newest usable text of a source and its element sets. A naive `now` is UTC.

    A server's text is downloaded if the service's rules allow it, and kept in the store; if it is refused, or
    does not come, the last good one is returned, and `Fetched.reason` says why. A file is taken as it is.

    Raises:
        UsageError: the text names no source, or Space-Track's user or password is missing.
        InputError: the file cannot be read, or holds no element sets.
        SourceError: there is no usable text; as Unreachable, because there is no network.
        StoreError: the store cannot be used.
    """
    origin = find_origin(source, settings)
    if origin.kind == "synthetic":
        raise ValueError("synthetic catalogues are generated, not fetched")
    if origin.path is not None:
        return read_file(origin.path)

    def read(text: bytes) -> Reading[Catalogue]:
        catalogue = parse_catalogue(text, source_name=origin.name, max_bytes=max_bytes)
        return Reading(catalogue, len(catalogue.elements), parsed_share(catalogue))

    max_bytes = int(settings.download_max_mb * 1e6)
    return fetch_remote(origin, read, settings, now, web)


def read_file(path: Path) -> tuple[Fetched, Catalogue]:
    """Return the text of a file and its element sets; it is taken if it holds any.

    Raises InputError if it cannot be read, or holds no element sets.
    """
    try:
        text = path.read_bytes()
    except OSError as error:
        raise InputError(
            f"The catalogue {path.absolute()} cannot be read ({error.strerror}). Expected a file with "
            "element sets, OMM (CSV, JSON, XML, KVN) or TLE."
        ) from error
    catalogue = parse_catalogue(text, source_name=str(path))
    return Fetched(str(path), text, hashlib.sha256(text).hexdigest(), "file", "", None), catalogue


def parsed_share(catalogue: Catalogue) -> float:
    """Return the share of a text's records that could be used, superseded ones included."""
    used = len(catalogue.elements) + catalogue.superseded
    return used / (used + len(catalogue.rejected) + catalogue.more_rejected)
