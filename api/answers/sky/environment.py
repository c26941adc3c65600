"""How crowded the sky is, and who causes an operator's work."""

from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path

import numpy as np

from api.answers.rows import records
from api.errors import NotFound
from api.models.sky.environment import Environment, EnvironmentSeries, ObjectDensity, Workload, WorkShare
from screening.orbits.gravity import EARTH_RADIUS_KM
from screening.vocabulary import EnvironmentKind
from storage.disk.run_ids import is_run_id
from storage.in_memory.snapshot import Snapshot
from storage.sky.crowding import COLUMNS, SERIES_COLUMNS, Share, rows_of_run, series, workload

_DAY = timedelta(days=1)
_YEAR_DAYS = 365.25
_OF_RUN = ("run_id", "days")


def environment(
    store: Path, snapshot: Snapshot, run_id: str | None, kind: EnvironmentKind | None, limit: int
) -> Environment:
    """Return how crowded the sky is by a run, the newest unless one is named. Raises NotFound."""
    wanted = run_id or snapshot.run.run_id
    rows = records(COLUMNS, rows_of_run(store, wanted, kind, limit) if is_run_id(wanted) else [])
    if run_id is not None and not rows:
        raise NotFound(
            "No run of this id has counted approaches; `GET /environment/series` lists those that have."
        )
    days = rows[0]["days"] if rows else None
    shown = [{name: value for name, value in row.items() if name not in _OF_RUN} for row in rows]
    return Environment(wanted, days, shown)  # type: ignore[arg-type]


def environment_series(store: Path) -> EnvironmentSeries:
    """Return how crowded the sky was in each run."""
    runs = records(SERIES_COLUMNS, series(store))
    return EnvironmentSeries(runs, len(runs))  # type: ignore[arg-type]


def object_density(snapshot: Snapshot) -> ObjectDensity:
    """Return where the objects of a run are."""
    from screening.environment.residence import Stays
    from screening.risk.views.overview import ALTITUDE_EDGES_KM, INCLINATION_EDGES_DEG

    fields = ("perigee_km", "apogee_km", "inclination_deg")
    rows = [row for row in snapshot.objects(fields) if None not in row]
    perigee_km, apogee_km, inclination_deg = np.array(rows, np.float64).reshape(-1, 3).T
    axis_km = (perigee_km + apogee_km) / 2.0 + EARTH_RADIUS_KM
    stays = Stays.of(axis_km, (apogee_km - perigee_km) / 2.0 / axis_km, ALTITUDE_EDGES_KM)
    objects = stays.by_inclination(
        len(ALTITUDE_EDGES_KM) - 1, inclination_deg, INCLINATION_EDGES_DEG, np.ones(len(axis_km))
    )
    return ObjectDensity(snapshot.run.run_id, ALTITUDE_EDGES_KM, INCLINATION_EDGES_DEG, objects)


def work_of(store: Path, snapshot: Snapshot, norad_ids: Sequence[int]) -> Workload:
    """Return who causes the work with some objects of a run."""
    run = snapshot.run
    days = (run.window_end - run.window_start) / _DAY
    found = {(one.kind, one.group): one for one in workload(store, snapshot.rows, run.run_id, norad_ids)}
    none = Share("", "", 0, 0, 0.0)
    total, within = found.pop(("all", ""), none), found.pop(("within", ""), none)
    others = total.approaches_5km - within.approaches_5km
    shares = [
        WorkShare(
            one.kind,  # type: ignore[arg-type]
            one.group,
            one.approaches_1km / days,
            one.approaches_5km / days,
            one.approaches_5km / others,
            one.collisions / days * _YEAR_DAYS,
        )
        for one in found.values()
    ]
    return Workload(
        run.run_id,
        days,
        len(norad_ids),
        total.approaches_1km / days,
        total.approaches_5km / days,
        within.approaches_1km / days,
        within.approaches_5km / days,
        total.collisions / days * _YEAR_DAYS,
        shares,
    )
