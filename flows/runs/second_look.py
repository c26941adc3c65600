"""After a run, look again at its alarming events on the ephemerides that Starlink publishes.

Its element sets are kilometres off, its ephemerides metres to hundreds of metres. Only the files of
satellites in events of medium level or above are fetched, one after the other, up to a limit. An event's new
value stands beside the run's, which stays in its history. The ephemerides are kept, and not for the next
run: by then there are newer ones, and newer element sets may show a thrust that they do not have.
"""

import logging
import time
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import NamedTuple

import numpy as np

from flows.runs.run import Outcome
from flows.runs.second_look_rating import Known, known_of, looked_at
from flows.settings import FlowSettings
from flows.sources.catalogues import DEFAULT_WEB
from flows.sources.download import Web
from flows.sources.errors import SourceError, Stopped
from flows.sources.trajectories.definitive import ADDED_BY, STARLINK, sources_of
from flows.sources.trajectories.starlink import (
    Files,
    ListedFile,
    Manifest,
    NotThere,
    address_of,
    fetch_manifest,
    folder_of,
    listed_at,
)
from screening.errors import SkysieveError
from screening.kernel_files import keep_kernels_in
from screening.orbits.ephemerides import Ephemeris
from screening.risk.conjunctions import ConjunctionArray, unrated
from screening.vocabulary import RISK_LEVELS
from storage.analyses.second_looks import store_second_look
from storage.reading.newest_objects import NewestRun
from storage.reading.run_events import RunEvent, events_of_levels
from storage.times import datetime64_us
from storage.trajectories.incoming import Named, take
from storage.trajectories.kept import remove_trajectory, trajectories, trajectory
from storage.vocabulary import EVERYBODY

LEVELS = RISK_LEVELS[: RISK_LEVELS.index("medium") + 1]
MOST_FILES = 50  # 2 MB each, one after the other
LONGEST_S = 600.0  # after that nothing more is fetched
MOST_FAILURES = 3  # in a row, of a server that is slow or sends no whole file

log = logging.getLogger("skysieve")


class Looked(NamedTuple):
    """The result of a second look."""

    wanted: int  # events of these levels with a satellite whose ephemeris is listed
    events: int  # evaluated again
    changed: int  # whose level is another now
    fetched: int  # files
    problems: tuple[str, ...]

    @property
    def text(self) -> str:
        """Return it in words."""
        missed = f"; not all: {self.problems[0]}" if self.problems else ""
        return (
            f"second look: {self.events:,} of {self.wanted:,} events on operators' ephemerides "
            f"({self.fetched:,} fetched), {self.changed:,} now of another level{missed}"
        )


def second_look(
    outcome: Outcome, settings: FlowSettings, now: datetime, web: Web = DEFAULT_WEB
) -> Looked | None:
    """Evaluate alarming events of a published run again, and store that; None if it is switched off.

    `now` is UTC. Failures are logged, and the next events are still evaluated; nothing is raised.
    """
    if STARLINK not in sources_of(settings) or outcome.prepared.synthetic:
        return None
    try:
        looked = _looked(outcome, settings, now, web)
    except SkysieveError as error:
        looked = Looked(0, 0, 0, 0, (str(error),))
    for problem in looked.problems:
        log.warning("Second look: %s", problem)
    return looked


def _looked(outcome: Outcome, settings: FlowSettings, now: datetime, web: Web) -> Looked:
    keep_kernels_in(settings.kernel_cache)
    alarming = events_of_levels(settings.store, outcome.run_id, LEVELS)
    if not alarming:
        return Looked(0, 0, 0, 0, ())
    manifest = fetch_manifest(settings, now, web)
    problems = [manifest.reason] if manifest.decision == "last_good" else []
    needed = {event: files for event in alarming if (files := _files_of(event, manifest.content))}
    given, fetched = _ephemerides(list(needed.values()), settings, now, web, problems)
    rows, ids, changed = _evaluated(outcome, needed, given, settings, problems)
    if len(rows):
        numbers = np.concatenate([rows[f"{who}_norad_id"] for who in ("primary", "secondary")])
        elements = outcome.prepared.elements
        some = elements[np.isin(elements["norad_id"], numbers)]
        store_second_look(
            settings.store, outcome.run_id, rows, np.array(ids, np.int64), some, datetime.now(UTC)
        )
    _remove_outdated(settings, now)
    return Looked(len(needed), len(rows), changed, fetched, tuple(problems))


def _files_of(event: RunEvent, manifest: Manifest) -> list[ListedFile]:
    """Return the files that are needed for an event, of each side that is not on an ephemeris already."""
    tca = datetime64_us(event.tca)
    sides = (
        (event.primary_norad_id, event.primary_trajectory),
        (event.secondary_norad_id, event.secondary_trajectory),
    )
    listed = (listed_at(manifest, number, tca) for number, path in sides if path != "ephemeris")
    return [one for one in listed if one is not None]


