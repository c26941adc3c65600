"""Bring the conjunction messages of services up to date: fetch what is new, and take it into the store."""

import logging
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

import pyarrow.compute as pc

from flows.runs.skipped_sources import record_skipped
from flows.settings import FlowSettings
from flows.sources.catalogues import DEFAULT_WEB
from flows.sources.download import Web
from flows.sources.errors import NotAsked, TooSoon
from flows.sources.messages.announced import fetch_announced
from flows.sources.messages.space_track import fetch_public_messages
from flows.sources.messages.tracss import fetch_messages
from flows.sources.messages.tracss_directory import fetch_contacts
from screening.errors import SkysieveError
from storage.messages.incoming import Taken, take
from storage.messages.kept import columns_of
from storage.sky.announced import SPACE_TRACK, take_announced
from storage.times import datetime64_us, utc_datetime
from storage.vocabulary import EVERYBODY

SOURCE = "cdm_public"  # Space-Track's class, as attempts and messages name it
TRACSS = "tracss"
ANNOUNCED = "tip"  # Space-Track's class

log = logging.getLogger("skysieve")


class Updated(NamedTuple):
    """What became of the messages."""

    said: str  # what was taken, or why nothing was
    failed: bool = False  # the service, or the store, gave nothing, or not all


def update_messages(
    settings: FlowSettings, now: datetime, web: Web = DEFAULT_WEB, *, at_once: bool = False
) -> Updated:
    """Take the messages that Space-Track has created since the newest of the store. `now` is UTC.

    It is asked every eight hours at most; `at_once`, as often as it allows. What fails is logged as a warning
    and recorded as a skipped attempt; the messages stay as they were, and those missed come with the next.
    Raises nothing, since no run depends on it.
    """
    try:
        text = fetch_public_messages(
            settings, _newest_created(settings.store, now), now, web, at_once=at_once
        )
        taken = take(settings.store, text, SOURCE, now, EVERYBODY, restricted=True) if text else None
    except TooSoon as error:
        return Updated(str(error), failed=at_once)
    except SkysieveError as error:
        record_skipped(settings.store, now, SOURCE, str(error))
        return Updated(str(error), failed=True)
    said = "Space-Track has no new ones." if taken is None else _told(taken)
    log.info("%s: %s", SOURCE, said)
    if taken is not None and taken.refused:
        refused = f"{len(taken.refused):,} cannot be read; the first: {taken.refused[0].text}"
        record_skipped(settings.store, now, SOURCE, refused)
        return Updated(f"{said} {refused}", failed=True)
    return Updated(said)


def update_announced(settings: FlowSettings, now: datetime, web: Web = DEFAULT_WEB) -> Updated:
    """Take the decays that Space-Track has announced, once an hour at most, as `update_messages`."""
    try:
        text = fetch_announced(settings, now, web)
        taken = take_announced(settings.store, text, SPACE_TRACK, now) if text else None
    except TooSoon as error:
        return Updated(str(error))
    except SkysieveError as error:
        record_skipped(settings.store, now, ANNOUNCED, str(error))
        return Updated(str(error), failed=True)
    if taken is not None and taken.refused:
        record_skipped(settings.store, now, ANNOUNCED, " ".join(taken.refused[:3]))
    return Updated(f"Announced decays: {taken.new if taken else 0:,} new messages.")


def update_tracss(
    settings: FlowSettings, now: datetime, web: Web = DEFAULT_WEB, *, at_once: bool = False
) -> Updated:
    """Take the messages that TraCSS has for the login since the last visit, and its directory of operators.

    As `update_messages`; an hour passes between two visits, unless `at_once`.
    """
    pages: list[Taken] = []

    def store_page(text: bytes) -> None:
        pages.append(take(settings.store, text, TRACSS, now, restricted=True))

    try:
        more = fetch_messages(settings, now, store_page, web, at_once=at_once)
    except TooSoon as error:
        return Updated(str(error), failed=at_once)
    except SkysieveError as error:
        so_far = f" Before that: {_told(_together(pages))}" if pages else ""
        record_skipped(settings.store, now, TRACSS, f"{error}{so_far}")
        return Updated(f"{error}{so_far}", failed=True)
    taken = _together(pages)
    said = f"TraCSS: {_told(taken)}" if pages else "TraCSS has no new ones."
    problems = [more] if more else []
    if taken.refused:
        problems.append(f"{len(taken.refused):,} cannot be read; the first: {taken.refused[0].text}")
    try:
        fetch_contacts(settings, now, web)
    except TooSoon:
        pass  # the directory of the last visit is as good
    except NotAsked as error:
        said += f" {error}"
    except SkysieveError as error:
        problems.append(str(error))
    log.info("%s", said)
    if problems:
        record_skipped(settings.store, now, TRACSS, " ".join(problems))
    return Updated(" ".join([said, *problems]), failed=bool(problems))


def _together(pages: list[Taken]) -> Taken:
    new, known, conflicting, joined = (
        sum(getattr(one, name) for one in pages) for name in ("new", "known", "conflicting", "joined")
    )
    refused = [refused for one in pages for refused in one.refused]
    return Taken(new, known, conflicting, joined, refused, [number for one in pages for number in one.ids])


def _newest_created(store: Path, now: datetime) -> datetime | None:
    """Return when the newest message from here was created: those since then are asked for.

    So the mark cannot be ahead of what is stored, whatever is lost, restored or removed. A message from the
    future does not count.
    """
    rows = columns_of(store, ("source", "creation_date"))
    created = rows.filter(pc.equal(rows["source"], SOURCE))["creation_date"].to_numpy()
    created = created[created <= datetime64_us(now)]  # NULL, which is NaT, neither
    return utc_datetime(created.max()) if len(created) else None


def _told(taken: Taken) -> str:
    conflicting = f", {taken.conflicting:,} with the number of another one" if taken.conflicting else ""
    joined = f" (a run has the encounters of {taken.joined:,})"
    return f"{taken.new:,} new{joined}{conflicting}, {taken.known:,} known."
