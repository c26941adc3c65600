"""Fit the model of a run, check it against whole runs, and play it through; writes docs/performance.md.

    .venv/bin/python tests/benchmarks/bench_scaling.py [--write] [CATALOGUE]

Tasks of several catalogues are timed one by one, and whole commands with one worker beside them; `--write`
writes the constants fitted to them to `screening/search/all_pairs/rates.py`. Whole runs of other lengths
check them. Then two workers against one, and what the plans for up to 256 workers take by the model.
"""

import argparse
import os
import re
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import numpy as np
from measured import REAL_CATALOGUE, REPOSITORY, SKYSIEVE, Used, command, machine, write
from scipy.optimize import nnls

from flows.cluster.releases import release
from flows.cluster.task import Basis, run_task
from flows.runs.ephemeris import REFRESH_INTERVALS
from flows.runs.forecast import Forecast, Machine, forecast
from flows.settings import FlowSettings
from screening.kernel_files import keep_kernels_in
from screening.orbits.elements import ElementArray
from screening.orbits.sgp4.propagate import Propagator
from screening.orbits.texts.catalogue import parse_catalogue
from screening.orbits.texts.omm.csv_writer import write_omm_csv
from screening.orbits.timegrid import window
from screening.search.all_pairs.chosen_plan import (
    Workers,
    at_full_speed,
    features,
    parts_of_pairs,
    with_low_zone,
)
from screening.search.all_pairs.plan import cut
from screening.search.all_pairs.population import Population, meetings, population, sample_of
from screening.search.all_pairs.rates import Rates
from screening.search.all_pairs.settled import Unsettled
from screening.synthetic.catalogue import synthetic_catalogue
from storage.disk.ephemeris_bound import MB
from storage.disk.ephemeris_states import ephemeris_bytes
from storage.reading.known_objects import knowledge_of
from storage.reading.newest_run import connect
from storage.settings import StoreSettings, load_settings
from storage.writing.objects_table import objects_of

START = np.datetime64("2024-11-01T00:00:00", "us")
SEED = 1
RATES_FILE = REPOSITORY / "screening" / "search" / "all_pairs" / "rates.py"
TASK_RATES = 8  # the first fields of Rates
ALONE = ("start_s", "catalogue_object_s", "found_event_s")
FITTED = (*Rates._fields[:TASK_RATES], *ALONE, "ephemeris_byte_s")
EPHEMERIS_MORE_HOURS = REFRESH_INTERVALS * FlowSettings().refresh_hours
ALL, DEEP_SPACE, NEAR_EARTH = "all", "deep space", "near the Earth"
DEEP_SPACE_REV_DAY = 6.4
ONE_WORKER = ("--workers", "1")


class Case(NamedTuple):
    """A catalogue, of which part, and what is searched. No objects: the real catalogue."""

    objects: int
    part: str
    hours: float
    threshold_km: float

    def __str__(self) -> str:
        some = "" if self.part == ALL else f" {self.part}"
        return f"{self.objects or 26834:,}{some} | {self.hours:g} | {self.threshold_km:g}"


TASKS = (
    *(Case(0, ALL, hours, km) for hours, km in ((1.0, 1.0), (4.0, 10.0), (1.0, 50.0), (1.0, 100.0))),
    *(Case(0, DEEP_SPACE, hours, 10.0) for hours in (0.5, 6.0)),
    Case(0, NEAR_EARTH, 2.0, 10.0),
    *(Case(53_668, ALL, 1.0, km) for km in (1.0, 10.0, 50.0)),
    *(Case(107_336, part, 0.5, km) for part in (ALL, NEAR_EARTH) for km in (1.0, 10.0)),
    *(Case(107_336, ALL, 2.0, km) for km in (1.0, 10.0)),
    *(Case(107_336, DEEP_SPACE, hours, 1.0) for hours in (0.5, 2.0)),
    *(Case(300_000, ALL, 0.5, km) for km in (1.0, 10.0)),
    Case(300_000, DEEP_SPACE, 0.5, 1.0),
)
# Short searches of many objects, and of many events: what is beside the search weighs.
COMMANDS = (
    Case(0, ALL, 0.2, 10.0),
    Case(0, ALL, 2.0, 50.0),
    Case(107_336, ALL, 0.5, 10.0),
    Case(107_336, ALL, 0.5, 40.0),
    Case(300_000, ALL, 0.2, 1.0),
    Case(107_336, ALL, 0.2, 1.0),
)
CHECKS = tuple(
    Case(objects, ALL, hours, km)
    for objects, hours in ((0, 24.0), (107_336, 6.0), (300_000, 2.0))
    for km in (1.0, 10.0)
)
PLAYED_OBJECTS, PLAYED_WORKERS = (26_834, 107_336, 300_000, 1_000_000), (2, 8, 32, 64, 128, 256)
PLAYED_HOURS = 24.0
WORKER_BYTES = 4e9


