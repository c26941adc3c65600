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
from flows.sources.download import Web
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
    good_texts,
    histories,
    history_path,
    keep,
    read_history,
)
from storage.times import time_text
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


class _Good(NamedTuple, Generic[Content]):
    """A stored text, and what it holds."""

    accepted: AcceptedText
    text: bytes
    content: Content


def fetch_remote(
    origin: Origin, read: Reader[Content], settings: FlowSettings, now: datetime, web: Web
) -> Fetched[Content]:
    """Return what `read` makes of the newest usable text of an address.

    `read` raises InputError for a useless text.

    Raises:
        SourceError: there is none, neither on the server nor in the store.
        StoreError: the store cannot be used.
    """
    visit = Visit(origin, settings, now, web)
    with catalogues_locked(settings.store, web.limits.total_s + LOCK_WAIT_S):
        forget_address(settings.store, origin.access.url, origin.url)
        known = read_history(settings.store, origin.url)
        good, unreadable = _last_readable(settings, known, read)
        try:
            fetched = _newest(visit, known, good, read)
        except SourceError as failure:
            failure.args = (f"{failure}{unreadable}",)
            if good is None:
                raise
            decision: Decision = "too_soon" if isinstance(failure, TooSoon) else "last_good"
            reason = f"{failure} The text of {time_text(good.accepted.downloaded_at)} is used."
            return Fetched(origin.name, good.accepted.sha256, good.content, decision, reason)
        return fetched._replace(reason=f"{fetched.reason}{unreadable}")


def _last_readable(
    settings: FlowSettings, known: SourceHistory, read: Reader[Content]
) -> tuple[_Good[Content] | None, str]:
    """Return the newest stored text that `read` accepts, None if there is none, and why newer ones are not.

    An earlier release may have accepted what this one refuses, such as a text that is cut off.
    """
    unreadable = ""
    for accepted, text in good_texts(settings.store, known):
        try:
            return _Good(accepted, text, read(text).content), unreadable
        except InputError as error:
            taken = time_text(accepted.downloaded_at)
            unreadable += f" The stored text of {taken} can no longer be read: {_problem(error)}"
    return None, unreadable


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


def _newest(
    visit: Visit, known: SourceHistory, good: _Good[Content] | None, read: Reader[Content]
) -> Fetched[Content]:
    """Return what the server has; raise SourceError if that is nothing, useless, or may not be requested."""
    origin, settings, now, _ = visit
    rules = etiquette_of(origin.kind, origin.url)
    others = histories(settings.store) if rules.public else ()
    allowed = may_download(rules, known, good is not None, others, now)
    asking, answer = asked(visit, known, good and good.accepted, allowed)
    if answer.status == httpx.codes.NOT_MODIFIED:
        assert good is not None, "changes are requested only with a stored text"
        same = replace(good.accepted, checked_at=now)
        keep(settings.store, asking, same, good.text)
        reason = f"{origin.url} has nothing newer."
        return Fetched(origin.name, same.sha256, good.content, "unchanged", reason)
    if not allowed:
        raise too_soon_to_take(known, rules)
    reading = _read(origin, read, answer.text)
    refusal = why_refused(reading, good and good.accepted)
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
        raise SourceError(f"{origin.url} sent an unusable text: {_problem(error)}") from error


def _problem(error: InputError) -> str:
    """Return the first two lines as one: what is wrong, and where; the rest is what was expected."""
    return " ".join(" ".join(str(error).splitlines()[:2]).split())
