"""Find one event in a snapshot: as it is known now, and as each run found it."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from math import isnan
from typing import Any, NamedTuple

from api.answers.rows import EVENT_FIELDS, records
from api.errors import BadParameter, NotFound
from storage.in_memory.seen_from import NotOfTheEvent
from storage.in_memory.seen_from import seen_from as of_either
from storage.in_memory.snapshot import Snapshot
from storage.messages.as_events import AsEvent, newest_of
from storage.rows.danger import decisive_probability_of, levels_for_a_reader
from storage.rows.graded import Graded, graded
from storage.rows.over_runs.event_ids import MAX_EVENT_ID
from storage.rows.words.event import in_plane
from storage.vocabulary import MESSAGE, RESTRICTED_MESSAGE, TOLD

EventRecord = dict[str, object]  # the fields of EVENT_FIELDS
_NOTHING: EventRecord = dict.fromkeys(EVENT_FIELDS)
_CLAIMED = ("miss_distance_m", "risk_level", "risk_basis", "probability_level", "near_level")


class StoredSide(NamedTuple):
    """One of the two objects of an event, with those fields that are used by name; None for NULL."""

    norad_id: int
    name: str
    trajectory: str | None  # gp, supgp, ephemeris
    epoch: datetime | None  # UTC, of its element set; on an ephemeris, its first state; of a message, none
    x_km: float | None  # TEME, at TCA; a message may have none
    y_km: float | None
    z_km: float | None
    vx_km_s: float | None
    vy_km_s: float | None
    vz_km_s: float | None
    sigma_r_m: float | None  # 1-sigma position at TCA, own RTN
    sigma_t_m: float | None
    sigma_n_m: float | None
    correlation_rt: float | None  # of these errors
    correlation_rn: float | None
    correlation_tn: float | None
    covariance_source: str | None
    manoeuvring: bool | None  # whether it thrusts often or lately
    departs_at: datetime | None  # UTC, since when its ephemeris is another path than its element set
    radius_m: float | None  # that it was rated with; None: not rated, or by an earlier release
    others: EventRecord  # its columns without a field here

    @property
    def on_ephemeris(self) -> bool:
        """Whether the event rests on its operator's ephemeris."""
        return self.trajectory == "ephemeris"


class StoredEvent(NamedTuple):
    """One event, with those fields that are used by name; None for NULL."""

    id: int
    run_id: str
    origin: str
    computed_at: datetime
    tca: datetime
    encounter: str
    inside_from: datetime | None
    inside_to: datetime | None
    risk_level: str
    risk_basis: str
    probability_level: str | None
    near_level: str | None
    miss_distance_m: float
    relative_speed_m_s: float | None  # as the next three, None if only a message without states tells it
    miss_radial_m: float | None
    miss_in_track_m: float | None
    miss_cross_track_m: float | None
    probability: float | None
    probability_2d: float | None
    probability_best: float | None
    probability_method: str | None
    probability_max: float | None
    probability_mc: float | None
    probability_mc_low: float | None
    probability_mc_high: float | None
    mc_samples: int | None
    probability_flag: str | None
    diluted: bool | None
    hard_body_radius_m: float | None
    hard_body_source: str | None
    catastrophic: bool | None
    fragments_10cm: float | None
    primary: StoredSide
    secondary: StoredSide
    others: EventRecord  # the columns without a field here

    @property
    def sides(self) -> tuple[StoredSide, StoredSide]:
        """Primary and secondary."""
        return self.primary, self.secondary

    @property
    def row(self) -> EventRecord:
        """The event as a row of the store, with the columns of both objects."""
        fields = self._asdict()
        fields |= fields.pop("others")
        for who in ("primary", "secondary"):
            side = fields.pop(who)._asdict()
            side |= side.pop("others")
            fields |= {f"{who}_{name}": value for name, value in side.items()}
        return fields

    @property
    def decisive_probability(self) -> float | None:
        """The probability that counts."""
        return decisive_probability_of(self._asdict())

    @property
    def levels(self) -> tuple[str, str]:
        """The level by the probability, and how near it is, as a reader sees them; empty: not near."""
        return levels_for_a_reader(self._asdict())

    @property
    def in_plane(self) -> bool:
        """Whether the integral in the encounter plane counts: only then its maximum says something."""
        return in_plane(self.row)

    @property
    def graded(self) -> Graded:
        """What counts, in words."""
        return graded(self._asdict())

    @property
    def ages_hours(self) -> list[float | None]:
        """Hours from both epochs to TCA: how old an element set is then, how far into an ephemeris it is."""
        return [
            None if side.epoch is None else (self.tca - side.epoch) / timedelta(hours=1)
            for side in self.sides
        ]

    @property
    def told(self) -> bool:
        """Whether only messages tell the encounter: no run has it."""
        return self.origin in TOLD

    @property
    def inside_s(self) -> tuple[float, float] | None:
        """The span inside the threshold, seconds from TCA; None for a fast encounter."""
        if self.inside_from is None or self.inside_to is None:
            return None
        return (self.inside_from - self.tca).total_seconds(), (self.inside_to - self.tca).total_seconds()


