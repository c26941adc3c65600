"""The received messages about an event, and in words where each differs from ours: why probabilities do."""

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from api.answers.stored_events import StoredEvent, StoredSide
from storage.messages.lists import record
from storage.times import utc_rows

# Less than that is rounding, or does not change a probability by a tenth.
SAME_TCA = timedelta(milliseconds=10)
SAME_MISS_M = 1.0
ALIKE = 1.1  # times
FOSTER = "FOSTER"
_PARTS = ("tail_share", "burn_share")
_AXES = {"r": "radial", "t": "in-track", "n": "cross-track"}

Message = Mapping[str, Any]  # a row of storage.message_schema.RECEIVED


class EventMessages(NamedTuple):
    """The messages about one event."""

    told: list[dict[str, Any]]  # oldest first, each with what `differs`
    left_out: int  # which must not be handed on


NO_MESSAGES = EventMessages([], 0)


def messages_about(received: pa.Table, event: StoredEvent, *, restricted: bool) -> EventMessages:
    """Return the messages about an event; those that must not be handed on only if `restricted`.

    `received`: all of the store, oldest first, as `storage.messages.kept.received` returns them.
    """
    found = messages_of(received, event.id, restricted=restricted)
    return found._replace(told=[one | {"differs": differences(one, event)} for one in found.told])


def messages_of(received: pa.Table, encounter_id: int, *, restricted: bool) -> EventMessages:
    """Return the messages of an encounter, which may be in no run: as `messages_about`, nothing differs."""
    about = received.filter(pc.equal(received["encounter_id"], encounter_id))
    shown = about if restricted else about.filter(pc.invert(about["restricted"]))
    told = [record(row) | {"differs": []} for row in utc_rows(shown)]
    told.sort(key=when_made)
    return EventMessages(told, len(about) - len(shown))


def differences(message: Message, event: StoredEvent) -> list[str]:
    """Return what differs between a message and an event, a phrase each: the message first, then ours."""
    return [
        *_tca(message, event),
        *_miss(message, event),
        *_radius(message, event),
        *(said for who in ("primary", "secondary") for said in _sigmas(message, who, event)),
        *_method(message, event),
    ]


def _tca(message: Message, event: StoredEvent) -> Iterator[str]:
    later = message["tca"] - event.tca
    if abs(later) > SAME_TCA:
        yield f"TCA {abs(later).total_seconds():.2f} s {'later' if later > timedelta() else 'earlier'}"


def _miss(message: Message, event: StoredEvent) -> Iterator[str]:
    miss_m = message["miss_distance_m"]
    if miss_m is not None and abs(miss_m - event.miss_distance_m) > SAME_MISS_M:
        yield f"miss {miss_m:,.0f} m, ours {event.miss_distance_m:,.0f} m"


def _radius(message: Message, event: StoredEvent) -> Iterator[str]:
    theirs_m, ours_m = message["hard_body_radius_m"], event.hard_body_radius_m
    if theirs_m is None or ours_m is None:
        if theirs_m is not ours_m:
            yield "no radius" if theirs_m is None else f"radius {theirs_m:.4g} m, ours is not known"
    elif not _alike(theirs_m, ours_m):
        yield f"radius {theirs_m:.4g} m ({message['hard_body_source']}), ours {ours_m:.4g} m"


def _sigmas(message: Message, who: str, event: StoredEvent) -> Iterator[str]:
    side = _same_object(message[f"{who}_norad_id"], event)
    theirs_m = {axis: message[f"{who}_sigma_{axis}_m"] for axis in _AXES}
    if side is None:
        return
    ours_m = {axis: getattr(side, f"sigma_{axis}_m") for axis in _AXES}
    has_theirs, has_ours = (None not in sigmas.values() for sigmas in (theirs_m, ours_m))
    if has_theirs and has_ours:
        factors = {axis: theirs_m[axis] / ours_m[axis] for axis in _AXES if ours_m[axis] > 0}
        if any(not _alike(theirs_m[axis], ours_m[axis]) for axis in _AXES):
            said = ", ".join(f"{_AXES[axis]} {factor:.2g}" for axis, factor in factors.items())
            yield f"sigmas of {side.norad_id} times ours: {said}"
    elif has_theirs != has_ours:
        yield f"no sigmas of {side.norad_id}" if has_ours else f"sigmas of {side.norad_id}, ours has none"


def _method(message: Message, event: StoredEvent) -> Iterator[str]:
    computed, ours = message.get("probability_best"), event.probability_best
    mixed = any(side.others.get(name) for side in event.sides for name in _PARTS)
    if mixed and computed and ours and not _alike(computed, ours):
        yield "has Gaussian errors alone; ours also count sets that err more, and burns"
    if message["claimed_probability"] is None:
        yield "claims no probability"
        return
    if str(message["claimed_as"] or "").startswith("square"):
        yield "claims the square around the circle, 4/pi of it"
    method = str(message["claimed_method"] or "")
    if method and not method.upper().startswith(FOSTER):
        yield f"claims by {method}, ours is exact 2-D (Foster)"


def _same_object(norad_id: int | None, event: StoredEvent) -> StoredSide | None:
    """Return our side of an object: a message may have the two the other way round."""
    return next((side for side in event.sides if side.norad_id == norad_id), None)


def _alike(one: float, other: float) -> bool:
    return min(one, other) * ALIKE >= max(one, other)


def when_made(message: Message) -> datetime:
    """Return when a message was made, or else when it came."""
    made: datetime = message["creation_date"] or message["received_at"]
    return made
