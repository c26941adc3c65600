"""`current.json`: which run of the store is current."""

import json
from pathlib import Path
from typing import NamedTuple

from screening.errors import StoreError
from storage.layout import CURRENT, RUNS, STAGING, sync_folder, write_text
from storage.schema import SCHEMA_VERSION


class Current(NamedTuple):
    """What the store says about its newest catalogue run."""

    run_id: str
    synthetic: bool
    folder: str  # absolute path of the store that the views of the catalogue file point to
    schema_version: int


def read_current(store: Path) -> Current | None:
    """Return the current run, or None if the store has none yet.

    Raises:
        StoreError: the file is damaged, or a newer release wrote it.
    """
    path = store / CURRENT
    try:
        text = path.read_text(encoding="utf-8")
    except (FileNotFoundError, NotADirectoryError):
        return None
    try:
        stored = json.loads(text)
        current = Current(**{name: kind(stored[name]) for name, kind in Current.__annotations__.items()})
    except (ValueError, KeyError, TypeError) as error:
        raise StoreError(
            f"{path} is damaged ({error}). Remove it, and the next run writes it again; the runs themselves, "
            f"in {store / RUNS}, are kept."
        ) from error
    if current.schema_version > SCHEMA_VERSION:
        raise StoreError(
            f"The store {store} has schema version {current.schema_version}, written by a newer release; "
            f"this release reads up to {SCHEMA_VERSION}. Update skysieve."
        )
    return current


def write_current(store: Path, current: Current) -> None:
    """Replace `current.json` in one step, on the disk when this returns."""
    staged = store / STAGING / CURRENT
    write_text(staged, json.dumps(current._asdict(), indent=1) + "\n")
    staged.replace(store / CURRENT)
    sync_folder(store)
