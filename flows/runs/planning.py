"""Plan a run for the workers and the memory that there are, or refuse it before any work is done."""

import math
import shutil
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from flows.runs.ephemeris import REFRESH_INTERVALS
from flows.runs.forecast import Forecast, Machine, forecast
from flows.settings import FlowSettings
from screening.orbits.elements import ElementArray
from screening.orbits.sgp4.propagate import IndexArray, Propagator
from screening.orbits.timegrid import TimeWindow
from screening.search.all_pairs.chosen_plan import Workers
from screening.search.all_pairs.population import population, sample_of
from screening.search.all_pairs.rates import RATES
from storage.disk.ephemeris_bound import MB
from storage.disk.ephemeris_states import ephemeris_bytes

# What this machine has left for a run: memory and disk.

CGROUPS = Path("/sys/fs/cgroup")
PROC = Path("/proc")


def available_memory_bytes(proc: Path = PROC, cgroups: Path = CGROUPS) -> float:
    """Return the memory that this process may still take: of the machine, and of each control group it is in.

    A file that a kernel does not have sets no limit.
    """
    return min([_of_machine(proc), *_of_groups(proc, cgroups)])


def free_disk_bytes(folder: Path) -> float:
    """Return the free space of the disk on which a folder is, or will be made."""
    there = next(path for path in (folder, *folder.absolute().parents) if path.exists())
    return float(shutil.disk_usage(there).free)


def _of_machine(proc: Path) -> float:
    for line in _lines(proc / "meminfo"):
        if line.startswith("MemAvailable:"):
            return float(line.split()[1]) * 1024.0
    return math.inf


def _of_groups(proc: Path, cgroups: Path) -> Iterator[float]:
    """Yield what is left in each group, from this process's own to the root: version 2, else version 1."""
    for line in _lines(proc / "self" / "cgroup"):
        _, controllers, path = line.split(":", 2)
        if controllers not in ("", "memory") and "memory" not in controllers.split(","):
            continue
        root = cgroups / "memory" if controllers else cgroups
        names = ("limit_in_bytes", "usage_in_bytes") if controllers else ("max", "current")
        group = root / path.strip("/")
        # In a container the path is that of the host, and only the root is there.
        for folder in (group, *(up for up in group.parents if up.is_relative_to(root)), root):
            limit, used = (_number(folder / f"memory.{name}") for name in names)
            if limit is not None and used is not None:
                yield max(0.0, limit - used + _reclaimable(folder))


def _reclaimable(folder: Path) -> float:
    """Return what a group holds of files that can be dropped."""
    for line in _lines(folder / "memory.stat"):
        name, _, amount = line.partition(" ")
        if name in ("inactive_file", "total_inactive_file"):
            return float(amount)
    return 0.0


def _number(file: Path) -> float | None:
    """Return the number in a file; None without one, or if it says that there is no limit."""
    lines = _lines(file)
    return float(lines[0]) if lines and lines[0].strip().isdigit() else None


def _lines(file: Path) -> list[str]:
    try:
        return file.read_text().splitlines()
    except OSError:
        return []


def this_machine(settings: FlowSettings, *, remote: bool, processes: int = 0) -> Machine:
    """Return what a run in this process may use now, beside its own worker processes."""
    of_processes = 0.0 if remote else processes * RATES.worker_bytes
    return Machine(available_memory_bytes() - of_processes, free_disk_bytes(settings.store), remote)


def forecast_of(
    elements: ElementArray,
    firsts: IndexArray,
    span: TimeWindow,
    threshold_km: float,
    workers: Workers,
    machine: Machine,
    settings: FlowSettings,
) -> Forecast:
    """Return the expected course of a run of elements (n,), whose `firsts` differ and are searched."""
    some = elements[firsts[sample_of(len(firsts))]]
    crowd = population(some, Propagator(some, span), len(firsts))
    hours = span.seconds / 3600.0
    kept_bytes = ephemeris_bytes(len(elements), hours + REFRESH_INTERVALS * settings.refresh_hours)
    return forecast(
        crowd,
        hours,
        threshold_km,
        workers,
        machine,
        ephemeris_bytes=float(np.minimum(kept_bytes, settings.ephemeris_max_mb * MB)),
    )
