"""What ephemerides cost the search and a whole run, beside the same on element sets.

    .venv/bin/python tests/benchmarks/bench_trajectories.py [--rounds 3] [CATALOGUE]

The ephemerides are made from the catalogue's own element sets, a state each 60 s, so that both searches find
the same encounters. Wall and CPU seconds from elements and ephemerides in memory to encounters, best of all
rounds: first those of one primary in 7 days, then those of the whole catalogue in 24 h, by the search of a
run with its threads; last those of the command `skysieve screen`, with a store that keeps the ephemerides.
They are written to docs/performance.md.
"""

import argparse
import shutil
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow.parquet as pq
from measured import REAL_CATALOGUE, REPOSITORY, SKYSIEVE, command, machine, write

sys.path.insert(0, str(REPOSITORY))

from flows.runs.run import Prepared, Reporter, Request, Stages, prepare, search
from flows.settings import FlowSettings
from flows.sources.catalogues import read_file
from screening.kernel_files import keep_kernels_in
from screening.orbits.elements import ElementArray
from screening.orbits.ephemerides import Ephemerides, Ephemeris
from screening.orbits.timegrid import TimeWindow, window
from screening.risk.objects.known_paths import known_paths
from screening.search.few_objects.primary import screen_primaries
from storage.disk.layout import RUN_FILES, RUNS, TRAJECTORIES
from storage.reading.known_objects import known_objects
from storage.settings import load_settings
from storage.trajectories.trajectory_file import About, write_trajectory
from storage.writing.found_events import FoundEvents
from tests.screening.paths_as_ephemerides import ephemerides_of

START = np.datetime64("2024-11-01T00:00:00", "us")
THRESHOLD_KM = 10.0
STEP_S, BEYOND_S = 60.0, 1800.0
WEEK_H, DAY_H = 168.0, 24.0
STARLINK = 44714
MANY = 1000


class Cost(NamedTuple):
    """The best of some rounds."""

    wall_s: float
    cpu_s: float
    rows: int


def best(rounds: int, work: Callable[[], int]) -> Cost:
    """Return what `work` costs, which returns how many encounters it found."""
    costs = []
    for _ in range(rounds):
        began_s, began_cpu_s = time.perf_counter(), time.process_time()
        rows = work()
        costs.append(Cost(time.perf_counter() - began_s, time.process_time() - began_cpu_s, rows))
    return Cost(min(one.wall_s for one in costs), min(one.cpu_s for one in costs), costs[0].rows)


def of_a_week(elements: ElementArray, rounds: int) -> dict[str, Cost]:
    """Search what comes near one Starlink satellite."""
    span = window(START, WEEK_H)
    (i,) = np.flatnonzero(elements["norad_id"] == STARLINK)
    made = made_of(elements, span, np.array([i]), (-BEYOND_S, span.seconds + BEYOND_S))

    def work(given: Ephemerides) -> int:
        paths, _ = known_paths(elements, given, span)
        primaries = np.array([i], np.int32)
        return len(screen_primaries(elements, paths, THRESHOLD_KM, primaries).encounters)

    return {
        "one primary, 7 days: its element set": best(rounds, lambda: work({})),
        "one primary, 7 days: its ephemeris": best(rounds, lambda: work(made)),
    }


def of_a_day(catalogue: Path, empty: Path, rounds: int) -> dict[str, Cost]:
    """Search the whole catalogue as a run does."""
    source = read_file(catalogue)
    elements = source.content.elements
    prepared = prepare(source, Request(START, DAY_H, THRESHOLD_KM), empty, datetime.now(UTC))
    chosen = np.linspace(0, len(elements) - 1, MANY).astype(int)
    end_s = prepared.span.seconds
    whole = made_of(elements, prepared.span, chosen, (-BEYOND_S, end_s + BEYOND_S))
    # Ends of some hundred different minutes, all over the middle of the window.
    ends_s = np.linspace(0.25 * end_s, 0.75 * end_s, MANY)
    ending = {
        i: given
        for i, to_s in zip(chosen.tolist(), ends_s.tolist(), strict=True)
        for given in made_of(elements, prepared.span, np.array([i]), (-BEYOND_S, to_s)).values()
    }
    cases: dict[str, Ephemerides] = {
        "whole catalogue, 24 h: element sets": {},
        f"{len(whole):,} objects on ephemerides": whole,
        f"{len(ending):,} on ephemerides that end in the window": ending,
    }
    costs: dict[str, list[Cost]] = {name: [] for name in cases}
    for _ in range(rounds):  # in turn: other work on the machine meets all of them
        for name, given in cases.items():
            costs[name].append(best(1, partial(searched, prepared, given)))
    return {name: Cost(*map(min, zip(*those, strict=True))) for name, those in costs.items()}


