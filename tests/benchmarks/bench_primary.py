"""What the search for a few primaries costs, on the real catalogue of 2024-11-01.

python tests/benchmarks/bench_primary.py CATALOGUE
"""

import sys
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from screening.kernel_files import keep_kernels_in
from screening.orbits.sgp4.propagate import IndexArray, Propagator
from screening.orbits.texts.catalogue import parse_catalogue
from screening.orbits.timegrid import TimeWindow, window
from screening.search.few_objects.from_ephemeris import screen_on_ephemeris
from screening.search.few_objects.primary import screen_primaries
from screening.search.results import Screening
from storage.disk.ephemeris import place_ephemeris
from storage.disk.ephemeris_states import read_ephemeris, stage_ephemeris
from storage.settings import StoreSettings, load_settings

keep_kernels_in(load_settings(StoreSettings).kernel_cache)

START = np.datetime64("2024-11-01T00:00:00", "us")
THRESHOLD_KM = 10.0
REPEATS = 5


def main() -> None:
    """Print the CPU time of several fleets, from elements in memory to encounters, best of five."""
    elements = parse_catalogue(Path(sys.argv[1]).read_bytes()).elements
    numbers = elements["norad_id"]
    random = np.random.default_rng(0)
    fleets = {
        "ISS": np.flatnonzero(numbers == 25544),
        "a Starlink": np.flatnonzero(numbers == 44714),
        "10 at random": random.choice(len(elements), 10, replace=False),
        "100 at random": random.choice(len(elements), 100, replace=False),
    }
    for hours in (24.0, 168.0):
        span = window(START, hours)
        for name, primaries in fleets.items():
            chosen = primaries.astype(np.int32)

            def on_sgp4(chosen: IndexArray = chosen, span: TimeWindow = span) -> Screening:
                return screen_primaries(elements, Propagator(elements, span), THRESHOLD_KM, chosen)

            print(f"{name}, {hours:.0f} h: {_best(on_sgp4)}")
    with TemporaryDirectory() as store:
        print(f"ephemeris of 36 h: {_best(lambda: stage_ephemeris(Path(store), elements, START, 36.0))}")
        place_ephemeris(Path(store), stage_ephemeris(Path(store), elements, START, 36.0), "run")
        ephemeris, day = read_ephemeris(Path(store), "run"), window(START, 24.0)
        for name, primaries in fleets.items():
            chosen = primaries.astype(np.int32)

            def stored(chosen: IndexArray = chosen) -> Screening:
                return screen_on_ephemeris(elements, ephemeris, day, THRESHOLD_KM, chosen)

            print(f"{name}, 24 h, from the ephemeris: {_best(stored)}")


def _best(work: Callable[[], object]) -> str:
    best = np.inf
    for _ in range(REPEATS):
        began = time.process_time()
        found = work()
        best = min(best, time.process_time() - began)
    rows = f", {len(found.encounters)} encounters" if isinstance(found, Screening) else ""
    return f"{best:.2f} CPU-s{rows}"


if __name__ == "__main__":
    main()
