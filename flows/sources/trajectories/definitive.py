"""Fetch the ephemerides that objects fly by, and keep them: of the ISS, of addresses, of folders.

A text that has not changed is not taken again, so that a trajectory that someone removes stays away until
its source has a newer one. Nothing here stops a run: whatever cannot be used is logged with its reason.
"""

import hashlib
import logging
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from flows.settings import FlowSettings
from flows.sources.catalogues import DEFAULT_WEB
from flows.sources.download import Web
from flows.sources.names import Origin, iss_origin, trajectory_origin
from flows.sources.newest_text import Reading, fetch_remote
from screening.errors import InputError, SkysieveError
from screening.orbits.elements import ElementArray
from screening.orbits.texts.ephemerides.read import read_ephemerides
from screening.risk.ephemeris_checks.check import ElementSet
from storage.addresses import without_secrets
from storage.reading.newest_objects import NewestRun
from storage.trajectories.checked import Catalogue
from storage.trajectories.incoming import Named, designator, read_file, take
from storage.trajectories.source_texts import SourceText, read_source_texts, write_source_texts
from storage.vocabulary import EVERYBODY

STARLINK, ISS = "starlink", "iss"  # names of sources; the others are addresses and folders
ISS_NORAD_ID = 25544
MOST_FILES = 10_000  # of one folder
ADDED_BY = "SKYSIEVE_TRAJECTORY_SOURCES"
FORCED = "force"  # the sub-folder whose files are kept though they are not the paths of their objects' sets

log = logging.getLogger("skysieve")


class Tried(NamedTuple):
    """What became of a source, or of one file of a folder."""

    source: str
    said: str  # what was stored, or why nothing was
    failed: bool = False


class _Text(NamedTuple):
    """One text of a source; it is read when it is asked for."""

    source: str  # path or address, without secrets
    data: bytes | None  # None: it could not be had
    named: Named
    problem: str = ""  # why it could not, or is not the newest


class _Fresh:
    """The objects of a catalogue that no run has yet."""

    def __init__(self, elements: ElementArray, store: Path) -> None:
        both = zip(elements["object_id"].tolist(), elements["norad_id"].tolist(), strict=True)
        self._numbers = {designator(object_id): norad_id for object_id, norad_id in both if object_id}
        self._elements = elements  # sorted by norad_id
        self._known = NewestRun(store)

    def number_of(self, object_id: str) -> int:
        """Return the catalogue number of an international designator; 0: there is no such object."""
        return int(self._numbers.get(designator(object_id), 0))

    def set_of(self, norad_id: int) -> ElementSet | None:
        """Return the element set of an object; None: there is none."""
        found = self._elements[self._elements["norad_id"] == norad_id]
        return self._known.with_law(found) if len(found) else None


def sources_of(settings: FlowSettings) -> list[str]:
    """Return the sources of trajectories that the settings name."""
    return [source for source in map(str.strip, settings.trajectory_sources.split(",")) if source]


def take_trajectories(
    settings: FlowSettings, elements: ElementArray, now: datetime, web: Web = DEFAULT_WEB
) -> list[Tried]:
    """Store what the sources of the settings have that is new, as definitive trajectories. `now` is UTC.

    By the `elements` of a catalogue, files that name an object by its designator get its number, and paths
    that are not those of their objects are refused. What fails is logged as a
    warning and returned; nothing is raised.
    """
    sources = [source for source in sources_of(settings) if source != STARLINK]
    if not sources:
        return []
    try:
        known = read_source_texts(settings.store)
        tried, taken = _taken(settings, sources, known, _Fresh(elements, settings.store), now, web)
        if taken != known:
            write_source_texts(settings.store, taken)
    except SkysieveError as error:
        tried = [Tried("trajectories", str(error), failed=True)]
    for one in tried:
        if one.failed:
            log.warning("Trajectories, %s: %s", one.source, one.said)
    return tried


