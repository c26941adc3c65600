"""Fetch the newest text of a server, or else use the last good one.

A text is good if it could be read and is neither much smaller nor older than the last good one. Whatever
goes wrong with a new one, the last good one is used and the reason reported; only without one it is an error.
"""

import hashlib
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Generic, NamedTuple

import httpx

from flows.settings import FlowSettings
from flows.sources.download import Web, limits_of
from flows.sources.errors import SourceError, TooSoon
from flows.sources.etiquette import etiquette_of, may_download, too_soon_to_take
from flows.sources.files import Content, Fetched
from flows.sources.names import Origin
from flows.sources.visits import LOCK_WAIT_S, Visit, asked, secrets_hidden
from screening.errors import InputError
from storage.disk.downloads import (
    AcceptedText,
    SourceHistory,
    catalogues_locked,
    forget_address,
    histories,
    history_path,
    keep,
    last_good,
    read_history,
)
from storage.times import aware_utc, time_text
from storage.vocabulary import Decision

MOST_LOST_PERCENT = 10
LEAST_PARSED_SHARE = 0.9
# Between downloads of a week, the epoch of CelesTrak's groups went back by up to 10.4 h: objects come and go.
MOST_BACK = timedelta(hours=12)


class Reading(NamedTuple, Generic[Content]):
    """The content of a text."""

    content: Content
    objects: int
    parsed_share: float  # share of records that could be used
    epoch: datetime | None = None  # UTC, that dates its element sets; None: it has none
    rejected: str = ""  # how many records were rejected, and why the first; empty: none


Reader = Callable[[bytes], Reading[Content]]
Good = tuple[AcceptedText, bytes]


def fetch_remote(
    origin: Origin, read: Reader[Content], settings: FlowSettings, now: datetime, web: Web
) -> Fetched[Content]:
    """Return what `read` makes of the newest usable text of an address. A naive `now` is UTC.

    `read` raises InputError for a useless text.

    Raises:
        SourceError: there is none, neither on the server nor in the store.
        StoreError: the store cannot be used.
    """
    visit = Visit(origin, settings, limits_of(settings), aware_utc(now), web)
    with catalogues_locked(settings.store, settings.download_total_timeout_s + LOCK_WAIT_S):
        forget_address(settings.store, origin.access.url, origin.url)
        known = read_history(settings.store, origin.url)
        good = last_good(settings.store, known)
        try:
            return _newest(visit, known, good, read)
        except SourceError as failure:
            if good is None:
                raise
            decision: Decision = "too_soon" if isinstance(failure, TooSoon) else "last_good"
            reason = f"{failure} The text of {time_text(good[0].downloaded_at)} is used."
            return Fetched(origin.name, good[0].sha256, read(good[1]).content, decision, reason)


def why_refused(reading: Reading[Content], last: AcceptedText | None) -> str | None:
    """Return why a text is not good enough, None if it is; `last` is the last good one."""
    objects, parsed_share = reading.objects, reading.parsed_share
    if parsed_share < LEAST_PARSED_SHARE:
        why = f": {reading.rejected}" if reading.rejected else ""
        return f"{parsed_share:.1%} of its records can be used, less than {LEAST_PARSED_SHARE:.0%}{why}"
    if last is None:
        return None
    if 100 * objects < (100 - MOST_LOST_PERCENT) * last.objects:
        return (
            f"it has {objects:,} objects, more than {MOST_LOST_PERCENT} % fewer than the {last.objects:,} of "
            "the last good one"
        )
    if reading.epoch and last.epoch and last.epoch - reading.epoch > MOST_BACK:
        return (
            f"it goes back in time: its newest element sets are of {time_text(reading.epoch, 'seconds')}, "
            f"those of the last good one of {time_text(last.epoch, 'seconds')}"
        )
    return None


def _newest(visit: Visit, known: SourceHistory, good: Good | None, read: Reader[Content]) -> Fetched[Content]:
    """Return what the server has; raise SourceError if that is nothing, useless, or may not be requested."""
    origin, settings, _, now, _ = visit
    rules = etiquette_of(origin.kind, origin.url)
    others = histories(settings.store) if rules.public else ()
    allowed = may_download(rules, known, good is not None, others, now)
    asking, answer = asked(visit, known, good and good[0], allowed)
    if answer.status == httpx.codes.NOT_MODIFIED:
        assert good is not None, "changes are only requested with a text at hand"
        same, text = replace(good[0], checked_at=now), good[1]
        keep(settings.store, asking, same, text)
        reason = f"{origin.url} has nothing newer."
        return Fetched(origin.name, same.sha256, read(text).content, "unchanged", reason)
    if not allowed:
        raise too_soon_to_take(known, rules)
    reading = _read(origin, read, answer.text)
    refusal = why_refused(reading, good and good[0])
    if refusal:
        raise SourceError(
            f"The text of {origin.url} is refused: {refusal}. To accept it next time, remove "
            f"{history_path(settings.store, origin.url)}."
        )
    new = AcceptedText(
        sha256=hashlib.sha256(answer.text).hexdigest(),
        downloaded_at=now,
        checked_at=now,
        objects=reading.objects,
        parsed_share=reading.parsed_share,
        etag=answer.etag,
        last_modified=answer.last_modified,
        # Epochs ahead of the clock must not block what comes later.
        epoch=reading.epoch and min(reading.epoch, now),
    )
    keep(settings.store, asking, new, answer.text)
    reason = f"{reading.objects:,} objects from {origin.url}."
    return Fetched(origin.name, new.sha256, reading.content, "downloaded", reason)


def _read(origin: Origin, read: Reader[Content], text: bytes) -> Reading[Content]:
    try:
        with secrets_hidden(origin.access):
            return read(text)
    except InputError as error:
        # The first two lines say what is wrong and where; the rest, what was expected.
        problem = " ".join(" ".join(str(error).splitlines()[:2]).split())
        raise SourceError(f"{origin.url} answered with a useless text: {problem}") from error
