"""What the search for a few primaries costs, on the real catalogue of 2024-11-01.

python tests/benchmarks/bench_primary.py CATALOGUE
"""

import sys
import time
from pathlib import Path

import numpy as np

from screening.kernels import keep_kernels_in
from storage.settings import StoreSettings, load_settings

keep_kernels_in(load_settings(StoreSettings).kernel_cache)

from screening.orbits.catalogue import parse_catalogue  # noqa: E402 - after the kernels have their folder
from screening.orbits.propagate import Propagator  # noqa: E402
from screening.orbits.timegrid import window  # noqa: E402
from screening.search.primary import screen_primaries  # noqa: E402

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
        for name, primaries in fleets.items():
            best, rows = np.inf, 0
            for _ in range(REPEATS):
                began = time.process_time()
                propagator = Propagator(elements, window(START, hours))
                found = screen_primaries(elements, propagator, THRESHOLD_KM, primaries.astype(np.int32))
                best, rows = min(best, time.process_time() - began), len(found.encounters)
            print(f"{name}, {hours:.0f} h: {best:.2f} CPU-s, {rows} encounters")


if __name__ == "__main__":
    main()
