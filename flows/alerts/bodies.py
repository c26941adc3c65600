"""Write what messages say: thin bodies of less than 20 kB, with links to the rest.

Fields have the names of the store's columns. What has changed is written when it is sent, as it is then.
"""

from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from flows.alerts.asked import WhomOfOthers
from flows.alerts.changes import settled, to_report
from storage.rows.danger import PROBABILITIES, danger_of
from storage.rows.words.whom import Whom
from storage.state.alerts.acknowledgements import standing_within, words
from storage.state.alerts.alerts import alerts_within
from storage.state.alerts.encounters import Change, ChangeKind, Encounter, encounters, replace_encounters
from storage.state.alerts.outbox import CHANGES, body_text
from storage.state.database import State
from storage.state.fleets import fleet_names
from storage.state.operators.intents import intent_words, intents_within
from storage.state.records import Acknowledgement, Alert, StatedIntent
from storage.times import time_text

MOST_EVENTS = 20
MOST_LISTED = 50
MOST_BYTES = 19_000  # 20 kB with what the receiver's log or a channel adds
LONGEST_NAME = 60
SATELLITES = "satellites"
QUIET = "quiet"
MISSING = "missing"
_LEVELS = ("risk_level", "probability_level", "near_level")
_OF_THE_WORST = (
    *("event_id", *_LEVELS, *PROBABILITIES, "probability_method", "encounter", "tca", "miss_distance_m"),
    *("relative_speed_m_s", "diluted", "manoeuvring", "departed"),
    *("other_norad_id", "other_name", "fleet_hard_body_radius_m"),
)
_OVER: tuple[ChangeKind, ...] = ("eased", "resolved", "closed")
_KINDS: tuple[ChangeKind, ...] = ("new", "raised", *_OVER)
_WITH_BEFORE: tuple[ChangeKind, ...] = ("raised", "eased")

# The kind that says who has an event, and what it says of the event.
ACKNOWLEDGED = "acknowledged"
_OF_THE_PAIR = ("tca", "norad_id", "name", "other_norad_id", "other_name")

Body = dict[str, Any]
INTENT = "intent"


class Said(NamedTuple):
    """What people say of an encounter."""

    has: Acknowledgement | None = None
    whom: Whom | None = None  # to ask about the other object
    intents: Sequence[tuple[StatedIntent, str]] = ()  # that count, each with the name of its organisation


Entry = tuple[Encounter, Change, Said]


class Sender(NamedTuple):
    """For which alert a message is written, and how it links."""

    alert_id: int
    fleet_id: int
    fleet: str  # its name
    public_url: str  # of the page; empty: no links


class Satellite(NamedTuple):
    """A satellite of a fleet in a daily message."""

    norad_id: int
    name: str
    found: bool  # in the catalogue
    hours: float  # its look-ahead
    events: Sequence[dict[str, Any]]  # inside its volume, as `event_of` gives them


def senders(state: State, public_url: str) -> list[tuple[Alert, Sender]]:
    """Return all alerts in the caller's transaction, each with what its messages say of it."""
    names = fleet_names(state)
    return [
        (alert, Sender(alert.id, alert.fleet_id, names[alert.fleet_id], public_url))
        for alert in alerts_within(state)
        if alert.fleet_id in names
    ]


def changes_of(
    state: State, sender: Sender, message_id: str, now: datetime, whom: WhomOfOthers
) -> Body | None:
    """Return the body of a message with what has changed, in the caller's transaction; None: nothing has.

    Its changes are marked as tried; encounters whose changes have cancelled out are as if nothing was.
    """
    known = encounters(state, sender.alert_id, changed=True)
    had = standing_within(state, sender.fleet_id)
    after: dict[int, Encounter] = {}
    entries = []
    for number, one in known.items():
        has = had.get(one.event_id)
        change = to_report(one, has and has.level)
        if change is not None:
            entries.append((one, change, has))
            tried = tuple(each._replace(tried_in=message_id) for each in one.changes)
            after[number] = one._replace(changes=tried)
        elif (as_known := settled(one)) is not None:
            after[number] = as_known
    body = conjunctions(sender, _with_words(state, entries, whom), now) if entries else None
    replace_encounters(state, sender.alert_id, known, after)
    return body


