"""Keep a store readable: undo what a killed publisher left, and follow a moved store."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from screening.errors import StoreError
from storage.analyst_file.shown import show_file
from storage.analyst_file.tables_and_views import VIEWS, rewrite_views
from storage.disk.connections import in_memory
from storage.disk.current import Current, read_current, write_current
from storage.disk.layout import ANALYST_FILE, MESSAGES, STAGING, TRAJECTORIES, prepare, quoted
from storage.disk.lock import lock_if_free, store_lock
from storage.machine.private import keep_private
from storage.upkeep.recovery import end_staging, remains, remove_remains

_WAIT_S = 60.0  # for a publisher that is working in the moved store


@contextmanager
def opened_for_writing(store: Path, timeout_s: float) -> Iterator[None]:
    """Hold the lock of a store, with its folders made and the remains of a killed publisher removed."""
    store.mkdir(parents=True, exist_ok=True)
    with store_lock(store, timeout_s):
        remove_remains(store)
        prepare(store)
        yield
        for name in (MESSAGES, TRAJECTORIES):  # with what earlier releases left readable
            keep_private(store / name)


def settle(store: Path) -> Current | None:
    """Return the current run of a store, after removing remains and following a move if necessary.

    A store that needs neither is not written to, so that a reader without write permission can use it.
    """
    if remains(store):
        with lock_if_free(store) as free:  # taken: a publisher is working, nothing to undo
            if free:
                remove_remains(store)
    current = read_current(store)
    return current if current is None else refresh_if_moved(store, current)


def refresh_if_moved(store: Path, current: Current) -> Current:
    """Rewrite the analyst file's views, which hold absolute paths, if the store's folder has moved.

    Raises:
        StoreError: it has moved, and cannot be written at its new place.
    """
    if current.folder == str(store):
        return current
    if not os.access(store, os.W_OK):
        raise StoreError(
            f"The store was moved from {current.folder} to {store}, so the views in its {ANALYST_FILE} must "
            "be rewritten, but the folder cannot be written to: run `skysieve status` as its owner once."
        )
    with opened_for_writing(store, _WAIT_S):
        found = read_current(store)
        if found is None or found.folder == str(store):
            return current if found is None else found
        moved = found._replace(folder=str(store))
        (store / STAGING).mkdir()
        show(store, moved)
        end_staging(store)
    return moved


def make_views(store: Path) -> None:
    """Make the views that the analyst file of an earlier release lacks. Needs the lock."""
    current = read_current(store)
    if current is None or not (store / ANALYST_FILE).is_file():
        return
    with in_memory() as connection:
        connection.execute(f"ATTACH {quoted(store / ANALYST_FILE)} AS skysieve (READ_ONLY)")
        found = connection.execute("SELECT view_name FROM duckdb_views() WHERE NOT internal").fetchall()
    if not VIEWS.keys() <= {name for (name,) in found}:
        (store / STAGING).mkdir()
        show(store, current)
        end_staging(store)


def show(store: Path, current: Current) -> None:
    """Make a store show its run as `current` says. Needs the lock and a staging folder."""
    staged = store / STAGING / ANALYST_FILE
    shutil.copyfile(store / ANALYST_FILE, staged)
    rewrite_views(staged, store, current.run_id, current.expiry)
    show_file(store, staged, current.run_id)
    write_current(store, current)
