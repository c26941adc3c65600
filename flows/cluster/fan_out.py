"""Spread a screening over threads of this process, or over the workers of a Dask scheduler.

Tasks get the facts about the objects as small arrays, and return rated conjunctions. A worker needs
nothing but the installed package.
"""

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

import numpy as np

from flows.cluster.certificates import Certificates
from flows.cluster.releases import release
from flows.cluster.task import Basis, Part, run_task
from flows.cluster.threads import Threads
from screening.errors import SkysieveError
from screening.orbits.elements import DERIVATIVES, ORBIT_FIELDS, ElementArray, narrowed
from screening.orbits.pieces import ObjectPaths, Pieces
from screening.orbits.timegrid import TimeWindow
from screening.risk.objects.knowledge import ObjectKnowledge
from screening.search.all_pairs.chosen_plan import Workers, at_full_speed
from screening.search.all_pairs.plan import Plan, Task, order_by_radius, without_blocks_apart
from screening.search.all_pairs.rates import RATES
from screening.search.all_pairs.settled import unsettled
from screening.search.radial_range import RadialRange, radial_range
from screening.search.staying_close.crowds import Crowded
from screening.search.staying_close.same_sets import FirstPaths, copies_of, found_for_each

# Dask is imported where it is used: a run in threads of this process does without it.
if TYPE_CHECKING:
    from flows.cluster.remote import Cluster

# The fields of an element set that propagation and rating need: 100 bytes instead of 430.
_SENT_FIELDS = ("norad_id", *ORBIT_FIELDS, *DERIVATIVES, "trajectory")
Progress = Callable[[int, int], None]


class TooManyEvents(SkysieveError):
    """A run finds more events than allowed."""


@contextmanager
def cluster(
    scheduler: str, workers: int, certificates: Certificates | None = None, processes: int = 0
) -> Iterator["Cluster | Threads"]:
    """Connect to the scheduler at an address; if it is empty, use this machine.

    That is, threads of this process: the search releases the interpreter nearly all of its time, so that they
    do as well as processes and start at once. Or, if `processes` are wanted, as many with one thread each.
    """
    if not (scheduler or processes):
        yield Threads(workers)
        return
    from flows.cluster.dask_settings import quiet
    from flows.cluster.processes import worker_processes
    from flows.cluster.remote import remote

    with quiet(), remote(scheduler, certificates) if scheduler else worker_processes(processes) as there:
        yield there


def capacity(cluster: "Cluster | Threads", elements: ElementArray, span: TimeWindow) -> Workers:
    """Return how many threads there are, how fast each is and how much memory it has."""
    if isinstance(cluster, Threads) or cluster.alike:
        return at_full_speed(cluster.threads)
    from flows.cluster.capacity import capacity_of_workers

    return capacity_of_workers(cluster, elements, span)


def parts_on_cluster(
    cluster: "Cluster | Threads",
    elements: ElementArray,
    firsts: FirstPaths,
    known: ObjectKnowledge,
    threshold_km: float,
    plan: Plan,
    on_progress: Progress = lambda _done, _all: None,
    *,
    max_events: int,
    pieces: Pieces | None = None,
) -> Generator[Part]:
    """Run all tasks of the plan, and yield what each has found as it ends.

    Tasks lost with a worker or the scheduler are repeated. `on_progress(done, all)` is called after each.

    One of the objects that share an element set is searched: `firsts` are their paths in the window, and
    `plan` is for as many objects, or as many as they have pieces. What is known about the objects is in the
    order of `elements`.

    Raises:
        ClusterError: a task is lost again and again, or workers or scheduler are away for over a minute.
        TooManyEvents: the tasks that are done have found more than `max_events`; the others are not done.

    `pieces` are those of all objects, None if all follow their element sets.
    """
    basis = _basis(elements, firsts, known, threshold_km, plan, max_events)
    tasks = basis.plan.tasks
    on_progress(0, len(tasks))
    events = 0
    with closing(_results(cluster, tasks, basis)) as parts:
        for done in range(1, len(tasks) + 1):
            after = f"after {done} of {len(tasks)} tasks"
            with told_with_limit(max_events, f", below {threshold_km:g} km {after}"):
                part = next(parts)
            events += len(part.conjunctions) + int(copies_of(firsts.sets, part.unsettled.encounters).sum())
            if events > max_events:
                raise _too_many(f"{events:,} approaches below {threshold_km:g} km {after}", max_events)
            yield part._replace(unsettled=found_for_each(firsts.sets, part.unsettled, pieces))
            on_progress(done, len(tasks))


def _basis(
    elements: ElementArray,
    firsts: FirstPaths,
    known: ObjectKnowledge,
    threshold_km: float,
    plan: Plan,
    max_events: int,
) -> Basis:
    """Return what the tasks need, and in `plan` only tasks of objects that can meet."""
    sets, propagator = firsts
    pieces = propagator.pieces if isinstance(propagator, ObjectPaths) else None
    places = sets.first if pieces is None else sets.first[pieces.objects]
    order = np.arange(len(places), dtype=np.int32)
    if plan.blocks > 1:
        ranges = radial_range(propagator)
        if pieces is not None:
            ranges = RadialRange(*(bound[pieces.objects] for bound in ranges))
        order = order_by_radius(ranges)
        plan = without_blocks_apart(plan, RadialRange(*(bound[order] for bound in ranges)), threshold_km)
    return Basis(
        orbits=narrowed(elements, _SENT_FIELDS, places),
        indices=places,
        known=known.of(places),
        order=order,
        unsettled=unsettled(propagator, sets),
        span=propagator.span,
        threshold_km=threshold_km,
        plan=plan,
        max_events=max_events,
        release=release(),
        pieces=pieces,
    )


def _results(cluster: "Cluster | Threads", tasks: Sequence[Task], basis: Basis) -> Generator[Part]:
    if isinstance(cluster, Threads):
        return cluster.results(run_task, tasks, basis)
    from flows.cluster.retry import results_with

    return results_with(cluster, run_task, tasks, basis)


@contextmanager
def told_with_limit(max_events: int, where: str = "") -> Iterator[None]:
    """Turn Crowded into TooManyEvents, which names the limit and what to do."""
    try:
        yield
    except Crowded as error:
        raise _too_many(str(error).rstrip(".") + where, max_events) from error


def _too_many(what: str, allowed: int) -> TooManyEvents:
    memory_kb, disk_kb = RATES.found_event_bytes / 1e3, RATES.stored_event_bytes / 1e3
    return TooManyEvents(
        f"{what}: SKYSIEVE_MAX_EVENTS={allowed} allows no more. Each takes {memory_kb:g} kB of memory and "
        f"{disk_kb:g} kB of disk. Lower the threshold or the hours, or raise SKYSIEVE_MAX_EVENTS. The store "
        "is unchanged."
    )
