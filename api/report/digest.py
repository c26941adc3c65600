"""A digest: the events of one level, or of a fleet, most dangerous first, and what is said of them."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import Literal, NamedTuple

import pyarrow as pa

from api.answers.rows import EVENT_FIELDS, records
from api.answers.stored_events import StoredEvent, StoredSide, typed
from api.models.watched.fleets import Satellite
from api.report.contents import Report, notices, report_on
from api.settings import ApiSettings
from storage.in_memory.event_table import EventQuery
from storage.in_memory.snapshot import Snapshot
from storage.rows.run_record import Run
from storage.rows.words.event import own_radius
from storage.rows.words.numbers import minute, span
from storage.verification.record import Verification

FORECASTS = "How our forecasts did"  # a heading
_NAMED = 40  # of satellites without events; more names would take the place of the events


class Seen(NamedTuple):
    """An event as it is seen from an object of a fleet."""

    norad_id: int  # the fleet's object, on either side
    radial_m: float  # from it to the other object at TCA, in its RTN
    in_track_m: float
    cross_track_m: float
    radius_m: float | None = None  # combined, that the fleet has the event rated with; None: the run's


class Entry(NamedTuple):
    """A line of the list."""

    event: StoredEvent
    seen: Seen | None = None  # None: from its primary

    @property
    def turned(self) -> bool:
        """Whether the secondary comes first: it is the fleet's object."""
        return self.seen is not None and self.seen.norad_id == self.event.secondary.norad_id

    @property
    def sides(self) -> tuple[StoredSide, StoredSide]:
        """Both objects, the one that it is seen from first."""
        primary, secondary = self.event.sides
        return (secondary, primary) if self.turned else (primary, secondary)

    @property
    def ages_hours(self) -> list[float | None]:
        """The age of both element sets at TCA in the order of `sides`; an ephemeris has none."""
        ages = self.event.ages_hours[::-1] if self.turned else self.event.ages_hours
        return [None if side.on_ephemeris else age for side, age in zip(self.sides, ages, strict=True)]

    @property
    def relative_m(self) -> tuple[float | None, float | None, float | None]:
        """Where the other object is at TCA: radial, in-track, cross-track."""
        if self.seen is not None:
            return self.seen.radial_m, self.seen.in_track_m, self.seen.cross_track_m
        return self.event.miss_radial_m, self.event.miss_in_track_m, self.event.miss_cross_track_m

    @property
    def at_own_radius(self) -> str:
        """What the list says of the event at the fleet's own hard-body radius; empty: at the run's."""
        if self.seen is None or self.seen.radius_m is None:
            return ""
        said = own_radius({"fleet_hard_body_radius_m": self.seen.radius_m}).capitalize()
        return f"{said}, as in the list: {self.event.graded.words}. The other numbers here are at the run's."


class OfFleet(NamedTuple):
    """What a digest says of a fleet beside its events."""

    contact: str  # of the operator; "": none
    volume: str  # as the fleet has it
    satellites: list[Satellite]

    @property
    def quiet(self) -> list[str]:
        """Those with nothing coming: number and name."""
        return [
            f"{one.norad_id} {one.name.strip()}".strip()
            for one in self.satellites
            if one.found and not one.events
        ]

    @property
    def unknown(self) -> list[str]:
        """The numbers of those that the catalogue has not."""
        return [str(one.norad_id) for one in self.satellites if not one.found]


