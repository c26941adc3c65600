"""Bring the facts about objects up to date: fetch them, at most once a week, and import what is new."""

import logging
from datetime import datetime
from typing import NamedTuple

from flows.runs.skipped_sources import record_skipped
from flows.settings import FlowSettings
from flows.sources.catalogues import DEFAULT_WEB
from flows.sources.download import Web
from flows.sources.fact_texts import fetch_facts
from screening.errors import SkysieveError
from storage.state.fact_files import Kind
from storage.state.object_facts import import_facts, is_newest_import

NAMES: dict[Kind, str] = {"satcat": "SATCAT", "radii": "radii", "bodies": "bodies"}

log = logging.getLogger("skysieve")


class Updated(NamedTuple):
    """What became of one kind of facts."""

    kind: Kind
    said: str  # what was imported, or why nothing was
    failed: bool = False  # a server, or the store, gave nothing new
    changes: tuple[str, ...] = ()  # the first of them


def update_facts(settings: FlowSettings, now: datetime, web: Web = DEFAULT_WEB) -> list[Updated]:
    """Fetch SATCAT, CARA's radii and GCAT if they are a week old, and import them if they are new.

    A failure is logged as a warning and recorded as a skipped attempt; the facts stay as they were. Raises
    nothing, since no run depends on it.
    """
    return [_update(kind, settings, now, web) for kind in NAMES]


def _update(kind: Kind, settings: FlowSettings, now: datetime, web: Web) -> Updated:
    try:
        fetched = fetch_facts(kind, settings, now, web)
        words, changes = _imported(kind, fetched.content, settings, now)
        said = f"{fetched.name}: {words}. {fetched.reason}"
    except SkysieveError as error:
        record_skipped(settings.store, now, kind, str(error), name=NAMES[kind])
        return Updated(kind, str(error), failed=True)
    failed = fetched.decision in ("last_good", "too_soon")
    if failed:
        record_skipped(settings.store, now, kind, fetched.reason, name=NAMES[kind], decision=fetched.decision)
    return Updated(kind, said, failed, changes)


def _imported(kind: Kind, text: bytes, settings: FlowSettings, now: datetime) -> tuple[str, tuple[str, ...]]:
    if is_newest_import(settings.store, text):
        return "nothing new", ()
    found = import_facts(settings.store, text, kind, now)
    log.info("%s: %s", NAMES[kind], found.words)
    for change in found.changes.shown:
        log.info("%s: %s", NAMES[kind], change)
    return found.words, tuple(found.changes.shown)
