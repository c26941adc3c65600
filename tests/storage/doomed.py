"""Work on a store in processes of their own that are killed on the way.

They are forked from a server that has imported what is slow and has no threads: that takes 20 ms, not 1.5 s.
"""

import multiprocessing
import os
import signal
import sys
from collections.abc import Callable
from datetime import datetime, timedelta
from multiprocessing.connection import Connection
from pathlib import Path

import numpy as np

from storage.writing.retention import Retention, compact
from tests.made_up_run import make_run, publish
from tests.storage.file_events import changes_files

WRITING_CALLS = {"write", "flush", "fsync", "truncate"}
SURVIVED = 0

_forked = multiprocessing.get_context("forkserver")
_forked.set_forkserver_preload(["tests.storage.doomed", "distributed", "numba", "scipy.special", "httpx"])


def publish_and_compact(store: Path, hours_later: float, now: datetime, days: float) -> None:
    """Publish a small run, then remove what has expired."""
    publish(store, make_run(hours_later=hours_later))
    compact_only(store, now, days)


def publish_with_ephemeris(store: Path, hours_later: float) -> None:
    """Publish a small run that leaves a small ephemeris."""
    publish(store, make_run(hours_later=hours_later), ephemeris=lambda: staged_ephemeris(store))


def staged_ephemeris(store: Path) -> Path:
    """Make a folder that stands for a staged ephemeris."""
    staged = store / "ephemeris" / f".staged-{os.getpid()}"
    staged.mkdir(parents=True, exist_ok=True)
    (staged / "states.npy").write_bytes(b"states")
    return staged


def stage_only(store: Path) -> None:
    """Stage an ephemeris of a few objects, as a run does."""
    from screening.kernel_files import keep_kernels_in
    from screening.synthetic.catalogue import synthetic_catalogue
    from storage.disk.ephemeris_states import stage_ephemeris
    from storage.settings import StoreSettings, load_settings

    keep_kernels_in(load_settings(StoreSettings).kernel_cache)  # each process would compile them anew
    start = np.datetime64("2026-01-01T00:00:00", "us")
    stage_ephemeris(store, synthetic_catalogue(200, 1, start).elements[:20], start, 6.0)


def compact_only(store: Path, now: datetime, days: float) -> None:
    """Remove what has expired; everything is kept for the same number of days."""
    compact(store, now, Retention(timedelta(days=days), timedelta(days=days)))


def start(work: Callable[..., None], *arguments: object) -> "multiprocessing.process.BaseProcess":
    """Start work in a process of its own."""
    process = _forked.Process(target=work, args=arguments)
    process.start()
    return process


def die_before_file_event(number: int, work: Callable[..., None], store: Path, *arguments: object) -> None:
    """Do work, and die just before the file event of that number in the store."""
    seen = 0

    def on_event(event: str, event_arguments: tuple[object, ...]) -> None:
        nonlocal seen
        if changes_files(event, event_arguments, str(store)):
            seen += 1
            if seen == number:
                os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(on_event)
    work(store, *arguments)


def die_before_write(number: int, work: Callable[..., None], store: Path, *arguments: object) -> None:
    """Do work, and die just before the call of that number that moves the content of a file to the disk.

    No file event tells of these: between two of them a file may be empty, or have a part of its content.
    """
    seen = 0

    def on_call(_frame: object, event: str, called: object) -> None:
        nonlocal seen
        if event == "c_call" and getattr(called, "__name__", "") in WRITING_CALLS:
            seen += 1
            if seen == number:
                os.kill(os.getpid(), signal.SIGKILL)

    sys.setprofile(on_call)
    work(store, *arguments)


def killed_before_write(number: int, work: Callable[..., None], store: Path, *arguments: object) -> bool:
    """Do that in a process of its own; return False if it was done before so many calls."""
    process = start(die_before_write, number, work, store, *arguments)
    process.join()
    assert process.exitcode in (SURVIVED, -signal.SIGKILL)
    return process.exitcode != SURVIVED


def killed_before_file_event(number: int, work: Callable[..., None], store: Path, *arguments: object) -> bool:
    """Do that in a process of its own; return False if it was done before so many file events."""
    process = start(die_before_file_event, number, work, store, *arguments)
    process.join()
    assert process.exitcode in (SURVIVED, -signal.SIGKILL)
    return process.exitcode != SURVIVED


def pipe() -> tuple[Connection, Connection]:
    """Return two ends, of which one may be given to work."""
    return _forked.Pipe()
