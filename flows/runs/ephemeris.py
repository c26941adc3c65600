"""The ephemeris of a run, written during its rating, for analyses on demand."""

import logging
import shutil
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

from flows.settings import FlowSettings
from screening.orbits.elements import ElementArray
from screening.orbits.timegrid import TimeWindow
from storage.disk.ephemeris_states import stage_ephemeris

# A run is analysed until the next one is published, which may be an interval late.
REFRESH_INTERVALS = 2

log = logging.getLogger("skysieve")


@contextmanager
def staged_ephemeris(
    elements: ElementArray, span: TimeWindow, settings: FlowSettings
) -> Iterator[Callable[[], Path | None]]:
    """Start writing a run's ephemeris, and yield a function that waits for the folder, None if it failed.

    A folder that has not been published when the block ends is removed.
    """
    hours = span.seconds / 3600.0 + REFRESH_INTERVALS * settings.refresh_hours
    with ThreadPoolExecutor(1, thread_name_prefix="ephemeris") as beside:
        writing = beside.submit(stage_ephemeris, settings.store, elements, span.start, hours)

        def folder() -> Path | None:
            try:
                return writing.result()
            except OSError as error:
                log.warning("The run is published without an ephemeris for quick analyses: %s.", error)
                return None

        try:
            yield folder
        finally:
            if (left := folder()) is not None:
                shutil.rmtree(left, ignore_errors=True)