def _with_words(
    state: State, entries: Sequence[tuple[Encounter, Change, Acknowledgement | None]], whom: WhomOfOthers
) -> list[Entry]:
    asked = whom([one for one, _, _ in entries])
    intents = intents_within(state, [one.event_id for one, _, _ in entries])
    names = dict(state.execute("SELECT id, name FROM organisations")) if intents else {}
    return [
        (
            one,
            change,
            Said(
                has,
                asked.get(one.event["other_norad_id"]),
                [(each, names.get(each.organisation_id, "")) for each in intents.get(one.event_id, ())],
            ),
        )
        for one, change, has in entries
    ]


def conjunctions(sender: Sender, entries: Sequence[Entry], now: datetime) -> Body:
    """Return the body of what has changed: the most dangerous first, what is over last."""
    ordered = sorted(entries, key=lambda entry: (entry[1].kind in _OVER, danger_of(entry[0].event)))
    kinds = [change.kind for _, change, _ in entries]
    counts = {kind: kinds.count(kind) for kind in _KINDS}
    events = [_entry(sender, *entry) for entry in ordered[:MOST_EVENTS]]
    run_id = max(change.run_id for _, change, _ in entries)
    data: Body = {"run_id": run_id, "counts": counts, "events": events, "more": 0}

    def cut(count: int) -> Body:
        return {**data, "events": events[:count], "more": len(entries) - min(count, len(events))}

    return _fitting(CHANGES, sender, now, cut, len(events))


def daily(
    sender: Sender,
    run_id: str,
    window: tuple[datetime, datetime],
    satellites: Sequence[Satellite],
    now: datetime,
) -> Body:
    """Return the body of a day's answer: satellites with events, the most dangerous first, and quiet ones.

    `window`: from the start of the run to the end of the longest look-ahead. Quiet ones are pairs of number
    and name, so that some hundreds fit; `more` counts those that do not.
    """
    busy = [_satellite(one) for one in satellites if one.events]
    busy.sort(key=lambda one: danger_of(one["worst"]))
    quiet = [[one.norad_id, one.name[:LONGEST_NAME]] for one in satellites if one.found and not one.events]
    missing = [one.norad_id for one in satellites if not one.found and not one.events]
    data: Body = {
        "run_id": run_id,
        "window_start": time_text(window[0]),
        "window_end": time_text(window[1]),
        "counts": {"satellites": len(satellites), "with_events": len(busy), "missing": len(missing)},
        "api": f"/fleets/{sender.fleet_id}/satellites",
    }
    everything: list[tuple[str, Any]] = [
        *((SATELLITES, one) for one in busy),
        *((QUIET, one) for one in quiet),
        *((MISSING, one) for one in missing),
    ]

    def cut(count: int) -> Body:
        parts: dict[str, list[Any]] = {SATELLITES: [], QUIET: [], MISSING: []}
        for name, one in everything[:count]:
            parts[name].append(one)
        return {**data, **parts, "more": len(everything) - min(count, len(everything))}

    return _fitting("fleet.daily", sender, now, cut, len(everything))


def listing(
    kind: str, sender: Sender, run_id: str, what: str, objects: Sequence[dict[str, Any]], now: datetime
) -> Body:
    """Return the body of what a run says of some objects, in their order; `what` names the list."""
    shown = [one | {"name": one["name"][:LONGEST_NAME]} for one in objects[:MOST_LISTED]]

    def cut(count: int) -> Body:
        return {"run_id": run_id, what: shown[:count], "more": len(objects) - min(count, len(shown))}

    return _fitting(kind, sender, now, cut, len(shown))


def plain(kind: str, sender: Sender, data: Mapping[str, Any], now: datetime) -> Body:
    """Return the body of a message about runs or the catalogue."""
    return _body(kind, sender, data, now)


