"""Keep a store readable: undo what a killed publisher left, follow a move, and bring its form up to date."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from screening.errors import StoreError
from storage.analyst_file.shown import show_file
from storage.analyst_file.tables_and_views import rewrite
from storage.disk.current import Current, read_current, refuse_newer, write_current
from storage.disk.layout import ANALYST_FILE, MESSAGES, SCHEMA_VERSION, STAGING, TRAJECTORIES, prepare
from storage.disk.lock import lock_if_free, store_lock
from storage.machine.private import keep_private
from storage.upkeep.recovery import end_staging, remains, remove_remains

_WAIT_S = 60.0  # for a publisher that is working in the store


@contextmanager
def opened_for_writing(store: Path, timeout_s: float) -> Iterator[None]:
    """Hold the lock of a store, with its folders made and the remains of a killed publisher removed.

    Raises:
        StoreError: a newer release has written it, or another process holds it for long.
    """
    store.mkdir(parents=True, exist_ok=True)
    with store_lock(store, timeout_s):
        refuse_newer(store)
        remove_remains(store)
        prepare(store)
        for name in (MESSAGES, TRAJECTORIES):  # earlier releases left them readable
            keep_private(store / name)
        yield


def settle(store: Path) -> Current | None:
    """Return the current run of a store, after removing remains and bringing it up to date.

    A store that needs neither is not written to, so that a reader without write permission can use it.
    """
    if remains(store):
        with lock_if_free(store) as free:  # taken: a publisher is working, nothing to undo
            if free:
                remove_remains(store)
    current = read_current(store)
    return current if current is None else bring_up_to_date(store, current)


def bring_up_to_date(store: Path, current: Current) -> Current:
    """Rewrite the analyst file's views, which hold absolute paths, if the store's folder has moved.

    Also if an earlier release has written it: tables and views get the columns of today.

    Raises:
        StoreError: it must be rewritten, and cannot be written.
    """
    wanted = current._replace(folder=str(store), schema_version=SCHEMA_VERSION)
    if current == wanted or not (store / ANALYST_FILE).is_file():
        return current
    if not os.access(store, os.W_OK):
        moved = f"was moved from {current.folder} to {store}"
        written = f"{store} was written by an earlier release"
        raise StoreError(
            f"The store {moved if current.folder != str(store) else written}, so its {ANALYST_FILE} must be "
            "rewritten, but the folder cannot be written to: run `skysieve status` as its owner once."
        )
    with opened_for_writing(store, _WAIT_S):
        found = read_current(store)
        if found != current:  # another process has done it, or published
            return current if found is None else found
        (store / STAGING).mkdir()
        show(store, wanted)
        end_staging(store)
    return wanted


def show(store: Path, current: Current) -> None:
    """Make a store show its run as `current` says. Needs the lock and a staging folder."""
    staged = store / STAGING / ANALYST_FILE
    shutil.copyfile(store / ANALYST_FILE, staged)
    rewrite(staged, store, current.run_id, current.expiry)
    show_file(store, staged, current.run_id)
    write_current(store, current)
