"""What a screening costs against the number of objects and the threshold; writes docs/performance.md.

    .venv/bin/python tests/benchmarks/bench_costs.py [--hours 6]

Catalogues are synthetic (the same populations at every size). Each run has a process and a thread of its own,
with compiled kernels, from element sets in memory to events, and is measured in CPU seconds. Exponents are
those of cost ~ size^exponent, fitted to the logarithms; a second one is fitted to the two largest sizes.
"""

import argparse
import json
import resource
import subprocess
import sys
import time

import numpy as np
from measured import machine, write

from screening.kernel_files import keep_kernels_in
from screening.orbits.timegrid import window
from screening.search.all_pairs.assemble import screen_catalogue
from screening.synthetic.catalogue import synthetic_catalogue
from storage.settings import StoreSettings, load_settings

EPOCH = np.datetime64("2026-11-21T06:00", "us")
SEED = 1
OBJECTS = (26_834, 53_668, 107_336, 214_672)
THRESHOLDS_KM = (1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0)
USUAL_KM = 10.0

Measured = dict[str, float]


def measure(objects: int, hours: float, threshold_km: float) -> Measured:
    """Screen a synthetic catalogue in one thread of this process."""
    keep_kernels_in(load_settings(StoreSettings).kernel_cache)
    elements = synthetic_catalogue(objects, SEED, EPOCH).elements
    screen_catalogue(elements[:300], window(EPOCH, 0.5), threshold_km)  # loads the kernels
    began_s = time.process_time()
    found = screen_catalogue(elements, window(EPOCH, hours), threshold_km)
    return {
        "cpu_s": time.process_time() - began_s,
        "peak_gb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6,
        "events": len(found.encounters),
    }


def in_process(objects: int, hours: float, threshold_km: float) -> Measured:
    """Measure in a process of its own."""
    command = [sys.executable, __file__, "--only", f"{objects}", f"{threshold_km}", "--hours", f"{hours}"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    measured: Measured = json.loads(done.stdout.splitlines()[-1])
    print(f"{objects:>8,} objects {threshold_km:>6g} km {measured}", flush=True)
    return measured


def exponent(sizes: list[float], costs: list[float]) -> float:
    """Return the slope of log(cost) against log(size)."""
    return float(np.polyfit(np.log(sizes), np.log(costs), 1)[0])


def table(what: str, sizes: list[float], measured: list[Measured]) -> str:
    """Return a Markdown table and the fitted exponents."""
    costs = [one["cpu_s"] for one in measured]
    lines = [f"| {what} | CPU-s | peak GB | events |", "|---|---|---|---|"]
    lines += [
        f"| {size:,g} | {one['cpu_s']:.2f} | {one['peak_gb']:.2f} | {one['events']:,.0f} |"
        for size, one in zip(sizes, measured, strict=True)
    ]
    events = [one["events"] for one in measured]
    lines.append(
        f"\nExponent of the cost {exponent(sizes, costs):.2f}, between the two largest "
        f"{exponent(sizes[-2:], costs[-2:]):.2f}; of the events {exponent(sizes, events):.2f}."
    )
    return "\n".join(lines)


def main() -> None:
    """Run the benchmark, or one measurement of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hours", type=float, default=6.0)
    parser.add_argument("--only", nargs=2, type=float, metavar=("OBJECTS", "KM"))
    given = parser.parse_args()
    if given.only:
        objects, threshold_km = given.only
        print(json.dumps(measure(int(objects), given.hours, threshold_km)))
        return
    by_objects = [in_process(objects, given.hours, USUAL_KM) for objects in OBJECTS]
    by_threshold = [in_process(OBJECTS[0], given.hours, threshold_km) for threshold_km in THRESHOLDS_KM]
    text = (
        f"Synthetic catalogues, {given.hours:g} h, one thread, one run each; {machine()}. "
        f"All pairs, {USUAL_KM:g} km:\n\n"
        f"{table('objects', list(OBJECTS), by_objects)}\n\n{OBJECTS[0]:,} objects:\n\n"
        f"{table('threshold, km', list(THRESHOLDS_KM), by_threshold)}\n"
    )
    print(text)
    write("costs", text)


if __name__ == "__main__":
    main()
