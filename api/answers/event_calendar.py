"""One event as a calendar with one entry: iCalendar, RFC 5545."""

from collections.abc import Iterator

from icalendar import Calendar

from api.answers.stored_events import StoredEvent, stored_event
from api.answers.watched.calendar import Entry, entry
from api.answers.watched.told import plain
from storage.in_memory.snapshot import Snapshot
from storage.rows.marks import NOT_COMPUTED
from storage.times import naive_utc, time_text
from storage.vocabulary import RESTRICTED_MESSAGE

SYNTHETIC = "Synthetic catalogue: none of these objects exists."
HISTORIC = "Historic catalogue: the time lies in the past."
RESTRICTED = "Restricted: the terms of the message's source forbid to hand this on to others."
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
    gone = _is_gone(snapshot, event, restricted=restricted)
    head = "Cancelled" if gone else event.risk_level.capitalize()
    one = Entry(
        uid=f"event-{event.id}@skysieve",
        tca=event.tca,
        inside_to=event.inside_to,
        changed=snapshot.run.finished if gone else event.computed_at,
        title=plain(f"{head}: {_names(event)}, {_metres(event.miss_distance_m)}, P {_probability(event)}"),
        lines=[plain(line) for line in _lines(snapshot, event, gone)],
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


def _is_gone(snapshot: Snapshot, event: StoredEvent, *, restricted: bool) -> bool:
    """Tell whether the newest run lacks an event though its window has its time."""
    run = snapshot.run
    if snapshot.event(event.id, restricted=restricted) is not None:
        return False
    return naive_utc(run.window_start) <= naive_utc(event.tca) < naive_utc(run.window_end)


def _lines(snapshot: Snapshot, event: StoredEvent, gone: bool) -> Iterator[str]:
    if gone:
        yield f"Cancelled: run {snapshot.run.run_id} no longer has it. Last known:"
    primary, secondary = event.sides
    yield f"{primary.name} ({primary.norad_id}) and {secondary.name} ({secondary.norad_id})"
    yield f"Closest approach: {time_text(event.tca, 'milliseconds')}"
    yield f"Risk level: {event.risk_level}, collision probability {_probability(event)}"
    axes = [event.miss_radial_m, event.miss_in_track_m, event.miss_cross_track_m]
    known = [axis / _M_PER_KM for axis in axes if axis is not None]
    where = (
        "; radial {:.3f}, in-track {:.3f}, cross-track {:.3f} km".format(*known) if len(known) == 3 else ""
    )
    yield f"Miss distance: {_metres(event.miss_distance_m)}{where}"
    if event.relative_speed_m_s is not None:
        yield f"Relative speed: {event.relative_speed_m_s:,.0f} m/s"
    yield f"By run {event.run_id}, computed {time_text(event.computed_at, 'seconds')}"
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
