"""`current.json`: which run of the store is current."""

from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from screening.errors import StoreError
from storage.disk.checksums import opened_json, sealed_json
from storage.disk.layout import CURRENT, RUNS, SCHEMA_VERSION, STAGING
from storage.disk.run_ids import start_of
from storage.disk.whole_files import put_in_place, write_text
from storage.times import aware_utc


class Expiry(NamedTuple):
    """From when on the store shows what it has: each border is the id of a run; empty: from the beginning."""

    runs_from: str = ""  # earlier runs show their critical and high rows
    elements_from: str = ""  # element sets that an earlier run was the first to see are not shown
    analyses_from: str = ""  # analyses computed earlier are not shown
    hidden_by: str = ""  # the run that was current when a border moved last: readers may know those before
    hidden_at: str = ""  # when that was, as in the id of a run


NOTHING_EXPIRED = Expiry()


class Current(NamedTuple):
    """What the store says about its newest catalogue run."""

    run_id: str
    synthetic: bool
    folder: str  # absolute path of the store that the views of the analyst file point to
    schema_version: int
    expiry: Expiry = NOTHING_EXPIRED


def read_current(store: Path) -> Current | None:
    """Return the current run, or None if the store has none yet.

    Raises:
        StoreError: the file is damaged, or a newer release wrote it.
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
        raise StoreError(
            f"{path} is damaged ({error}). Put it back from a backup. Without one, rename it, and the next "
            f"run writes it again; the runs themselves, in {store / RUNS}, are kept, and what has expired is "
            "shown until it expires anew."
        ) from error
    if current.schema_version > SCHEMA_VERSION:
        raise StoreError(
            f"The store {store} has schema version {current.schema_version}, written by a newer release; "
            f"this release reads up to {SCHEMA_VERSION}. Update skysieve."
        )
    return current


def expiry_of(current: Current | None) -> Expiry:
    """Return the borders of a store; those of an empty one hide nothing."""
    return NOTHING_EXPIRED if current is None else current.expiry


def newest_start(store: Path) -> datetime | None:
    """Return the second in which the current run of a store was started, in UTC; None: it has none."""
    current = read_current(store)
    return None if current is None else aware_utc(start_of(current.run_id))


def write_current(store: Path, current: Current) -> None:
    """Replace `current.json` in one step, on the disk when this returns."""
    staged = store / STAGING / CURRENT
    write_text(staged, sealed_json(current._asdict() | {"expiry": current.expiry._asdict()}))
    put_in_place(staged, store / CURRENT)
