"""The events that the store knows, to match new events with."""

from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from storage.analyst_file.tables_and_views import analyses, history
from storage.disk.checksums import verify_all, verify_parquet
from storage.disk.connections import file_reader, in_memory
from storage.disk.current import NOTHING_EXPIRED, Current, Expiry, expiry_of
from storage.disk.layout import (
    ANALYSIS_FILES,
    RUN_FILES,
    conjunction_files,
    quoted,
    run_files,
    run_folder,
)
from storage.rows.over_runs.event_ids import (
    EVENT_DTYPE,
    SAME_ENCOUNTER,
    EventArray,
    EventIds,
    hashed_ids,
    joined,
    pair_key,
)

# The columns that decide whether two rows are the same encounter.
MATCHED_BY = (
    "event_id",
    "primary_norad_id",
    "secondary_norad_id",
    "tca",
    "encounter",
    "inside_from",
    "inside_to",
)
_AT_A_TIME = 65_536  # rows
_SAME_ENCOUNTER_US = int(SAME_ENCOUNTER / np.timedelta64(1, "us"))


def known_events(store: Path, current: Current | None) -> EventArray:
    """Return the events of the current run, if there is one, and of all analyses in the store."""
    verify_all(store.glob(ANALYSIS_FILES))
    with file_reader() as connection:
        found = connection.sql(
            f"SELECT {', '.join(MATCHED_BY)} FROM ({analyses(store, expiry_of(current))})"  # noqa: S608
        ).to_arrow_table()
    of_analyses = events_of_rows(found)
    if current is None:
        return of_analyses
    return joined([of_analyses, events_of_run(store, current.run_id)], EVENT_DTYPE)


def events_of_run(store: Path, run_id: str) -> EventArray:
    """Return the events of one run."""
    file = run_folder(store, run_id) / RUN_FILES["conjunctions"]
    if not file.exists():  # it was damaged and set aside
        return np.zeros(0, EVENT_DTYPE)
    return events_of_file(file)


def events_of_file(path: Path) -> EventArray:
    """Return the events in a file of conjunctions."""
    verify_parquet(path, MATCHED_BY)
    with pq.ParquetFile(path) as file:
        parts = file.iter_batches(_AT_A_TIME, columns=list(MATCHED_BY), use_threads=False)
        return _events(file.metadata.num_rows, parts)


def events_of_rows(rows: pa.Table) -> EventArray:
    """Return the events of rows (n,) of conjunctions."""
    return _events(len(rows), rows.select(MATCHED_BY).to_batches())


def _events(count: int, parts: Iterable[pa.RecordBatch]) -> EventArray:
    """Return `count` events from rows that come part by part."""
    events, begin = np.zeros(count, EVENT_DTYPE), 0
    for part in parts:
        here = events[begin : begin + len(part)]
        for name in ("event_id", "primary_norad_id", "secondary_norad_id", "tca"):
            here[name] = part[name].to_numpy(zero_copy_only=False)
        here["slow"] = pc.equal(part["encounter"], "slow").to_numpy(zero_copy_only=False)
        for name, inside in (("begin", "inside_from"), ("end", "inside_to")):
            here[name] = pc.coalesce(part[inside], part["tca"]).to_numpy(zero_copy_only=False)
        begin += len(part)
    return events


def seen_before(store: Path, new: EventArray, expiry: Expiry = NOTHING_EXPIRED) -> EventArray:
    """Return the events of the pairs of new ones (n,) that any run of the store has seen, each as last seen.

    Of runs whose events had all passed when the first of the new ones begins, nothing but the footer is read.
    """
    since = new["begin"].min() - SAME_ENCOUNTER
    first = run_folder(store, expiry.runs_from).name
    files = (path for path in store.glob(run_files("conjunctions")) if path.parent.name >= first)
    paths = [path for path in files if _last_end(path) >= since]
    if not paths:
        return np.zeros(0, EVENT_DTYPE)
    verify_all(paths, (*MATCHED_BY, "run_id"))
    of_runs = ", ".join(map(quoted, paths))
    with in_memory(threads="1") as connection:
        connection.register("pairs", pa.table({"pair": np.unique(pair_key(new))}))
        found = connection.sql(
            f"""
            SELECT {", ".join(MATCHED_BY)} FROM read_parquet([{of_runs}], hive_partitioning = false)
            SEMI JOIN pairs ON pair = (least(primary_norad_id, secondary_norad_id)::BIGINT << 32)
                | greatest(primary_norad_id, secondary_norad_id)
            WHERE coalesce(inside_to, tca) >= TIMESTAMP '{since}'
            QUALIFY row_number() OVER (PARTITION BY event_id ORDER BY run_id DESC) = 1
            """  # noqa: S608 - the paths are quoted
        ).to_arrow_table()
    return events_of_rows(found)


def _last_end(path: Path) -> np.datetime64:
    """Return when the last event in a file of conjunctions ends, as its footer says; NaT if it has none."""
    return _end_in_footer(path, path.stat().st_mtime_ns)


@lru_cache(maxsize=4096)
def _end_in_footer(path: Path, _changed_ns: int) -> np.datetime64:
    verify_parquet(path, ())
    footer = pq.read_metadata(path)
    places = [footer.schema.names.index(name) for name in ("tca", "inside_to")]
    groups = map(footer.row_group, range(footer.num_row_groups))
    found = (group.column(place).statistics for group in groups for place in places)
    ends = [np.datetime64(one.max, "us") for one in found if one is not None and one.has_min_max]
    return max(ends, default=np.datetime64("NaT", "us"))


def ids_of_others(store: Path, new: EventArray, expiry: Expiry = NOTHING_EXPIRED) -> EventIds:
    """Return the hashed ids of new events that another encounter has in any run of the store.

    Of all runs only the ids are read; of the rest of a row nothing, unless one has such an id.
    """
    hashed, runs = hashed_ids(new), history(store, expiry)
    verify_all(conjunction_files(store), ("event_id", "run_id"))
    with file_reader() as connection:
        connection.register("hashed", pa.table({"event_id": hashed}))
        known = connection.sql(f"SELECT DISTINCT event_id FROM hashed SEMI JOIN ({runs}) USING (event_id)")  # noqa: S608
        known_ids = np.asarray(known.to_arrow_table()["event_id"], np.int64)
    if not len(known_ids):
        return known_ids
    some = np.isin(hashed, known_ids)
    candidates = pa.table(
        {
            "event_id": hashed[some],
            "low": np.minimum(new["primary_norad_id"][some], new["secondary_norad_id"][some]),
            "high": np.maximum(new["primary_norad_id"][some], new["secondary_norad_id"][some]),
            "tca": new["tca"][some],
        }
    )
    verify_all(
        conjunction_files(store), ("event_id", "primary_norad_id", "secondary_norad_id", "tca", "run_id")
    )
    with file_reader() as connection:
        connection.register("candidates", candidates)
        rows = connection.sql(
            f"""
            SELECT DISTINCT event_id FROM candidates
            JOIN ({runs}) AS stored USING (event_id)
            WHERE low <> least(primary_norad_id, secondary_norad_id)
               OR high <> greatest(primary_norad_id, secondary_norad_id)
               OR abs(date_diff('microsecond', candidates.tca, stored.tca)) > {_SAME_ENCOUNTER_US}
            """  # noqa: S608 - the path is quoted
        ).to_arrow_table()
    return np.asarray(rows["event_id"], np.int64)
