"""What fleets add to a run of the real catalogue of 2024-11-01.

python tests/benchmarks/bench_fleets.py
"""

import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import numpy as np
from measured import REAL_CATALOGUE, machine, write

from flows.runs.fleet_look import fleet_look
from flows.runs.run import Outcome, Reporter, Request, Stages, run_catalogue
from flows.settings import FlowSettings
from flows.sources.files import read_file
from screening.orbits.elements import ElementArray
from screening.vocabulary import DEFAULT_LOOK_AHEAD_HOURS, DEFAULT_THRESHOLD_KM
from screening.volumes.handbook import orbits_of
from storage.analyses.around_fleets.look import FleetLook
from storage.machine.kernel_folder import kernels_below
from storage.settings import load_settings
from storage.state.fleet_rules import FleetObject, NewFleet
from storage.state.fleets import create_fleet, fleets, remove_fleet

START = np.datetime64("2024-11-01T00:00:00", "us")
ROUNDS = 3
SILENT = Reporter(stage=lambda _name: None, planned=lambda _plan: None, progress=lambda _done, _of: None)


class Case(NamedTuple):
    """Fleets of as many objects each."""

    text: str
    fleets: int
    objects: int
    among: Sequence[int]  # catalogue numbers
    hours: float | None = None


def main() -> None:
    """Measure, and write the section of docs/performance.md."""
    with TemporaryDirectory() as folder:
        settings = load_settings(FlowSettings, store=Path(folder) / "store")
        kernels_below(settings.kernel_cache)
        request = Request(START, DEFAULT_LOOK_AHEAD_HOURS, DEFAULT_THRESHOLD_KM)
        began, stages = time.process_time(), Stages(SILENT.stage)
        outcome = run_catalogue(read_file(REAL_CATALOGUE), request, settings, stages, SILENT)
        of_run = time.process_time() - began
        rows = [_row(case, outcome, settings) for case in _cases(outcome.prepared.elements)]
    write("fleets", _text(outcome, of_run, rows))


def _cases(elements: ElementArray) -> list[Case]:
    """Return the fleets: payloads at random, the lowest ones, whose volumes are largest, and Starlinks."""
    names, numbers = elements["name"], elements["norad_id"]
    payload = np.array([" DEB" not in name and "R/B" not in name for name in names])
    lowest = payload & (orbits_of(elements).perigee_km <= 500.0)
    starlinks = np.char.startswith(names, "STARLINK")
    payloads = numbers[payload].tolist()
    return [
        Case("1 fleet, payloads at random", 1, 300, payloads),
        Case("1 fleet, perigees up to 500 km", 1, 300, numbers[lowest].tolist()),
        Case("1 fleet, Starlinks", 1, 300, numbers[starlinks].tolist()),
        Case("200 fleets, payloads at random", 200, 20, payloads),
        Case("200 fleets, Starlinks", 200, 20, numbers[starlinks].tolist()),
        Case("1 fleet, payloads at random, 5 days", 1, 300, payloads, 120.0),
        Case("none", 0, 0, payloads),
    ]


def _row(case: Case, outcome: Outcome, settings: FlowSettings) -> str:
    """Make the fleets, look around them, remove them, and return a line of the table."""
    rng, now = np.random.default_rng(0), datetime.now(UTC)
    chosen = rng.choice(case.among, case.fleets * case.objects, replace=False)
    for k, some in enumerate(np.split(np.sort(chosen), case.fleets) if case.fleets else []):
        objects = tuple(FleetObject(number) for number in some.tolist())
        create_fleet(settings.store, NewFleet(f"fleet {k}", objects, hours=case.hours), now)
    least, found = np.inf, None
    for _ in range(ROUNDS):
        began = time.process_time()
        found = fleet_look(outcome, settings)
        least = min(least, time.process_time() - began)
    for fleet in fleets(settings.store):
        remove_fleet(settings.store, fleet.id, now)
    looked = found or FleetLook(0, 0, 0, 0, ())
    return f"| {case.text} | {looked.objects:,} | {least:.2f} | {looked.events:,} | {looked.beyond:,} |"


def _text(outcome: Outcome, of_run_s: float, rows: Sequence[str]) -> str:
    prepared = outcome.prepared
    about = (
        f"{REAL_CATALOGUE.name}, {len(prepared.elements):,} objects, {prepared.span.seconds / 3600:g} h, "
        f"{prepared.threshold_km:g} km, handbook volumes; the run itself takes {of_run_s:.1f} CPU-s; least "
        f"of {ROUNDS} rounds, compiled kernels; {machine()}."
    )
    return "\n".join(
        [
            about,
            "",
            "| fleets | objects | added, CPU-s | events in volumes | beyond the run |",
            "|---|---|---|---|---|",
            *rows,
            "",
        ]
    )


if __name__ == "__main__":
    main()