class Catalogues:
    """Catalogues, made once."""

    def __init__(self, real: Path) -> None:
        self._real = parse_catalogue(real.read_bytes()).elements
        self._made: dict[int, ElementArray] = {}

    def __call__(self, objects: int, part: str = ALL) -> ElementArray:
        """Return elements."""
        if objects and objects not in self._made:
            self._made = {objects: synthetic_catalogue(objects, SEED, START).elements}
        elements = self._made[objects] if objects else self._real
        deep = elements["mean_motion_rev_day"] < DEEP_SPACE_REV_DAY
        chosen: ElementArray = elements[{ALL: slice(None), DEEP_SPACE: deep, NEAR_EARTH: ~deep}[part]]
        return chosen


def crowd_of(elements: ElementArray, hours: float) -> Population:
    """Return the population of a catalogue."""
    some = elements[sample_of(len(elements))]
    return population(some, Propagator(some, window(START, hours)), len(elements))


def timed_task(elements: ElementArray, hours: float, threshold_km: float) -> float:
    """Return the CPU seconds of a task of all objects, in this thread."""
    everybody, known = np.arange(len(elements), dtype=np.int32), knowledge_of(objects_of(elements))
    nobody = Unsettled(np.empty(0, np.int64), everybody[:0])
    whole, span = cut(hours * 3600.0, 1, 1), window(START, hours)
    basis = Basis(elements, everybody, known, everybody, nobody, span, threshold_km, whole, 10**9, release())
    began_s = time.process_time()
    run_task(whole.tasks[0], basis)
    return time.process_time() - began_s


def fitted(rows: list[list[float]], seconds: list[float], known: Sequence[float] = ()) -> list[float]:
    """Return the rates after those that are known, none negative, with the least relative errors."""
    matrix, measured = np.array(rows), np.array(seconds)
    left = measured - matrix[:, : len(known)] @ np.array(known)
    rates, _ = nnls(matrix[:, len(known) :] / measured[:, None], left / measured)
    found: list[float] = rates.tolist()
    return found


def state_s(elements: ElementArray) -> float:
    """Return the CPU seconds of a propagation."""
    propagator, times_s = Propagator(elements, window(START, 24.0)), np.arange(25) * 600.0
    seconds = []
    for _ in range(4):
        began_s = time.process_time()
        propagator.on_grid(times_s)
        seconds.append(time.process_time() - began_s)
    return min(seconds) / (len(elements) * len(times_s))


def fitted_tasks(catalogues: Catalogues) -> tuple[Rates, Iterator[str]]:
    """Time tasks; return the rates and the rows of a table."""
    for part in (DEEP_SPACE, NEAR_EARTH):
        timed_task(catalogues(0, part)[::20], 0.2, 10.0)  # loads the kernels
    known = [state_s(catalogues(0, part)) for part in (NEAR_EARTH, DEEP_SPACE)]
    rows, seconds = [], []
    for case in sorted(TASKS):
        elements = catalogues(case.objects, case.part)
        crowd = crowd_of(elements, case.hours)
        (pair,) = parts_of_pairs(crowd, 1, case.threshold_km, meetings(crowd, case.threshold_km))
        pair = with_low_zone(crowd, pair, case.threshold_km)
        rows.append(list(features(pair, 0.0, case.hours * 3600.0)))
        seconds.append(min(timed_task(elements, case.hours, case.threshold_km) for _ in range(2)))
        print(case, f"| {seconds[-1]:.2f}", flush=True)
    rates = Rates(*known, *fitted(rows, seconds, known))
    return rates, (
        f"| {case} | {one:.2f} | {np.dot(row, rates[:TASK_RATES]):.2f} |"
        for case, row, one in zip(sorted(TASKS), rows, seconds, strict=True)
    )