# The columns with a field of their own, and those without.
_OF_SIDE = [name.removeprefix("primary_") for name in EVENT_FIELDS if name.startswith("primary_")]
_NAMED_OF_SIDE = StoredSide._fields[:-1]  # without `others`
_OTHERS_OF_SIDE = [name for name in _OF_SIDE if name not in _NAMED_OF_SIDE]
_NAMED = StoredEvent._fields[:-3]  # without both sides and `others`
_OTHERS = [
    name for name in EVENT_FIELDS if name not in _NAMED and not name.startswith(("primary_", "secondary_"))
]


def typed(record: EventRecord) -> StoredEvent:
    """Return an event with typed fields; NULL numbers are NaN in memory."""
    known: dict[str, Any] = {
        name: None if isinstance(value, float) and isnan(value) else value for name, value in record.items()
    }
    primary, secondary = _side(known, "primary"), _side(known, "secondary")
    fields = {name: known[name] for name in _NAMED}
    others = {name: known[name] for name in _OTHERS}
    return StoredEvent(**fields, primary=primary, secondary=secondary, others=others)


def _side(known: dict[str, Any], who: str) -> StoredSide:
    fields = {name: known[f"{who}_{name}"] for name in _NAMED_OF_SIDE}
    return StoredSide(**fields, others={name: known[f"{who}_{name}"] for name in _OTHERS_OF_SIDE})


def told_by(message: Mapping[str, Any], row: AsEvent) -> EventRecord:
    """Return a message, as in `storage.message_schema.RECEIVED`, as an event: its `row`, else its claims."""
    claimed = {name: message[name] for name in _CLAIMED}
    computed = {name: value for name, value in row.items() if value is not None}
    names = ["tca", *(f"{who}_{name}" for who in ("primary", "secondary") for name in ("norad_id", "name"))]
    own = {name: message[name] for name in names} | {"computed_at": message["received_at"]}
    origin = RESTRICTED_MESSAGE if message["restricted"] else MESSAGE
    return _NOTHING | claimed | computed | own | {"id": message["encounter_id"], "origin": origin}


def stored_event(
    snapshot: Snapshot, event_id: int, *, restricted: bool = False, seen_from: int | None = None
) -> StoredEvent:
    """Return one event as it is known now, or, if the newest run no longer has it, as its last run found it.

    One outside the run's window that only messages tell is there by the newest of them. If not `restricted`,
    what only messages tell that must not be handed on is not there. `seen_from`: the object that is its
    primary; by default as stored.

    Raises:
        NotFound: there is no such event in the store.
        BadParameter: the object `seen_from` is neither of its two.
    """
    newest = _newest(snapshot, event_id, restricted)
    if newest is not None:
        return typed(_turned(newest, seen_from))
    return typed(event_with_history(snapshot, event_id, restricted=restricted, seen_from=seen_from)[0])


def event_with_history(
    snapshot: Snapshot, event_id: int, *, restricted: bool = False, seen_from: int | None = None
) -> tuple[EventRecord, list[EventRecord]]:
    """Return one event, and what each run found of it, oldest first. Raises as `stored_event`."""
    known = 0 <= event_id <= MAX_EVENT_ID
    history = records(EVENT_FIELDS, snapshot.history(event_id)) if known else []
    event = _newest(snapshot, event_id, restricted) or (history[-1] if history else None)
    if event is None and known:
        event = _only_told(snapshot, event_id, restricted)
    if event is None:
        raise NotFound(f"There is no event {event_id} in the store.")
    turned = [_turned(found, seen_from) for found in history]
    is_last = bool(history) and event is history[-1]
    return turned[-1] if is_last else _turned(event, seen_from), turned


def _turned(event: EventRecord, seen_from: int | None) -> EventRecord:
    try:
        return of_either(event, seen_from)
    except NotOfTheEvent as error:
        raise BadParameter("from", str(error)) from error


def _only_told(snapshot: Snapshot, event_id: int, restricted: bool) -> EventRecord | None:
    """Return an encounter outside the run's window that only messages tell, by the newest of them."""
    found = newest_of(snapshot.store, event_id, snapshot.organisation_id, restricted=restricted)
    return None if found is None else told_by(*found) | {"run_id": snapshot.run.run_id}


def _newest(snapshot: Snapshot, event_id: int, restricted: bool) -> EventRecord | None:
    known = 0 <= event_id <= MAX_EVENT_ID
    newest = snapshot.event(event_id, restricted=restricted) if known else None
    return None if newest is None else records(EVENT_FIELDS, [newest])[0]
