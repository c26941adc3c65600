"""The file that analysts open: tables of the newest run, and views over the files of all runs."""

from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from itertools import cycle
from pathlib import Path

import duckdb
import numpy as np
import pyarrow as pa

from storage import schema
from storage.addresses import sql_without_secrets
from storage.analyst_file.expired_months import months_with, superseded
from storage.analyst_file.upgrade_objects import set_status
from storage.disk.checksums import verify_all
from storage.disk.connections import in_memory
from storage.disk.current import Expiry
from storage.disk.layout import (
    ANALYSIS_FILES,
    CATALOGUE_CHANGE_FILES,
    DECAY_FILES,
    ELEMENT_FILES,
    ENVIRONMENT_FILES,
    FLEET_EVENT_FILES,
    FORECAST_FILES,
    FRAGMENTATION_FILES,
    IMPORTED_ELEMENT_FILES,
    KEPT_FILES,
    MANOEUVRE_FILES,
    MESSAGE_FILES,
    MONTH_KEPT_FILES,
    MONTH_RUN_FILES,
    RUN_ELEMENT_FILES,
    quoted,
    quoted_glob,
    run_files,
    run_folder,
)
from storage.disk.run_ids import start_of
from storage.fleet_schema import FLEET_EVENTS
from storage.forecast_schema import FORECASTS
from storage.machine.one_thread import one_thread
from storage.manoeuvre_schema import MANOEUVRES
from storage.message_schema import AS_EVENT, RECEIVED
from storage.rows.over_runs.event_ids import SAME_ENCOUNTER
from storage.rows.over_runs.winning import WINNER_FIRST
from storage.sky_schema import CATALOGUE_CHANGES, DECAYS, ENVIRONMENT, FRAGMENTATIONS
from storage.vocabulary import FLEET, SECOND_LOOK, TOLD

# Analysts may have any DuckDB from 1.4 on; newer versions would by default write files that older ones cannot
# open.
STORAGE_VERSION = "v1.4.0"

# Rows that DuckDB compresses at once, a quarter of its default. As many are added in a transaction: fewer are
# copied when it ends. To be named whenever a file is opened for writing: otherwise its tables are rewritten.
ROW_GROUP = 30_720

# While rows are made and added: DuckDB keeps in memory what it has written, up to the limit, and with another
# thread of its own takes half as much CPU time again.
_STREAMING = {"memory_limit": "256MB", "threads": "1"}

# One row per event. Only events in both the run and the analyses are compared, which saves 0.1 s for 132,000.
_EVENTS = """
CREATE OR REPLACE VIEW events AS
WITH since AS (
    FROM analyses WHERE computed_at >= (SELECT finished FROM runs WHERE run_id = {run_id})
)
FROM conjunctions ANTI JOIN since USING (event_id)
UNION ALL BY NAME
FROM (FROM conjunctions SEMI JOIN since USING (event_id) UNION ALL BY NAME FROM since)
QUALIFY row_number() OVER (PARTITION BY event_id ORDER BY {winner_first}) = 1"""

_ELEMENT_HISTORY = """
SELECT * REPLACE (coalesce(first_seen, strptime(run_id[:16], '%Y%m%dT%H%M%SZ')) AS first_seen)
FROM ({of_runs}) ANTI JOIN (FROM ({imported})) USING (norad_id, content_hash) WHERE run_id >= {border}
UNION ALL BY NAME
FROM (
    FROM ({imported}) QUALIFY row_number() OVER (PARTITION BY norad_id, content_hash ORDER BY first_seen) = 1
)"""

# A manoeuvre that later sets show better is there again: of rows whose times overlap, the surest counts.
_MANOEUVRES = """
SELECT * EXCLUDE (first_of_its_time) FROM (
    SELECT * EXCLUDE (starts), sum(starts) OVER in_order AS first_of_its_time FROM (
        SELECT *, CASE WHEN "from" < max("to") OVER (
            PARTITION BY norad_id ORDER BY "from", "to", sigmas, run_id
            ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
        ) THEN 0 ELSE 1 END AS starts
        FROM {files} WHERE {wanted}
    ) WINDOW in_order AS (
        PARTITION BY norad_id ORDER BY "from", "to", sigmas, run_id ROWS UNBOUNDED PRECEDING
    )
) QUALIFY row_number() OVER (
    PARTITION BY norad_id, first_of_its_time ORDER BY sigmas DESC, run_id NULLS FIRST
) = 1"""

