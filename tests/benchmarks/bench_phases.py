"""Where the seconds of `skysieve screen` go, from the start of the process to its end.

    .venv/bin/python tests/benchmarks/bench_phases.py [--rounds 3] [CATALOGUE]

24 h at 10 km of the real catalogue, with compiled kernels, into a store of its own; medians of wall and CPU
seconds (of all threads) of each phase, in the order in which they come. "loading kernels" is a part of the
stages in which they are first called, summed over all threads.
"""

import argparse
import json
import os
import statistics
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from measured import REAL_CATALOGUE, command, machine

START = "2024-11-01T00:00:00Z"
MEASURED_IN_PROCESS = "BENCHMARK_PHASES"  # the file for what the process measured
KERNELS = "of these, loading kernels"

Phases = dict[str, tuple[float, float]]  # name to wall and CPU seconds


class Marks:
    """Attributes the time since the last mark to a phase."""

    def __init__(self) -> None:
        self.phases: Phases = {}
        self._wall_s, self._cpu_s = time.perf_counter(), 0.0  # the CPU seconds of the interpreter are its own

    def __call__(self, name: str) -> None:
        """End a phase."""
        wall_s, cpu_s = time.perf_counter(), time.process_time()
        self.add(name, wall_s - self._wall_s, cpu_s - self._cpu_s)
        self._wall_s, self._cpu_s = wall_s, cpu_s

    def add(self, name: str, wall_s: float, cpu_s: float) -> None:
        """Add time to a phase."""
        before = self.phases.get(name, (0.0, 0.0))
        self.phases[name] = (before[0] + wall_s, before[1] + cpu_s)


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
    watch_kernels(marks)
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
        result.write_text(json.dumps(marks.phases | {"end": (time.time(), time.process_time())}))
        return leave(code)

    command_line._leave = left  # type: ignore[assignment]
    command_line.start()


def watch_kernels(marks: Marks) -> None:
    """Add up what loading kernels takes."""
    from screening.kernels import _KernelCache

    load = _KernelCache.load_overload

    def watched(*arguments: Any) -> Any:
        wall_s, cpu_s = time.perf_counter(), time.thread_time()
        loaded = load(*arguments)
        marks.add(KERNELS, time.perf_counter() - wall_s, time.thread_time() - cpu_s)
        return loaded

    _KernelCache.load_overload = watched  # type: ignore[method-assign]


def measured(catalogue: Path, folder: Path) -> Phases:
    """Screen a catalogue in a process of its own; return its phases."""
    result = folder / "phases.json"
    given = ("screen", catalogue, "--store", folder / "store", "--start", START)
    used = command(__file__, *given, **{MEASURED_IN_PROCESS: str(result)})
    phases: Phases = {name: (wall, cpu) for name, (wall, cpu) in json.loads(result.read_text()).items()}
    ended_s, ended_cpu_s = phases.pop("end")
    kernels = phases.pop(KERNELS)
    inside_s = sum(wall for wall, _ in phases.values())
    start = {"start of Python": (ended_s - used.began_s - inside_s, 0.0)}
    exit_s = used.began_s + used.wall_s - ended_s
    end = {"exit": (exit_s, used.cpu_s - ended_cpu_s), "whole": (used.wall_s, used.cpu_s)}
    return start | phases | end | {KERNELS: kernels}


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
    print(f"`skysieve screen` of {given.catalogue.name}; {given.rounds} rounds, medians; {machine()}.\n")
    print("| phase | wall s | CPU-s |\n|---|---|---|")
    for name in rounds[0]:
        wall_s, cpu_s = (statistics.median(one[name][i] for one in rounds) for i in (0, 1))
        print(f"| {name} | {wall_s:.2f} | {cpu_s:.2f} |")


if __name__ == "__main__":
    if MEASURED_IN_PROCESS in os.environ:
        run_marked(Path(os.environ[MEASURED_IN_PROCESS]))
    else:
        main()
