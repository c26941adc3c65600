"""Export everything in the store, history included, to one self-contained file."""

from collections.abc import Callable
from pathlib import Path

from screening.errors import UsageError
from storage import schema
from storage.analyst_file.tables_and_views import (
    STORAGE_VERSION,
    VIEWS,
    create_events_view,
    describe,
)
from storage.disk.checksums import verify_all
from storage.disk.faults import store_faults
from storage.disk.layout import (
    ANALYSIS_FILES,
    DECAY_FILES,
    ELEMENT_FILES,
    FLEET_EVENT_FILES,
    FORECAST_FILES,
    MANOEUVRE_FILES,
    MESSAGE_FILES,
    conjunction_files,
    quoted,
)
from storage.disk.whole_files import staged_beside, sync_folder
from storage.reading.newest_run import connect, current
from storage.vocabulary import RESTRICTED_MESSAGE

# Only runs in the table `runs`: a run that is published meanwhile is left out completely.
_RUNS_KNOWN = "WHERE run_id IN (SELECT run_id FROM skysieve.runs)"
_SOURCES = {
    **{name: f"skysieve.{name}" for name in schema.TABLES},
    "conjunction_history": f"skysieve.conjunction_history {_RUNS_KNOWN}",
    "element_history": f"skysieve.element_history {_RUNS_KNOWN} OR run_id IS NULL",
    "analyses": "skysieve.analyses",
    "fleet_events": "skysieve.fleet_events",
    "manoeuvres": "skysieve.manoeuvres",
    "forecasts": "skysieve.forecasts",
    "decays": "skysieve.decays",
    "messages": "skysieve.messages",
}
_FREE = {
    "analyses": f"skysieve.analyses WHERE origin <> '{RESTRICTED_MESSAGE}'",
    "messages": "skysieve.messages WHERE NOT restricted",
}

SUFFIXES = (".duckdb", ".db")


def export(
    store: Path,
    target: Path,
    *,
    force: bool,
    on_table: Callable[[str], None],
    allow_restricted: bool = False,
) -> Path:
    """Write all tables of a store, and its views as tables, to a new DuckDB file; return its absolute path.

    Args:
        store: folder of the store.
        target: the file to write; it appears whole or not at all.
        force: replace the file if it exists.
        on_table: called with the name of each table before it is written.
        allow_restricted: also messages whose sources forbid sharing them, and events known only from them.

    Raises:
        UsageError: its suffix is not that of a DuckDB file, it exists, is inside the store, or its folder
            does not exist.
    """
    store, target = store.resolve(), target.expanduser().resolve()
    if target.suffix not in SUFFIXES:
        raise UsageError(
            f"{target} ends in {target.suffix!r}; a DuckDB file ends in {' or '.join(SUFFIXES)}."
        )
    if target.is_relative_to(store):
        raise UsageError(f"{target} is inside the store {store}: name a file elsewhere.")
    if not target.parent.is_dir():
        raise UsageError(f"The folder {target.parent} does not exist: create it, or name a file elsewhere.")
    if target.exists() and not force:
        raise UsageError(f"{target} already exists: name another file, or replace it with --force.")
    run_id = current(store).run_id
    with store_faults(store):
        with staged_beside(target) as staged:
            staged.unlink(missing_ok=True)
            try:
                _write(store, staged, run_id, on_table, {} if allow_restricted else _FREE)
            finally:
                staged.with_name(f"{staged.name}.wal").unlink(missing_ok=True)
        sync_folder(target.parent)
    return target


def _write(
    store: Path, path: Path, run_id: str, on_table: Callable[[str], None], free: dict[str, str]
) -> None:
    verify_all(conjunction_files(store))
    patterns = (ELEMENT_FILES, ANALYSIS_FILES, MESSAGE_FILES, FLEET_EVENT_FILES)
    for pattern in (*patterns, MANOEUVRE_FILES, FORECAST_FILES, DECAY_FILES):
        verify_all(store.glob(pattern))
    with connect(store) as connection:
        connection.execute(f"ATTACH {quoted(path)} AS target (STORAGE_VERSION '{STORAGE_VERSION}')")
        connection.execute("USE target")
        for name, source in (_SOURCES | free).items():
            on_table(name)
            connection.execute(f"CREATE TABLE {name} AS FROM {source}")
            describe(connection, "TABLE", name, schema.TABLES.get(name) or VIEWS[name])
        create_events_view(connection, run_id)
        connection.execute("CHECKPOINT target")
        connection.execute("USE skysieve")
        connection.execute("DETACH target")
