"""The events that the store knows, to match new events with."""

from pathlib import Path

import numpy as np
import pyarrow as pa

from screening.risk.conjunctions import ENCOUNTERS, ConjunctionArray
from storage.analyst_file.tables_and_views import analyses, history
from storage.disk.checksums import verify_all, verify_parquet
from storage.disk.connections import in_memory
from storage.disk.current import NOTHING_EXPIRED, Current, Expiry, expiry_of
from storage.disk.layout import ANALYSIS_FILES, RUN_FILES, conjunction_files, quoted, run_folder
from storage.rows.event_ids import EVENT_DTYPE, SAME_ENCOUNTER, EventArray, EventIds, hashed_ids

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
_FIELDS = """
    event_id, primary_norad_id, secondary_norad_id, tca, encounter = 'slow' AS slow,
    coalesce(inside_from, tca) AS begin, coalesce(inside_to, tca) AS end"""


def events_of(records: ConjunctionArray) -> EventArray:
    """Return the fields by which rated conjunctions (n,) of CONJUNCTION_DTYPE are matched."""
    events = np.zeros(len(records), EVENT_DTYPE)
    for name in ("primary_norad_id", "secondary_norad_id", "tca"):
        events[name] = records[name]
    events["slow"] = records["encounter"] == ENCOUNTERS.index("slow")
    for name, inside in (("begin", "inside_from"), ("end", "inside_to")):
        events[name] = np.where(np.isnat(records[inside]), records["tca"], records[inside])
    return events


def known_events(store: Path, current: Current | None) -> EventArray:
    """Return the events of the current run, if there is one, and of all analyses in the store."""
    verify_all(store.glob(ANALYSIS_FILES))
    of_analyses = _events(analyses(store, expiry_of(current)))
    return (
        of_analyses
        if current is None
        else np.concatenate([of_analyses, events_of_run(store, current.run_id)])
    )


def events_of_run(store: Path, run_id: str) -> EventArray:
    """Return the events of one run."""
    file = run_folder(store, run_id) / RUN_FILES["conjunctions"]
    if not file.exists():  # it was damaged and set aside
        return np.zeros(0, EVENT_DTYPE)
    verify_parquet(file, MATCHED_BY)
    return _events(f"FROM read_parquet({quoted(file)})")


def _events(source: str) -> EventArray:
    with in_memory() as connection:
        table = connection.sql(f"SELECT {_FIELDS} FROM ({source})").to_arrow_table()  # noqa: S608
    events = np.zeros(len(table), EVENT_DTYPE)
    for name in EVENT_DTYPE.names or ():
        events[name] = table[name].to_numpy()
    return events


def ids_of_others(store: Path, new: EventArray, expiry: Expiry = NOTHING_EXPIRED) -> EventIds:
    """Return the hashed ids of new events that another encounter has in any run of the store."""
    candidates = pa.table(
        {
            "event_id": hashed_ids(new),
            "low": np.minimum(new["primary_norad_id"], new["secondary_norad_id"]),
            "high": np.maximum(new["primary_norad_id"], new["secondary_norad_id"]),
            "tca": np.ascontiguousarray(new["tca"]),
        }
    )
    verify_all(
        conjunction_files(store), ("event_id", "primary_norad_id", "secondary_norad_id", "tca", "run_id")
    )
    minutes = int(SAME_ENCOUNTER.astype("i8"))
    with in_memory() as connection:
        connection.register("candidates", candidates)
        rows = connection.sql(
            f"""
            SELECT DISTINCT event_id FROM candidates
            JOIN ({history(store, expiry)}) AS stored USING (event_id)
            WHERE low <> least(primary_norad_id, secondary_norad_id)
               OR high <> greatest(primary_norad_id, secondary_norad_id)
               OR abs(date_diff('microsecond', candidates.tca, stored.tca)) > {minutes * 60_000_000}
            """  # noqa: S608 - the path is quoted
        ).to_arrow_table()
    return np.asarray(rows["event_id"], np.int64)
