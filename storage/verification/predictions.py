"""What runs have predicted of the encounters of a span of time."""

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from storage.disk.checksums import verify_all
from storage.disk.connections import file_reader, in_memory
from storage.disk.layout import ANALYST_FILE, RUN_FILES, quoted, run_folder, with_every_column
from storage.times import datetime64_us

Instants = npt.NDArray[np.datetime64]

MOST_LOW = 15_000  # 0.1 CPU-s
BOTH = ("primary", "secondary")
_READ = (
    *("event_id", "run_id", "tca", "miss_distance_m", "miss_radial_m", "miss_in_track_m"),
    *("miss_cross_track_m", "probability_best", "probability_level"),
    *(
        f"{who}_{name}"
        for who in BOTH
        for name in (
            *("norad_id", "error_law", "manoeuvring", "age_days", "trajectory", "tail_share", "burn_share"),
            *("burn_in_track_m", "sigma_r_m", "sigma_t_m", "sigma_n_m"),
            *("x_km", "y_km", "z_km", "vx_km_s", "vy_km_s", "vz_km_s"),
        )
    ),
)


class Runs(NamedTuple):
    """Runs in the order of their windows (n,), times UTC."""

    run_id: list[str]
    begins: Instants
    ends: Instants


def runs_of(store: Path) -> Runs:
    """Return the runs of a store whose catalogue-wide windows are known; of equal windows the last run."""
    with in_memory() as connection:
        connection.execute(f"ATTACH {quoted(store / ANALYST_FILE)} AS skysieve (READ_ONLY)")
        found = connection.execute(
            "SELECT run_id, window_start, window_end FROM skysieve.runs "
            "QUALIFY row_number() OVER (PARTITION BY window_start ORDER BY run_id DESC) = 1 "
            "ORDER BY window_start"
        ).fetchnumpy()
    begins, ends = (np.asarray(found[name], "M8[us]") for name in ("window_start", "window_end"))
    return Runs([str(run_id) for run_id in found["run_id"]], begins, ends)


def predictions(store: Path, run_ids: Sequence[str], since: datetime, until: datetime) -> pa.Table:
    """Return fast events of some runs with a TCA from `since` to before `until`, UTC, with `stands_for`.

    Every prediction of encounters that any run rated above low; of the others one in so many, chosen by event
    id, that some MOST_LOW predictions are left: `stands_for`. Of a run of an earlier release some columns are
    NULL.

    Raises:
        DamagedFile: a file of a run is damaged.
    """
    paths = [run_folder(store, run_id) / RUN_FILES["conjunctions"] for run_id in run_ids]
    there = [path for path in paths if path.is_file()]
    verify_all(there, ())
    if not there:
        there = [run_folder(store, "0") / RUN_FILES["conjunctions"]]
    begin, end = (f"TIMESTAMP '{datetime64_us(time)}'" for time in (since, until))
    files = with_every_column(store, there)
    source = f"read_parquet({files}, hive_types = {{'run_id': 'VARCHAR'}}, union_by_name = true)"
    passed = f"tca >= {begin} AND tca < {end} AND encounter = 'fast'"
    with file_reader() as connection:
        connection.execute(
            f"CREATE TEMP TABLE passed AS SELECT event_id, probability_level FROM {source} WHERE {passed}"  # noqa: S608
        )
        ((count,),) = connection.execute("SELECT count(*) FROM passed").fetchall()
        one_in = max(1, -(-count // MOST_LOW))
        connection.execute(
            "CREATE TEMP TABLE rated AS SELECT DISTINCT event_id FROM passed WHERE probability_level <> 'low'"
        )
        return connection.sql(
            f"SELECT {', '.join(_READ)}, if(event_id IN (FROM rated), 1, {one_in}) AS stands_for "  # noqa: S608
            f"FROM {source} WHERE {passed} AND (event_id % {one_in} = 0 OR event_id IN (FROM rated))"
        ).to_arrow_table()
