"""The two feeds of a fleet, from what the store has."""

from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from api.answers.watched import atom, calendar
from api.answers.watched.told import About
from storage.fleets.encounters import encounters, looks_at
from storage.rows.limits import Limits
from storage.state.feeds import FeedForm
from storage.state.fleets import fleet

MEDIA_TYPES: dict[FeedForm, str] = {"calendar": calendar.MEDIA_TYPE, "atom": atom.MEDIA_TYPE}


class Wanted(NamedTuple):
    """Which feed."""

    fleet_id: int
    form: FeedForm
    limits: Limits
    alarm_minutes: int | None = None  # of calendars: None: no alarm


def written_feed(store: Path, wanted: Wanted, now: datetime, note: str, public_url: str) -> bytes:
    """Return the text of a feed; the same encounters give the same.

    Args:
        store: folder of the store.
        wanted: which feed.
        now: the time.
        note: what a reader must know about the newest run; may be empty.
        public_url: address of the page; empty: not known.

    Raises:
        NoSuchFleet: the fleet is gone.
        StoreError: a file is damaged, or cannot be read.
    """
    of = fleet(store, wanted.fleet_id)
    looks = looks_at(store, of.id, wanted.limits)
    newest = looks[-1].run_id if looks else ""
    about = About(of.id, of.name, wanted.limits, newest, note, public_url)
    found = encounters(looks, wanted.limits, now)
    if wanted.form == "calendar":
        return calendar.calendar_of(about, found, wanted.alarm_minutes)
    return atom.atom_of(about, found, of.created)
