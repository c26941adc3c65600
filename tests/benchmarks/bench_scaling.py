"""What more workers are worth, and what larger catalogues would need; writes docs/performance.md.

    .venv/bin/python tests/benchmarks/bench_scaling.py [CATALOGUE]

First the real catalogue, over a day and a week, and four copies of it whose nodes and mean anomalies are
drawn anew: with one worker and with two, as threads and as processes. Then tasks of catalogues of several
sizes are timed one by one, a model of a task's time is fitted to them, and the plans that `skysieve` makes
for larger catalogues and more workers are played through with it.
"""

import argparse
import heapq
import json
import logging
import resource
import subprocess
import sys
import time
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import numpy as np
from distributed import Client, LocalCluster
from measured import REAL_CATALOGUE, machine, write

from flows.runs.run import Reporter, Request, Stages, prepare, search
from flows.settings import FlowSettings
from flows.sources.catalogues import Source
from screening.encounters import EncounterArray
from screening.kernel_files import keep_kernels_in
from screening.orbits.elements import Catalogue, ElementArray
from screening.orbits.texts.catalogue import parse_catalogue
from screening.orbits.timegrid import window
from screening.search.all_pairs.assemble import assemble, screen_catalogue
from screening.search.all_pairs.plan import (
    EVENTS_PER_OBJECT2_HOUR_KM2,
    Plan,
    Task,
    block_members,
    plan,
)
from screening.search.all_pairs.screen import screen_window
from screening.synthetic.catalogue import synthetic_catalogue
from storage.settings import StoreSettings, load_settings

keep_kernels_in(load_settings(StoreSettings).kernel_cache)

START = np.datetime64("2024-11-01T00:00:00", "us")
THRESHOLD_KM = 10.0
SLOWEST_FAST_KM_S = 0.01
CASES = {"24 h": (1, 24.0), "7 days": (1, 168.0), "4 copies, 24 h": (4, 24.0)}
KINDS = {"thread": "threads", "process": "processes"}
SEED = 1

TASK_OBJECTS, TASK_HOURS = (13_417, 26_834, 53_668, 107_336), (1.0, 4.0)
MODEL_OBJECTS, MODEL_WORKERS = (100_000, 300_000, 1_000_000), (2, 8, 16, 32, 64)
# What the model takes for granted of a cluster.
NETWORK_GB_S = 1.0  # of the process that began the run; all elements go out and all events come in through it
BYTES_PER_OBJECT, BYTES_PER_EVENT = 100, 160

Measured = dict[str, float]


class TaskModel(NamedTuple):
    """Seconds of a task: per object and hour, per pair and hour, and per object however short it is."""

    per_object_hour_s: float
    per_pair_hour_s: float
    per_object_s: float

    def seconds(self, objects: float, pairs: float, hours: float) -> float:
        """Return how long a task takes."""
        return (
            objects * hours * self.per_object_hour_s
            + pairs * hours * self.per_pair_hour_s
            + objects * self.per_object_s
        )


def copies_of(elements: ElementArray, copies: int) -> ElementArray:
    """Return a catalogue so many times as large: further copies have other nodes and mean anomalies."""
    random = np.random.default_rng(SEED)
    made = [elements]
    for number in range(1, copies):
        copy = elements.copy()
        copy["norad_id"] += number * 1_000_000
        for angle in ("raan_deg", "mean_anomaly_deg"):
            copy[angle] = random.uniform(0, 360, len(copy))
        made.append(copy)
    return np.concatenate(made)


def screened(elements: ElementArray, hours: float, settings: FlowSettings) -> EncounterArray:
    """Screen elements as a run does, and return what it found."""
    source = Source("benchmark", "", Catalogue(elements, [], 0, "omm-csv"), "generated")
    prepared = prepare(source, Request(START, hours, THRESHOLD_KM), datetime.now(UTC))
    silent = Reporter(stage=lambda _: None, planned=lambda _: None, progress=lambda _done, _of: None)
    return search(prepared, settings, Stages(silent.stage), silent).encounters


