"""Events of a snapshot as conjunction data messages."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple, cast

from screening.errors import InputError
from screening.risk.messages.written.event import (
    CLAIMS,
    NoMessage,
    Screening,
    Stated,
    claim_of,
    event_message,
    known_number,
)
from screening.risk.messages.written.one_object import AboutObject
from screening.risk.messages.written.text import message_text
from screening.vocabulary import ClaimMethod, MessageForm, MessageFrame
from storage.disk.zipped import NamedText
from storage.fleets.whom_to_ask import About, WhomToAsk, whom_to_ask
from storage.in_memory.event_columns import EVENT_COLUMNS
from storage.in_memory.event_table import EventQuery, Row
from storage.in_memory.seen_from import seen_from
from storage.in_memory.snapshot import Snapshot
from storage.rows.over_runs.event_ids import MAX_EVENT_ID
from storage.state.operators.intents import intended
from storage.times import datetime64_us
from storage.trajectories.kept import trajectories_of
from storage.trajectories.trajectory_file import Trajectory
from storage.vocabulary import TOLD

ENDINGS: dict[MessageForm, str] = {"kvn": "cdm", "xml": "xml", "json": "json"}
_ORIGIN = EVENT_COLUMNS.index("origin")
_ROWS = 250  # whose objects are looked up together
_BOTH = ("primary", "secondary")
_ABOUT = (
    *("norad_id", "object_id", "object_type", "regime", "error_class"),
    *("hard_body_radius_m", "hard_body_source"),
)


class Wanted(NamedTuple):
    """How messages are to be written."""

    form: MessageForm = "kvn"
    frame: MessageFrame = "EME2000"
    method: ClaimMethod = "best"
    seen_from: int | None = None  # of one message: the object that is its OBJECT1; None: as stored


class Messages(NamedTuple):
    """Messages, made one by one, and how many events they are on."""

    size: int
    files: Iterator[NamedText]


def message_on(snapshot: Snapshot, event_id: int, wanted: Wanted) -> NamedText | None:
    """Return the message on an event as it is known now, or as its last run found it; None: no such event.

    Raises NoMessage if the event is known only from received messages, or has no states, and InputError if it
    has no probability by a method that is not the usual one; NotOfTheEvent if it is to be seen from an object
    that is neither of its two.
    """
    if not 0 <= event_id <= MAX_EVENT_ID:
        return None
    row = snapshot.event(event_id) or next(reversed(snapshot.history(event_id)), None)
    if row is None:
        return None
    event = _record(row)
    if event["origin"] in TOLD:
        raise NoMessage(
            f"The event {event_id} is known only from received messages: share one of these instead. "
            f"`skysieve messages list --event-id {event_id}` shows them."
        )
    if wanted.method not in ("best", "foster") and claim_of(event, wanted.method) is None:
        known = [word for word, claim in CLAIMS.items() if known_number(event[claim.column]) is not None]
        raise InputError(
            f"The event {event_id} has no probability of the method {wanted.method}; it has "
            f"{', '.join(known) or 'none'}."
        )
    (made,) = _files(snapshot, [row], wanted, whom_to_ask(snapshot.store, snapshot.organisation_id))
    return made


def messages_on(snapshot: Snapshot, query: EventQuery, wanted: Wanted) -> Messages:
    """Return the messages on the events that match, in the requested order.

    One that has no probability by the method claims none; one known only from received messages is left out.
    """
    table = snapshot.table(snapshot.run.run_id)
    assert table is not None, "a snapshot has its own run"
    found = table.parts(query, _ROWS)
    return Messages(found.size, _each(snapshot, found.parts, wanted))


def _each(snapshot: Snapshot, parts: Iterable[Sequence[Row]], wanted: Wanted) -> Iterator[NamedText]:
    ask = whom_to_ask(snapshot.store, snapshot.organisation_id)
    for rows in parts:
        yield from _files(snapshot, [row for row in rows if row[_ORIGIN] not in TOLD], wanted, ask)


def _files(snapshot: Snapshot, rows: Sequence[Row], wanted: Wanted, ask: WhomToAsk) -> Iterator[NamedText]:
    events = [seen_from(_record(row), wanted.seen_from) for row in rows]
    known = _objects(snapshot, events)
    intents = intended(snapshot.store, [event["event_id"] for event in events])
    for event in events:
        first, second = (_about(snapshot, event, who, known, ask) for who in _BOTH)
        said = tuple(intents.get(event["event_id"], ()))
        stated = Stated((first, second), _screening(snapshot, event), wanted.frame, wanted.method, said)
        text = message_text(event_message(event, stated), wanted.form)
        yield NamedText(f"{event['event_id']}.{ENDINGS[wanted.form]}", event["computed_at"], text)


def _record(row: Row) -> dict[str, Any]:
    return dict(zip(EVENT_COLUMNS, row, strict=True))


def _objects(snapshot: Snapshot, events: Iterable[Mapping[str, Any]]) -> dict[int, AboutObject]:
    numbers = sorted({event[f"{who}_norad_id"] for event in events for who in _BOTH})
    found: dict[int, AboutObject] = {}
    for row in snapshot.objects(_ABOUT, numbers):
        number, object_id, object_type, regime, error_class, radius_m, source = row
        law = ", ".join(str(word) for word in (error_class, regime) if word)
        assert isinstance(number, int)
        found[number] = AboutObject(
            str(object_id or ""),
            str(object_type or ""),
            law,
            radius_m=cast("float | None", radius_m),
            radius_source=str(source or ""),
        )
    return found


def _about(
    snapshot: Snapshot, event: Mapping[str, Any], who: str, known: Mapping[int, AboutObject], ask: WhomToAsk
) -> AboutObject:
    number = event[f"{who}_norad_id"]
    whom = ask(About(number, event[f"{who}_name"]))
    # A fleet's contact is for the other side; the directory is for one's own eyes.
    contact = whom.contact if whom.source == "fleet" else ""
    about = known.get(number, AboutObject())._replace(contact=contact)
    if event[f"{who}_trajectory"] != "ephemeris":
        return about
    one = _trajectory_of(
        snapshot.store, snapshot.organisation_id, number, event[f"{who}_epoch"], event["tca"]
    )
    return about if one is None else about._replace(ephemeris=one.id, restricted=one.about.restricted)


def _trajectory_of(
    store: Path, organisation_id: int | None, norad_id: int, first_state: datetime, tca: datetime
) -> Trajectory | None:
    """Return the trajectory that an event rests on, None if the store does not have it."""
    begins, at = datetime64_us(first_state), datetime64_us(tca)
    for one in trajectories_of(store, norad_id, organisation_id):
        segments = one.ephemeris.segments
        if segments[0].epochs[0] == begins and any(s.usable_from <= at <= s.usable_to for s in segments):
            return one
    return None


def _screening(snapshot: Snapshot, event: Mapping[str, Any]) -> Screening | None:
    """Return the run that found an event, if it is the newest: of others, and analyses, windows differ."""
    run = snapshot.run
    if event["origin"] != "run" or event["run_id"] != run.run_id:
        return None
    return Screening(run.window_start, run.window_end, run.threshold_km * 1e3, run.synthetic)
