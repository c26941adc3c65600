"""The newest run at a glance: what changed since the run before, and where and when its events are."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import numpy as np
import numpy.typing as npt

from api.answers.rows import EVENT_FIELDS, records
from api.answers.watched.inside import AsSeen, ids_of
from api.models.overview import (
    ByLevel,
    Changed,
    HourCounts,
    Near,
    NewPath,
    Overview,
    OverviewEvent,
    PerHour,
)
from screening.risk.conjunctions import NO_CODE
from screening.risk.tiers import LIMITS, near_levels
from screening.risk.views import overview as views
from screening.vocabulary import NEAR_LEVELS, PROBABILITY_LEVELS, ProbabilityLevel
from storage.fleets.changes import fleet_changes
from storage.fleets.encounters import Row as FleetRow
from storage.in_memory.changes import ROW, Part, changes, rows_of
from storage.in_memory.event_table import EventQuery
from storage.in_memory.new_paths import NewPaths, new_paths, path_over
from storage.in_memory.snapshot import Snapshot
from storage.rows.danger import (
    PROBABILITIES,
    PROBABILITY_LEVEL,
    decisive_probability,
    decisive_probability_of,
    level_of,
    levels_for_a_reader,
)
from storage.rows.over_runs.changes import OF_BEFORE, OF_NEWEST
from storage.rows.run_record import Run
from storage.times import datetime64_us, utc_datetime
from storage.vocabulary import FLEET, RESTRICTED_MESSAGE

WORST_SHOWN = 20
Row = dict[str, Any]

_STATE = [f"primary_{name}" for name in ("x_km", "y_km", "z_km", "vx_km_s", "vy_km_s", "vz_km_s")]
_NUMBERS = ("miss_distance_m", *PROBABILITIES, *_STATE)
_EVENTS = (
    f"SELECT tca, {', '.join(_NUMBERS)}, "  # noqa: S608
    f"(list_position({list(PROBABILITY_LEVELS)}, {PROBABILITY_LEVEL}) - 1)::TINYINT AS level "
    f"FROM events WHERE origin NOT IN ('{RESTRICTED_MESSAGE}', '{FLEET}')"
)


def overview(snapshot: Snapshot) -> Overview:
    """Return the newest run at a glance: 0.2 CPU-s for 132,000 events and the run before.

    Counted are the events as known now, without those that only restricted messages tell or searches around
    fleets have found; changes are between two runs as each found its events. Raises StoreError.
    """
    columns = snapshot.columns(_EVENTS)
    numbers = {name: _floats(columns[name]) for name in _NUMBERS}
    levels = np.ma.getdata(columns["level"]).astype(np.int8)
    counted = _counted(snapshot.run, numbers, np.ma.getdata(columns["tca"]).astype("M8[us]"), levels)
    return Overview(run_id=snapshot.run.run_id, **_changed(snapshot), **counted)


def overview_of_fleet(snapshot: Snapshot, fleet_id: int, seen: AsSeen, since: datetime) -> Overview:
    """Return the same of what is inside the volumes of a fleet, at its hard-body radius.

    Events with a TCA before `since`, UTC, do not count; what searches around fleets have found does. The
    hours reach as far as the events. 0.1 CPU-s for 1,500. Raises StoreError.
    """
    wanted = EventQuery(event_ids=ids_of(seen.inside), tca_from=since, limit=None)
    events: list[Row] = records(EVENT_FIELDS, seen.events.page(wanted).rows)
    numbers = {name: np.array([row[name] for row in events], np.float64) for name in _NUMBERS}
    tca = np.array([datetime64_us(row["tca"]) for row in events], "M8[us]")
    counted = _counted(snapshot.run, numbers, tca, _levels(events), max(tca, default=None))
    return Overview(run_id=snapshot.run.run_id, **_changed_of(snapshot, fleet_id), **counted)


def _levels(rows: Sequence[Mapping[str, Any]]) -> npt.NDArray[np.int8]:
    return np.array([PROBABILITY_LEVELS.index(level_of(row)) for row in rows], np.int8)


def _changed_of(snapshot: Snapshot, fleet_id: int) -> Mapping[str, Any]:
    found = fleet_changes(snapshot.store, fleet_id, snapshot.run.run_id)
    if not found.before_run_id:
        return dict.fromkeys(("before", *OF_NEWEST, *OF_BEFORE))
    return {"before": found.before_run_id} | {
        name: _part_of([one if isinstance(one, tuple) else (one, None) for one in getattr(found, name)])
        for name in (*OF_NEWEST, *OF_BEFORE)
    }


def _part_of(rows: Sequence[tuple[FleetRow, FleetRow | None]]) -> Changed:
    """Return events of a fleet that changed in one way, each with the row before if that is told."""
    worst = [
        _event({name: row[name] for name in ROW}, None if before is None else level_of(before), None)
        for row, before in rows[:WORST_SHOWN]
    ]
    return Changed(total=len(rows), by_level=_by_level(_levels([row for row, _ in rows])), worst=worst)


def _changed(snapshot: Snapshot) -> Mapping[str, Any]:
    found = changes(snapshot)
    if found is None:
        return dict.fromkeys(("before", *OF_NEWEST, *OF_BEFORE))
    now, then = snapshot.run.run_id, found.before
    paths = {"gone": new_paths(snapshot, then)}
    return {
        "before": then,
        **{name: _part(snapshot, now, getattr(found, name)) for name in OF_NEWEST},
        **{name: _part(snapshot, then, getattr(found, name), paths.get(name)) for name in OF_BEFORE},
    }


def _new_path(paths: NewPaths, row: Row) -> NewPath | None:
    """Return the trajectory by which an object flies at TCA, and did not in the run before."""
    both = [row[f"{who}_norad_id"] for who in ("primary", "secondary")]
    one = path_over(paths, both, row["tca"])
    if one is None:
        return None
    about = one.about
    return NewPath(one.norad_id, one.id, about.added, about.added_by or None, about.departs_at)


def _part(snapshot: Snapshot, run_id: str, part: Part, paths: NewPaths | None = None) -> Changed:
    rows = rows_of(snapshot, run_id, part.worst[:WORST_SHOWN])
    before = (
        [None] * len(rows)
        if part.worst_before is None
        else [PROBABILITY_LEVELS[level] for level in part.worst_before[: len(rows)]]
    )
    return Changed(
        total=len(part.levels),
        by_level=_by_level(part.levels),
        worst=[_event(row, level, paths) for row, level in zip(rows, before, strict=True)],
    )


def _event(row: Row, before: ProbabilityLevel | None, paths: NewPaths | None) -> OverviewEvent:
    shown = {name: value for name, value in row.items() if name not in PROBABILITIES}
    event_id = shown.pop("event_id")
    level, near = levels_for_a_reader(row)
    return OverviewEvent(
        **shown | {"probability_level": level, "near_level": near or None},
        id=event_id,
        probability=decisive_probability_of(row),
        level_before=before,
        new_path=None if paths is None else _new_path(paths, row),
    )


def _counted(
    run: Run,
    numbers: Mapping[str, npt.NDArray[np.float64]],
    tca: npt.NDArray[np.datetime64],
    levels: npt.NDArray[np.int8],
    last: np.datetime64 | None = None,
) -> Mapping[str, Any]:
    """`last`: the hours reach as far as this, if the window does not."""
    state = np.stack([numbers[name] for name in _STATE], axis=1)
    probability = decisive_probability(*(numbers[name] for name in PROBABILITIES))
    near = near_levels(numbers["miss_distance_m"])
    return {
        "events": len(levels),
        "by_level": _by_level(levels),
        "near": Near(*_counts(near[near != NO_CODE], len(NEAR_LEVELS))),
        "altitude_inclination": views.by_altitude_and_inclination(state[:, :3].copy(), state[:, 3:].copy()),
        "per_hour": _per_hour(run, tca, levels, last),
        "miss_probability": views.by_miss_and_probability(numbers["miss_distance_m"], probability),
        "limits": LIMITS,
    }


def _per_hour(
    run: Run, tca: npt.NDArray[np.datetime64], levels: npt.NDArray[np.int8], last: np.datetime64 | None
) -> PerHour:
    first, end = (datetime64_us(one) for one in (run.window_start, run.window_end))
    end = end if last is None else max(end, last)
    hours = views.by_hour(tca, levels, first, end)
    starts = first + np.arange(len(hours)) * np.timedelta64(views.HOUR_US, "us")
    return PerHour(
        starts=starts.tolist(),
        end=utc_datetime(end),
        counts=HourCounts(*hours.T),
        outside_window=len(levels) - int(hours.sum()),
    )


def _by_level(levels: npt.NDArray[np.int8]) -> ByLevel:
    return ByLevel(*_counts(levels, len(PROBABILITY_LEVELS)))


def _counts(places: npt.NDArray[np.int8], of: int) -> list[int]:
    counts: list[int] = np.bincount(places, minlength=of).tolist()
    return counts


def _floats(column: npt.NDArray[np.generic]) -> npt.NDArray[np.float64]:
    return np.asarray(np.ma.filled(column.astype(np.float64), np.nan))
