"""One event as a calendar with one entry: iCalendar, RFC 5545."""

from collections.abc import Iterator
from datetime import timedelta

import numpy as np
from icalendar import Calendar

from api.answers.stored_events import StoredEvent, stored_event
from api.answers.watched.calendar import Entry, entry
from api.answers.watched.told import plain
from storage.in_memory.changes import Passes, searched
from storage.in_memory.snapshot import Snapshot
from storage.rows.marks import NOT_COMPUTED
from storage.times import naive_utc, time_text
from storage.vocabulary import RESTRICTED_MESSAGE

SYNTHETIC = "Synthetic catalogue: none of these objects exists."
HISTORIC = "Historic catalogue: the time lies in the past."
RESTRICTED = "Restricted: the terms of the message's source forbid to hand this on to others."
ADVICE = "No number here alone justifies a manoeuvre: ask the object's operator for measured covariances."
_HALF_A_MILLISECOND = timedelta(microseconds=500)  # times are written cut off
_M_PER_KM = 1000.0


def event_calendar(
    snapshot: Snapshot,
    event_id: int,
    public_url: str,
    *,
    alarm_minutes: int | None = None,
    restricted: bool = False,
) -> bytes:
    """Return the text of a calendar with one event, which begins at its TCA; the same event gives the same.

    Args:
        snapshot: the newest run.
        event_id: which event.
        public_url: address of the page; empty: not known.
        alarm_minutes: how long before the TCA a calendar program is to remind; None: it is not.
        restricted: also one that only messages tell that must not be handed on.

    Raises NotFound if the store has no such event.
    """
    event = stored_event(snapshot, event_id, restricted=restricted)
    gone, not_searched = _lost(snapshot, event, restricted=restricted)
    head = "Cancelled" if gone else event.risk_level.capitalize()
    one = Entry(
        uid=f"event-{event.id}@skysieve",
        tca=event.tca,
        inside_to=event.inside_to,
        changed=snapshot.run.finished if gone else event.computed_at,
        title=plain(f"{head}: {_names(event)}, {_metres(event.miss_distance_m)}, P {_probability(event)}"),
        lines=[plain(line) for line in _lines(snapshot, event, gone, not_searched)],
        level=event.risk_level,
        url=f"{public_url.rstrip('/')}/#/event/{event.id}" if public_url else "",
        cancelled=gone,
    )
    calendar = Calendar()
    calendar.add("prodid", "-//skysieve//event//EN")
    calendar.add("version", "2.0")
    calendar.add_component(entry(one, alarm_minutes))
    written: bytes = calendar.to_ical()
    return written


def _lost(snapshot: Snapshot, event: StoredEvent, *, restricted: bool) -> tuple[bool, str]:
    """Tell whether the newest run would have found an event that it has not, and if not, why; "": no word."""
    if snapshot.event(event.id, restricted=restricted) is not None:
        return False, ""
    until = max(naive_utc(event.tca), naive_utc(event.inside_to or event.tca))
    numbers = [side.norad_id for side in event.sides]
    passes = Passes(
        np.array([until], "M8[us]"), np.array([event.miss_distance_m]), np.array(numbers)[:, np.newaxis]
    )
    (in_time,), (found,) = searched(snapshot, passes)
    if found or not in_time:
        return bool(found and in_time), ""
    known = {row[0] for row in snapshot.objects(("norad_id",), numbers)}
    missing = " and ".join(str(number) for number in numbers if number not in known)
    why = f"{missing} is not in its catalogue" if missing else "it passes beyond its threshold"
    return False, f"Run {snapshot.run.run_id} did not look for it: {why}. Last known:"


def _lines(snapshot: Snapshot, event: StoredEvent, gone: bool, not_searched: str) -> Iterator[str]:
    if not_searched:
        yield not_searched
    if gone:
        yield f"Cancelled: run {snapshot.run.run_id} no longer has it. Last known:"
    primary, secondary = event.sides
    yield f"{primary.name} ({primary.norad_id}) and {secondary.name} ({secondary.norad_id})"
    yield f"Closest approach: {time_text(event.tca + _HALF_A_MILLISECOND, 'milliseconds')}"
    yield f"Risk level: {event.risk_level}, collision probability {_probability(event)}"
    if event.diluted:
        yield "Diluted: so small because little is known; better data could raise it."
    axes = [event.miss_radial_m, event.miss_in_track_m, event.miss_cross_track_m]
    known = [axis / _M_PER_KM for axis in axes if axis is not None]
    where = (
        "; radial {:.3f}, in-track {:.3f}, cross-track {:.3f} km".format(*known) if len(known) == 3 else ""
    )
    yield f"Miss distance: {_metres(event.miss_distance_m)}{where}"
    if event.relative_speed_m_s is not None:
        yield f"Relative speed: {event.relative_speed_m_s:,.0f} m/s"
    yield f"By run {event.run_id}, computed {time_text(event.computed_at, 'seconds')}"
    yield ADVICE
    notes = ((snapshot.run.synthetic, SYNTHETIC), (snapshot.run.historic, HISTORIC))
    yield from (text for holds, text in notes if holds)
    if event.origin == RESTRICTED_MESSAGE:
        yield RESTRICTED


def _names(event: StoredEvent) -> str:
    return " and ".join(side.name or str(side.norad_id) for side in event.sides)


def _metres(distance_m: float) -> str:
    return f"{distance_m:,.0f} m" if distance_m < 10_000 else f"{distance_m / _M_PER_KM:,.1f} km"


def _probability(event: StoredEvent) -> str:
    value = event.decisive_probability
    return NOT_COMPUTED if value is None else f"{value:.1e}"
