"""Compare approaches by shell with a kinetic gas, on real catalogues; the tables of docs/environment.md.

    .venv/bin/python tests/benchmarks/bench_environment.py

Of each catalogue a run of 24 hours at 10 km, in a store that is thrown away; then how long counting takes.
About two minutes.
"""

import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

REPOSITORY = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPOSITORY))

from flows.sources.catalogues import read_file  # noqa: E402
from storage.sky.crowding import COLUMNS, SERIES_COLUMNS, rows_of_run, series  # noqa: E402
from storage.sky.environment import count_environment  # noqa: E402
from tests.runs import make_run  # noqa: E402

DATA = REPOSITORY.parent / "shared" / "data"
CATALOGUES = {
    "2024-11-01": "gp_onorbit_20241101.csv",
    **{
        f"{day[:4]}-{day[4:6]}-{day[6:]}": f"history/catalogues/{day}.tle.gz"
        for day in ("20140101", "20160103", "20200108")
    },
}
NEAR_TO_FAR = 25.0  # closer than 5 km than closer than 1 km


def main() -> None:
    """Print the tables."""
    for day, name in CATALOGUES.items():
        with TemporaryDirectory() as folder:
            store = Path(folder) / "store"
            outcome = make_run(read_file(DATA / name), store, np.datetime64(day, "us"), hours=24.0)
            prepared, began = outcome.prepared, time.process_time()
            count_environment(store, outcome.run_id, prepared.elements, outcome.objects, prepared.span, 10.0)
            took = time.process_time() - began
            rows = [
                dict(zip(COLUMNS, row, strict=True)) for row in rows_of_run(store, outcome.run_id, "shell", 1)
            ]
            (total,) = (dict(zip(SERIES_COLUMNS, row, strict=True)) for row in series(store))
        print(f"\n{day}: {took:.2f} CPU-s of {outcome.conjunctions:,} events; {total}\n")
        print(
            "| altitude, km | objects outside | approaches a day below 5 km | gas | ratio | within one "
            "| collisions a year | gas |"
        )
        print("|---|---|---|---|---|---|---|---|")
        of = {(row["one"], row["altitude_from_km"]): row for row in rows}
        for (one, altitude_km), row in of.items():
            gas = NEAR_TO_FAR * (row["gas_1km_day"] or 0.0)
            if one == "outside" and (gas > 20.0 or row["approaches_5km_day"] > 20.0):
                within = of.get(("within", altitude_km), {"approaches_5km_day": 0})["approaches_5km_day"]
                numbers = (row["objects"], row["approaches_5km_day"], gas)
                shown = " | ".join(f"{number:,.0f}" for number in numbers)
                print(
                    f"| {altitude_km:.0f} to {row['altitude_to_km']:.0f} | {shown} "
                    f"| {numbers[1] / gas:.2f} | {within:,.0f} "
                    f"| {row['collisions_year']:.4f} | {row['gas_collisions_year']:.4f} |"
                )


if __name__ == "__main__":
    main()
