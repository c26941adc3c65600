"""What has been made of each file and address that ephemerides come from: nothing is taken twice.

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


class Taken(NamedTuple):
    """What was made of a file or an address the last time that it had changed."""

    sha256: str
    problem: str  # why it could not be used; empty: it was


def read_taken(store: Path) -> dict[str, Taken]:
    """Return what has been taken, by path or address; nothing if that is not known any more.

    Raises StoreError if the file cannot be read.
    """
    path = store / TRAJECTORIES / _FILE
    with store_faults(store):
        try:
            return {source: Taken(*told) for source, told in opened_json(path.read_bytes()).items()}
        except FileNotFoundError:
            return {}
        except (ValueError, TypeError) as error:
            log.warning("%s is damaged (%s): all sources of trajectories are read again.", path, error)
            return {}


def write_taken(store: Path, taken: Mapping[str, Taken]) -> None:
    """Remember what has been taken, in one step. Raises StoreError if the store cannot be written."""
    path = store / TRAJECTORIES / _FILE
    staged = path.with_name(f"{_FILE}{STAGED_SUFFIX}")
    with store_faults(store):
        path.parent.mkdir(parents=True, exist_ok=True)
        with synced(staged) as file:
            file.write(sealed_json(json.loads(json.dumps(taken))).encode())
        put_in_place(staged, path)
