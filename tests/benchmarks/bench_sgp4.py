"""Our SGP4 kernels against python-sgp4 on the real catalogue: CPU time of a state, medians of rounds in turn.

.venv/bin/python tests/benchmarks/bench_sgp4.py [CATALOGUE]
NUMBA_CPU_FEATURES=+avx2,+fma .venv/bin/python tests/benchmarks/bench_sgp4.py    vectors of 256 bits
"""

import statistics
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
from sgp4.api import SatrecArray

from screening.kernel_files import keep_kernels_in
from screening.orbits.sgp4.propagate import Propagator, satrecs
from screening.orbits.texts.catalogue import parse_catalogue
from screening.orbits.timegrid import window
from storage.settings import StoreSettings, load_settings

REPOSITORY = Path(__file__).resolve().parents[2]
REAL_CATALOGUE = REPOSITORY.parent / "shared" / "data" / "gp_onorbit_20241101.csv"
START = np.datetime64("2024-11-01T00:00:00", "us")
ROUNDS = 5
TIMES_S = np.arange(0.0, 86401.0, 600.0)


def _cpu_s(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


def main() -> None:
    """Print nanoseconds per state for near-earth and deep-space objects, 24 hours in steps of 600 s."""
    keep_kernels_in(load_settings(StoreSettings).kernel_cache)
    catalogue = Path(sys.argv[1]) if len(sys.argv) > 1 else REAL_CATALOGUE
    if not catalogue.exists():
        sys.exit(f"{catalogue} is missing: name a catalogue of about 2024-11-01 as an argument.")
    elements, span = parse_catalogue(catalogue.read_bytes()).elements, window(START, 24.0)
    is_deep = Propagator(elements, span).is_deep_space
    jd, fraction = np.full(len(TIMES_S), span.start_jd), span.start_day_fraction + TIMES_S / 86400.0
    for name, chosen in (("near-earth", elements[~is_deep]), ("deep-space", elements[is_deep])):
        ours, records = Propagator(chosen, span), SatrecArray(list(satrecs(chosen)))
        contenders = {
            "ours": partial(ours.on_grid, TIMES_S),
            "python-sgp4": partial(records.sgp4, jd, fraction),
        }
        rounds = [{who: _cpu_s(work) for who, work in contenders.items()} for _ in range(ROUNDS + 1)][1:]
        states = len(chosen) * len(TIMES_S)
        for who in contenders:
            seconds = statistics.median(one[who] for one in rounds)
            print(f"{name:<11}{who:<12}{seconds:6.3f} CPU-s{seconds / states * 1e9:7.0f} ns a state")
        ratio = statistics.median(one["python-sgp4"] / one["ours"] for one in rounds)
        print(f"{name:<11}ratio       {ratio:6.1f}", flush=True)


if __name__ == "__main__":
    main()
