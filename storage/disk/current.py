"""Read and write `current.json`, which names the store's current run."""

from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from screening.errors import StoreError
from storage.disk.checksums import opened_json, sealed_json
from storage.disk.layout import CURRENT, RUNS, SCHEMA_VERSION, STAGING
from storage.disk.run_ids import start_of
from storage.disk.whole_files import put_in_place, write_text


class Expiry(NamedTuple):
    """Borders before which the store hides data: each is a run id; empty: nothing is hidden."""

    runs_from: str = ""  # earlier runs show only their critical and high rows
    elements_from: str = ""  # element sets first seen by an earlier run are hidden
    analyses_from: str = ""  # analyses computed earlier are hidden
    hidden_by: str = ""  # the run that was current when a border last moved: readers may use older ones
    hidden_at: str = ""  # when that was, in the form of a run id
    months: str = (
        ""  # names of the folders that stand for a month's runs, each as 202611, with blanks between
    )


NOTHING_EXPIRED = Expiry()


class DamagedCurrent(StoreError):
    """`current.json` cannot be read."""


class Current(NamedTuple):
    """The content of `current.json`."""

    run_id: str
    synthetic: bool
    folder: str  # absolute path of the store in the views of the analyst file
    schema_version: int
    expiry: Expiry = NOTHING_EXPIRED


def read_current(store: Path) -> Current | None:
    """Return the current run, or None if the store has none yet.

    Raises:
        DamagedCurrent: the file is damaged.
        StoreError: it was written by a newer release.
    """
    path = store / CURRENT
    try:
        text = path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None
    try:
        stored = opened_json(text)
        expiry = Expiry(**{name: str(border) for name, border in stored.pop("expiry", {}).items()})
        current = Current(
            run_id=str(stored["run_id"]),
            synthetic=bool(stored["synthetic"]),
            folder=str(stored["folder"]),
            schema_version=int(stored["schema_version"]),
            expiry=expiry,
        )
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise DamagedCurrent(
            f"{path} is damaged ({error}). Restore it from a backup. Without one, rename it, and the next "
            f"run rewrites it; the runs themselves, in {store / RUNS}, are kept, and expired data are shown "
            "until they expire again."
        ) from error
    if current.schema_version > SCHEMA_VERSION:
        raise StoreError(
            f"The store {store} has schema version {current.schema_version}, written by a newer release; "
            f"this release reads up to {SCHEMA_VERSION}. Update skysieve."
        )
    return current


def refuse_newer(store: Path) -> None:
    """Refuse a store that a newer release has written.

    Raises:
        StoreError: it is one; a damaged `current.json` is an error of what needs the run.
    """
    with suppress(DamagedCurrent):
        read_current(store)


def expiry_of(current: Current | None) -> Expiry:
    """Return the borders of a store; those of an empty store hide nothing."""
    return NOTHING_EXPIRED if current is None else current.expiry


def newest_start(store: Path) -> datetime | None:
    """Return the second in which the store's current run was started, UTC; None if there is none."""
    current = read_current(store)
    return None if current is None else start_of(current.run_id)


def write_current(store: Path, current: Current) -> None:
    """Replace `current.json` in one step; it is on the disk when this returns."""
    staged = store / STAGING / CURRENT
    write_text(staged, sealed_json(current._asdict() | {"expiry": current.expiry._asdict()}))
    put_in_place(staged, store / CURRENT)