class Digest(NamedTuple):
    """Events, and the run that found them."""

    title: str
    entries: list[Entry]  # the first ones, most dangerous first
    total: int  # events in all
    run: Run
    notices: list[str]
    made_at: datetime  # UTC
    level: str | None = None  # of all events; None: of several
    fleet: OfFleet | None = None
    forecasts: Verification | None = None  # how those of the store did
    had: Mapping[int, str] = MappingProxyType({})  # by event: who has it

    @property
    def judged(self) -> Verification | None:
        """How the forecasts of the store did; None if none is judged yet."""
        return self.forecasts if self.forecasts is not None and self.forecasts.since is not None else None

    @property
    def first_lines(self) -> list[Entry]:
        """The first line of each event."""
        return list({entry.event.id: entry for entry in self.entries[::-1]}.values())[::-1]

    @property
    def events(self) -> list[StoredEvent]:
        """The events, each once."""
        return [entry.event for entry in self.first_lines]

    @property
    def subtitle(self) -> str:
        """The number of events, and their run."""
        shown = len(self.events)
        count = f"all {shown:,}" if shown == self.total else f"the first {shown:,} of {self.total:,}"
        return f"{count if self.total else 'none'}, most dangerous first  ·  {run_words(self)}"


def run_words(digest: Digest) -> str:
    """Name the run, its age and its window; of a fleet to the end of its longest look-ahead."""
    run, end = digest.run, digest.run.window_end
    if digest.fleet is not None and digest.fleet.satellites:
        end = run.window_start + timedelta(hours=max(one.hours for one in digest.fleet.satellites))
    age = span(digest.made_at - run.finished)
    window = f"{minute(run.window_start)} to {minute(end)} UTC"
    return f"run {run.run_id}, ended {age} ago  ·  {run.objects:,} objects, {window}"


def digest_of(
    snapshot: Snapshot,
    level: str,
    limit: int,
    settings: ApiSettings,
    now: datetime,
    by: Literal["risk", "probability"] = "risk",
) -> Digest:
    """Return the first events of a level: the mission's `risk_level`, or that by the probability alone."""
    wanted = EventQuery(risk_levels=[level]) if by == "risk" else EventQuery(probability_levels=[level])
    page = snapshot.events(wanted._replace(collapse_complexes=True, limit=limit))
    entries = [Entry(typed(event)) for event in records(EVENT_FIELDS, page.rows)]
    said = notices(snapshot.run, settings, now)
    return Digest(f"Conjunctions of {level} {by}", entries, page.total, snapshot.run, said, now, level)


def reports_of(
    digest: Digest, snapshot: Snapshot, settings: ApiSettings, messages: pa.Table
) -> Iterator[Report]:
    """Yield the report on each event of a digest, seen from the object that its first line names first.

    `messages`: those of the store, as `received` returns them.
    """
    for entry in digest.first_lines:
        first = entry.sides[0].norad_id
        made = report_on(
            snapshot, entry.event.id, settings, digest.made_at, messages=messages, seen_from=first
        )
        had = digest.had.get(entry.event.id, "")
        yield made._replace(had=had, at_own_radius=entry.at_own_radius)


def above_list(digest: Digest) -> Iterable[str]:
    """Say of a fleet whom to ask about it, and how many of its satellites have events."""
    fleet = digest.fleet
    if fleet is None:
        return
    if fleet.contact:
        yield f"Contact: {fleet.contact}"
    count, busy = len(fleet.satellites), sum(1 for one in fleet.satellites if one.events)
    if count:
        yield (
            f"{count:,} satellite{'' if count == 1 else 's'}, {busy:,} with events inside the volume around "
            f"{'it' if busy == 1 else 'them'} ({fleet.volume}, unless a satellite has its own)."
        )


def below_list(digest: Digest) -> Iterable[str]:
    """Say who has which event of a fleet, and which of its satellites have nothing coming."""
    fleet = digest.fleet
    for place, entry in enumerate(digest.entries, start=1):
        if entry in digest.first_lines and entry.event.id in digest.had:
            yield f"No. {place}: {digest.had[entry.event.id]}"
    if fleet is not None and fleet.quiet:
        yield f"No coming events for {_named(fleet.quiet)}."
    if fleet is not None and fleet.unknown:
        yield f"Not in the catalogue, so not searched: {_named(fleet.unknown)}."


def _named(satellites: list[str]) -> str:
    others = len(satellites) - _NAMED
    return ", ".join(satellites[:_NAMED]) + (f" and {others:,} others" if others > 0 else "")