def acknowledged(sender: Sender, one: Encounter, by: Acknowledgement, now: datetime) -> Body:
    """Return the body of a message that a person has taken on an event that was told, or has let it go."""
    event = {"event_id": one.event_id, **{name: one.event[name] for name in _OF_THE_PAIR}}
    data = {"acknowledgement": _told(by), **event, **_links(sender, one)}
    return _body(ACKNOWLEDGED, sender, data, now)


def intended(sender: Sender, one: Encounter, said: StatedIntent, organisation: str, now: datetime) -> Body:
    """Return the body of a message that an operator has said what it intends at an event that was told."""
    event = {"event_id": one.event_id, **{name: one.event[name] for name in _OF_THE_PAIR}}
    data = {"intent": _intent(said, organisation), **event, **_links(sender, one)}
    return _body(INTENT, sender, data, now)


def _intent(said: StatedIntent, organisation: str) -> dict[str, Any]:
    fields = {name: getattr(said, name) for name in ("id", "norad_id", "name", "intent", "note")}
    move_at = said.move_at and time_text(said.move_at, "seconds")
    times = {"move_at": move_at, "at": time_text(said.at, "seconds")}
    return {**fields, **times, "organisation": organisation, "words": intent_words(said, organisation)}


def _told(by: Acknowledgement) -> dict[str, Any]:
    fields = {name: getattr(by, name) for name in ("id", "withdrawn", "name", "note", "level", "made_by")}
    return {**fields, "at": time_text(by.at, "seconds"), "words": words(by, stands=True)}


def _entry(sender: Sender, one: Encounter, change: Change, said: Said) -> dict[str, Any]:
    entry: dict[str, Any] = {"change": change.kind}
    if change.again:
        entry["again"] = True
    if change.reason:
        entry["reason"] = change.reason
    entry |= one.event
    if change.kind in _WITH_BEFORE:
        entry["before"] = change.before
    if one.told_event_id != one.event_id:
        entry["told_event_id"] = one.told_event_id
    if said.has is not None:
        entry["acknowledged"] = _told(said.has)
    if said.intents:
        entry["intents"] = [_intent(*each) for each in said.intents]
    if said.whom is not None and said.whom.source != "unknown":
        entry["whom_to_ask"] = {
            name: getattr(said.whom, name) for name in ("source", "operator", "contact", "words")
        }
    return entry | _links(sender, one)


def _links(sender: Sender, one: Encounter) -> dict[str, Any]:
    links = {"api": f"/conjunctions/{one.event_id}"}
    if sender.public_url:
        links["url"] = f"{sender.public_url}/#/event/{one.event_id}?from={one.norad_id}"
    return links


def _satellite(one: Satellite) -> dict[str, Any]:
    worst = min(one.events, key=danger_of)
    return {
        "norad_id": one.norad_id,
        "name": one.name[:LONGEST_NAME],
        "events": len(one.events),
        "worst": {name: worst[name] for name in _OF_THE_WORST},
    }


def _fitting(kind: str, sender: Sender, now: datetime, cut: Callable[[int], Body], most: int) -> Body:
    """Return the body with as many things as fit."""

    def is_too_long(count: int) -> bool:
        return len(body_text(_body(kind, sender, cut(count), now)).encode()) > MOST_BYTES

    fits = most if not is_too_long(most) else bisect_left(range(1, most), True, key=is_too_long)
    return _body(kind, sender, cut(fits), now)


def _body(kind: str, sender: Sender, data: Mapping[str, Any], now: datetime) -> Body:
    fleet: Body = {"id": sender.fleet_id, "name": sender.fleet}
    if sender.public_url:
        fleet["url"] = f"{sender.public_url}/#/fleet/{sender.fleet_id}"
    return {
        "type": kind,
        "timestamp": time_text(now, "seconds"),
        "data": {"alert_id": sender.alert_id, "fleet": fleet, **data},
    }
