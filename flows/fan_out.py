"""Spread a screening over Dask: on this machine, or on the workers of a scheduler.

Tasks get their objects as one small array and return small arrays. What they need of the kernels they import
themselves, so that a worker needs nothing but the installed package.
"""

import logging
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager

import numpy as np
import numpy.typing as npt
from dask import config
from distributed import Client, Future, LocalCluster, as_completed
from distributed.scheduler import KilledWorker

from flows.remote_cluster import Certificates, ClusterError, connected, release
from screening.errors import SkysieveError
from screening.orbits.elements import ElementArray
from screening.orbits.timegrid import TimeWindow
from screening.search.plan import Plan, Task, order_by_radius, task_members, without_blocks_apart
from screening.search.results import Found

# What propagation needs of an element set: 100 bytes instead of 430.
_ORBIT_FIELDS = [
    "norad_id",
    "epoch_jd",
    "epoch_day_fraction",
    "mean_motion_rev_day",
    "eccentricity",
    "inclination_deg",
    "raan_deg",
    "argument_of_perigee_deg",
    "mean_anomaly_deg",
    "bstar_per_earth_radius",
    "mean_motion_dot_rev_day2",
    "mean_motion_ddot_rev_day3",
]
# Measured from a run of 132,441 events to one of 1,230,744: what rating and publishing hold of an event, and
# what its rows in the two files of the store take.
MEMORY_KB_PER_EVENT = 1.5
DISK_KB_PER_EVENT = 0.43

# How Dask behaves in a process of ours.
QUIET = {
    "distributed.worker.memory.terminate": False,
    "distributed.logging.distributed": "error",
    # Looks at every thread a hundred times a second, and each time takes the interpreter from them.
    "distributed.worker.profile.enabled": False,
}

Progress = Callable[[int, int], None]


class TooManyEvents(SkysieveError):
    """A run finds more events than it may."""


@contextmanager
def cluster(scheduler: str, workers: int, certificates: Certificates | None = None) -> Iterator[Client]:
    """Connect to the scheduler at an address, or to a cluster in this process if the address is empty.

    The search leaves the interpreter free for other threads nearly all of its time, so that threads do as
    well as processes and start at once.
    """
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    with config.set(QUIET):
        if scheduler:
            with connected(scheduler, certificates) as client:
                yield client
        else:
            with (
                LocalCluster(
                    n_workers=1,
                    threads_per_worker=workers,
                    processes=False,
                    memory_limit=0,  # a limit would be one for the whole process
                    dashboard_address="127.0.0.1:0",  # any free port: two runs can work side by side
                    silence_logs=logging.CRITICAL,  # what matters comes back as an exception
                ) as local,
                Client(local) as client,
            ):
                yield client


def screen_on_cluster(
    client: Client,
    elements: ElementArray,
    span: TimeWindow,
    threshold_km: float,
    plan: Plan,
    on_progress: Progress = lambda _done, _all: None,
    *,
    max_events: int,
) -> list[Found]:
    """Run all tasks of the plan; a task of a worker that dies is done again by another.

    `on_progress(done, all)` is called after each task.

    Of the objects that share an element set one is searched. `plan` is for as many objects as there are sets.

    Raises:
        ClusterError: tasks keep failing.
        TooManyEvents: the tasks that are done have found more than `max_events`; the others are not done.
    """
    from screening.search.same_sets import copies_of, found_for_each, same_sets

    sets = same_sets(elements)
    firsts = elements[sets.first]
    orbits = np.empty(len(firsts), [(name, elements.dtype[name]) for name in _ORBIT_FIELDS])
    for name in _ORBIT_FIELDS:
        orbits[name] = firsts[name]
    order = np.arange(len(firsts), dtype=np.int32)
    if plan.blocks > 1:
        from screening.orbits.propagate import Propagator  # after the kernels have their folder
        from screening.search.radial_range import RadialRange, radial_range

        ranges = radial_range(Propagator(firsts, span))
        order = order_by_radius(ranges)
        plan = without_blocks_apart(plan, RadialRange(*(bound[order] for bound in ranges)), threshold_km)
    in_blocks = client.scatter((orbits[order], sets.first[order]), broadcast=True, hash=False)
    futures = client.map(
        screen_task,
        plan.tasks,
        in_blocks=in_blocks,
        span=span,
        threshold_km=threshold_km,
        plan=plan,
        max_events=max_events,
        expected_release=release(),
        pure=False,
    )
    on_progress(0, len(futures))
    parts, events = [], 0
    for done, future in enumerate(as_completed(futures), start=1):
        after = f"after {done} of {len(futures)} tasks"
        with told_with_limit(max_events, f", below {threshold_km:g} km {after}"):
            found = _result(future)
        events += int(copies_of(sets, found.encounters).sum())
        if events > max_events:
            client.cancel(futures)
            raise _too_many(f"{events:,} approaches below {threshold_km:g} km {after}", max_events)
        parts.append(found_for_each(sets, found))
        on_progress(done, len(futures))
    return parts


def screen_task(
    task: Task,
    in_blocks: tuple[ElementArray, npt.NDArray[np.int32]],
    span: TimeWindow,
    threshold_km: float,
    plan: Plan,
    max_events: int,
    expected_release: str,
) -> Found:
    """Search one task; runs on a worker, which may have come after the others were looked at.

    `in_blocks` are the elements in the order of the plan's blocks, and their places in the catalogue, which
    are the indices of the result.
    """
    if release() != expected_release:  # gives the kernels their folder, too
        raise ClusterError(
            "A Dask worker that came during the run has another release of skysieve: install the same "
            "everywhere."
        )
    from screening.search.screen import screen_window  # after the kernels have their folder

    orbits, places = in_blocks
    members, sides = task_members(len(orbits), plan, task)
    found = screen_window(orbits[members], span, task.begin_s, task.end_s, threshold_km, sides, max_events)
    return found.renumbered(places[members])


def _result(future: "Future[Found]") -> Found:
    try:
        found: Found = future.result()
    except KilledWorker as error:
        raise ClusterError(
            f"A task was lost with every worker that tried it ({error}). Look at the workers' logs and "
            "their memory."
        ) from error
    except CancelledError as error:
        raise ClusterError(
            f"The connection to the Dask scheduler was lost ({error}). Nothing of this run is kept; the next "
            "one starts anew."
        ) from error
    return found


@contextmanager
def told_with_limit(max_events: int, where: str = "") -> Iterator[None]:
    """Turn Crowded into TooManyEvents, which says what is allowed and what to do."""
    from screening.search.crowds import Crowded  # after the kernels have their folder

    try:
        yield
    except Crowded as error:
        raise _too_many(str(error).rstrip(".") + where, max_events) from error


def _too_many(what: str, allowed: int) -> TooManyEvents:
    return TooManyEvents(
        f"{what}: SKYSIEVE_MAX_EVENTS={allowed} allows no more. Each takes {MEMORY_KB_PER_EVENT} kB of "
        f"memory and {DISK_KB_PER_EVENT} kB of disk. Lower the threshold or the hours, or raise "
        "SKYSIEVE_MAX_EVENTS. The store is as it was."
    )
