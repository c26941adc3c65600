"""Spread a screening over Dask: on this machine, or on the workers of a scheduler.

Tasks get their objects as one small array and return small arrays. A worker needs nothing but the installed
package.
"""

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from typing import Any

import numpy as np
import numpy.typing as npt
from dask import config
from distributed import Client, Future, LocalCluster

from flows.cluster.ports import loopback
from flows.cluster.quiet import QUIET
from flows.cluster.redo import results
from flows.cluster.remote import Certificates, Cluster, ClusterError, release, remote
from screening.errors import SkysieveError
from screening.orbits.elements import ORBIT_FIELDS, ElementArray
from screening.orbits.sgp4.propagate import Propagator
from screening.orbits.timegrid import TimeWindow
from screening.search.all_pairs.plan import (
    Plan,
    Task,
    order_by_radius,
    task_members,
    without_blocks_apart,
)
from screening.search.all_pairs.screen import screen_window
from screening.search.radial_range import RadialRange, radial_range
from screening.search.results import Found
from screening.search.staying_close.crowds import Crowded
from screening.search.staying_close.same_sets import copies_of, found_for_each, same_sets

# The fields of an element set that propagation needs: 100 bytes instead of 430.
_SENT_FIELDS = ("norad_id", *ORBIT_FIELDS, "mean_motion_dot_rev_day2", "mean_motion_ddot_rev_day3")
# Measured between runs of 132,441 and 1,230,744 events: what rating and publishing hold per event, and the
# size of its rows in the two files of the store.
MEMORY_KB_PER_EVENT = 1.5
DISK_KB_PER_EVENT = 0.43

Progress = Callable[[int, int], None]


class TooManyEvents(SkysieveError):
    """A run finds more events than allowed."""


@contextmanager
def cluster(scheduler: str, workers: int, certificates: Certificates | None = None) -> Iterator[Cluster]:
    """Connect to the scheduler at an address, or to a cluster in this process if the address is empty.

    The search releases the interpreter nearly all of its time, so that threads do as well as processes and
    start at once.
    """
    for name in ("distributed", "distributed.client"):  # the second one has its own level
        logging.getLogger(name).setLevel(logging.CRITICAL)
    with config.set(QUIET):
        if scheduler:
            with remote(scheduler, certificates) as there:
                yield there
        else:
            with (
                LocalCluster(
                    n_workers=1,
                    threads_per_worker=workers,
                    processes=False,
                    memory_limit=0,  # a limit would apply to the whole process
                    # Any free port, on this machine only: by default it would listen on all addresses.
                    dashboard_address=[(loopback(), 0)],
                    worker_dashboard_address=[(loopback(), 0)],
                    silence_logs=logging.CRITICAL,  # important errors come back as exceptions
                ) as local,
                Cluster(lambda timeout_s: Client(local, timeout=timeout_s)) as here,
            ):
                yield here


def screen_on_cluster(
    cluster: Cluster,
    elements: ElementArray,
    span: TimeWindow,
    threshold_km: float,
    plan: Plan,
    on_progress: Progress = lambda _done, _all: None,
    *,
    max_events: int,
) -> list[Found]:
    """Run all tasks of the plan; tasks lost with a worker or the scheduler are repeated.

    `on_progress(done, all)` is called after each task.

    One of the objects that share an element set is searched. `plan` is for as many objects as there are sets.

    Raises:
        ClusterError: a task is lost again and again, or workers or scheduler are away for over a minute.
        TooManyEvents: the tasks that are done have found more than `max_events`; the others are not done.
    """
    sets = same_sets(elements)
    firsts = elements[sets.first]
    orbits = np.empty(len(firsts), [(name, elements.dtype[name]) for name in _SENT_FIELDS])
    for name in _SENT_FIELDS:
        orbits[name] = firsts[name]
    order = np.arange(len(firsts), dtype=np.int32)
    if plan.blocks > 1:
        ranges = radial_range(Propagator(firsts, span))
        order = order_by_radius(ranges)
        plan = without_blocks_apart(plan, RadialRange(*(bound[order] for bound in ranges)), threshold_km)

    def begin(client: Client, tasks: Sequence[Task]) -> "list[Future[Found]]":
        # As the result of a task, which a worker recomputes if the last copy is lost; scattered data would be
        # lost for good.
        in_blocks = client.submit(_as_given, (orbits[order], sets.first[order]), pure=False)
        return client.map(
            screen_task,
            tasks,
            in_blocks=in_blocks,
            span=span,
            threshold_km=threshold_km,
            plan=plan,
            max_events=max_events,
            expected_release=release(),
            pure=False,
        )

    tasks = len(plan.tasks)
    on_progress(0, tasks)
    parts, events = [], 0
    with closing(results(cluster, plan.tasks, begin)) as founds:
        for done in range(1, tasks + 1):
            after = f"after {done} of {tasks} tasks"
            with told_with_limit(max_events, f", below {threshold_km:g} km {after}"):
                found = next(founds)
            events += int(copies_of(sets, found.encounters).sum())
            if events > max_events:
                raise _too_many(f"{events:,} approaches below {threshold_km:g} km {after}", max_events)
            parts.append(found_for_each(sets, found))
            on_progress(done, tasks)
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
    """Search one task; runs on a worker, which may have joined after the others were checked.

    `in_blocks` are the elements in the order of the plan's blocks, and their places in the catalogue, which
    are the indices of the result.
    """
    if release() != expected_release:  # gives the kernels their folder, too
        raise ClusterError(
            "A Dask worker that joined during the run has another release of skysieve: install the same "
            "everywhere."
        )
    orbits, places = in_blocks
    members, sides = task_members(len(orbits), plan, task)
    return screen_window(
        orbits[members], span, task.begin_s, task.end_s, threshold_km, sides, max_events, places[members]
    )


def _as_given(in_blocks: Any) -> Any:
    return in_blocks


@contextmanager
def told_with_limit(max_events: int, where: str = "") -> Iterator[None]:
    """Turn Crowded into TooManyEvents, which names the limit and what to do."""
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