# A message belongs to the event of its pair with the nearest TCA: its sender's ids do not count. It is hidden
# as long after its TCA, and after it came, as analyses after they were made. While files are merged, a row
# may be in two of them.
_MESSAGES = """
WITH kept AS (
    FROM ({rows}) WHERE greatest(tca, received_at) >= {border}
    QUALIFY row_number() OVER (PARTITION BY id ORDER BY received_at) = 1
), known AS (
    SELECT event_id, tca, least(primary_norad_id, secondary_norad_id) AS low,
        greatest(primary_norad_id, secondary_norad_id) AS high
    FROM ({events})
), nearest AS (
    SELECT id, first(event_id ORDER BY abs(epoch_us(known.tca) - epoch_us(kept.tca)), event_id) AS event_id
    FROM kept JOIN known ON low = least(primary_norad_id, secondary_norad_id)
        AND high = greatest(primary_norad_id, secondary_norad_id)
        AND known.tca BETWEEN kept.tca - INTERVAL {minutes} MINUTE AND kept.tca + INTERVAL {minutes} MINUTE
    GROUP BY id
)
SELECT kept.*, nearest.event_id, coalesce(nearest.event_id, own_encounter_id) AS encounter_id
FROM kept LEFT JOIN nearest USING (id)"""
SAME_ENCOUNTER_MINUTES = int(SAME_ENCOUNTER / np.timedelta64(1, "m"))

VIEWS = {
    "conjunction_history": schema.Table(
        "Conjunctions of all runs; for expired runs only the critical and high ones.",
        schema.CONJUNCTIONS.columns,
    ),
    "analyses": schema.Table(
        "Conjunctions found by analyses on demand, by second looks, and around fleets.",
        schema.CONJUNCTIONS.columns,
    ),
    "events": schema.Table(
        "Conjunctions of the newest run and of the analyses since, one row per event.",
        schema.CONJUNCTIONS.columns,
    ),
    "element_history": schema.ELEMENT_HISTORY,
    "messages": RECEIVED,
    "fleet_events": FLEET_EVENTS,
    "manoeuvres": MANOEUVRES,
    "forecasts": FORECASTS,
    "decays": DECAYS,
    "environment": ENVIRONMENT,
    "catalogue_changes": CATALOGUE_CHANGES,
    "fragmentations": FRAGMENTATIONS,
}