def screen(catalogue: Path, case: Case, *more: str, ephemeris_max_mb: float = 1000.0) -> tuple[Used, int]:
    """Screen a file with `skysieve screen`; return what it took, and its events."""
    with TemporaryDirectory() as folder:
        given = ("--hours", case.hours, "--threshold-km", case.threshold_km, "--start", f"{START}Z")
        used = command(
            *SKYSIEVE, "screen", catalogue, *given, "--store", folder, *more,
            SKYSIEVE_MAX_EVENTS="1000000000",
            SKYSIEVE_EPHEMERIS_MAX_MB=f"{ephemeris_max_mb}",
        )  # fmt: skip
        with connect(Path(folder)) as connection:
            ((events,),) = connection.execute("SELECT conjunctions FROM runs").fetchall()
        return used, events


def in_file(catalogues: Catalogues, real: Path, objects: int, folder: Path) -> Path:
    """Return the file of a catalogue."""
    if not objects:
        return real
    file = folder / f"{objects}.csv"
    if not file.exists():
        with file.open("w") as stream:
            write_omm_csv(catalogues(objects), stream)
    return file


def told(crowd: Population, case: Case, rates: Rates, ephemeris_max_mb: float = 1000.0) -> Forecast:
    """Return the forecast of a command on this machine."""
    ephemeris = min(ephemeris_bytes(crowd.objects, case.hours + EPHEMERIS_MORE_HOURS), ephemeris_max_mb * MB)
    threads = len(os.sched_getaffinity(0))
    return forecast(crowd, case.hours, case.threshold_km, at_full_speed(threads), Machine(), rates, ephemeris)


def fitted_alone(catalogues: Catalogues, file_of: Callable[[int], Path], rates: Rates) -> Rates:
    """Time whole commands; return the rates with those of the process that starts the run.

    Theirs are wall seconds, since it publishes with two threads; the search has one meanwhile.
    """
    rows, seconds = [], []
    screen(file_of(0), Case(0, ALL, 2.0, 50.0))  # compiles what the tasks have not called
    for case in COMMANDS:
        crowd = crowd_of(catalogues(case.objects), case.hours)
        whole, events = screen(file_of(case.objects), case, *ONE_WORKER, ephemeris_max_mb=0.0)
        rest_s = whole.wall_s - told(crowd, case, rates).search_cpu_s
        rows.append([1.0, crowd.objects, events])
        seconds.append(max(rest_s, 0.1))
        print(case, whole, events, f"without search {rest_s:.2f}", flush=True)
    with_ephemeris, _ = screen(file_of(COMMANDS[-1].objects), COMMANDS[-1], *ONE_WORKER)
    ephemeris = told(crowd, COMMANDS[-1], rates._replace(ephemeris_byte_s=1.0))
    print("with ephemeris", with_ephemeris, flush=True)
    return rates._replace(
        ephemeris_byte_s=max(0.0, with_ephemeris.cpu_s - whole.cpu_s)
        / (ephemeris.ephemeris_s * ephemeris.threads),
        **dict(zip(ALONE, fitted(rows, seconds), strict=True)),
    )


def checked(catalogues: Catalogues, file_of: Callable[[int], Path], rates: Rates) -> Iterator[str]:
    """Yield the rows of a table: whole commands against the model."""
    for case in CHECKS:
        crowd = crowd_of(catalogues(case.objects), case.hours)
        whole, events = screen(file_of(case.objects), case)
        model = told(crowd, case, rates)
        row = (
            f"| {case} | {whole.wall_s:.1f} | {model.published_s:.1f} | "
            f"{model.published_s / whole.wall_s - 1:+.0%} | "
            f"{whole.peak_gb:.2f} | {model.process_bytes / 1e9:.2f} | {events:,} | "
            f"{model.events:,.0f} |"
        )
        print(row, f"search {model.search_cpu_s:.1f}", flush=True)
        yield row


