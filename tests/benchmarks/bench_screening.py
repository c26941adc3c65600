"""Our search against others on the same catalogue, alternating in one run; writes docs/performance.md.

    make bench                                      ours, and astroz if it is installed
    .venv/bin/pip install astroz                    to have a rival
    .venv/bin/python tests/benchmarks/bench_screening.py --rounds 5 [CATALOGUE]

Quoted are CPU seconds and ratios of wall times within a round, since machines differ and are shared. astroz
uses all cores, and so do we; one thread of ours beside it shows what the second core is worth. Each contender
runs in a process of its own, with compiled kernels, from element sets in memory to events.
"""

import argparse
import cProfile
import json
import os
import pstats
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from importlib import metadata, util
from pathlib import Path

import numpy as np
from measured import REAL_CATALOGUE, REPOSITORY, machine, write

from storage.times import utc_datetime

START = np.datetime64("2024-11-01T00:00:00", "us")
SLOWEST_FAST_KM_S = 0.01
LEAST_SHOWN_S = 0.02

Measured = dict[str, float]


def on_all_cores(catalogue: Path, hours: float, threshold_km: float) -> Measured:
    """Screen as the program does, with one thread a core."""
    return _ours(catalogue, hours, threshold_km, len(os.sched_getaffinity(0)))


def in_one_thread(catalogue: Path, hours: float, threshold_km: float) -> Measured:
    """Screen with one thread."""
    return _ours(catalogue, hours, threshold_km, 1)


def _ours(catalogue: Path, hours: float, threshold_km: float, threads: int) -> Measured:
    from flows.runs.run import Reporter, Request, Stages, prepare, search
    from flows.settings import FlowSettings
    from flows.sources.catalogues import Source
    from screening.orbits.texts.catalogue import parse_catalogue
    from screening.search.results import Screening

    settings = FlowSettings(workers=threads, max_events=10**8)
    silent = Reporter(stage=lambda _: None, planned=lambda _: None, progress=lambda _done, _of: None)
    whole = parse_catalogue(catalogue.read_bytes())

    def screen(every: int, hours: float) -> Screening:
        some = Source("benchmark", "", whole._replace(elements=whole.elements[::every]), "file")
        prepared = prepare(some, Request(START, hours, threshold_km), settings.store, datetime.now(UTC))
        return search(prepared, settings, Stages(silent.stage), silent)

    screen(60, 0.5)  # loads the kernels, of all regimes
    found, seconds = _timed(lambda: screen(1, hours))
    fast = found.encounters["relative_speed_km_s"] >= SLOWEST_FAST_KM_S  # type: ignore[attr-defined]
    return seconds | {"objects": len(whole.elements), "events": int(fast.sum())}


def astroz(catalogue: Path, hours: float, threshold_km: float) -> Measured:
    """Screen with astroz at a step of 0.5 minutes, its fastest."""
    import astroz
    from sgp4.exporter import export_tle

    from screening.orbits.sgp4.propagate import satrecs
    from screening.orbits.texts.catalogue import parse_catalogue

    elements = parse_catalogue(catalogue.read_bytes()).elements
    records = satrecs(elements)
    text = "\n".join(line for record in records for line in export_tle(record))
    constellation = astroz.Constellation(text)
    start = utc_datetime(START)
    minutes = hours * 60.0
    found, seconds = _timed(
        lambda: astroz.screen(constellation, minutes, threshold=threshold_km, step=0.5, start_time=start)
    )
    return seconds | {"objects": len(records), "events": len(found.i)}  # type: ignore[attr-defined]


CONTENDERS: dict[str, Callable[[Path, float, float], Measured]] = {
    "skysieve": on_all_cores,
    "skysieve, 1 thread": in_one_thread,
    "astroz": astroz,
}


