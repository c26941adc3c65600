"""Read the stream of TraCSS's messages, each once, from where the last visit stopped.

Its Subscriber Service numbers the messages of a topic: who reads says from which number on, and gets those
that belong to the login's operator (document of the service, version 1.0).
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

import httpx

from flows.settings import FlowSettings
from flows.sources.catalogues import DEFAULT_WEB
from flows.sources.download import Web
from flows.sources.errors import NotAsked, SourceError, Stopped
from flows.sources.etiquette import check_not_stopped, etiquette_of, may_download, wished_wait_s
from flows.sources.messages import tracss_login
from flows.sources.messages.tracss_login import Session, beginning, logged_in, parsed
from flows.sources.newest_text import LEAST_PARSED_SHARE
from flows.sources.visits import LOCK_WAIT_S
from screening.errors import UsageError
from screening.orbits.texts.unreadable import shown
from screening.risk.messages.read import MAX_BYTES
from storage.disk.downloads import (
    SourceHistory,
    catalogues_locked,
    histories,
    read_history,
    write_history,
)
from storage.messages.origins import MESSAGES

TOPIC, FIELD = "gov.tracss.tracss.v2.cdms", "cdm_v2"
AT_ONCE = 1_000  # of one answer, the service's own default; each has 10 kB
MOST_PAGES = 100  # of one visit; the others come with the next
NEEDED = ("messageId", "creationDate", "tca", "object1ObjectDesignator", "object2ObjectDesignator")
_SHOWN_BYTES = 300

Record = Mapping[str, Any]


def fetch_messages(
    settings: FlowSettings,
    now: datetime,
    store_page: Callable[[bytes], None],
    web: Web = DEFAULT_WEB,
    *,
    at_once: bool = False,
) -> str:
    """Hand over every message since the place that the last visit reached, a list in JSON at a time.

    The place is stored after each page that `store_page` has taken: whatever ends a visit, the next one goes
    on there. The first visit begins at the end of the stream. Returns what a reader should know; empty:
    nothing. `at_once` asks within an hour too.

    Raises:
        UsageError: there is no login in the settings.
        TooSoon: the last visit is too recent, or the service has said stop.
        SourceError: an answer does not come, is cut off, or is not what is expected; nothing of it is of use.
        StoreError: the store cannot be used. What `store_page` raises comes through.
    """
    url = f"{tracss_login.TRACSS_URL}{MESSAGES}"
    rules = etiquette_of("tracss", url)
    web = web._replace(limits=web.limits._replace(max_bytes=MAX_BYTES))
    with catalogues_locked(settings.store, web.limits.total_s + LOCK_WAIT_S):
        known, others = read_history(settings.store, url), histories(settings.store)
        if at_once:
            check_not_stopped(rules, known, others, now)
        else:
            may_download(rules, known, has_good=True, others=others, now=now)
        asking = replace(known, requested_at=now)
        write_history(settings.store, asking)
        try:
            with logged_in(settings, web) as session:
                return _read_on(session, settings, asking, now, store_page)
        except (NotAsked, UsageError):
            reached = read_history(settings.store, url)
            write_history(settings.store, replace(reached, requested_at=known.requested_at))
            raise
        except Stopped as stop:
            remember_stop(settings.store, url, stop, now)
            raise


def remember_stop(store: Path, url: str, stop: Stopped, now: datetime) -> None:
    """Store that a server has refused: its host is left alone for a while. Needs the catalogues' lock."""
    reached, wait_s = read_history(store, url), wished_wait_s(stop.retry_after, now)
    write_history(store, replace(reached, stopped_at=now, stopped_by=str(stop), stopped_for_s=wait_s))


