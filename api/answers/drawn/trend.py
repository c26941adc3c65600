"""How an event developed: what each run and each received message said of it, oldest first."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

import numpy as np

from api.answers.drawn.better_data import better_data
from api.answers.drawn.trend_paths import trend_paths
from api.answers.event_messages import EventMessages, when_made
from api.answers.manoeuvred import burns_between
from api.answers.stored_events import EventRecord, StoredEvent, told_by, typed
from api.models.trend import Band, Trend, TrendManoeuvre, TrendPoint
from screening.answers import same_fields
from screening.risk.tiers import LIMITS
from screening.risk.views.trend import Certainty, Seen, certainty
from storage.in_memory.snapshot import Snapshot
from storage.messages.as_events import as_events
from storage.state.alerts.plans import burns_of, plans_of
from storage.times import utc_datetime
from storage.vocabulary import MESSAGE

ANALYSES_ON_DEMAND = ("quick", "full")
METRES_PER_KM = 1000.0
_AXES = ("radial", "in_track", "cross_track")
_OF_MESSAGES = ("received_id", "message_id", "originator", "claimed_probability")
# What is computed from, of each side.
PARTS = (
    ("x_km", "y_km", "z_km", "vx_km_s", "vy_km_s", "vz_km_s"),
    tuple(f"sigma_{axis}_m" for axis in "rtn"),
    tuple(f"correlation_{axes}" for axes in ("rt", "rn", "tn")),
)


class Said(NamedTuple):
    """What one run or message says of an event."""

    event: StoredEvent  # with the objects in the event's order
    made: datetime  # UTC; of a historic run, when its window begins
    message: dict[str, Any] | None  # of storage.message_schema.RECEIVED; None: a run or an analysis
    turned: bool  # its own order is the other one: the miss along its axes is that of the other object


def event_trend(
    snapshot: Snapshot, event: EventRecord, history: Sequence[EventRecord], received: EventMessages
) -> Trend:
    """Compute how an event developed, from its row, its history, and the messages about it.

    The row itself counts if it is an analysis on demand; one made from a message does not, the message does.
    """
    now = typed(event)
    said = all_said(snapshot, now, history, received)
    return Trend(
        id=now.id,
        tca=now.tca,
        primary_norad_id=now.primary.norad_id,
        secondary_norad_id=now.secondary.norad_id,
        limits=LIMITS,
        points=_points(said, now.tca),
        manoeuvres=_manoeuvres(snapshot, now, said),
        planned=_planned(snapshot, now),
        paths=trend_paths(snapshot, _of_runs(said)),
        better_data=better_data(snapshot, now, received.told),
        restricted_messages=received.left_out,
    )


def all_said(
    snapshot: Snapshot, now: StoredEvent, history: Sequence[EventRecord], received: EventMessages
) -> list[Said]:
    """Return what each run and each message says of an event, the oldest first."""
    rows = [typed(row) for row in history]
    if now.origin in ANALYSES_ON_DEMAND:
        rows.append(now)
    windows = snapshot.historic_since()
    said = [_in_order(row, now, windows.get(row.run_id, row.computed_at), None) for row in rows]
    texts = as_events(snapshot.store, [one["id"] for one in received.told])
    for message in received.told:
        row = typed(told_by(message, texts.get(message["id"], {})))
        said.append(_in_order(row, now, when_made(message), message))
    return sorted(said, key=lambda one: (one.made, one.event.computed_at))


def _manoeuvres(snapshot: Snapshot, now: StoredEvent, said: Sequence[Said]) -> list[TrendManoeuvre]:
    if not said:
        return []
    numbers = [side.norad_id for side in now.sides]
    return [
        TrendManoeuvre(one.norad_id, one.at, (now.tca - one.at) / timedelta(hours=1), one.dv_m_s)
        for one in burns_between(snapshot, numbers, said[0].made, now.tca)
    ]


def _of_runs(said: Sequence[Said]) -> list[tuple[datetime, StoredEvent]]:
    """Return what runs found; analyses on demand may use hypothetical paths."""
    return [
        (one.made, one.event)
        for one in said
        if one.message is None and one.event.origin not in ANALYSES_ON_DEMAND
    ]


def _planned(snapshot: Snapshot, now: StoredEvent) -> list[TrendManoeuvre]:
    burns = [
        (plan.norad_id, one)
        for plan in plans_of(snapshot.store, now.id, snapshot.organisation_id)
        for one in burns_of(plan)
    ]
    return [
        TrendManoeuvre(number, at, (now.tca - at) / timedelta(hours=1), burn.size_m_s)
        for at, number, burn in sorted((utc_datetime(burn.at), number, burn) for number, burn in burns)
    ]


def _in_order(event: StoredEvent, now: StoredEvent, made: datetime, message: dict[str, Any] | None) -> Said:
    turned = event.primary.norad_id != now.primary.norad_id
    if turned:
        event = event._replace(primary=event.secondary, secondary=event.primary)
    return Said(event, made, message, turned)


def _points(said: Sequence[Said], tca: datetime) -> list[TrendPoint]:
    if not said:
        return []
    found = certainty(_seen([one.event for one in said]))
    return [_point(one, found, place, tca) for place, one in enumerate(said)]


def _point(said: Said, found: Certainty, place: int, tca_now: datetime) -> TrendPoint:
    event, message, tca = said.event, said.message, said.event.tca
    stored = event.miss_radial_m, event.miss_in_track_m, event.miss_cross_track_m
    miss_rtn_m = (found.miss_rtn_m[place] if said.turned else np.array(stored, float)).tolist()
    sigma_rtn_m = found.sigma_rtn_m[place].tolist()
    band, low, high = _band(event, float(found.probability_low[place]), float(found.probability_high[place]))
    ages = [None if one.on_ephemeris else age for one, age in zip(event.sides, event.ages_hours, strict=True)]
    return TrendPoint(
        **same_fields(TrendPoint, event)
        | _of_sender(event, message)
        | _level(event)
        | {"tca": tca}
        | {f"miss_{axis}_m": value for axis, value in zip(_AXES, miss_rtn_m, strict=True)},
        made=said.made,
        hours_to_tca=(tca - said.made) / timedelta(hours=1),
        tca_shift_s=(tca - tca_now).total_seconds(),
        **{f"sigma_{axis}_m": value for axis, value in zip(_AXES, sigma_rtn_m, strict=True)},
        miss_sigmas=float(found.miss_sigmas[place]),
        probability_low=low,
        probability_high=high,
        band=band,
        primary_age_hours=ages[0],
        secondary_age_hours=ages[1],
    )


def _of_sender(event: StoredEvent, message: dict[str, Any] | None) -> dict[str, Any]:
    if message is None:
        return {"kind": event.origin, **dict.fromkeys(_OF_MESSAGES)}
    return {
        "kind": MESSAGE,
        "run_id": None,
        "received_id": message["id"],
        "message_id": message["message_id"],
        "originator": message["originator"] or None,
        "claimed_probability": message["claimed_probability"],
    }


def _level(event: StoredEvent) -> dict[str, Any]:
    level, near = event.levels
    return {
        "probability": event.decisive_probability,
        "probability_method": event.graded.method,
        "probability_level": level,
        "near_level": near or None,
    }


def _band(event: StoredEvent, low: float, high: float) -> tuple[Band | None, float | None, float | None]:
    """Return what a band is, and its ends, with the probability that the level goes by inside."""
    chance = event.decisive_probability
    if chance is not None and np.isfinite(high):
        return "sigmas_half_to_double", min(low, chance), max(high, chance)
    return None, None, None


def _seen(events: Sequence[StoredEvent]) -> Seen:
    """Return events as columns; None becomes NaN, and a correlation that is not known 0."""
    columns = [
        [np.array([[getattr(side, name) for name in names] for side in sides], float) for names in PARTS]
        for sides in zip(*(event.sides for event in events), strict=True)
    ]
    (r, sigma, correlation), (other_r, other_sigma, other_correlation) = columns
    # Where the integral in the plane is not what counts, that of another scale says nothing of it.
    radii = [event.hard_body_radius_m if event.in_plane else None for event in events]
    return Seen(
        r * METRES_PER_KM,
        other_r * METRES_PER_KM,
        sigma,
        other_sigma,
        np.nan_to_num(correlation),
        np.nan_to_num(other_correlation),
        np.array(radii, float),
    )
