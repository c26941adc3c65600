"""What the probabilities of a run cost, in CPU seconds; writes its part of docs/performance.md.

    .venv/bin/python tests/benchmarks/bench_probability.py [--rounds 5]

The benchmark run is that of bench_screening.py: its events are found first, and not counted. The element
histories are made of the same catalogue, moved back in time, in a store that is removed afterwards.
"""

import argparse
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
from measured import REAL_CATALOGUE, REPOSITORY, machine, write

sys.path.insert(0, str(REPOSITORY))  # for what the tests read published cases with

from screening.kernel_files import keep_kernels_in
from screening.orbits.elements import ElementArray
from screening.orbits.texts.catalogue import parse_catalogue
from screening.orbits.timegrid import window
from screening.risk import score as scoring
from screening.risk.monte_carlo.two_dimensional import monte_carlo_2d
from screening.risk.objects.differenced import differenced_factors
from screening.search.all_pairs.assemble import screen_catalogue
from storage.disk.layout import element_file, prepare, write_parquet
from storage.reading.element_history import element_history
from storage.rows.elements import element_table
from storage.settings import StoreSettings, load_settings
from tests.screening.risk.published import integral_rows
from tests.screening.risk.real_run import known

keep_kernels_in(load_settings(StoreSettings).kernel_cache)

START = np.datetime64("2024-11-01T00:00:00", "us")
SAMPLES = 100_000
HISTORIES = {"typical: 28 sets, 45 % changed": (28, 0.5, 0.45), "56 sets, all changed": (56, 0.25, 1.0)}


def cpu_seconds(work: Callable[[], object], rounds: int) -> float:
    """Return the median CPU time of some work, after it has been done once."""
    work()
    taken = []
    for _ in range(rounds):
        began = time.process_time()
        work()
        taken.append(time.process_time() - began)
    return statistics.median(taken)


def scoring_rows(elements: ElementArray, rounds: int) -> list[tuple[str, str]]:
    """Score the benchmark run's events, with and without the Monte Carlo check of the alarming ones."""
    span = window(START, 24.0)
    encounters = screen_catalogue(elements, span, 10.0).encounters
    facts = known(elements, REAL_CATALOGUE.parent)
    found = scoring.score(encounters, elements, span, facts)

    def work() -> object:
        return scoring.score(encounters, elements, span, facts)

    whole = cpu_seconds(work, rounds)
    levels, scoring.VALIDATED_LEVELS = scoring.VALIDATED_LEVELS, ()
    without = cpu_seconds(work, rounds)
    scoring.VALIDATED_LEVELS = levels
    checked = int((found["mc_samples"] > 0).sum())
    return [
        (f"all probabilities of {len(encounters):,} events", f"{without:.2f} s"),
        (f"Monte Carlo check of the {checked:,} that are critical or high", f"{whole - without:.2f} s"),
    ]


def monte_carlo_rows(rounds: int) -> list[tuple[str, str]]:
    """Sample the published geometries, 1e5 samples each."""
    geometries = np.unique(
        [geometry for _, geometry in integral_rows(REAL_CATALOGUE.parent.joinpath)], axis=0
    )

    def work(geometry: np.ndarray) -> Callable[[], object]:
        return lambda: monte_carlo_2d(*geometry, seeds=1, largest_samples=SAMPLES, relative_half_width=0.0)

    taken_ms = [cpu_seconds(work(geometry), rounds) * 1e3 for geometry in geometries]
    text = f"{statistics.median(taken_ms):.1f} ms, {max(taken_ms):.1f} ms at most"
    return [(f"Monte Carlo of one published case, {SAMPLES:,} samples ({len(taken_ms)} cases)", text)]


def history_rows(elements: ElementArray, rounds: int) -> list[tuple[str, str]]:
    """Read and compare element histories of the whole catalogue."""
    rows = []
    for name, (sets, step_days, share) in HISTORIES.items():
        changed = elements[np.arange(len(elements)) % 100 < share * 100]
        with tempfile.TemporaryDirectory() as folder:
            store = Path(folder)
            fill(store, elements, sets, step_days)
            history = element_history(store, changed)
            read = cpu_seconds(partial(element_history, store, changed), rounds)
            compared = cpu_seconds(partial(differenced_factors, history), rounds)
        rows.append((f"element histories, {name}: {len(history):,} sets read", f"{read:.2f} s"))
        rows.append((f"the same compared, {len(changed):,} objects", f"{compared:.2f} s"))
    return rows


def fill(store: Path, elements: ElementArray, sets: int, step_days: float) -> None:
    """Give a store the earlier element sets of all objects: the same mean motion, no error."""
    prepare(store)
    for back in range(1, sets):
        earlier = elements.copy()
        days = np.floor(earlier["epoch_day_fraction"] - back * step_days)
        earlier["epoch_jd"] += days
        earlier["epoch_day_fraction"] -= back * step_days + days
        earlier["mean_anomaly_deg"] -= 360.0 * earlier["mean_motion_rev_day"] * back * step_days
        earlier["mean_anomaly_deg"] %= 360.0
        name = f"20241001T{sets - back:06d}Z"
        write_parquet(element_table(earlier, run_id=name), element_file(store, name))


def main() -> None:
    """Run the benchmark and write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    rounds = parser.parse_args().rounds
    catalogue = REAL_CATALOGUE
    if not catalogue.exists():
        sys.exit(f"{catalogue} is missing.")
    elements = parse_catalogue(catalogue.read_bytes()).elements
    rows = [*scoring_rows(elements, rounds), *monte_carlo_rows(rounds), *history_rows(elements, rounds)]
    lines = ["| probability | CPU |", "|---|---|", *(f"| {name} | {taken} |" for name, taken in rows)]
    text = (
        f"{catalogue.name}, {len(elements):,} objects; {rounds} rounds, medians; {machine()}.\n\n"
        + "\n".join(lines)
        + "\n"
    )
    print(text)
    write("probability", text)


if __name__ == "__main__":
    main()