def measure(catalogue: Path, case: str, workers: int, kind: str) -> Measured:
    """Screen with so many workers of one kind, in this process or in others."""
    copies, hours = CASES[case]
    elements = copies_of(parse_catalogue(catalogue.read_bytes()).elements, copies)
    settings = FlowSettings(workers=workers, max_events=10**9)
    with ExitStack() as until_done:
        if kind == "process":
            local = LocalCluster(
                n_workers=workers, threads_per_worker=1, processes=True, memory_limit=0,
                dashboard_address=None, silence_logs=logging.CRITICAL,
            )  # fmt: skip
            until_done.enter_context(local)
            settings = settings.model_copy(update={"scheduler": local.scheduler_address})
            until_done.enter_context(Client(local)).wait_for_workers(workers)
        for _ in range(2 * workers):  # this process and the workers load the kernels, of all regimes
            screened(elements[::60], 0.5, settings)
        wall, cpu = time.perf_counter(), time.process_time()
        found = screened(elements, hours, settings)
        fast = found["relative_speed_km_s"] >= SLOWEST_FAST_KM_S
        return {
            "wall_s": time.perf_counter() - wall,
            "cpu_s": time.process_time() - cpu,
            "peak_gb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6,
            "events": int(fast.sum()),
            "objects": len(elements),
        }


def in_process(catalogue: Path, case: str, workers: int, kind: str) -> Measured:
    """Measure in a process of its own."""
    command = [sys.executable, __file__, str(catalogue), "--only", case, f"{workers}", kind]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    measured: Measured = json.loads(done.stdout.splitlines()[-1])
    print(f"{case:<16}{workers} {kind:<8}{measured}", flush=True)
    return measured


def measured_table(catalogue: Path) -> str:
    """Measure all cases; return a Markdown table."""
    lines = [
        "| | workers | wall s | CPU-s | efficiency | peak GB | events |",
        "|---|---|---|---|---|---|---|",
    ]
    for case in CASES:
        for kind in KINDS:
            alone, both = (in_process(catalogue, case, workers, kind) for workers in (1, 2))
            for workers, one in ((1, alone), (2, both)):
                who = f"{workers} {KINDS[kind] if workers > 1 else kind}"
                cpu = f"{one['cpu_s']:.1f}" if kind == "thread" else "-"
                lines.append(
                    f"| {case}, {one['objects']:,.0f} objects | {who}"
                    f" | {one['wall_s']:.2f} | {cpu} | {alone['wall_s'] / (workers * one['wall_s']):.0%}"
                    f" | {one['peak_gb']:.2f} | {one['events']:,.0f} |"
                )
    return "\n".join(lines)


def fitted_tasks() -> tuple[TaskModel, float, str]:
    """Time tasks one by one; return their model, seconds per event to join them, and the fit's table."""
    few = synthetic_catalogue(300, SEED, START).elements
    screen_catalogue(few, window(START, 0.5), THRESHOLD_KM)  # loads the kernels
    rows, seconds, joining = [], [], []
    for objects in TASK_OBJECTS:
        elements = synthetic_catalogue(objects, SEED, START).elements
        span = window(START, 24.0)
        for hours in TASK_HOURS:
            began = time.process_time()
            found = screen_window(elements, span, 0.0, hours * 3600.0, THRESHOLD_KM)
            seconds.append(time.process_time() - began)
            rows.append((objects * hours, objects**2 / 2 * hours, objects))
            began = time.process_time()
            assemble(elements, span, THRESHOLD_KM, [found])
            joining.append((time.process_time() - began) / max(len(found.encounters), 1))
    matrix, measured = np.array(rows, np.float64), np.array(seconds)
    weights = 1 / measured
    # Non-negative by nature; relative errors count alike.
    from scipy.optimize import nnls

    coefficients, _ = nnls(matrix * weights[:, None], measured * weights)
    model = TaskModel(*coefficients.tolist())
    lines = ["| objects | hours | CPU-s measured | by the model |", "|---|---|---|---|"]
    for (object_hours, _, objects), one, fitted in zip(rows, measured, matrix @ coefficients, strict=True):
        lines.append(f"| {objects:,} | {object_hours / objects:g} | {one:.2f} | {fitted:.2f} |")
    return model, min(joining), "\n".join(lines)


