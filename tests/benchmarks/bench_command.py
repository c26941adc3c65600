"""What whole runs need, from the start of the process to the published store; writes docs/performance.md.

    .venv/bin/python tests/benchmarks/bench_command.py [--rounds 3] [CATALOGUE]

`skysieve screen` over 24 h at 10 km, with compiled kernels, into a store of its own: first the real catalogue
in so many rounds with the seconds of each stage, then over a week, then synthetic catalogues two and four
times as large. Disk is what the first run of a store takes, and what a second one of the same catalogue adds:
element sets that are known are not stored again. The analyst file and the ephemeris are counted by
themselves: those of the newest run and of the one before it are kept.
"""

import argparse
import statistics
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from measured import REAL_CATALOGUE, SKYSIEVE, Used, command, machine, write

from storage.disk.layout import EPHEMERIS, SHOWN
from storage.reading.newest_run import connect

START = "2024-11-01T00:00:00Z"
SYNTHETIC = (53_668, 107_336)
USUAL_HOURS, WEEK_HOURS = 24.0, 168.0


class Measured(NamedTuple):
    """What one run took."""

    used: Used
    events: int
    disk_mb: float  # without what follows
    shown_mb: float
    ephemeris_mb: float
    stages_s: dict[str, float]


def megabytes(folder: Path) -> float:
    """Return what the files of a folder take."""
    return sum(path.lstat().st_size for path in folder.rglob("*") if path.is_file()) / 1e6


def lasting_mb(store: Path) -> float:
    """Return what a store takes without what is only kept of the newest runs."""
    return megabytes(store) - megabytes(store / EPHEMERIS) - megabytes(store / SHOWN)


def screen(catalogue: Path, store: Path, hours: float, *start: str) -> Measured:
    """Screen a catalogue into a store."""
    before = lasting_mb(store)
    used = command(*SKYSIEVE, "screen", catalogue, "--store", store, "--hours", hours, *start)
    with connect(store) as connection:
        ((events, stages),) = connection.execute(
            "SELECT conjunctions, seconds_by_stage FROM runs ORDER BY run_id DESC LIMIT 1"
        ).fetchall()
    shown_mb, ephemeris_mb = megabytes(store / SHOWN), megabytes(store / EPHEMERIS)
    return Measured(used, events, lasting_mb(store) - before, shown_mb, ephemeris_mb, stages)


def stages_table(rounds: list[Measured]) -> str:
    """Return a Markdown table of the medians of the stages' wall seconds."""
    lines = ["| stage | wall s |", "|---|---|"]
    lines += [
        f"| {stage} | {statistics.median(one.stages_s[stage] for one in rounds):.2f} |"
        for stage in rounds[0].stages_s
    ]
    others = statistics.median(one.used.wall_s - sum(one.stages_s.values()) for one in rounds)
    lines.append(f"| start, imports, publication, end | {others:.2f} |")
    return "\n".join(lines)


def row(name: str, one: Measured, again_mb: float) -> str:
    """Return a row of the table of sizes."""
    return (
        f"| {name} | {one.used.wall_s:.1f} | {one.used.cpu_s:.1f} | {one.used.peak_gb:.2f} | {one.events:,} "
        f"| {one.disk_mb:.0f} | {again_mb:.0f} | {one.shown_mb:.0f} | {one.ephemeris_mb:.0f} |"
    )


def twice(catalogue: Path, folder: Path, hours: float, *start: str) -> tuple[Measured, float]:
    """Screen a catalogue twice into a new store; return the first run, and what the second one added, MB."""
    store = folder / f"{catalogue.stem}-{hours:g}"
    first = screen(catalogue, store, hours, *start)
    return first, screen(catalogue, store, hours, *start).disk_mb


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("catalogue", nargs="?", type=Path, default=REAL_CATALOGUE)
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    if not given.catalogue.exists():
        sys.exit(f"{given.catalogue} is missing: name a catalogue of about 2024-11-01 as an argument.")
    start = ("--start", START)
    with TemporaryDirectory() as temporary:
        folder = Path(temporary)
        rounds = [
            screen(given.catalogue, folder / f"round{number}", USUAL_HOURS, *start)
            for number in range(given.rounds)
        ]
        middle = sorted(rounds, key=lambda one: one.used.wall_s)[len(rounds) // 2]
        _, again_mb = twice(given.catalogue, folder, USUAL_HOURS, *start)
        rows = [row("real, 24 h", middle, again_mb)]
        rows.append(row("real, 7 days", *twice(given.catalogue, folder, WEEK_HOURS, *start)))
        for objects in SYNTHETIC:
            catalogue = folder / f"synthetic{objects}.csv"
            command(*SKYSIEVE, "synth", catalogue, "--objects", objects)
            rows.append(row(f"{objects:,} synthetic, 24 h", *twice(catalogue, folder, USUAL_HOURS)))
    text = (
        f"`skysieve screen` of {given.catalogue.name}, 10 km, compiled kernels, from the start of the "
        f"process to the published store; {given.rounds} rounds, medians; {machine()}.\n\n"
        "| catalogue, window | wall s | CPU-s | peak GB | events | disk, MB | next, MB | analyst file, MB "
        "| ephemeris, MB |\n|---|---|---|---|---|---|---|---|---|\n" + "\n".join(rows) + "\n\n"
        f"Of the {middle.used.wall_s:.1f} s:\n\n{stages_table(rounds)}\n"
    )
    print(text)
    write("command", text)


if __name__ == "__main__":
    main()