class NewFile:
    """A new analyst file, filled by two threads; each has a connection, and a transaction for each call."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, threads: Sequence[Executor]) -> None:
        self._connection = connection
        self._writers = cycle([(thread, _another(connection)) for thread in threads])
        thread, writer = next(self._writers)
        self._made = self._last = thread.submit(_make_tables, writer)

    def append(self, name: str, rows: pa.Table) -> Future[None]:
        """Add rows to a table, which keeps the order of the calls."""
        thread, writer = next(self._writers)
        self._last = thread.submit(self._add, writer, name, rows, self._last)
        return self._last

    def _add(
        self, writer: duckdb.DuckDBPyConnection, name: str, rows: pa.Table, before: Future[None]
    ) -> None:
        self._made.result()
        with _transaction(writer):
            writer.from_arrow(rows).insert_into(name)  # a registered view would be kept until the commit
            before.result()

    def wait(self) -> None:
        """Wait until all rows are added."""
        self._last.result()

    def add_what_the_store_has(self, store: Path, run_id: str, expiry: Expiry) -> None:
        """Add the table of all runs and the views, once the run is in the store."""
        for pattern in (run_files("runs"), MONTH_RUN_FILES):
            verify_all(store.glob(pattern))
        self._made.result()
        with _another(self._connection) as connection, _transaction(connection):
            source = sql_without_secrets("source")  # earlier releases stored keys there
            records = f"SELECT * REPLACE ({source} AS source) FROM ({all_runs(store, expiry)})"  # noqa: S608
            connection.execute(f"CREATE TABLE runs AS {records} ORDER BY run_id")
            describe(connection, "TABLE", "runs", schema.TABLES["runs"])
            create_views(connection, store, run_id, expiry)


@contextmanager
def new_file(path: Path) -> Iterator[NewFile]:
    """Open a new analyst file; when the block ends, all is on the disk."""
    spilled = str(path.with_suffix(".spilled"))
    with (
        _attached(path, **_STREAMING, temp_directory=spilled) as connection,
        one_thread("tables") as first,  # ends before the connection, which refuses to close while it is busy
        one_thread("tables") as second,
    ):
        file = NewFile(connection, (first, second))
        yield file
        file.wait()


def _make_tables(connection: duckdb.DuckDBPyConnection) -> None:
    """Make all tables but that of all runs, without rows."""
    with _transaction(connection):
        for name, table in schema.TABLES.items():
            if name != "runs":
                connection.from_arrow(table.arrow.empty_table()).create(name)
                describe(connection, "TABLE", name, table)


def rewrite(path: Path, store: Path, run_id: str, expiry: Expiry) -> None:
    """Make the views of an existing analyst file show what the store has, where it is now.

    Tables of an earlier release get the columns of today, NULL in every row; `objects` also what follows
    from what it has.
    """
    with _attached(path) as connection, _transaction(connection):
        for name, table in schema.TABLES.items():
            for column in table.columns:
                added = f"{column.name} {_sql_type(column.type)}"
                connection.execute(f"ALTER TABLE {name} ADD COLUMN IF NOT EXISTS {added}")
            describe(connection, "TABLE", name, table)
        set_status(connection)
        create_views(connection, store, run_id, expiry)


def _sql_type(kind: pa.DataType) -> str:
    """Return DuckDB's name of the type of a column that may be NULL."""
    if pa.types.is_boolean(kind):
        return "BOOLEAN"
    if pa.types.is_timestamp(kind):
        return "TIMESTAMP"
    if pa.types.is_floating(kind):
        return "DOUBLE"
    if pa.types.is_integer(kind):
        return "INTEGER" if kind.bit_width == 32 else "BIGINT"
    return "VARCHAR"


def create_views(connection: duckdb.DuckDBPyConnection, store: Path, run_id: str, expiry: Expiry) -> None:
    """Create or replace the views in the current database; their paths are absolute.

    DuckDB resolves relative paths in a view against the reader's working directory.
    """
    sources = {
        "conjunction_history": history(store, expiry),
        "analyses": analyses(store, expiry),
        "element_history": element_history(store, expiry),
        "messages": messages(store, expiry),
        "fleet_events": fleet_events(store, expiry),
        "manoeuvres": manoeuvres(store, expiry),
        "forecasts": forecasts(store, expiry),
        "decays": decays(store, expiry),
        "environment": f"FROM {files(store, ENVIRONMENT_FILES)}",
        "catalogue_changes": catalogue_changes(store, expiry),
        "fragmentations": f"FROM {files(store, FRAGMENTATION_FILES)}",
    }
    # DuckDB reads the columns of each file, and does not say which file it cannot read.
    patterns = (ANALYSIS_FILES, ELEMENT_FILES, MESSAGE_FILES, FLEET_EVENT_FILES, MANOEUVRE_FILES)
    of_runs = (
        run_files("conjunctions"),
        KEPT_FILES,
        MONTH_KEPT_FILES,
        FORECAST_FILES,
        DECAY_FILES,
        ENVIRONMENT_FILES,
        CATALOGUE_CHANGE_FILES,
        FRAGMENTATION_FILES,
    )
    for pattern in (*of_runs, *patterns):
        verify_all(store.glob(pattern), ())
    for name, source in sources.items():
        connection.execute(f"CREATE OR REPLACE VIEW {name} AS {source}")
    create_events_view(connection, run_id)
    for name in sources:
        describe(connection, "VIEW", name, VIEWS[name])


