"""Show encounters known only from messages: rows of the table `analyses`, beside those of analyses.

So every list of events has them, with their origin, and a run that finds one takes over its id. Two files of
each organisation hold them: what may be shared, and what may not. They are written anew after each import and
each run.
"""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from screening.risk.messages.values import LATEST
from storage.analyst_file.tables_and_views import SAME_ENCOUNTER_MINUTES, analyses, files_in, messages
from storage.disk.checksums import verify_all
from storage.disk.connections import file_reader
from storage.disk.current import Current, read_current
from storage.disk.layout import (
    ANALYSES,
    ANALYSIS_FILES,
    MESSAGE_FILES,
    MESSAGES,
    NO_MESSAGES,
    RUN_FILES,
    conjunction_files,
    quoted,
    replace_parquet,
    run_folder,
    told_file,
    whose_told,
)
from storage.disk.whole_files import sync_folder
from storage.message_schema import AS_EVENT, EVENT_COLUMNS, STORED, TEXT
from storage.schema import CONJUNCTIONS
from storage.upkeep.damaged_files import read_without_damaged
from storage.vocabulary import MESSAGE, RESTRICTED_MESSAGE, TOLD

_NOBODY = "UNKNOWN"  # as catalogues call objects without a name
# What the newest run has, and what analyses have found since: these encounters are shown by their own rows.
_SHOWN = """
CREATE TEMP TABLE shown AS
SELECT event_id, least(primary_norad_id, secondary_norad_id) AS low,
    greatest(primary_norad_id, secondary_norad_id) AS high,
    least(tca, inside_from) AS begin, greatest(tca, inside_to) AS finish
FROM ({rows})"""
# Messages still to come of two numbered objects, of encounters that have no other row.
_UNSEEN = """
CREATE TEMP TABLE unseen AS
SELECT * EXCLUDE ({as_event}, {text}) FROM {files} AS message
WHERE tca >= {from_} AND tca < {until} AND {as_event}.miss_distance_m IS NOT NULL
    AND primary_norad_id IS NOT NULL AND secondary_norad_id IS NOT NULL
    AND NOT EXISTS (
        FROM shown WHERE low = least(primary_norad_id, secondary_norad_id)
            AND high = greatest(primary_norad_id, secondary_norad_id)
            AND message.tca BETWEEN begin - INTERVAL {minutes} MINUTE AND finish + INTERVAL {minutes} MINUTE
    )"""
# Of each encounter the newest message; one that may be shared before any that may not.
_CHOSEN = """
CREATE TEMP TABLE chosen AS
FROM ({messages}) ANTI JOIN shown ON encounter_id = shown.event_id
QUALIFY row_number() OVER (
    PARTITION BY encounter_id
    ORDER BY restricted, coalesce(creation_date, received_at) DESC, received_at DESC, id
) = 1"""
_ROWS = """
SELECT encounter_id AS event_id, {run_id} AS run_id, if(chosen.restricted, {restricted}, {free}) AS origin,
    greatest(chosen.received_at, {finished}) AS computed_at,
    chosen.primary_norad_id, chosen.secondary_norad_id,
    coalesce(nullif(trim(chosen.primary_name), ''), {unnamed}) AS primary_name,
    coalesce(nullif(trim(chosen.secondary_name), ''), {unnamed}) AS secondary_name,
    chosen.tca, {columns}
FROM chosen JOIN {files} AS file ON file.id = chosen.id AND file.received_at = chosen.received_at
QUALIFY row_number() OVER (PARTITION BY chosen.id) = 1
ORDER BY event_id"""


def show_told(store: Path) -> None:
    """Show the future encounters known from messages that neither the newest run nor an analysis has.

    Each organisation's by themselves. Nothing if there is no run yet. Needs the lock.
    """
    current = read_current(store)
    batches: dict[int, list[Path]] = {}
    for path in sorted(store.glob(MESSAGE_FILES)):
        if path.name != NO_MESSAGES:
            batches.setdefault(whose_told(path.name), []).append(path)
    shown = {
        whose: [store / ANALYSES / told_file(origin, whose) for origin in TOLD]
        for whose in {*batches, *map(whose_told, _told_before(store))}
    }
    if current is None or not shown:
        return
    for whose, paths in sorted(shown.items()):
        received = [store / MESSAGES / NO_MESSAGES, *batches.get(whose, ())]
        rows = read_without_damaged(store, partial(_told, store, current, received))
        for origin, path in zip(TOLD, paths, strict=True):
            here = rows.filter(pc.equal(rows["origin"].cast(pa.string()), origin))
            if len(here) or (path.exists() and pq.read_metadata(path).num_rows):
                replace_parquet(here, path)
    sync_folder(store / ANALYSES)


def _told_before(store: Path) -> list[str]:
    return [path.name for origin in TOLD for path in (store / ANALYSES).glob(f"{origin}*.parquet")]


def _told(store: Path, current: Current, batches: Sequence[Path]) -> pa.Table:
    """Return one row an encounter of the messages in some files, with the columns of `conjunctions`."""
    batches = [path for path in batches if path.exists()]  # but those set aside as damaged
    verify_all(batches, [name for name in STORED.names if name != TEXT])
    with file_reader() as connection:
        run = run_folder(store, current.run_id)
        found = connection.execute(
            "SELECT window_start::VARCHAR, finished::VARCHAR "  # noqa: S608
            f"FROM read_parquet({quoted(run / RUN_FILES['runs'])})"
        ).fetchone()
        assert found is not None, "a run has a record"
        window_start, finished = (f"TIMESTAMP {quoted(instant)}" for instant in found)
        _list_shown(connection, store, current, finished)
        received = files_in(batches)
        connection.execute(
            _UNSEEN.format(
                files=received,
                from_=window_start,
                until=f"TIMESTAMP {quoted(str(LATEST))}",
                as_event=AS_EVENT,
                text=TEXT,
                minutes=SAME_ENCOUNTER_MINUTES,
            )
        )
        if connection.execute("SELECT count(*) FROM unseen").fetchone() == (0,):
            return CONJUNCTIONS.arrow.empty_table()
        verify_all(conjunction_files(store), ("event_id", "run_id"))
        connection.execute(_CHOSEN.format(messages=messages(store, current.expiry, rows="FROM unseen")))
        query = _ROWS.format(
            run_id=quoted(current.run_id),
            restricted=quoted(RESTRICTED_MESSAGE),
            free=quoted(MESSAGE),
            finished=finished,
            unnamed=quoted(_NOBODY),
            columns=", ".join(f"file.{AS_EVENT}.{column.name} AS {column.name}" for column in EVENT_COLUMNS),
            files=received,
        )
        rows = connection.sql(query).to_arrow_table()
    return rows.select(CONJUNCTIONS.arrow.names).cast(CONJUNCTIONS.arrow)


def _list_shown(connection: duckdb.DuckDBPyConnection, store: Path, current: Current, finished: str) -> None:
    verify_all(store.glob(ANALYSIS_FILES))
    since = f"FROM ({analyses(store, current.expiry)}) WHERE computed_at >= {finished}"
    rows = f"{since} AND origin NOT IN {TOLD}"
    file = run_folder(store, current.run_id) / RUN_FILES["conjunctions"]
    if file.exists():  # else it was damaged and set aside
        verify_all([file], ("event_id", "primary_norad_id", "secondary_norad_id", "tca"))
        rows += f" UNION ALL BY NAME FROM read_parquet({quoted(file)}, hive_partitioning = false)"
    connection.execute(_SHOWN.format(rows=rows))
