"""The ephemeris of a run, written during its rating, for analyses on demand."""

import logging
import shutil
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import numpy.typing as npt

from flows.settings import FlowSettings
from screening.orbits.elements import ElementArray
from screening.orbits.timegrid import TimeWindow
from storage.disk.ephemeris_bound import MB, Kept
from storage.disk.ephemeris_states import ephemeris_bytes, stage_ephemeris

# A run is analysed until the next one is published, which may be an interval late.
REFRESH_INTERVALS = 2

log = logging.getLogger("skysieve")


@contextmanager
def staged_ephemeris(
    elements: ElementArray, span: TimeWindow, settings: FlowSettings, payload: npt.NDArray[np.bool_]
) -> Iterator[Callable[[], Path | None]]:
    """Start writing a run's ephemeris, and yield a function that waits for the folder, None if it failed.

    `payload` (n,) tells which elements are of payloads: only those are kept if all would be too large. A
    folder that has not been published when the block ends is removed.
    """
    hours = span.seconds / 3600.0 + REFRESH_INTERVALS * settings.refresh_hours
    with ThreadPoolExecutor(1, thread_name_prefix="ephemeris") as beside:
        kept = what_is_kept(payload, hours, settings.ephemeris_max_mb)
        if kept.reason:
            log.warning("Ephemeris for quick analyses: %s.", kept.text)
        some = elements[payload] if kept.what == "payloads" else elements
        writing = beside.submit(stage_ephemeris, settings.store, some, span.start, hours, kept)

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


def what_is_kept(payload: npt.NDArray[np.bool_], hours: float, max_mb: float) -> Kept:
    """Decide which of a run's objects (n,) get an ephemeris of some hours that takes at most `max_mb`."""
    payloads = int(np.count_nonzero(payload))
    whole_mb = ephemeris_bytes(len(payload), hours) / MB
    if whole_mb <= max_mb:
        return Kept("all", len(payload), len(payload), whole_mb, max_mb)
    if payloads and ephemeris_bytes(payloads, hours) / MB <= max_mb:
        return Kept("payloads", payloads, len(payload), whole_mb, max_mb)
    return Kept("none", 0, len(payload), whole_mb, max_mb)
