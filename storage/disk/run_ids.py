"""Ids of runs: the second in which a run started, so that they sort by time."""

import re
from collections.abc import Collection
from datetime import datetime
from pathlib import Path

from storage.disk.layout import run_folder
from storage.times import in_utc

_FORMAT = "%Y%m%dT%H%M%S"
_LENGTH = len("20261121T060000Z")
_FORM = re.compile(r"[0-9]{8}T[0-9]{6}Z(-[0-9]{3,})?", re.ASCII)


def is_run_id(text: str) -> bool:
    """Return whether a text has the form of a run id; other names must not become paths."""
    return _FORM.fullmatch(text) is not None


def stamp(instant: datetime) -> str:
    """Return the id of a run that started at an instant."""
    return f"{in_utc(instant):{_FORMAT}}Z"


def start_of(run_id: str) -> datetime:
    """Return the second in a run id, UTC."""
    return datetime.strptime(run_id[:_LENGTH], f"{_FORMAT}%z")


def free_run_id(store: Path, started: datetime, taken: Collection[str] = ()) -> str:
    """Return a new run id, with a suffix that sorts later if a run of that second exists, or is `taken`."""
    run_id, count = stamp(started), 1
    while run_id in taken or run_folder(store, run_id).exists():
        count += 1
        run_id = f"{stamp(started)}-{count:03d}"
    return run_id
