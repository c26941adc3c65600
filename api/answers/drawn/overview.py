"""The newest run at a glance: what changed since the run before, and where and when its events are."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

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
from storage.in_memory.changes import Part, changes, rows_of
from storage.in_memory.new_paths import NewPaths, new_paths, path_over
from storage.in_memory.snapshot import Snapshot
from storage.rows.danger import (
    PROBABILITIES,
    PROBABILITY_LEVEL,
    decisive_probability,
    decisive_probability_of,
    levels_for_a_reader,
)
from storage.rows.over_runs.changes import OF_BEFORE, OF_NEWEST
from storage.rows.run_record import Run
from storage.times import datetime64_us, utc_datetime
from storage.vocabulary import FLEET, RESTRICTED_MESSAGE

WORST_SHOWN = 20
Row = dict[str, Any]

_STATE = [f"primary_{name}" for name in ("x_km", "y_km", "z_km", "vx_km_s", "vy_km_s", "vz_km_s")]
_EVENTS = (
    f"SELECT tca, miss_distance_m, {', '.join((*PROBABILITIES, *_STATE))}, "  # noqa: S608
    f"(list_position({list(PROBABILITY_LEVELS)}, {PROBABILITY_LEVEL}) - 1)::TINYINT AS level "
    f"FROM events WHERE origin NOT IN ('{RESTRICTED_MESSAGE}', '{FLEET}')"
)


def overview(snapshot: Snapshot) -> Overview:
    """Return the newest run at a glance: 0.2 CPU-s for 132,000 events and the run before.

    Counted are the events as known now, without those that only restricted messages tell or searches around
    fleets have found; changes are between two runs as each found its events. Raises StoreError.
    """
    return Overview(run_id=snapshot.run.run_id, **_changed(snapshot), **_counted(snapshot))


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


def _counted(snapshot: Snapshot) -> Mapping[str, Any]:
    columns = snapshot.columns(_EVENTS)
    numbers = {name: _floats(columns[name]) for name in ("miss_distance_m", *PROBABILITIES, *_STATE)}
    state = np.stack([numbers[name] for name in _STATE], axis=1)
    levels = np.ma.getdata(columns["level"]).astype(np.int8)
    probability = decisive_probability(*(numbers[name] for name in PROBABILITIES))
    near = near_levels(numbers["miss_distance_m"])
    return {
        "events": len(levels),
        "by_level": _by_level(levels),
        "near": Near(*_counts(near[near != NO_CODE], len(NEAR_LEVELS))),
        "altitude_inclination": views.by_altitude_and_inclination(state[:, :3].copy(), state[:, 3:].copy()),
        "per_hour": _per_hour(snapshot.run, np.ma.getdata(columns["tca"]).astype("M8[us]"), levels),
        "miss_probability": views.by_miss_and_probability(numbers["miss_distance_m"], probability),
        "limits": LIMITS,
    }


def _per_hour(run: Run, tca: npt.NDArray[np.datetime64], levels: npt.NDArray[np.int8]) -> PerHour:
    first, end = (datetime64_us(one) for one in (run.window_start, run.window_end))
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