def stages(catalogue: Path, hours: float, threshold_km: float) -> str:
    """Return a Markdown table of the CPU seconds of one thread in each module of the search."""
    from screening.kernel_files import keep_kernels_in
    from storage.settings import StoreSettings, load_settings

    keep_kernels_in(load_settings(StoreSettings).kernel_cache)
    from screening.orbits.texts.catalogue import parse_catalogue
    from screening.orbits.timegrid import window
    from screening.search.all_pairs.assemble import screen_catalogue

    elements = parse_catalogue(catalogue.read_bytes()).elements
    screen_catalogue(elements[::60], window(START, 0.5), threshold_km)
    profile = cProfile.Profile(time.thread_time, builtins=False)
    profile.runcall(screen_catalogue, elements, window(START, hours), threshold_km)
    seconds: dict[str, float] = {}
    for (file, _, _), (_, _, own_s, *_) in pstats.Stats(profile).stats.items():  # type: ignore[attr-defined]
        path = Path(file)
        ours = path.is_relative_to(REPOSITORY / "screening")
        name = f"`{path.relative_to(REPOSITORY)}`" if ours else "libraries, in Python"
        seconds[name] = seconds.get(name, 0.0) + own_s
    lines = ["| module | CPU-s |", "|---|---|"]
    rows = sorted(seconds.items(), key=lambda row: -row[1])
    lines += [f"| {name} | {own_s:.2f} |" for name, own_s in rows if own_s >= LEAST_SHOWN_S]
    return "\n".join([*lines, f"| all | {sum(seconds.values()):.2f} |"])


def _timed(work: Callable[[], object]) -> tuple[object, Measured]:
    wall, cpu = time.perf_counter(), time.process_time()
    result = work()
    measured = {"wall_s": time.perf_counter() - wall, "cpu_s": time.process_time() - cpu}
    return result, measured | {"peak_gb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6}


def in_process(name: str, catalogue: Path, hours: float, threshold_km: float) -> Measured:
    """Run one contender in a process of its own."""
    command = [sys.executable, __file__, "--only", name, "--hours", f"{hours}", "--km", f"{threshold_km}"]
    done = subprocess.run([*command, str(catalogue)], capture_output=True, text=True, check=True)
    measured: Measured = json.loads(done.stdout.splitlines()[-1])
    print(f"{name:<20}{measured}", flush=True)
    return measured


def _package(name: str) -> str:
    return name.partition(",")[0]


def table(rounds: dict[str, list[Measured]]) -> str:
    """Return a Markdown table of medians, and of the ratios within each round."""
    lines = [
        "| | version | CPU-s | wall s | wall, ratio to skysieve | peak GB | events |",
        "|---|---|---|---|---|---|---|",
    ]
    for name, measured in rounds.items():
        ratios = [a["wall_s"] / b["wall_s"] for a, b in zip(measured, rounds["skysieve"], strict=True)]
        medians = {key: statistics.median(one[key] for one in measured) for key in measured[0]}
        lines.append(
            f"| {name} | {metadata.version(_package(name))} "
            f"| {medians['cpu_s']:.2f} | {medians['wall_s']:.2f} "
            f"| {statistics.median(ratios):.1f} ({min(ratios):.1f} to {max(ratios):.1f}) "
            f"| {medians['peak_gb']:.2f} | {medians['events']:,.0f} |"
        )
    return "\n".join(lines)


def main() -> None:
    """Run the benchmark, or one contender of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("catalogue", nargs="?", type=Path, default=REAL_CATALOGUE)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--hours", type=float, default=24.0)
    parser.add_argument("--km", type=float, default=10.0)
    parser.add_argument("--only", choices=CONTENDERS)
    given = parser.parse_args()
    if not given.catalogue.exists():
        sys.exit(f"{given.catalogue} is missing: name a catalogue of about 2024-11-01 as an argument.")
    if given.only:
        print(json.dumps(CONTENDERS[given.only](given.catalogue, given.hours, given.km)))
        return
    present = [name for name in CONTENDERS if util.find_spec(_package(name))]
    rounds: dict[str, list[Measured]] = {name: [] for name in present}
    for _ in range(given.rounds):
        for name in present:
            rounds[name].append(in_process(name, given.catalogue, given.hours, given.km))
    text = (
        f"{given.catalogue.name}, {rounds['skysieve'][0]['objects']:,.0f} objects, {given.hours:g} h, "
        f"{given.km:g} km, one process each, {given.rounds} rounds in turn, medians; "
        f"{machine()}.\n\n{table(rounds)}\n\n"
        "Where one thread spends its time, kernels included in the module that calls them:\n\n"
        f"{stages(given.catalogue, given.hours, given.km)}\n"
    )
    print(text)
    write("screening", text)


if __name__ == "__main__":
    main()