def _taken(
    settings: FlowSettings,
    sources: list[str],
    known: dict[str, SourceText],
    catalogue: Catalogue,
    now: datetime,
    web: Web,
) -> tuple[list[Tried], dict[str, SourceText]]:
    """Import new texts; return the outcome, and the facts about all current texts."""
    tried: list[Tried] = []
    taken: dict[str, SourceText] = {}
    for source in sources:
        for text in _texts(source, settings, now, web):
            if text.problem:
                tried.append(Tried(text.source, text.problem, failed=True))
            before = known.get(text.source)
            if text.data is None:
                if before is not None:  # what is remembered stays for when it is there again
                    taken[text.source] = before
                continue
            if before is None or before.sha256 != hashlib.sha256(text.data).hexdigest():
                added = now + timedelta(microseconds=len(tried))  # the later counts first
                before, said = _taken_anew(settings.store, text, text.data, added, catalogue)
                tried.append(said)
            elif before.problem:
                tried.append(Tried(text.source, before.problem, failed=True))
            if before is not None:
                taken[text.source] = before
    return tried, taken


def _taken_anew(
    store: Path, text: _Text, data: bytes, added: datetime, catalogue: Catalogue
) -> tuple[SourceText | None, Tried]:
    """Store the trajectory of a text; None instead of what is remembered: it is to be tried again."""
    sha256 = hashlib.sha256(data).hexdigest()
    try:
        named = text.named._replace(by=ADDED_BY, organisation_id=EVERYBODY)
        one = take(store, data, text.source, "definitive", named, added, catalogue)
    except InputError as error:
        why = str(error).replace("`--force`", f"The sub-folder `{FORCED}` of a watched folder, or `--force`,")
        return SourceText(sha256, why), Tried(text.source, why, failed=True)
    except SkysieveError as error:  # of the store
        return None, Tried(text.source, str(error), failed=True)
    whose = f"{one.ephemeris.norad_id} {one.ephemeris.name}".strip()
    return SourceText(sha256, ""), Tried(text.source, f"the path of {whose} is stored as {one.id}")


def _texts(source: str, settings: FlowSettings, now: datetime, web: Web) -> Iterator[_Text]:
    if source == ISS:
        yield _fetched(iss_origin(), Named(ISS_NORAD_ID), settings, now, web)
    elif source.lower().startswith(("http://", "https://")):
        try:
            origin = trajectory_origin(source)
        except SkysieveError as error:
            yield _Text(without_secrets(source), None, Named(), str(error))
        else:
            yield _fetched(origin, Named(), settings, now, web)
    else:
        yield from _of_folder(Path(source).absolute())


def _fetched(origin: Origin, named: Named, settings: FlowSettings, now: datetime, web: Web) -> _Text:
    """Return the newest text of an address, or the last good one with the reason."""

    def read(text: bytes) -> Reading[bytes]:
        read_ephemerides(text, origin.url)
        return Reading(text, 1, 1.0)

    try:
        found = fetch_remote(origin, read, settings, now, web)
    except SkysieveError as error:
        return _Text(origin.url, None, named, str(error))
    return _Text(origin.url, found.content, named, found.reason if found.decision == "last_good" else "")


def _of_folder(folder: Path) -> Iterator[_Text]:
    """Yield the files of a folder and of its sub-folder FORCED, the last changed at the end, none hidden."""
    try:
        folders = [folder, *(one for one in [folder / FORCED] if one.is_dir())]
        files = [path for one in folders for path in one.iterdir()]
        files = [path for path in files if not path.name.startswith(".") and path.is_file()]
        files.sort(key=lambda path: (path.stat().st_mtime_ns, path.name))
    except OSError as error:
        yield _Text(str(folder), None, Named(), f"The folder cannot be read: {error.strerror}.")
        return
    if len(files) > MOST_FILES:
        problem = f"It has {len(files):,} files; the {MOST_FILES:,} that changed last are read."
        yield _Text(str(folder), None, Named(), problem)
    for path in files[-MOST_FILES:]:
        named = Named(force=path.parent != folder)
        try:
            yield _Text(str(path), read_file(path), named)
        except InputError as error:
            yield _Text(str(path), None, named, str(error))