def _read_on(
    session: Session,
    settings: FlowSettings,
    known: SourceHistory,
    now: datetime,
    store_page: Callable[[bytes], None],
) -> str:
    said, end = "", _end_of_stream(session)
    if known.read_to is None:
        known = replace(known, read_to=end, read_since=now)
        write_history(settings.store, known)
    begin = end if known.read_to is None else known.read_to
    for _ in range(MOST_PAGES):
        try:
            # The number after the last one may not be asked for.
            page = Page([], b"", begin, ended=True) if begin > end else read_page(session, begin)
        except Stopped as stop:
            if stop.status != httpx.codes.BAD_REQUEST or begin >= end:
                raise
            said = f"TraCSS no longer has messages {begin:,} to {end - 1:,} of its stream ({stop})."
            begin, known = end, replace(known, read_since=now)  # stored if it answers from there on
            continue
        if page.records:
            store_page(page.text)
        begin = max(page.reached, end if page.ended else 0)
        known = replace(known, read_to=begin, answered_at=now if page.ended else known.answered_at)
        write_history(settings.store, known)
        if page.ended:
            return said
    return f"{said} More of them come with the next visit.".strip()


class Page(NamedTuple):
    """What the stream has from a number on."""

    records: list[Record]
    text: bytes
    reached: int  # the number from which to go on
    ended: bool  # there is no more


def read_page(session: Session, begin: int) -> Page:
    """Return the messages from a number on, at most AT_ONCE.

    The service looks at more numbers than it returns messages, since those of others are left out, and says
    in a header how far it looked; after a full page the last message counts. Raises SourceError for anything
    but a whole answer in the expected form.
    """
    answer = session.ask(
        MESSAGES,
        good=(httpx.codes.OK, httpx.codes.NO_CONTENT),
        topic=TOPIC,
        offset=begin,
        maxResults=AT_ONCE,
    )
    url = f"{tracss_login.TRACSS_URL}{MESSAGES}"
    if answer.status == httpx.codes.NO_CONTENT:
        return Page([], b"", begin, ended=True)
    given = parsed(answer.text, url)
    records = given.get(FIELD) if isinstance(given, dict) else None
    if not isinstance(records, list):
        raise SourceError(f"{url} did not send a list {FIELD!r} of messages: {beginning(answer.text)}")
    numbers = [_number(record, url) for record in records]
    if any(number < begin for number in numbers):
        raise SourceError(f"{url} sent message {min(numbers):,}; those from {begin:,} on were requested.")
    looked_at = answer.offset_reached
    reached = max([begin, *(number + 1 for number in numbers)])
    if len(records) < AT_ONCE and looked_at.isascii() and looked_at.isdecimal():
        reached = max(reached, int(looked_at))
    _check_form(records, url)
    return Page(records, answer.text, reached, ended=reached == begin)


def _end_of_stream(session: Session) -> int:
    path = "/subscriber/offset"
    answer = session.ask(path, topic=TOPIC)
    end = parsed(answer.text, f"{tracss_login.TRACSS_URL}{path}")
    if not isinstance(end, int) or isinstance(end, bool) or end < 0:
        raise SourceError(f"{tracss_login.TRACSS_URL}{path} did not send a number: {beginning(answer.text)}")
    return end


def _number(record: object, url: str) -> int:
    number = record.get("offset") if isinstance(record, dict) else None
    if not isinstance(number, int) or isinstance(number, bool):
        raise SourceError(
            f"A message of {url} has no number (offset): {shown(json.dumps(record), _SHOWN_BYTES)}"
        )
    return number


def _check_form(records: Sequence[Record], url: str) -> None:
    """Raise SourceError unless nearly all messages have the expected form; the reader refuses single ones."""
    problems = [problem for record in records if (problem := _problem(record))]
    if len(problems) > (1.0 - LEAST_PARSED_SHARE) * len(records):
        raise SourceError(
            f"The messages of {url} have an unexpected form, {len(problems):,} of {len(records):,}; in "
            f"the first of these {problems[0]}. None was stored. A newer release may read them."
        )


def _problem(record: Record) -> str:
    missing = [key for key in NEEDED if key not in record]
    if missing:
        return f"{', '.join(missing)} {'is' if len(missing) == 1 else 'are'} missing"
    other = [key for key in NEEDED if not isinstance(record[key], str | None)]
    return f"{', '.join(other)} is not text" if other else ""