def history(store: Path, expiry: Expiry) -> str:
    """Return the query of the conjunctions of all runs."""
    border = quoted(expiry.runs_from)
    return (
        f"FROM {_run_files(store, run_files('conjunctions'), expiry)} WHERE run_id >= {border} "
        f"UNION ALL BY NAME FROM {_run_files(store, KEPT_FILES, expiry)} WHERE run_id < {border}"
        f"{_and_of_months(store, MONTH_KEPT_FILES, expiry)}"
    )


def analyses(store: Path, expiry: Expiry) -> str:
    """Return the query of the conjunctions that analyses found."""
    border = _start(expiry.analyses_from)
    return f"FROM {files(store, ANALYSIS_FILES)} WHERE computed_at >= {border}"


def _start(border: str) -> str:
    """Return the instant of a border as an SQL literal."""
    return f"TIMESTAMP '{start_of(border):%Y-%m-%d %H:%M:%S}'" if border else "TIMESTAMP '-infinity'"


def after_runs(store: Path, expiry: Expiry) -> str:
    """Return the query of the conjunctions that were evaluated again, or found around fleets, after runs."""
    return f"FROM ({analyses(store, expiry)}) WHERE origin IN ('{SECOND_LOOK}', '{FLEET}')"


def fleet_events(store: Path, expiry: Expiry) -> str:
    """Return the query of which events are inside whose volume."""
    return f"FROM {files(store, FLEET_EVENT_FILES)} WHERE run_id >= {quoted(expiry.analyses_from)}"


def element_history(store: Path, expiry: Expiry) -> str:
    """Return the query of the element sets.

    An imported set is there again if it was imported again as known earlier, and hides the same set of a run,
    of which it has the id; so sets of runs expire, and imported ones do not.
    """
    border = quoted(expiry.elements_from)
    of_runs, imported = (files(store, pattern) for pattern in (RUN_ELEMENT_FILES, IMPORTED_ELEMENT_FILES))
    return _ELEMENT_HISTORY.format(of_runs=f"FROM {of_runs}", imported=f"FROM {imported}", border=border)


def manoeuvres(store: Path, expiry: Expiry, wanted: str = "true") -> str:
    """Return the query of the manoeuvres, of those that are `wanted`, a condition on rows, one each.

    What runs found expires with their element sets; what was found in the whole history does not.
    """
    shown = f"(run_id IS NULL OR run_id >= {quoted(expiry.elements_from)}) AND ({wanted})"
    return _MANOEUVRES.format(files=files(store, MANOEUVRE_FILES), wanted=shown)


def forecasts(store: Path, expiry: Expiry) -> str:
    """Return the query of the forecasts."""
    return f"FROM {files(store, FORECAST_FILES)} WHERE judged_by >= {quoted(expiry.runs_from)}"


def decays(store: Path, expiry: Expiry) -> str:
    """Return the query of the decays that runs have forecast."""
    return f"FROM {files(store, DECAY_FILES)} WHERE run_id >= {quoted(expiry.runs_from)}"


def catalogue_changes(store: Path, expiry: Expiry) -> str:
    """Return the query of how the catalogues of runs changed."""
    return f"FROM {files(store, CATALOGUE_CHANGE_FILES)} WHERE run_id >= {quoted(expiry.elements_from)}"


def messages(store: Path, expiry: Expiry, rows: str = "") -> str:
    """Return the query of the received messages, joined to our events; of some `rows`, or of all files."""
    rows = rows or f"SELECT * EXCLUDE ({AS_EVENT}) FROM {files(store, MESSAGE_FILES)}"  # noqa: S608
    border = _start(expiry.analyses_from)
    of_analyses = (
        f"FROM ({analyses(store, expiry)}) WHERE origin NOT IN {TOLD}"  # told: by messages themselves
    )
    events = f"{history(store, expiry)} UNION ALL BY NAME {of_analyses}"
    return _MESSAGES.format(rows=rows, border=border, events=events, minutes=SAME_ENCOUNTER_MINUTES)


