"""What a large run costs as a DataFrame; writes docs/performance.md.

    .venv/bin/python tests/benchmarks/bench_python.py [--rounds 5] [CATALOGUE]

The real catalogue is screened over a week. Then each way to a DataFrame of all its conjunctions runs in a
process of its own, in so many rounds, after pandas was loaded and the store was opened once. Memory is what
the peak is above that.
"""

import argparse
import json
import statistics
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from measured import REAL_CATALOGUE, REPOSITORY, SKYSIEVE, command, machine, write

import skysieve

START, HOURS = "2024-11-01T00:00:00Z", 168
_WAYS = {
    "`store.conjunctions()`": "store.conjunctions()",
    '`store.to_arrow("conjunctions")`, no DataFrame': 'store.to_arrow("conjunctions")',
    '`store.sql("FROM conjunctions")`': 'store.sql("FROM conjunctions")',
    "for comparison, pyarrow's `to_pandas` of the file": "pq.read_table(path, partitioning=None).to_pandas()",
    "for comparison, DuckDB's `df` of the table": "connection.sql('FROM conjunctions').df()",
}
_IN_A_PROCESS = """
import json, resource, sys, time
from pathlib import Path
import duckdb
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import skysieve

def memory_mb():
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize() / 1e6

def peak_mb():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3

store = skysieve.open_store(sys.argv[1])
store.objects()
(path,) = store.path.glob("runs/run_id=2*/conjunctions.parquet")
connection = duckdb.connect(str(store.path / "skysieve.duckdb"), read_only=True)
Path("/proc/self/clear_refs").write_text("5")  # the peak begins anew
before_mb, wall_s, cpu_s = memory_mb(), time.perf_counter(), time.process_time()
table = eval(sys.argv[2])
wall_s, cpu_s = time.perf_counter() - wall_s, time.process_time() - cpu_s
own = table.nbytes if isinstance(table, pa.Table) else table.memory_usage(index=True, deep=False).sum()
print(json.dumps([wall_s, cpu_s, peak_mb() - before_mb, float(own) / 1e6, len(table)]))
"""


class Measured(NamedTuple):
    """What one way took."""

    wall_s: float
    cpu_s: float
    peak_mb: float  # above what the process had before
    own_mb: float  # of the result, without Python's texts
    rows: int


def measure(store: Path, way: str, rounds: int) -> Measured:
    """Run a way in processes of its own; return the medians."""
    found = []
    for _ in range(rounds):
        done = subprocess.run(
            [sys.executable, "-c", _IN_A_PROCESS, str(store), way],
            env={"PYTHONPATH": str(REPOSITORY), "PATH": "", "HOME": str(Path.home())},
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode != 0:
            sys.exit(f"{way} failed:\n{done.stderr}")
        found.append(json.loads(done.stdout.splitlines()[-1]))
    return Measured(*map(statistics.median, zip(*found, strict=True)))  # type: ignore[arg-type]


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("catalogue", nargs="?", type=Path, default=REAL_CATALOGUE)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--store", type=Path, help="A store whose newest run is taken, instead of a new one.")
    given = parser.parse_args()
    if given.store is None and not given.catalogue.exists():
        sys.exit(f"{given.catalogue} is missing: name a catalogue of about 2024-11-01 as an argument.")
    with TemporaryDirectory() as temporary:
        store = given.store or Path(temporary) / "store"
        if given.store is None:
            command(
                *SKYSIEVE, "screen", given.catalogue, "--store", store, "--hours", HOURS, "--start", START
            )
        ways = {name: measure(store, way, given.rounds) for name, way in _WAYS.items()}
        columns = len(skysieve.open_store(store).conjunctions().columns)
    first = next(iter(ways.values()))
    lines = [
        f"| {name} | {one.wall_s:.2f} | {one.cpu_s:.2f} | {one.cpu_s / first.cpu_s:.1f} | {one.own_mb:.0f} "
        f"| {one.peak_mb:.0f} |"
        for name, one in ways.items()
    ]
    text = (
        f"{first.rows:,.0f} conjunctions of {columns} columns, a week of {given.catalogue.name}; "
        f"{given.rounds} rounds, medians; {machine()}.\n\n"
        "| way | wall s | CPU-s | CPU, ratio | result, MB | peak beyond, MB |\n|---|---|---|---|---|---|\n"
        + "\n".join(lines)
        + "\n"
    )
    print(text)
    write("python", text)


if __name__ == "__main__":
    main()
