"""One event as a calendar with one entry: iCalendar, RFC 5545."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import pyarrow as pa
from icalendar import Calendar

from api.answers.event_messages import Message, messages_about
from api.answers.stored_events import StoredEvent, stored_event
from api.answers.watched.calendar import Entry, entry
from api.answers.watched.told import plain
from storage.in_memory.searching import Passes, finds, newest_searching, searching_of, why_not_found
from storage.in_memory.snapshot import Snapshot
from storage.rows.words.event import ADVICE, HISTORIC, RESTRICTED, SYNTHETIC, facts, headline
from storage.times import datetime64_us, time_text
from storage.vocabulary import RESTRICTED_MESSAGE

_MADE_BY = {
    "second_look": "the second look after run {}, on operators' ephemerides",
    "fleet": "the search around fleets of run {}",
    "quick": "a quick analysis after run {}",
    "full": "a full analysis after run {}",
}


def event_calendar(
    snapshot: Snapshot,
    event_id: int,
    received: pa.Table,
    public_url: str,
    *,
    alarm_minutes: int | None = None,
    restricted: bool = False,
    seen_from: int | None = None,
) -> bytes:
    """Return the text of a calendar with one event, which begins at its TCA; the same event gives the same.

    Args:
        snapshot: the newest run.
        event_id: which event.
        received: all messages of the store, oldest first, as `storage.messages.kept.received` returns them.
        public_url: address of the page; empty: not known.
        alarm_minutes: how long before the TCA a calendar program is to remind; None: it is not.
        restricted: also one that only messages tell that must not be handed on.
        seen_from: the object that is named first, and from which it is seen; None: as stored.

    Raises NotFound if the store has no such event.
    """
    event = stored_event(snapshot, event_id, restricted=restricted, seen_from=seen_from)
    fate = _fate(snapshot, event, restricted=restricted)
    source = _source(event, messages_about(received, event, restricted=restricted).told)
    one = Entry(
        uid=f"event-{event.id}@skysieve",
        tca=event.tca,
        inside_to=event.inside_to,
        changed=snapshot.run.finished if fate.gone else event.computed_at,
        title=plain(headline(event.row, status="Cancelled" if fate.gone else "")),
        lines=[plain(line) for line in _lines(snapshot, event, fate, source)],
        categories=event.graded.categories,
        url=_page_of(event, public_url, seen_from),
        cancelled=fate.gone,
    )
    calendar = Calendar()
    calendar.add("prodid", "-//skysieve//event//EN")
    calendar.add("version", "2.0")
    calendar.add_component(entry(one, alarm_minutes))
    written: bytes = calendar.to_ical()
    return written


def _page_of(event: StoredEvent, public_url: str, seen_from: int | None) -> str:
    asked = "" if seen_from is None else f"?from={seen_from}"
    return f"{public_url.rstrip('/')}/#/event/{event.id}{asked}" if public_url else ""


class _Fate(NamedTuple):
    """What became of an event."""

    gone: bool  # the newest run has it no more, though it would have found it
    unsearched: str  # why the newest run has not looked for it; empty: it has, or it had passed


def _fate(snapshot: Snapshot, event: StoredEvent, *, restricted: bool) -> _Fate:
    if snapshot.event(event.id, restricted=restricted) is not None:
        return _Fate(gone=False, unsearched="")
    found_by = searching_of(snapshot, event.run_id)
    if found_by is None:
        return _Fate(gone=False, unsearched=f"run {event.run_id}, which found it, was of another kind")
    newest, passes = newest_searching(snapshot), _passes(event, found_by.threshold_m)
    why = why_not_found(newest, passes)[0]
    return _Fate(gone=bool(finds(newest, passes)[0]), unsearched=why)


def _passes(event: StoredEvent, found_within_m: float) -> Passes:
    tca, begins, ends = (
        np.array([datetime64_us(one or event.tca)]) for one in (event.tca, event.inside_from, event.inside_to)
    )
    miss_m = event.miss_distance_m
    within_m = miss_m if event.inside_from is None else found_within_m
    numbers = np.array([[side.norad_id] for side in event.sides])
    return Passes(tca, begins, ends, np.array([miss_m]), np.array([within_m]), numbers)


def _lines(snapshot: Snapshot, event: StoredEvent, fate: _Fate, source: str) -> Iterator[str]:
    if fate.unsearched:
        yield f"Run {snapshot.run.run_id} did not search for it: {fate.unsearched}. Last values:"
    if fate.gone:
        yield f"Cancelled: run {snapshot.run.run_id} no longer has it. Last values:"
    yield from facts(event.row)
    yield source
    yield ADVICE
    notes = ((snapshot.run.synthetic, SYNTHETIC), (snapshot.run.historic, HISTORIC))
    yield from (text for holds, text in notes if holds)
    if event.origin == RESTRICTED_MESSAGE:
        yield RESTRICTED


def _source(event: StoredEvent, messages: Sequence[Message]) -> str:
    """Return who says so, and since when."""
    if not event.told:
        made_by = _MADE_BY.get(event.origin, "run {}").format(event.run_id)
        return f"From {made_by}, computed {time_text(event.computed_at, 'seconds')}"
    told_by = next(
        (one for one in reversed(messages) if one["received_at"] == event.computed_at),
        messages[-1] if messages else None,
    )
    sender = told_by and told_by["originator"]
    came = told_by["received_at"] if told_by else event.computed_at
    of = f" by {sender}" if sender else ""
    return f"From a message{of}, received {time_text(came, 'seconds')}"
