"""Fetch catalogues from services, addresses and files; generate a synthetic one."""

import hashlib
from datetime import datetime
from pathlib import Path

from flows.settings import FlowSettings
from flows.sources.download import Web
from flows.sources.errors import Unreachable
from flows.sources.files import Source, read_file
from flows.sources.names import find_origin
from flows.sources.newest_text import Reading, fetch_remote
from screening.orbits.elements import Catalogue
from screening.orbits.texts.catalogue import parse_catalogue
from screening.orbits.texts.unreadable import rejections_text
from screening.search.request import catalogue_epoch
from screening.synthetic.catalogue import synthetic_catalogue
from storage.disk.current import read_current
from storage.machine.kernel_folder import kernels_below
from storage.times import datetime64_us, utc_datetime

DEFAULT_WEB = Web()
SYNTHETIC_OBJECTS = 30_000
SYNTHETIC_SEED = 1


def fetch_catalogue(
    source: str, settings: FlowSettings, now: datetime, web: Web = DEFAULT_WEB, *, or_synthetic: bool = False
) -> Source:
    """Return the element sets of the newest usable text of a source.

    A server's text is downloaded if the service's rules allow it, and kept in the store; if it is refused, or
    does not come, the last good one is read, and the reason says why. A file is taken as it is, and a
    synthetic catalogue is generated: also with `or_synthetic`, without a network, for a store that holds no
    real run.

    Raises:
        UsageError: the text names no source, or Space-Track's user or password is missing.
        InputError: the file cannot be read, or holds no element sets.
        SourceError: there is no usable text; as Unreachable, because there is no network.
        StoreError: the store cannot be used.
    """
    origin = find_origin(source, settings)
    if origin.kind == "synthetic":
        return _generated(settings, now, "asked for")
    if origin.path is not None:
        return read_file(origin.path)

    def read(text: bytes) -> Reading[Catalogue]:
        catalogue = parse_catalogue(text, source_name=origin.name, max_bytes=max_bytes)
        epoch = utc_datetime(catalogue_epoch(catalogue.elements))
        return catalogue_reading(catalogue, len(catalogue.elements), epoch)

    max_bytes = web.limits.max_bytes
    try:
        return fetch_remote(origin, read, settings, now, web)
    except Unreachable as error:
        if not or_synthetic or not _holds_no_real_run(settings.store):
            raise
        return _generated(settings, now, f"{error} A synthetic catalogue is used instead.")


def catalogue_reading(
    catalogue: Catalogue, objects: int, epoch: datetime | None = None
) -> Reading[Catalogue]:
    """Return what a catalogue's text holds; superseded records count as used. `epoch` is in UTC."""
    used = catalogue.used_count
    why = rejections_text(catalogue.rejected, catalogue.more_rejected, used)
    return Reading(catalogue, objects, used / (used + catalogue.rejected_count), epoch, why)


def _generated(settings: FlowSettings, now: datetime, reason: str) -> Source:
    """Return a synthetic catalogue of now; the hash is that of its element sets."""
    kernels_below(settings.kernel_cache)
    epoch = datetime64_us(now.replace(microsecond=0))
    elements = synthetic_catalogue(SYNTHETIC_OBJECTS, SYNTHETIC_SEED, epoch).elements
    sha256 = hashlib.sha256(elements.tobytes()).hexdigest()
    return Source("synthetic", sha256, Catalogue(elements, [], 0, "synthetic"), "generated", reason)


def _holds_no_real_run(store: Path) -> bool:
    current = read_current(store)
    return current is None or current.synthetic
