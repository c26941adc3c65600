"""The list at the beginning of a digest: the events of one risk level, most dangerous first."""

from datetime import datetime
from typing import NamedTuple

from api.answers.rows import EVENT_FIELDS, records
from api.answers.stored_events import StoredEvent, typed
from api.report.contents import notices
from api.report.words import NOT_KNOWN, metres, minute, number, probability, second, span
from api.settings import ApiSettings
from storage.in_memory.event_table import EventQuery
from storage.in_memory.snapshot import Snapshot
from storage.rows.marks import LEGEND, NOT_COMPUTED, marks
from storage.rows.run_record import Run
from storage.times import aware_utc

HEADINGS = (
    "TCA (UTC)",
    "primary",
    "secondary",
    "miss (m)",
    "km/s",
    "probability",
    "level by it",
    "diluted",
    "flags",
)


class Digest(NamedTuple):
    """Events of one level, and the run that found them."""

    level: str
    events: list[StoredEvent]  # the first ones
    total: int  # all of this level
    run: Run
    notices: list[str]
    made_at: datetime  # UTC

    @property
    def title(self) -> str:
        """The title of the list."""
        return f"Conjunctions of {self.level} risk"

    @property
    def subtitle(self) -> str:
        """The number of events, and their run."""
        shown = len(self.events)
        count = f"all {shown:,}" if shown == self.total else f"the first {shown:,} of {self.total:,}"
        age = span(aware_utc(self.made_at) - aware_utc(self.run.finished))
        window = f"{minute(self.run.window_start)} to {minute(self.run.window_end)} UTC"
        return (
            f"{count if self.total else 'none'}, most dangerous first  ·  run {self.run.run_id}, "
            f"ended {age} ago  ·  {self.run.objects:,} objects, {window}"
        )


def digest_of(snapshot: Snapshot, level: str, limit: int, settings: ApiSettings, now: datetime) -> Digest:
    """Return the first events of a risk level."""
    page = snapshot.events(EventQuery(risk_levels=[level], collapse_complexes=True, limit=limit))
    events = [typed(event) for event in records(EVENT_FIELDS, page.rows)]
    return Digest(level, events, page.total, snapshot.run, notices(snapshot.run, settings, now), now)


def cells(event: StoredEvent) -> tuple[str, ...]:
    """Return an event as a line of the list, in the order of HEADINGS."""
    return (
        second(event.tca),
        *(f"{side.norad_id} {side.name.strip()}" for side in event.sides),
        metres(event.miss_distance_m),
        _speed_km_s(event.relative_speed_m_s),
        _probability(event),
        event.levels[1],
        {True: "yes", False: "no", None: NOT_KNOWN}[event.diluted],
        event.probability_flag or "",
    )


def legend(digest: Digest) -> str:
    """Return what the marks beside probabilities mean, empty if there are none."""
    return LEGEND if any(_marks(event) for event in digest.events) else ""


def _speed_km_s(value_m_s: float | None) -> str:
    return NOT_KNOWN if value_m_s is None else number(value_m_s / 1000, 1 if value_m_s >= 1000 else 3)


def _probability(event: StoredEvent) -> str:
    if event.decisive_probability is None:
        return NOT_COMPUTED
    return f"{probability(event.decisive_probability)} {_marks(event)}".strip()


def _marks(event: StoredEvent) -> str:
    thrusting = (side.manoeuvring for side in event.sides)
    return marks(event.decisive_probability, event.hard_body_source, *thrusting)
