"""Starlink's ephemerides: a list of files, MANIFEST.txt, and a file a satellite, fetched only when needed.

A file is named MEME_<catalogue number>_<name>_<start>_<kind>_<stop>_UNCLASSIFIED.txt, the start as DDDHHMM,
the stop in seconds of GPS time. A newer ephemeris has a new name, so a file never changes.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import NamedTuple, Self
from urllib.parse import quote

import httpx
import numpy as np

from flows.settings import FlowSettings
from flows.sources.catalogues import DEFAULT_WEB
from flows.sources.download import Web, ask, open_client
from flows.sources.errors import SourceError, Stopped
from flows.sources.etiquette import wished_wait_s
from flows.sources.files import Fetched
from flows.sources.names import Origin, starlink_origin
from flows.sources.newest_text import Reading, fetch_remote
from screening.errors import InputError
from screening.orbits.reference.leap_seconds import TAI_MINUS_GPS, utc_from_tai
from screening.orbits.texts.ephemerides.read import MAX_BYTES
from storage.disk.downloads import catalogues_locked, read_history, write_history

MANIFEST = "MANIFEST.txt"
MOST_NAMES = 1_000_000
_NAME = re.compile(
    r"MEME_(\d{1,9})_([\w.()+ -]+)_(\d{3})(\d\d)(\d\d)_\w+_(\d{9,10})_UNCLASSIFIED\.txt", re.ASCII
)
_GPS_EPOCH = np.datetime64("1980-01-06T00:00:00", "us")
_LOCK_WAIT_S = 60.0


class ListedFile(NamedTuple):
    """One file of the list."""

    norad_id: int
    name: str  # of the satellite
    begins: np.datetime64  # UTC, to the minute
    ends: np.datetime64
    file: str


Manifest = Mapping[int, Sequence[ListedFile]]  # by catalogue number, those that begin last first


class NotThere(SourceError):
    """A listed file is not there: it has been renewed meanwhile."""


def fetch_manifest(settings: FlowSettings, now: datetime, web: Web = DEFAULT_WEB) -> Fetched[Manifest]:
    """Return the list of files, which is asked for once an hour at most. `now` is UTC.

    Raises:
        SourceError: there is none, neither on the server nor in the store.
        StoreError: the store cannot be used.
    """
    return fetch_remote(starlink_origin(MANIFEST), _read, settings, now, web)


def listed_at(manifest: Manifest, norad_id: int, tca: np.datetime64) -> ListedFile | None:
    """Return the newest file of a satellite whose span holds a time, None if there is none."""
    return next((one for one in manifest.get(norad_id, ()) if one.begins <= tca <= one.ends), None)


def listed_file(name: str) -> ListedFile | None:
    """Return what the name of a file says, None if it is not such a name."""
    match = _NAME.fullmatch(name)
    if match is None:
        return None
    number, satellite, day, hour, minute, stop = match.groups()
    if not (1 <= int(day) <= 366 and int(hour) < 24 and int(minute) < 60):
        return None
    tai = _GPS_EPOCH + np.timedelta64(int(stop), "s") + TAI_MINUS_GPS
    ends = utc_from_tai(np.array([tai]))[0]
    since_new_year = np.timedelta64((int(day) - 1) * 1440 + int(hour) * 60 + int(minute), "m")
    begins = ends.astype("M8[Y]").astype("M8[us]") + since_new_year
    if begins > ends:  # the turn of the year lies between
        begins = (ends.astype("M8[Y]") - 1).astype("M8[us]") + since_new_year
    return ListedFile(int(number), satellite, begins, ends, name)


def address_of(listed: ListedFile) -> Origin:
    """Return where a file is."""
    return starlink_origin(quote(listed.file))


def folder_of() -> str:
    """Return the address with which those of all files begin."""
    return starlink_origin("").url


class Files:
    """Fetches files one after the other, over one connection; a context manager."""

    def __init__(self, settings: FlowSettings, now: datetime, web: Web = DEFAULT_WEB) -> None:
        self._settings = settings
        self._now = now
        self._web = web
        self._limits = web.limits._replace(max_bytes=MAX_BYTES)
        login = starlink_origin(MANIFEST).access.login
        self._client = open_client(self._limits, web, login)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._client.close()

    def fetch(self, listed: ListedFile) -> bytes:
        """Return the text of a file.

        Raises:
            NotThere: the server does not have it any more.
            Stopped: any other refusal, after which nothing must be asked; it is remembered for the next run.
            SourceError: it did not come, or not whole.
        """
        access = address_of(listed).access
        request = self._client.build_request("GET", access.url)
        try:
            return ask(self._client, request, self._limits, self._web).text
        except Stopped as stop:
            if stop.status in (httpx.codes.NOT_FOUND, httpx.codes.GONE):
                raise NotThere(str(stop)) from stop
            self._remember(stop)
            raise

    def _remember(self, stop: Stopped) -> None:
        url = starlink_origin(MANIFEST).url
        store = self._settings.store
        with catalogues_locked(store, _LOCK_WAIT_S):
            known = read_history(store, url)
            stopped = replace(
                known,
                stopped_at=self._now,
                stopped_by=str(stop),
                stopped_for_s=wished_wait_s(stop.retry_after, self._now),
            )
            write_history(store, stopped)


def _read(text: bytes) -> Reading[Manifest]:
    """Read a list: a name a line."""
    lines = [line.strip() for line in text.decode("ascii", "replace").splitlines() if line.strip()]
    if len(lines) > MOST_NAMES:
        raise InputError(f"It lists {len(lines):,} files; at most {MOST_NAMES:,} are allowed.")
    listed = [one for one in map(listed_file, lines) if one is not None]
    if not listed:
        raise InputError("It lists no file MEME_..._UNCLASSIFIED.txt.")
    return Reading(_by_number(listed), len(listed), len(listed) / len(lines))


def _by_number(listed: Iterable[ListedFile]) -> Manifest:
    found: dict[int, list[ListedFile]] = {}
    for one in sorted(listed, key=lambda one: (one.begins, one.ends, one.file), reverse=True):
        found.setdefault(one.norad_id, []).append(one)
    return found