def of_a_command(catalogue: Path, rounds: int) -> dict[str, Cost]:
    """Screen the whole catalogue by the command, in a new store and in one that only has ephemerides."""
    elements = read_file(catalogue).content.elements
    span = window(START, DAY_H)
    chosen = np.linspace(0, len(elements) - 1, MANY).astype(int)
    made = made_of(elements, span, chosen, (-BEYOND_S, span.seconds + BEYOND_S))
    costs: dict[str, list[Cost]] = {}
    with TemporaryDirectory() as folder:
        (stored := Path(folder, "kept", TRAJECTORIES)).mkdir(parents=True)
        about = About("definitive", "made", "", datetime(2024, 11, 1, tzinfo=UTC), restricted=False)
        for (one,) in made.values():
            write_trajectory(stored, one, about)
        for _ in range(rounds):
            for name, kept in (("element sets", ""), (f"{len(made):,} objects on ephemerides", "kept")):
                store = Path(folder, "store")
                if kept:
                    shutil.copytree(Path(folder, kept), store)
                costs.setdefault(f"`skysieve screen`: {name}", []).append(commanded(catalogue, store))
                shutil.rmtree(store)
    return {name: Cost(*map(min, zip(*those, strict=True))) for name, those in costs.items()}


def commanded(catalogue: Path, store: Path) -> Cost:
    """Run `skysieve screen` in a process of its own, and count the rows of its events."""
    used = command(
        *(*SKYSIEVE, "screen", catalogue, "--start", f"{START}Z", "--hours", DAY_H),
        *("--threshold-km", THRESHOLD_KM, "--store", store),
    )
    (events,) = store.glob(f"{RUNS}/run_id=2*/{RUN_FILES['conjunctions']}")
    return Cost(used.wall_s, used.cpu_s, pq.read_metadata(events).num_rows)


def searched(prepared: Prepared, given: Ephemerides) -> int:
    """Search a window as a run does, up to its rated events; return how many there are."""
    silent = Reporter(stage=lambda _: None, planned=lambda _: None, progress=lambda _done, _of: None)
    with TemporaryDirectory() as folder:
        settings = FlowSettings(store=Path(folder))
        objects = known_objects(settings.store, prepared.source.content.elements)
        with FoundEvents(settings.store) as found:
            stages = Stages(silent.stage)
            search(prepared._replace(ephemerides=given), objects, found, settings, stages, silent)
            return len(found)


def made_of(
    elements: ElementArray, span: TimeWindow, chosen: npt.NDArray[np.integer], ends_s: tuple[float, float]
) -> dict[int, list[Ephemeris]]:
    """Return ephemerides of some objects, without those that SGP4 loses."""
    times_s = np.arange(ends_s[0], ends_s[1], STEP_S)
    made = ephemerides_of(elements, span, chosen, times_s)
    return {i: given for i, given in made.items() if given[0].segments}


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("catalogue", nargs="?", type=Path, default=REAL_CATALOGUE)
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    if not given.catalogue.exists():
        sys.exit(f"{given.catalogue} is missing: name a catalogue of about 2024-11-01 as an argument.")
    keep_kernels_in(load_settings(FlowSettings).kernel_cache)
    costs = of_a_week(read_file(given.catalogue).content.elements, given.rounds)
    with TemporaryDirectory() as empty:
        costs |= of_a_day(given.catalogue, Path(empty), given.rounds)
    costs |= of_a_command(given.catalogue, given.rounds)
    lines = [
        f"{given.catalogue.name}; best of {given.rounds} rounds; {machine()}.\n",
        "| search or command | wall s | CPU-s | encounters |\n|---|---|---|---|",
        *(
            f"| {name} | {cost.wall_s:.2f} | {cost.cpu_s:.2f} | {cost.rows:,} |"
            for name, cost in costs.items()
        ),
    ]
    write("ephemerides", "\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
