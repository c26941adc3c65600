"""The last text of each file and address that ephemerides come from, so that none is imported twice.

trajectories/taken.json: the hash of the last content of each, and why it could not be used.
"""

import json
import logging
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from storage.disk.checksums import opened_json, sealed_json
from storage.disk.faults import store_faults
from storage.disk.layout import STAGED_SUFFIX, TRAJECTORIES
from storage.disk.whole_files import put_in_place, synced

_FILE = "taken.json"

log = logging.getLogger("skysieve")


class SourceText(NamedTuple):
    """The last changed text of a file or an address."""

    sha256: str
    problem: str  # why it could not be used; empty: it was


def read_source_texts(store: Path) -> dict[str, SourceText]:
    """Return the last texts by path or address; none if they are no longer known.

    Raises StoreError if the file cannot be read.
    """
    path = store / TRAJECTORIES / _FILE
    with store_faults(store):
        try:
            return {source: SourceText(*row) for source, row in opened_json(path.read_bytes()).items()}
        except FileNotFoundError:
            return {}
        except (ValueError, TypeError) as error:
            log.warning("%s is damaged (%s): all sources of trajectories are read again.", path, error)
            return {}


def write_source_texts(store: Path, texts: Mapping[str, SourceText]) -> None:
    """Store the last texts, in one step. Raises StoreError if the store cannot be written."""
    path = store / TRAJECTORIES / _FILE
    staged = path.with_name(f"{_FILE}{STAGED_SUFFIX}")
    with store_faults(store):
        path.parent.mkdir(parents=True, exist_ok=True)
        with synced(staged) as file:
            file.write(sealed_json(json.loads(json.dumps(texts))).encode())
        put_in_place(staged, path)
