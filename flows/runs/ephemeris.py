"""The ephemeris of a run, written beside it, for analyses on demand."""

import logging
import shutil
import time
from collections.abc import Iterator
from concurrent.futures import Future, wait
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from threading import Event

import numpy as np
import numpy.typing as npt

from flows.settings import FlowSettings
from screening.errors import StoreError
from screening.orbits.elements import ELEMENT_DTYPE, ElementArray
from screening.orbits.ephemerides import Ephemerides
from screening.orbits.timegrid import TimeWindow
from storage.disk.ephemeris import shown_as_being_written
from storage.disk.ephemeris_bound import MB, Kept
from storage.disk.ephemeris_states import ephemeris_bytes, stage_ephemeris
from storage.machine.one_thread import one_thread
from storage.writing.late_ephemeris import place_late

# A run is analysed until the next one is published, which may be an interval late.
REFRESH_INTERVALS = 2
# Also of a run that took less: a disk may be busy for seconds.
LEAST_S = 10.0

log = logging.getLogger("skysieve")


class GivenUp(Exception):
    """The ephemeris takes longer than it may, or its run failed."""


class Writing:
    """The ephemeris of a run while it is written beside it."""

    def __init__(self, store: Path, kept: Kept, staged: "Future[Path]", given_up: Event) -> None:
        self.kept = kept
        self._store = store
        self._staged = staged
        self._given_up = given_up
        self._began = time.monotonic()
        self._published = False

    def if_done(self) -> Path | None:
        """Return the folder for `publish_run`, which moves it; None if it is not complete. Never wait."""
        self._published = self._staged.done() and self._staged.exception() is None
        return self._staged.result() if self._published else None

    def finish(self, run_id: str, run_s: float) -> None:
        """Put the ephemeris of a published run into place once written, unless it was published with it.

        After as many seconds as the run took it is given up, and a description says why there is none.
        """
        if self._published:
            return
        longest_s = max(run_s, LEAST_S)
        wait([self._staged], timeout=max(self._began + longest_s - time.monotonic(), 0.0))
        self._given_up.set()
        try:
            self._place(run_id, self._staged.result())
        except GivenUp:
            self._leave_none(run_id, f"it was given up after {longest_s:.0f} s, no less than the run took")
        except OSError as error:
            self._leave_none(
                run_id, f"it could not be written ({error.strerror})"
            )  # clients see that: no path

    def end(self) -> None:
        """Stop writing, and remove what has not been published."""
        self._given_up.set()
        with suppress(GivenUp, OSError):
            shutil.rmtree(self._staged.result(), ignore_errors=True)

    def _leave_none(self, run_id: str, problem: str) -> None:
        """Leave a description that says why there is no ephemeris."""
        log.warning("Ephemeris for quick analyses: none; %s.", problem)
        kept = self.kept._replace(what="none", objects=0, problem=problem)
        nobody, nowhen = np.empty(0, ELEMENT_DTYPE), np.datetime64(0, "us")
        try:
            self._place(run_id, stage_ephemeris(self._store, nobody, nowhen, 0.0, kept))
        except OSError as error:
            log.warning("The store does not record why: %s.", error)

    def _place(self, run_id: str, staged: Path) -> None:
        try:
            place_late(self._store, staged, run_id)
        except StoreError as error:
            log.warning("The run is published, but without an ephemeris for quick analyses: %s", error)


@contextmanager
def staged_ephemeris(
    elements: ElementArray,
    span: TimeWindow,
    settings: FlowSettings,
    payload: npt.NDArray[np.bool_],
    ephemerides: Ephemerides | None = None,
) -> Iterator[Writing]:
    """Start writing a run's ephemeris beside what the block does.

    `payload` (n,) marks the elements of payloads: only those are kept if all would be too large.
    `ephemerides` replace element sets. What has not been published when the block ends is not waited for, and
    removed.
    """
    hours = span.seconds / 3600.0 + REFRESH_INTERVALS * settings.refresh_hours
    kept = what_is_kept(payload, hours, settings.ephemeris_max_mb)
    if kept.reason and settings.ephemeris_max_mb > 0.0:  # who allows nothing wants none
        log.warning("Ephemeris for quick analyses: %s.", kept.text)
    theirs = ephemerides or {}
    if kept.what == "payloads":
        some = np.flatnonzero(payload)
        elements = elements[some]
        theirs = {place: theirs[i] for place, i in enumerate(some.tolist()) if i in theirs}
    given_up = Event()

    def go_on() -> None:
        if given_up.is_set():
            raise GivenUp

    with ExitStack() as until_done:
        with suppress(OSError):  # of a store that cannot be written; the publication says so
            until_done.enter_context(shown_as_being_written(settings.store))
        beside = until_done.enter_context(one_thread("ephemeris"))
        until_done.callback(given_up.set)
        staged = beside.submit(
            stage_ephemeris, settings.store, elements, span.start, hours, kept, theirs, go_on
        )
        writing = Writing(settings.store, kept, staged, given_up)
        until_done.callback(writing.end)
        yield writing


def what_is_kept(payload: npt.NDArray[np.bool_], hours: float, max_mb: float) -> Kept:
    """Decide which of a run's objects (n,) get an ephemeris of some hours that takes at most `max_mb`."""
    payloads = int(np.count_nonzero(payload))
    whole_mb = ephemeris_bytes(len(payload), hours) / MB
    if whole_mb <= max_mb:
        return Kept("all", len(payload), len(payload), whole_mb, max_mb)
    if payloads and ephemeris_bytes(payloads, hours) / MB <= max_mb:
        return Kept("payloads", payloads, len(payload), whole_mb, max_mb)
    return Kept("none", 0, len(payload), whole_mb, max_mb)
