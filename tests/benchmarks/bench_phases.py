"""Where the seconds of `skysieve screen` go, from start to end of the process; writes docs/performance.md.

    .venv/bin/python tests/benchmarks/bench_phases.py [--rounds 3] [CATALOGUE]

24 h at 10 km of the real catalogue, with compiled kernels, into a store of its own; medians of wall and CPU
seconds (of all threads) of each phase, in the order in which they come. A second table has parts of these
phases, each summed over the threads that did it; loading kernels is also in the parts that first call them.
"""

import argparse
import json
import os
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock
from typing import Any

from measured import REAL_CATALOGUE, command, machine, write

START = "2024-11-01T00:00:00Z"
MEASURED_IN_PROCESS = "BENCHMARK_PHASES"  # the file for what the process measured
PARTS = "PARTS"  # what is measured by the thread that does it

Phases = dict[str, tuple[float, float]]  # name to wall and CPU seconds


class Marks:
    """Attributes the time since the last mark to a phase, and the time of some functions to parts."""

    def __init__(self) -> None:
        self.phases: Phases = {}
        self.parts: Phases = {}
        self._wall_s, self._cpu_s = time.perf_counter(), 0.0  # the CPU seconds of the interpreter are its own
        self._adding = Lock()

    def __call__(self, name: str) -> None:
        """End a phase."""
        wall_s, cpu_s = time.perf_counter(), time.process_time()
        _add(self.phases, name, wall_s - self._wall_s, cpu_s - self._cpu_s)
        self._wall_s, self._cpu_s = wall_s, cpu_s

    def watch(self, owner: object, function: str, name: str) -> None:
        """Add up what a function of a module or a class takes, as a part."""
        work: Callable[..., Any] = getattr(owner, function)

        def watched(*arguments: Any, **named: Any) -> Any:
            wall_s, cpu_s = time.perf_counter(), time.thread_time()
            try:
                return work(*arguments, **named)
            finally:
                with self._adding:
                    _add(self.parts, name, time.perf_counter() - wall_s, time.thread_time() - cpu_s)

        setattr(owner, function, watched)


def _add(phases: Phases, name: str, wall_s: float, cpu_s: float) -> None:
    before = phases.get(name, (0.0, 0.0))
    phases[name] = (before[0] + wall_s, before[1] + cpu_s)


def run_marked(result: Path) -> None:
    """Run the command line in this process as `skysieve` does, and write the phases to a file."""
    marks = Marks()
    from skysieve import command_line

    marks("import of the command line")
    command_line.prepare()
    from flows.settings import prepare_numpy

    prepare_numpy()
    import flows.runs.display
    import flows.runs.run
    import flows.sources.files
    from storage.reading import newest_run  # noqa: F401 - with what the list needs

    marks("import of the run")
    watch_parts(marks)
    stage = flows.runs.run.Stages.__call__

    @contextmanager
    def marked(stages: flows.runs.run.Stages, name: str) -> Iterator[None]:
        marks("between stages")
        with stage(stages, name):
            yield
        marks(name)

    flows.runs.run.Stages.__call__ = marked  # type: ignore[method-assign]
    leave = command_line._leave

    def left(code: str | int | None) -> Any:
        marks("list of events")
        result.write_text(json.dumps([marks.phases, marks.parts, (time.time(), time.process_time())]))
        return leave(code)

    command_line._leave = left  # type: ignore[assignment]
    command_line.start()


def watch_parts(marks: Marks) -> None:
    """Add up what the parts of the longest phases take; their wall time includes waiting for one another."""
    import pyarrow.parquet as pq

    import flows.cluster.task
    import flows.runs.ephemeris
    import flows.runs.run
    import storage.writing.publish
    from screening.kernel_loading import LightCache
    from storage.analyst_file.tables_and_views import NewFile
    from storage.writing.found_events import FoundEvents

    marks.watch(LightCache, "load_overload", "loading kernels")
    for function in ("searched_paths", "screen_paths"):
        marks.watch(flows.cluster.task, function, "search")
    for module in (flows.cluster.task, flows.runs.run):
        marks.watch(module, "score", "rate")
    marks.watch(flows.runs.run, "co_orbiting", "proximities")
    marks.watch(FoundEvents, "add", "sort events")
    marks.watch(storage.writing.publish, "_event_ids", "ids")
    marks.watch(storage.writing.publish, "conjunction_table", "columns")
    marks.watch(pq.ParquetWriter, "write_table", "Parquet")
    marks.watch(NewFile, "_add", "DuckDB, rows")
    marks.watch(NewFile, "add_what_the_store_has", "DuckDB, views and record")
    marks.watch(flows.runs.ephemeris, "stage_ephemeris", "ephemeris")


def measured(catalogue: Path, folder: Path) -> tuple[Phases, Phases]:
    """Screen a catalogue in a process of its own; return its phases and parts."""
    result = folder / "phases.json"
    given = ("screen", catalogue, "--store", folder / "store", "--start", START)
    used = command(__file__, *given, **{MEASURED_IN_PROCESS: str(result)})
    phases, parts, (ended_s, ended_cpu_s) = json.loads(result.read_text())
    inside_s = sum(wall for wall, _ in phases.values())
    start = {"start of Python": (ended_s - used.began_s - inside_s, 0.0)}
    exit_s = used.began_s + used.wall_s - ended_s
    end = {"exit": (exit_s, used.cpu_s - ended_cpu_s), "whole": (used.wall_s, used.cpu_s)}
    return start | phases | end, parts


def table(heading: str, rounds: list[Phases]) -> str:
    """Return a Markdown table of the medians."""
    lines = [f"| {heading} | wall s | CPU-s |", "|---|---|---|"]
    for name in rounds[0]:
        wall_s, cpu_s = (statistics.median(one[name][i] for one in rounds) for i in (0, 1))
        lines.append(f"| {name} | {wall_s:.2f} | {cpu_s:.2f} |")
    return "\n".join(lines)


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("catalogue", nargs="?", type=Path, default=REAL_CATALOGUE)
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    if not given.catalogue.exists():
        sys.exit(f"{given.catalogue} is missing: name a catalogue of about 2024-11-01 as an argument.")
    rounds = []
    for _ in range(given.rounds):
        with TemporaryDirectory() as folder:
            rounds.append(measured(given.catalogue, Path(folder)))
    phases, parts = zip(*rounds, strict=True)
    text = (
        f"`skysieve screen` of {given.catalogue.name}, 24 h, 10 km, compiled kernels, empty store; "
        f"{given.rounds} rounds, medians; {machine()}.\n\n{table('phase', list(phases))}\n\n"
        f"{table('part of these', list(parts))}\n"
    )
    print(text)
    write("phases", text)


if __name__ == "__main__":
    if MEASURED_IN_PROCESS in os.environ:
        run_marked(Path(os.environ[MEASURED_IN_PROCESS]))
    else:
        main()