def _ephemerides(
    needed: Sequence[Sequence[ListedFile]],
    settings: FlowSettings,
    now: datetime,
    web: Web,
    problems: list[str],
) -> tuple[dict[str, Ephemeris], int]:
    """Return the ephemerides of files by name, and how many were fetched; what the store has is not."""
    stored = {one.about.source: one.id for one in trajectories(settings.store)}
    given: dict[str, Ephemeris] = {}
    wanted = {listed.file: listed for files in needed for listed in files}
    missing = []
    for listed in wanted.values():
        known = stored.get(address_of(listed).url)
        try:
            if known is None:
                missing.append(listed)
            else:
                given[listed.file] = trajectory(settings.store, known).ephemeris
        except SkysieveError as error:  # it is damaged, or has been removed meanwhile
            problems.append(str(error))
            missing.append(listed)
    if len(missing) > MOST_FILES:
        problems.append(
            f"{len(missing):,} files are needed; {MOST_FILES:,} are fetched, those of the most dangerous "
            "events."
        )
    fetched, catalogue = 0, NewestRun(settings.store)
    for listed, text in _fetched(missing[:MOST_FILES], settings, now, web, problems):
        fetched += 1
        source, named = (
            address_of(listed).url,
            Named(listed.norad_id, listed.name, by=ADDED_BY, organisation_id=EVERYBODY),
        )
        try:
            one = take(settings.store, text, source, "hypothetical", named, now, catalogue)
        except SkysieveError as error:
            problems.append(str(error))
        else:
            given[listed.file] = one.ephemeris
    return given, fetched


def _fetched(
    files: Sequence[ListedFile], settings: FlowSettings, now: datetime, web: Web, problems: list[str]
) -> Iterator[tuple[ListedFile, bytes]]:
    """Yield the texts of files, one after the other, until the server says stop, or is too slow."""
    if not files:
        return
    began, failures = time.monotonic(), 0
    with Files(settings, now, web) as server:
        for count, listed in enumerate(files):
            left = len(files) - count
            if time.monotonic() - began > LONGEST_S:
                problems.append(f"After {LONGEST_S:.0f} s {left:,} files are left out.")
                return
            try:
                text = server.fetch(listed)
            except SourceError as error:
                problems.append(str(error))
                failures += not isinstance(error, NotThere)
                if isinstance(error, Stopped) or failures == MOST_FAILURES:
                    problems.append(f"Fetching stops: {left - 1:,} files are left out.")
                    return
            else:
                failures = 0
                yield listed, text


def _evaluated(
    outcome: Outcome,
    needed: dict[RunEvent, list[ListedFile]],
    given: dict[str, Ephemeris],
    settings: FlowSettings,
    problems: list[str],
) -> tuple[ConjunctionArray, list[int], int]:
    """Return the events (k,) evaluated again, their ids, and how many have another level now."""
    possible = {
        event: [given[listed.file] for listed in files if listed.file in given]
        for event, files in needed.items()
    }
    possible = {event: those for event, those in possible.items() if those}
    known: Known | None = known_of(outcome.prepared, list(possible), settings.store) if possible else None
    rows, ids, changed = [], [], 0
    for event, ephemerides in possible.items():
        assert known is not None
        try:
            row = looked_at(event, ephemerides, outcome.prepared, known)
        except SkysieveError as error:
            problems.append(f"Event {event.event_id}: {error}")
            continue
        rows.append(row)
        ids.append(event.event_id)
        level = RISK_LEVELS[row["risk_level"][0]]
        changed += level != event.risk_level
        log.info(
            "Event %d, %d and %d: %s at %.0f m in the run, %s at %.0f m on operators' ephemerides",
            event.event_id,
            event.primary_norad_id,
            event.secondary_norad_id,
            event.risk_level,
            event.miss_distance_m,
            level,
            row["miss_distance_m"][0],
        )
    found = np.concatenate(rows) if rows else unrated(0)
    return found, ids, changed


def _remove_outdated(settings: FlowSettings, now: datetime) -> None:
    """Remove the ephemerides of earlier looks that have ended or been replaced by newer ones."""
    folder = folder_of()
    kept = [one for one in trajectories(settings.store) if one.about.source.startswith(folder)]
    kept = [one for one in kept if one.about.kind == "hypothetical"]
    newest = {one.norad_id: one.id for one in sorted(kept, key=lambda one: (one.usable_from, one.id))}
    for one in kept:
        if newest[one.norad_id] != one.id or one.usable_to < datetime64_us(now):
            remove_trajectory(settings.store, one.id)