def seconds_of_task(model: TaskModel, cut: Plan, objects: int, task: Task) -> float:
    """Return how long one task of a plan takes by the model."""
    sizes = [len(block_members(objects, cut.blocks, block)) for block in (task.block_i, task.block_j)]
    same = task.block_i == task.block_j
    pairs = sizes[0] ** 2 / 2 if same else float(sizes[0] * sizes[1])
    return model.seconds(sizes[0] if same else sum(sizes), pairs, (task.end_s - task.begin_s) / 3600.0)


def makespan_s(seconds: list[float], workers: int) -> float:
    """Return when the last task is done if each worker takes the next one when it is free."""
    free = [0.0] * workers
    for one in seconds:
        heapq.heapreplace(free, free[0] + one)
    return max(free)


def modelled_table(model: TaskModel, join_s: float, hours: float) -> str:
    """Play the plans of larger catalogues through; return a Markdown table."""
    lines = [
        "| objects | events | search, CPU-s | "
        + " | ".join(f"{workers} workers" for workers in MODEL_WORKERS)
        + " |",
        "|---|---|---|" + "---|" * len(MODEL_WORKERS),
    ]
    for objects in MODEL_OBJECTS:
        events = EVENTS_PER_OBJECT2_HOUR_KM2 * objects**2 * hours * THRESHOLD_KM**2
        transfer_s = (objects * BYTES_PER_OBJECT + events * BYTES_PER_EVENT) / (NETWORK_GB_S * 1e9)
        shown, search_s = [], 0.0
        for workers in MODEL_WORKERS:
            cut = plan(objects, hours * 3600.0, THRESHOLD_KM, workers)
            tasks = [seconds_of_task(model, cut, objects, task) for task in cut.tasks]
            search_s = sum(tasks)
            shown.append(f"{makespan_s(tasks, workers) + transfer_s + events * join_s:,.0f} s")
        lines.append(f"| {objects:,} | {events:,.0f} | {search_s:,.0f} | {' | '.join(shown)} |")
    return "\n".join(lines)


def main() -> None:
    """Run the benchmark, or one measurement of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("catalogue", nargs="?", type=Path, default=REAL_CATALOGUE)
    parser.add_argument("--only", nargs=3, metavar=("CASE", "WORKERS", "KIND"))
    given = parser.parse_args()
    if not given.catalogue.exists():
        sys.exit(f"{given.catalogue} is missing: name a catalogue of about 2024-11-01 as an argument.")
    if given.only:
        case, workers, kind = given.only
        print(json.dumps(measure(given.catalogue, case, int(workers), kind)))
        return
    measured = measured_table(given.catalogue)
    model, join_s, fit = fitted_tasks()
    text = (
        f"{given.catalogue.name}, {THRESHOLD_KM:g} km, elements in memory to events in memory; "
        f"{machine()}. The efficiency is that against one worker of the same kind.\n\n"
        f"{measured}\n\n"
        "Single tasks of synthetic catalogues in one thread, and the model "
        f"{model.per_object_hour_s * 1e6:.2f} us per object and hour + {model.per_pair_hour_s * 1e12:.0f} ps "
        f"per pair and hour + {model.per_object_s * 1e6:.1f} us per object:\n\n{fit}\n\n"
        "A day of larger catalogues by that model and the plans of `screening/search/all_pairs/plan.py`. "
        "It assumes workers as fast as the core measured; that no two blocks of objects are apart (many are, "
        f"so it is an upper bound); a network of {NETWORK_GB_S:g} GB/s at the process that began the run, "
        f"which joins all parts alone at {join_s * 1e6:.2f} us per event; and as many events per pair as "
        "today. Rating and publication are not in it, nor is the limit SKYSIEVE_MAX_EVENTS.\n\n"
        f"{modelled_table(model, join_s, 24.0)}\n"
    )
    print(text)
    write("scaling", text)


if __name__ == "__main__":
    main()
