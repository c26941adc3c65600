"""A store with a fleet, and runs whose events are given: published, and looked at for the fleet."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from screening.risk.conjunctions import NO_CODE
from screening.risk.tiers import near_levels
from screening.vocabulary import PROBABILITY_LEVELS, RISK_LEVELS
from storage.fleet_schema import FLEET_EVENTS, FLEET_MEMBERS
from storage.fleets.events import write_membership
from storage.reading.run_events import events_of_levels
from storage.state.fleet_rules import Fleet, FleetObject, NewFleet
from storage.state.fleets import create_fleet
from storage.times import datetime64_us
from tests.made_up_run import make_elements, make_run, publish

OBJECTS = 60
ELEMENTS = make_elements(OBJECTS)
NUMBERS = tuple(int(number) for number in ELEMENTS["norad_id"])
OURS = NUMBERS[:8]  # the fleet; the others are met
FIRST = datetime(2026, 11, 21, 6, tzinfo=UTC)
VOLUME = "sphere:10"


class Meeting(NamedTuple):
    """An encounter as a run finds it."""

    ours: int  # place in OURS
    other: int  # place in NUMBERS
    tca: datetime
    level: str = "high"  # by the probability
    probability: float | None = 2e-5
    miss_m: float = 3000.0
    visit: bool = False


def at(hours: float) -> datetime:
    return FIRST + timedelta(hours=hours)


def make_fleet(store: Path, name: str = "mine", members: tuple[int, ...] = OURS) -> Fleet:
    objects = tuple(FleetObject(number) for number in members)
    return create_fleet(
        store, NewFleet(name, objects, volume=VOLUME, made_by="test"), FIRST - timedelta(days=1)
    )


def publish_meetings(
    store: Path,
    hours: float,
    meetings: list[Meeting],
    *,
    window_hours: float = 24.0,
    historic: bool = False,
    sets_of_hours: float | None = None,
) -> str:
    """Publish a run that starts some hours after the first with these encounters, and return its id."""
    made = make_run(1, OBJECTS, synthetic=False)
    rows = np.repeat(made.conjunctions, max(len(meetings), 1))[: len(meetings)].copy()
    for row, one in zip(rows, meetings, strict=True):
        row["primary_norad_id"], row["secondary_norad_id"] = sorted((OURS[one.ours], NUMBERS[one.other]))
        row["tca"] = datetime64_us(one.tca)
        row["miss_distance_m"], row["relative_speed_m_s"] = one.miss_m, 12_345.6
        (row["near_level"],) = near_levels(np.array([one.miss_m]))
        row["probability"] = np.nan if one.probability is None else one.probability
        row["probability_2d"] = row["probability_mc"] = np.nan
        row["probability_best"] = row["probability"]
        row["probability_method"] = NO_CODE if one.probability is None else 0
        row["probability_level"] = PROBABILITY_LEVELS.index(one.level)  # type: ignore[arg-type]
        row["risk_level"] = RISK_LEVELS.index("low")  # the mission's, which alerts do not go by
        row["encounter"], row["inside_from"], row["inside_to"] = one.visit, *[np.datetime64("NaT")] * 2
        row["primary_complex_id"] = row["secondary_complex_id"] = -1
    started = at(hours)
    run = replace(
        made.run,
        started=started,
        finished=started + timedelta(minutes=1),
        window_start=started,
        window_end=started + timedelta(hours=window_hours),
        historic=historic,
        catalogue_epoch=None if sets_of_hours is None else at(sets_of_hours),
        catalogue_decision="last_good",
        catalogue_reason="it goes back in time.",
    )
    return publish(store, made._replace(run=run, conjunctions=rows))


def look(
    store: Path,
    run_id: str,
    fleet: Fleet,
    members: tuple[int, ...] = OURS,
    *,
    hours: float = 24.0,
    own: tuple[float | str | None, ...] = (None, None, None),
) -> None:
    """Write which events of a run are inside the volumes of a fleet: all of its members.

    `own`: radius, m, probability and method by which the fleet goes; None: the run's.
    """
    events = [
        [run_id, fleet.id, fleet.name, number, VOLUME, 0.1, 0.2, 0.3, event.event_id, *own]
        for event in events_of_levels(store, run_id, RISK_LEVELS)
        for number in (event.primary_norad_id, event.secondary_norad_id)
        if number in members
    ]
    names = dict(zip(NUMBERS, ELEMENTS["name"].tolist(), strict=True))
    rows = [[fleet.id, n, names.get(n, ""), n in names, VOLUME, hours, None] for n in members]
    members = _table(rows, FLEET_MEMBERS.arrow)
    write_membership(store, run_id, _table(events, FLEET_EVENTS.arrow), members, members.slice(0, 0))


def _table(rows: list[list[object]], columns: pa.Schema) -> pa.Table:
    by_name = zip(columns.names, zip(*rows, strict=True) if rows else [()] * len(columns), strict=True)
    return pa.table({name: list(values) for name, values in by_name}, schema=columns)
