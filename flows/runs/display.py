"""Show a run's progress: bars on a terminal, log lines elsewhere."""

import logging
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import TYPE_CHECKING, Self

import numpy as np
from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TaskID, TextColumn, TimeRemainingColumn
from rich.progress import TimeElapsedColumn as Elapsed

from flows.runs.run import Outcome, Reporter
from screening.orbits.texts.unreadable import mostly_rejected
from screening.search.all_pairs.chosen_plan import Planned

# The search for primaries imports half of scipy, which a run can do without.
if TYPE_CHECKING:
    from flows.runs.primaries import FleetOutcome

TENTHS = 10

log = logging.getLogger("skysieve")
log.setLevel(logging.INFO)


class Display:
    """Shows stages and the progress of tasks, by the work expected; use it as a context manager."""

    def __init__(self) -> None:
        self._terminal = sys.stderr.isatty()
        self._bars = Progress(
            SpinnerColumn(),
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.fields[tasks]}"),
            Elapsed(),
            TextColumn("left"),
            TimeRemainingColumn(),
            console=Console(stderr=True),
            transient=True,
            disable=not self._terminal,
        )
        self._current: TaskID | None = None
        self._tenths = 0
        self._share: Callable[[int, int], float] = lambda done, of: done / max(1, of)
        self._began_s = 0.0
        self.reporter = Reporter(self._stage, self._planned, self._progress)

    def __enter__(self) -> Self:
        self._bars.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bars.stop()

    def say(self, text: str) -> None:
        """Print text that stays."""
        if self._terminal:
            self._bars.console.print(text, highlight=False, markup=False)
        else:
            for line in text.splitlines():
                log.info(line)

    def _stage(self, name: str) -> None:
        if self._current is not None:
            self._bars.remove_task(self._current)
        self._current = self._bars.add_task(name, total=None, tasks="")
        self._tenths = 0
        if not self._terminal:
            self.say(f"{name} ...")

    def _planned(self, planned: Planned) -> None:
        self._share = planned.shares()
        self.say(f"plan: {planned}")

    def _progress(self, done: int, of: int) -> None:
        assert self._current is not None, "tasks run inside a stage"
        share = self._share(done, of)
        self._bars.update(self._current, completed=share, total=1.0, tasks=f"{done} of {of} tasks")
        if done == 0:
            self._began_s = time.monotonic()
        tenths = int(TENTHS * share)
        if not self._terminal and tenths > self._tenths:
            self._tenths = tenths
            left_s = (time.monotonic() - self._began_s) * (1.0 / share - 1.0)
            left = f", about {left_s:,.0f} s left" if done < of else ""
            self.say(f"  {done} of {of} tasks{left}")


@contextmanager
def lines_on_stderr() -> Iterator[None]:
    """Print the program's log lines on stderr, unchanged."""
    handler = logging.StreamHandler()
    handler.setFormatter(logging.Formatter("%(message)s"))
    log.addHandler(handler)
    try:
        yield
    finally:
        log.removeHandler(handler)


def summary(outcome: Outcome) -> str:
    """Summarise the result of a run in a few lines."""
    prepared, searched = outcome.prepared, outcome.searched
    catalogue, span = prepared.source.content, prepared.span
    notes = [
        mostly_rejected(catalogue)
        or (f"{catalogue.rejected_count:,} records rejected" if catalogue.rejected else ""),
        f"{catalogue.superseded:,} superseded" if catalogue.superseded else "",
        f"{len(searched.failures):,} that SGP4 cannot propagate" if searched.failures else "",
        f"{prepared.old_epochs:,} with an epoch over 30 days from the window" if prepared.old_epochs else "",
        f"{len(prepared.ephemerides):,} on operators' ephemerides" if prepared.ephemerides else "",
    ]
    noted = "; ".join(note for note in notes if note)
    nature = ", ".join(word for word in ("historic", "replay", "synthetic") if getattr(prepared, word))
    natured = f" ({nature})" if nature else ""
    return (
        f"run {outcome.run_id}{natured}: "
        f"{len(prepared.elements):,} objects{f' ({noted})' if noted else ''}, "
        f"{_time(span.start)} to {_time(span.end)}\n"
        f"{outcome.conjunctions - outcome.slow:,} fast and {outcome.slow:,} slow conjunctions, "
        f"{len(searched.proximities):,} proximities, in {sum(outcome.seconds_by_stage.values()):.1f} s"
    )


def summary_of_primaries(outcome: "FleetOutcome") -> str:
    """Summarise the result of a search for a few primaries in a few lines."""
    screening, span = outcome.screening, outcome.prepared.span
    slow, objects = int(screening.encounters["slow"].sum()), len(outcome.prepared.elements)
    given = len(outcome.prepared.ephemerides)
    noted = f" ({given:,} on operators' ephemerides)" if given else ""
    return (
        f"{outcome.primaries:,} of {objects:,} objects{noted} against all, "
        f"{_time(span.start)} to {_time(span.end)}\n"
        f"{len(screening.encounters) - slow:,} fast and {slow:,} slow conjunctions, "
        f"{len(screening.proximities):,} proximities, in {sum(outcome.seconds_by_stage.values()):.1f} s"
    )


def _time(instant: np.datetime64) -> str:
    return f"{instant.astype('M8[s]')}Z"
