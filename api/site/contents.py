"""What the site shows: the newest run as it found its events, without anything that is an organisation's."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from itertools import chain, zip_longest
from typing import NamedTuple
from urllib.parse import urlsplit

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from api.answers.drawn.overview import overview
from api.answers.rows import EVENT_FIELDS, records
from api.answers.stored_events import StoredEvent, typed
from api.models.overview import Overview
from api.report.contents import notices
from api.settings import ApiSettings
from screening.errors import UsageError
from storage.in_memory.event_columns import PLAIN_SCHEMA
from storage.in_memory.event_table import EventQuery
from storage.in_memory.snapshot import Snapshot
from storage.rows.run_record import Run
from storage.trajectories.kept import trajectories
from storage.vocabulary import EVERYBODY, EventOrder

LISTED = 500  # events of each list
PAGED = 500  # events with a page of their own


class Wishes(NamedTuple):
    """What the publisher wants."""

    base_url: str = ""  # where the site will be, without a slash at the end; empty: not known
    with_element_sets: bool = False  # also element sets, and states at TCA, which say as much


def checked_base(url: str) -> str:
    """Return the address of a site without slashes at its end. Raises UsageError if it is none."""
    parts = urlsplit(url)
    if url and (parts.scheme not in ("http", "https") or not parts.netloc or parts.query or parts.fragment):
        raise UsageError(f"--base-url is {url!r}: expected an address like https://sky.example.org/today.")
    return url.rstrip("/")


class Contents(NamedTuple):
    """What all pages are made from."""

    snapshot: Snapshot  # without analyses: what searches after the run and messages found is not public
    wishes: Wishes
    notices: list[str]
    version: str  # of skysieve
    stale_after_s: float
    overview: Overview  # counts of all events of the run
    likeliest: list[StoredEvent]  # at most LISTED
    nearest: list[StoredEvent]
    private: npt.NDArray[np.int64]  # ids of events that rest on an organisation's trajectory: left out

    @property
    def run(self) -> Run:
        """The newest run."""
        return self.snapshot.run

    @property
    def notable(self) -> dict[int, StoredEvent]:
        """The events with a page, by id: from the tops of both lists in turn."""
        in_turn = chain.from_iterable(zip_longest(self.likeliest, self.nearest))
        unique = {event.id: event for event in in_turn if event is not None}
        return dict(list(unique.items())[:PAGED])

    @property
    def events(self) -> str:
        """All public events as a table in SQL, with NULL where the snapshot's has NaN."""
        types = dict(zip(PLAIN_SCHEMA.names, PLAIN_SCHEMA.types, strict=True))
        floats = (name for name, kind in types.items() if pa.types.is_floating(kind))
        plain = ", ".join(f"nullif({name}, 'NaN'::DOUBLE) AS {name}" for name in floats)
        return f"(SELECT * REPLACE ({plain}) FROM events WHERE {self._is_public})"  # noqa: S608

    @property
    def _is_public(self) -> str:
        return (
            f"event_id NOT IN ({', '.join(map(str, self.private.tolist()))})" if len(self.private) else "true"
        )


def contents_of(
    snapshot: Snapshot, wishes: Wishes, settings: ApiSettings, version: str, now: datetime
) -> Contents:
    """Gather what the pages share from a snapshot that was loaded without analyses. Raises StoreError."""
    private = _private(snapshot)
    likeliest, nearest = (
        list(_first(snapshot, order, private)) for order in ("probability", "miss_distance")
    )
    said = notices(snapshot.run, settings, now)
    stale_after_s = settings.stale_after.total_seconds()
    counts = overview(snapshot)
    return Contents(snapshot, wishes, said, version, stale_after_s, counts, likeliest, nearest, private)


def _first(snapshot: Snapshot, order: EventOrder, private: npt.NDArray[np.int64]) -> Iterator[StoredEvent]:
    query = EventQuery(order=order, limit=LISTED, collapse_complexes=True, without_ids=private)
    return map(typed, records(EVENT_FIELDS, snapshot.events(query).rows))


def private_objects(snapshot: Snapshot) -> frozenset[int]:
    """Return the objects with a trajectory that an organisation added, or that must not be shared."""
    return frozenset(
        one.norad_id
        for one in trajectories(snapshot.store)
        if one.about.organisation_id != EVERYBODY or one.about.restricted
    )


def _private(snapshot: Snapshot) -> npt.NDArray[np.int64]:
    numbers = private_objects(snapshot)
    if not numbers:
        return np.zeros(0, np.int64)
    either = " OR ".join(_on_ephemeris(side, numbers) for side in ("primary", "secondary"))
    found = snapshot.columns(f"SELECT event_id FROM events WHERE {either}")  # noqa: S608
    return np.ma.getdata(found["event_id"]).astype(np.int64)


def _on_ephemeris(side: str, numbers: Iterable[int]) -> str:
    among = ", ".join(map(str, numbers))
    return f"({side}_trajectory = 'ephemeris' AND {side}_norad_id IN ({among}))"
