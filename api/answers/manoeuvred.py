"""Which objects have manoeuvred since the data that an event rests on: its prediction no longer holds."""

from datetime import datetime
from typing import NamedTuple, cast

from api.answers.stored_events import StoredEvent, StoredSide
from storage.in_memory.snapshot import Snapshot
from storage.rows.words.event import SIDES, Manoeuvred
from storage.times import datetime64_us


class Burn(NamedTuple):
    """A manoeuvre of one object."""

    norad_id: int
    at: datetime
    dv_m_s: float


def manoeuvred_since(snapshot: Snapshot, event: StoredEvent) -> dict[str, Manoeuvred]:
    """Return the first manoeuvre, before TCA, of each side of an event that has one since its element set.

    Of a message, since it came. An operator's ephemeris has the burns in it.
    """
    found = {}
    for side, one in zip(SIDES, event.sides, strict=True):
        if not one.on_ephemeris:
            burns = burns_between(snapshot, [one.norad_id], _rests_on(event, one), event.tca)
            if burns:
                found[side] = Manoeuvred(burns[0].at, burns[0].dv_m_s)
    return found


def burns_between(snapshot: Snapshot, norad_ids: list[int], after: datetime, before: datetime) -> list[Burn]:
    """Return the manoeuvres of some objects in a span, which excludes both its ends, the oldest first."""
    rows = snapshot.rows(
        'SELECT norad_id, "at", dv_m_s FROM manoeuvres '
        'WHERE norad_id IN (SELECT unnest(?)) AND "at" > ? AND "at" < ? ORDER BY "at"',
        [norad_ids, datetime64_us(after), datetime64_us(before)],
    )
    return [Burn(*cast("tuple[int, datetime, float]", row)) for row in rows]


def _rests_on(event: StoredEvent, side: StoredSide) -> datetime:
    return side.epoch or event.computed_at


def burns_around(snapshot: Snapshot, norad_id: int, at: datetime) -> list[Burn]:
    """Return the manoeuvres of an object that may be one at an instant: between its sets before and after."""
    instant = datetime64_us(at)
    rows = snapshot.rows(
        'SELECT norad_id, "at", dv_m_s FROM manoeuvres '
        'WHERE norad_id = ? AND "from" <= ? AND "to" >= ? ORDER BY "at"',
        [norad_id, instant, instant],
    )
    return [Burn(*cast("tuple[int, datetime, float]", row)) for row in rows]
