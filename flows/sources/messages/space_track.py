"""Fetch Space-Track's public conjunction messages, class `cdm_public`: what is new, thrice a day at most.

A message is a row of texts without states: `CDM_ID`, `CREATED`, `TCA`, `MIN_RNG` (m), `PC`, and of both
objects `SAT_1_ID` and some more (space-track.org/basicspacedata/modeldef/class/cdm_public).
"""

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from flows.settings import FlowSettings
from flows.sources.catalogues import DEFAULT_WEB
from flows.sources.download import Web
from flows.sources.errors import SourceError
from flows.sources.etiquette import check_not_stopped, etiquette_of, may_download
from flows.sources.names import messages_origin
from flows.sources.newest_text import LEAST_PARSED_SHARE
from flows.sources.visits import LOCK_WAIT_S, Visit, asked, secrets_hidden
from screening.orbits.texts.unreadable import shown
from screening.risk.messages.read import MAX_BYTES
from storage.disk.downloads import catalogues_locked, histories, read_history, write_history

# What is CREATED may become visible later than what was created after it, and clocks differ.
OVERLAP = timedelta(hours=6)
LONGEST_GAP = timedelta(days=7)  # as far ahead as approaches are announced: after it, those to come suffice
NEEDED = ("CDM_ID", "CREATED", "TCA", "MIN_RNG", "PC", "SAT_1_ID", "SAT_2_ID")
_SHOWN_BYTES = 300


def wants_messages(settings: FlowSettings) -> bool:
    """Return whether Space-Track's messages are wanted: there is a login."""
    return bool(settings.spacetrack_login.get_secret_value())


def fetch_public_messages(
    settings: FlowSettings,
    newest: datetime | None,
    now: datetime,
    web: Web = DEFAULT_WEB,
    *,
    at_once: bool = False,
) -> bytes:
    """Return the messages created since the `newest` at hand, a list in JSON; nothing if there are none.

    Some that are known come again. Without a newest one, or if it is a week old, those of all approaches
    to come are returned. `at_once` asks within eight hours too, if the service's limits allow it.

    Raises:
        UsageError: there is no login.
        TooSoon: a limit is reached, or the service has said stop; the message says when it may be asked.
        SourceError: there is no answer, or it is cut off, or not what is expected; nothing of it is of use.
        StoreError: the store cannot be used.
    """
    origin = messages_origin(_created_within(newest, now), settings)
    rules = etiquette_of(origin.kind, origin.url)
    web = web._replace(limits=web.limits._replace(max_bytes=MAX_BYTES))
    with catalogues_locked(settings.store, web.limits.total_s + LOCK_WAIT_S):
        known, others = read_history(settings.store, origin.url), histories(settings.store)
        if at_once:
            check_not_stopped(rules, known, others, now)
        else:
            may_download(rules, known, has_good=True, others=others, now=now)
        asking, answer = asked(Visit(origin, settings, now, web), known)
        with secrets_hidden(origin.access):
            messages = count_rows(answer.text, origin.url)
        write_history(settings.store, replace(asking, answered_at=now))
    return answer.text if messages else b""


def _created_within(newest: datetime | None, now: datetime) -> timedelta | None:
    if newest is None or now - newest > LONGEST_GAP:
        return None
    return max(now - newest, timedelta(0)) + OVERLAP


def count_rows(text: bytes, url: str, needed: Sequence[str] = NEEDED) -> int:
    """Count messages. Raise SourceError unless the text is a whole list of them in the expected form.

    Single rows that differ are left to the reader, which refuses each with its line.
    """
    rows = _parsed(text, url)
    if not isinstance(rows, list):
        raise SourceError(f"{url} did not send a list of messages: {_beginning(text)}")
    if len(rows) == 1 and isinstance(rows[0], dict) and "error" in rows[0]:
        raise SourceError(f"{url} answered with an error: {shown(str(rows[0]['error']), _SHOWN_BYTES)}")
    problems = [problem for row in rows if (problem := _problem(row, needed))]
    if len(problems) > (1.0 - LEAST_PARSED_SHARE) * len(rows):
        raise SourceError(
            f"The messages of {url} have an unexpected form, {len(problems):,} of {len(rows):,}; in "
            f"the first of these {problems[0]}. None was stored. A newer release may read them."
        )
    return len(rows)


def _parsed(text: bytes, url: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        if text.lstrip()[:1] == b"<":
            problem = "a web page"
        elif isinstance(error, json.JSONDecodeError):
            problem = (
                f"no valid JSON, or cut off ({error.msg} at character {error.pos:,}): {_beginning(text)}"
            )
        else:
            problem = f"no valid JSON ({type(error).__name__}): {_beginning(text)}"
        raise SourceError(f"{url} answered with {problem}") from error


def _problem(row: object, needed: Sequence[str]) -> str:
    """Return in what a row differs from the form that is read; empty if in nothing."""
    if not isinstance(row, dict):
        return f"instead of an object there is {shown(json.dumps(row), _SHOWN_BYTES)}"
    missing = [keyword for keyword in needed if keyword not in row]
    if missing:
        return f"{', '.join(missing)} {'is' if len(missing) == 1 else 'are'} missing"
    other = [keyword for keyword in needed if not isinstance(row[keyword], str | None)]
    return f"{', '.join(other)} is not text" if other else ""


def _beginning(text: bytes) -> str:
    return shown(text[:_SHOWN_BYTES].decode("utf-8", "replace"), _SHOWN_BYTES)