def create_events_view(connection: duckdb.DuckDBPyConnection, run_id: str) -> None:
    """Create or replace the view `events` over the table `conjunctions` and the given `analyses`."""
    connection.execute(_EVENTS.format(run_id=quoted(run_id), winner_first=WINNER_FIRST))
    describe(connection, "VIEW", "events", VIEWS["events"])


def describe(connection: duckdb.DuckDBPyConnection, kind: str, name: str, table: schema.Table) -> None:
    """Comment the columns of a table or view with their meanings and units."""
    connection.execute(f"COMMENT ON {kind} {name} IS {quoted(table.comment)}")
    for column in table.columns:
        connection.execute(f'COMMENT ON COLUMN {name}."{column.name}" IS {quoted(column.comment)}')


def all_runs(store: Path, expiry: Expiry) -> str:
    """Return the query of the records of all runs."""
    of_runs = f"FROM {_run_files(store, run_files('runs'), expiry)}"
    return of_runs + _and_of_months(store, MONTH_RUN_FILES, expiry)


def _run_files(store: Path, pattern: str, expiry: Expiry) -> str:
    """Return a table function over the files of all runs that no file of a month stands for.

    They are listed one by one while folders of other runs are about to be removed.
    """
    hidden = {run_folder(store, run_id) for run_id in superseded(store, expiry)}
    if not hidden:
        return files_of_runs(quoted_glob(store, pattern))
    shown = (path for path in sorted(store.glob(pattern)) if path.parent not in hidden)
    return files_of_runs(f"[{', '.join(quoted_glob(store, str(path.relative_to(store))) for path in shown)}]")


def files_of_runs(paths: str) -> str:
    """Return a table function over files in folders of runs; `paths` are SQL."""
    return f"read_parquet({paths}, hive_types = {{'run_id': 'VARCHAR'}}, union_by_name = true)"


def _and_of_months(store: Path, pattern: str, expiry: Expiry) -> str:
    """Return what adds the rows in files of months to a query; nothing if there are none."""
    names = months_with(store, expiry)
    if not names:
        return ""
    folders = f"{quoted_glob(store, pattern)}, hive_types = {{'month': 'VARCHAR'}}"
    found = f"read_parquet({folders}, union_by_name = true)"
    shown = f"month IN ({', '.join(map(quoted, names))})"
    return f" UNION ALL BY NAME SELECT * EXCLUDE (month) FROM {found} WHERE {shown}"  # noqa: S608


def files(store: Path, pattern: str, *, with_names: bool = False) -> str:
    """Return a table function over all rows of the files in a folder, optionally with `filename`."""
    names = ", filename = true" if with_names else ""
    folder = quoted_glob(store, pattern)
    return f"read_parquet({folder}, hive_partitioning = false, union_by_name = true{names})"


def files_in(paths: Sequence[Path]) -> str:
    """Return a table function over all rows of some files."""
    listed = ", ".join(quoted(path) for path in paths)
    return f"read_parquet([{listed}], hive_partitioning = false, union_by_name = true)"


@contextmanager
def _attached(path: Path, **config: str) -> Iterator[duckdb.DuckDBPyConnection]:
    """Open a file that no reader knows yet; when the block ends, everything in it is on the disk."""
    with in_memory(**config) as connection:
        options = f"STORAGE_VERSION '{STORAGE_VERSION}', ROW_GROUP_SIZE {ROW_GROUP}"
        connection.execute(f"ATTACH {quoted(path)} AS catalogue ({options})")
        connection.execute("USE catalogue")
        yield connection
        connection.execute("CHECKPOINT catalogue")
        connection.execute("USE memory")
        connection.execute("DETACH catalogue")


def _another(connection: duckdb.DuckDBPyConnection) -> duckdb.DuckDBPyConnection:
    """Return a connection of its own to the file that another has attached."""
    cursor = connection.cursor()
    cursor.execute("SET enable_progress_bar = false")
    cursor.execute("USE catalogue")
    return cursor


@contextmanager
def _transaction(connection: duckdb.DuckDBPyConnection) -> Iterator[None]:
    """Do all of a block or nothing: the disk is waited for once, not for every comment."""
    connection.execute("BEGIN")
    yield
    connection.execute("COMMIT")  # otherwise closing the connection rolls it back