def two_workers(real: Path) -> Iterator[str]:
    """Yield the rows of a table: two workers against one."""
    case = Case(0, ALL, 168.0, 10.0)
    alone, _ = screen(real, case, *ONE_WORKER)
    for name, more in (("2 threads", ("--workers", "2")), ("2 processes", ("--processes", "2"))):
        both, _ = screen(real, case, *more)
        yield (
            f"| 7 days, {name} | {alone.wall_s:.1f} | {both.wall_s:.1f} | "
            f"{alone.wall_s / (2 * both.wall_s):.0%} | {both.peak_gb:.2f} |"
        )


def played(catalogues: Catalogues, rates: Rates) -> Iterator[str]:
    """Yield the rows of a table: whole runs by the model."""
    for objects in PLAYED_OBJECTS:
        crowd = crowd_of(catalogues(objects), PLAYED_HOURS)
        for threshold_km in (1.0, 10.0):
            courses = [
                forecast(
                    crowd, PLAYED_HOURS, threshold_km,
                    Workers((1.0,) * workers, WORKER_BYTES), Machine(remote=True), rates,
                )
                for workers in PLAYED_WORKERS
            ]  # fmt: skip
            last = courses[-1]
            yield (
                f"| {objects:,} | {threshold_km:g} | {last.events:,.0f} | {courses[0].search_cpu_s:,.0f} | "
                + " | ".join(f"{one.published_s:,.0f} s" for one in courses)
                + f" | {last.alone_s:,.0f} s | {last.limit} |"
            )


def write_rates(rates: Rates) -> None:
    """Write the constants to their table."""
    text = RATES_FILE.read_text()
    for name in FITTED:
        text = re.sub(
            rf"(\n    {name}: float = )[-+.\de]+", rf"\g<1>{float(f'{getattr(rates, name):.3g}')!r}", text
        )
    RATES_FILE.write_text(text)


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("catalogue", nargs="?", type=Path, default=REAL_CATALOGUE)
    parser.add_argument("--write", action="store_true", help="write the constants to rates.py")
    given = parser.parse_args()
    if not given.catalogue.exists():
        sys.exit(f"{given.catalogue} is missing: name a catalogue of about 2024-11-01 as an argument.")
    keep_kernels_in(load_settings(StoreSettings).kernel_cache)
    catalogues = Catalogues(given.catalogue)
    with TemporaryDirectory() as name:

        def file_of(objects: int) -> Path:
            return in_file(catalogues, given.catalogue, objects, Path(name))

        rates, tasks = fitted_tasks(catalogues)
        rates = fitted_alone(catalogues, file_of, rates)
        constants = ", ".join(f"{field} {getattr(rates, field):.2e}" for field in FITTED)
        print(constants)
        sections = (
            f"{machine()}. Single tasks in one thread, and the model fitted to them ({constants}):",
            "| objects | hours | km | CPU-s | model |\n|---|---|---|---|---|\n" + "\n".join(tasks),
            "Whole commands, which the model was not fitted to:",
            "| objects | hours | km | wall s | model | | peak GB | model | events | model |\n"
            "|---|---|---|---|---|---|---|---|---|---|\n" + "\n".join(checked(catalogues, file_of, rates)),
            f"Whole commands on {given.catalogue.name}, 10 km, two workers against one:",
            "| | wall s, one | two | efficiency | peak GB |\n|---|---|---|---|---|\n"
            + "\n".join(two_workers(given.catalogue)),
            "A day by the model, to the published run, with workers as fast as the core measured:",
            "| objects | km | events | search, CPU-s | "
            + " | ".join(f"{workers} workers" for workers in PLAYED_WORKERS)
            + " | of it in one process | limit |\n"
            + "|---" * (6 + len(PLAYED_WORKERS))
            + "|\n"
            + "\n".join(played(catalogues, rates)),
        )
    if given.write:  # not before: it is a source of the kernels, which would be compiled anew
        write_rates(rates)
    text = "\n\n".join(sections) + "\n"
    print(text)
    write("scaling", text)


if __name__ == "__main__":
    main()
