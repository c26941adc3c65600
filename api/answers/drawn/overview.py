"""The newest run at a glance: what changed since the run before, and where and when its events are."""

from typing import Any

import numpy as np
import numpy.typing as npt

from screening.risk.conjunctions import NO_CODE
from screening.risk.tiers import PROBABILITY_LIMITS, near_levels
from screening.risk.views import overview as views
from screening.vocabulary import NEAR_LEVELS, PROBABILITY_LEVELS
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
from storage.times import naive_utc
from storage.vocabulary import FLEET, RESTRICTED_MESSAGE

WORST_SHOWN = 20
Json = dict[str, Any]

_STATE = [f"primary_{name}" for name in ("x_km", "y_km", "z_km", "vx_km_s", "vy_km_s", "vz_km_s")]
_EVENTS = (
    f"SELECT tca, miss_distance_m, {', '.join((*PROBABILITIES, *_STATE))}, "  # noqa: S608
    f"(list_position({list(PROBABILITY_LEVELS)}, {PROBABILITY_LEVEL}) - 1)::TINYINT AS level "
    f"FROM events WHERE origin NOT IN ('{RESTRICTED_MESSAGE}', '{FLEET}')"
)


def overview(snapshot: Snapshot) -> Json:
    """Return what `api/models/overview.py` describes: 0.2 CPU-s for 132,000 events and the run before.

    Counted are the events as known now, without those that only restricted messages tell or searches around
    fleets have found; changes are between two runs as each found its events. Raises StoreError.
    """
    return {"run_id": snapshot.run.run_id, **_changed(snapshot), **_counted(snapshot)}


def _changed(snapshot: Snapshot) -> Json:
    found = changes(snapshot)
    if found is None:
        return dict.fromkeys(("before", *OF_NEWEST, *OF_BEFORE))
    now, then = snapshot.run.run_id, found.before
    parts: dict[str, Json] = {
        **{name: _part(snapshot, now, getattr(found, name)) for name in OF_NEWEST},
        **{name: _part(snapshot, then, getattr(found, name)) for name in OF_BEFORE},
    }
    paths = new_paths(snapshot, then)
    for event in parts["gone"]["worst"]:
        event["new_path"] = _new_path(paths, event)
    return {"before": then, **parts}


def _new_path(paths: NewPaths, event: Json) -> Json | None:
    """Return the trajectory by which an object flies at TCA, and did not in the run before."""
    both = [event[f"{who}_norad_id"] for who in ("primary", "secondary")]
    one = path_over(paths, both, naive_utc(event["tca"]))
    if one is None:
        return None
    about = one.about
    return {
        "norad_id": one.norad_id,
        "trajectory_id": one.id,
        "added": about.added,
        "added_by": about.added_by or None,
        "departs_at": about.check and about.check.departs_at,
    }


def _part(snapshot: Snapshot, run_id: str, part: Part) -> Json:
    counts = _counts(part.levels, len(PROBABILITY_LEVELS))
    rows = rows_of(snapshot, run_id, part.worst[:WORST_SHOWN])
    before = (
        [None] * len(rows)
        if part.worst_before is None
        else [PROBABILITY_LEVELS[level] for level in part.worst_before[: len(rows)]]
    )
    return {
        "total": len(part.levels),
        "by_level": dict(zip(PROBABILITY_LEVELS, counts, strict=True)),
        "worst": [_row(row, level) for row, level in zip(rows, before, strict=True)],
    }


def _row(row: Json, before: str | None) -> Json:
    shown = {name: value for name, value in row.items() if name not in PROBABILITIES}
    shown["id"] = shown.pop("event_id")
    level, near = levels_for_a_reader(row)
    return shown | {
        "probability_level": level,
        "near_level": near or None,
        "probability": decisive_probability_of(row),
        "level_before": before,
        "new_path": None,
    }


def _counted(snapshot: Snapshot) -> Json:
    columns = snapshot.columns(_EVENTS)
    numbers = {name: _floats(columns[name]) for name in ("miss_distance_m", *PROBABILITIES, *_STATE)}
    state = np.stack([numbers[name] for name in _STATE], axis=1)
    placed, without_state = views.by_altitude_and_inclination(state[:, :3].copy(), state[:, 3:].copy())
    first, end = (
        np.datetime64(naive_utc(one), "us") for one in (snapshot.run.window_start, snapshot.run.window_end)
    )
    levels = np.ma.getdata(columns["level"]).astype(np.int8)
    hours = views.by_hour(np.ma.getdata(columns["tca"]).astype("M8[us]"), levels, first, end)
    probability = decisive_probability(*(numbers[name] for name in PROBABILITIES))
    spread = views.by_miss_and_probability(numbers["miss_distance_m"], probability)
    near = near_levels(numbers["miss_distance_m"])
    starts = first + np.arange(len(hours)) * np.timedelta64(views.HOUR_US, "us")
    return {
        "events": len(levels),
        "by_level": dict(zip(PROBABILITY_LEVELS, _counts(levels, len(PROBABILITY_LEVELS)), strict=True)),
        "near": dict(zip(NEAR_LEVELS, _counts(near[near != NO_CODE], len(NEAR_LEVELS)), strict=True)),
        "altitude_inclination": {
            "altitude_edges_km": views.ALTITUDE_EDGES_KM.tolist(),
            "inclination_edges_deg": views.INCLINATION_EDGES_DEG.tolist(),
            "counts": placed.tolist(),
            "without_state": without_state,
        },
        "per_hour": {
            "starts": starts.tolist(),
            "end": end.tolist(),
            "counts": dict(zip(PROBABILITY_LEVELS, hours.T.tolist(), strict=True)),
            "outside_window": len(levels) - int(hours.sum()),
        },
        "miss_probability": {
            "log10_miss_edges": views.LOG10_MISS_EDGES.tolist(),
            "log10_probability_edges": views.LOG10_PROBABILITY_EDGES.tolist(),
            "counts": spread.counts.tolist(),
            "below": spread.below.tolist(),
            "without_probability": spread.without_probability,
        },
        "limits": dict(zip(PROBABILITY_LEVELS, PROBABILITY_LIMITS, strict=False)),  # `low` has none
    }


def _counts(places: npt.NDArray[np.int8], of: int) -> list[int]:
    counts: list[int] = np.bincount(places, minlength=of).tolist()
    return counts


def _floats(column: npt.NDArray[np.generic]) -> npt.NDArray[np.float64]:
    return np.asarray(np.ma.filled(column.astype(np.float64), np.nan))
