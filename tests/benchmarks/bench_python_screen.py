"""What a run from Python costs beside the command that does the same; writes docs/performance.md.

    .venv/bin/python tests/benchmarks/bench_python_screen.py [--rounds 8] [CATALOGUE]

Processes over 24 h at 10 km with compiled kernels, in turns: the command `skysieve screen` into a new
store, `skysieve.screen` into a new store, the same with all three DataFrames, and without a store. Each
round begins with the next way, as whichever comes first in an empty folder takes some 5 % less than the
others. From Python the CPU time is that until the last call returns, without the import of pandas, which is
measured by itself: the command does not import it, and analysts have it anyway.
"""

import argparse
import json
import statistics
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from measured import REAL_CATALOGUE, REPOSITORY, SKYSIEVE, command, machine, write

START = "2024-11-01T00:00:00Z"
COMMAND = "`skysieve screen`"
PROGRAM = """
import json, os, time
import pandas
pandas_s = time.process_time()
import skysieve
run = skysieve.screen(skysieve.read_catalogue({catalogue!r}), start={start!r}, store={store!r})
{frames}
print(json.dumps([time.process_time() - pandas_s, pandas_s]), flush=True)
os._exit(0)
"""
FRAMES = "run.conjunctions, run.proximities, run.objects"


def from_python(catalogue: Path, store: Path | None, frames: str) -> tuple[float, float]:
    """Return the CPU seconds of a run from Python, and those of the import of pandas."""
    kept = None if store is None else str(store)
    program = PROGRAM.format(catalogue=str(catalogue), start=START, store=kept, frames=frames)
    done = subprocess.run(
        [sys.executable, "-P", "-c", program],
        env={"PYTHONPATH": str(REPOSITORY)},
        capture_output=True,
        text=True,
        check=True,
    )
    run_s, pandas_s = json.loads(done.stdout)
    return run_s, pandas_s


def one_round(catalogue: Path, folder: Path, number: int) -> dict[str, float]:
    """Return the CPU seconds of each way to screen, by its name; a round begins with a way of its own."""

    def by_command() -> tuple[float, float]:
        words = ("screen", catalogue, "--store", folder / "command", "--start", START)
        return command(*SKYSIEVE, *words).cpu_s, 0.0

    ways: list[tuple[str, Callable[[], tuple[float, float]]]] = [
        (COMMAND, by_command),
        ("`screen(store=...)`", lambda: from_python(catalogue, folder / "alone", "")),
        ("the same, with three DataFrames", lambda: from_python(catalogue, folder / "frames", FRAMES)),
        ("`screen()`, nothing kept, with three DataFrames", lambda: from_python(catalogue, None, FRAMES)),
    ]
    first = number % len(ways)
    measured = {name: way() for name, way in ways[first:] + ways[:first]}
    pandas_s = max(pandas for _, pandas in measured.values())
    return {name: measured[name][0] for name, _ in ways} | {"besides: the import of pandas": pandas_s}


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("catalogue", nargs="?", type=Path, default=REAL_CATALOGUE)
    parser.add_argument("--rounds", type=int, default=8)
    given = parser.parse_args()
    if not given.catalogue.exists():
        sys.exit(f"{given.catalogue} is missing: name a catalogue of about 2024-11-01 as an argument.")
    rounds = []
    for number in range(given.rounds):
        with TemporaryDirectory() as temporary:
            rounds.append(one_round(given.catalogue, Path(temporary), number))
    lines = ["| | CPU-s | to those of the command |", "|---|---|---|"]
    for name in rounds[0]:
        cpu_s = statistics.median(one[name] for one in rounds)
        ratio = statistics.median(one[name] / one[COMMAND] for one in rounds)
        lines.append(f"| {name} | {cpu_s:.2f} | {ratio:.3f} |")
    table = "\n".join(lines)
    text = (
        f"`skysieve.screen` and the command, {given.catalogue.name}, 24 h, 10 km, in turns; {given.rounds} "
        f"rounds, medians; {machine()}.\n\n{table}\n"
    )
    print(text)
    write("python screen", text)


if __name__ == "__main__":
    main()
