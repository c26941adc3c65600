"""What layouts of the low zone cost, counted, measured and by the model; writes docs/performance.md.

    .venv/bin/python tests/benchmarks/bench_layouts.py

One interval of 10 minutes of synthetic catalogues, in one thread. Entries and batches are counted, which is
exact on any machine. The constants of `screening/search/all_pairs/layout.py` are printed as fitted to the CPU
seconds.
"""

import sys

import numpy as np
from measured import REPOSITORY, machine, write
from scipy.optimize import nnls

sys.path.insert(0, str(REPOSITORY))
from screening.kernel_files import keep_kernels_in
from screening.search.all_pairs.layout import chosen_layout, expected_work, sampled
from screening.search.all_pairs.low_grid import Layout
from storage.settings import StoreSettings, load_settings
from tests.screening.search.all_pairs.layout_work import chunk_of, counted_work, everybody

OBJECTS = (27_000, 60_000, 107_000, 300_000)
THRESHOLDS_KM = (1.0, 10.0, 50.0)
UNTIL_NOW = Layout(1, 45.0)
ROUNDS = 3


def main() -> None:
    """Run the benchmark."""
    keep_kernels_in(load_settings(StoreSettings).kernel_cache)
    lines, works, seconds = [], [], []
    for objects in OBJECTS:
        knots, pads_km = chunk_of(objects)
        sample, all_objects = sampled(knots, pads_km), everybody(knots, pads_km)
        for threshold_km in THRESHOLDS_KM:
            chosen = chosen_layout(sample, threshold_km)
            layouts = list(dict.fromkeys((UNTIL_NOW, chosen, Layout(1, 20.0), Layout(2, 20.0))))
            counted_work(all_objects, threshold_km, chosen)
            rounds = [
                [counted_work(all_objects, threshold_km, layout) for layout in layouts] for _ in range(ROUNDS)
            ]
            for k, layout in enumerate(layouts):
                work = rounds[0][k][0]
                spent_s = min(one[k][1] for one in rounds)
                works.append(work)
                seconds.append(spent_s)
                name = f"{layout.parts} x {layout.layer_km:g} km" + (", chosen" if layout == chosen else "")
                lines.append(
                    f"| {objects:,} | {threshold_km:g} | {name} | {work.cells / 1e3:,.0f} | "
                    f"{work.entries / 1e3:,.0f} | {work.batches / 1e3:,.0f} | "
                    f"{expected_work(sample, threshold_km, layout).seconds * 1e3:.0f} | {spent_s * 1e3:.0f} |"
                )
                print(lines[-1], flush=True)
    spent = np.array(seconds)
    fitted, _ = nnls(np.array(works) / spent[:, None], np.ones(len(spent)))
    print("fitted, ns per object, cell, entry, batch:", np.round(fitted * 1e9, 1))
    text = (
        f"Low zone, 10 minutes of synthetic catalogues, one thread, least of {ROUNDS} rounds; {machine()}. A "
        "layout is parts of a step of 150 s x height of a layer; 1 x 45 km is what all searches had before."
        "\n\n"
        "| objects | km | layout | cells, k | entries, k | batches, k | model, ms | CPU, ms |\n"
        "|---|---|---|---|---|---|---|---|\n" + "\n".join(lines) + "\n"
    )
    write("layouts", text)


if __name__ == "__main__":
    main()
