"""What a search for a burn costs on the real catalogue.

    .venv/bin/python tests/benchmarks/bench_manoeuvres.py [--rounds 3] [--store DIR] [CATALOGUE]

For the most probable events of a day in which an object can be moved: the trade space of 60 x 41 burns up to
72 h before TCA, and the whole search, with ten candidates each screened against the catalogue until 3 days
after TCA. Seconds in a process that has compiled or loaded its kernels, best of all rounds. They are written
to docs/performance.md.
"""

import argparse
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np
from measured import REAL_CATALOGUE, REPOSITORY, SKYSIEVE, command, machine, write

sys.path.insert(0, str(REPOSITORY))

from api.answers.basis import Basis, basis_of
from api.answers.manoeuvres import Asked, WhatIf, what_if
from api.errors import BadParameter
from screening.kernel_files import keep_kernels_in
from screening.manoeuvre.course import course_of
from screening.manoeuvre.execution import Execution
from screening.manoeuvre.rescreen import catalogue_in
from screening.manoeuvre.search import EARLIEST_H, SIZES, TIMES, trade_space
from screening.orbits.timegrid import window
from storage.in_memory.snapshot import Snapshot, newest_snapshot
from storage.reading.newest_run import connect
from storage.settings import StoreSettings, load_settings

EVENTS = 3
DAYS = 3.0
GOAL = 1e-6
THRESHOLD_KM = 10.0
TYPICAL = Execution(0.01, np.radians(1.0))


class Took(NamedTuple):
    """The best of some rounds."""

    wall_s: float
    cpu_s: float
    result: Any


def timed(rounds: int, work: Callable[[], Any]) -> Took:
    """Return how long some work takes at best."""
    best = Took(np.inf, np.inf, None)
    for _ in range(rounds):
        wall, cpu = time.perf_counter(), time.process_time()
        result = work()
        best = Took(
            min(best.wall_s, time.perf_counter() - wall), min(best.cpu_s, time.process_time() - cpu), result
        )
    return best


def movable(store: Path, snapshot: Snapshot, basis: Basis) -> list[int]:
    """Return the most probable events that a search can be made for."""
    with connect(store) as connection:
        rows = connection.execute(
            "SELECT event_id FROM conjunctions WHERE encounter = 'fast' AND probability_2d > ? "
            "ORDER BY probability_2d DESC",
            [10.0 * GOAL],
        ).fetchall()
    found = []
    for (event_id,) in rows:
        if len(found) == EVENTS:
            break
        try:
            searched(snapshot, basis, event_id)
        except BadParameter as error:
            print(f"left out: {error}")
        else:
            found.append(event_id)
    return found


def searched(snapshot: Snapshot, basis: Basis, event_id: int) -> WhatIf:
    """Search for the cheapest burn."""
    asked = Asked(event_id, None, [], GOAL, DAYS, THRESHOLD_KM, TYPICAL)
    return what_if(snapshot, basis, asked, datetime.now(UTC))


def measured(snapshot: Snapshot, basis: Basis, event_id: int, rounds: int) -> list[str]:
    """Return the rows of one event."""
    whole = timed(rounds, lambda: searched(snapshot, basis, event_id))
    made: WhatIf = whole.result
    tca = made.encounter["tca"][0]
    span = window(tca - np.timedelta64(round(EARLIEST_H * 3600), "s"), EARLIEST_H + 1.0)
    place = int(np.searchsorted(basis.elements["norad_id"], made.side.norad_id))
    course = course_of(catalogue_in(basis.elements, basis.known, basis.flown_by, span), place, made.encounter)
    space = timed(rounds, lambda: trade_space(course, EARLIEST_H, TYPICAL))
    assert made.found is not None
    pair = " x ".join(side.name for side in made.event.sides)
    best = made.found.best
    burn = "none" if best is None else f"{1e3 * best.burns[0].size_m_s:.1f} mm/s"
    burns = f"{pair}: {TIMES} x {SIZES} burns to {EARLIEST_H:g} h"
    search = f"whole search, {len(made.found.candidates)} candidates against {len(basis.elements):,} objects"
    return [
        f"| {burns} | {space.wall_s:.2f} | {space.cpu_s:.2f} | |",
        f"| {search} | {whole.wall_s:.1f} | {whole.cpu_s:.1f} | {burn} |",
    ]


def main() -> None:
    """Measure, and write the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("catalogue", nargs="?", type=Path, default=REAL_CATALOGUE)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--store", type=Path, help="with a run of that catalogue; without it one is made")
    given = parser.parse_args()
    keep_kernels_in(load_settings(StoreSettings).kernel_cache)
    with TemporaryDirectory() as folder:
        store = given.store or Path(folder) / "store"
        if given.store is None:
            command(*SKYSIEVE, "screen", given.catalogue, "--store", store)
        snapshot = newest_snapshot(store)
        basis = basis_of(snapshot)
        rows = [
            row
            for event_id in movable(store, snapshot, basis)
            for row in measured(snapshot, basis, event_id, given.rounds)
        ]
    table = "\n".join(["| what | wall s | CPU-s | cheapest burn |", "|---|---|---|---|", *rows])
    print(table)
    write("manoeuvres", f"{given.catalogue.name}; best of {given.rounds} rounds; {machine()}.\n\n{table}\n")


if __name__ == "__main__":
    main()
