"""Spread a screening over Dask: on this machine, or on the workers of a scheduler.

Tasks get what is known about the objects as small arrays, and return rated conjunctions. A worker needs
nothing but the installed package.
"""

import logging
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, contextmanager

import numpy as np
from dask import config
from distributed import Client, Future, LocalCluster

from flows.cluster.ports import loopback
from flows.cluster.quiet import QUIET
from flows.cluster.redo import results
from flows.cluster.remote import Certificates, Cluster, release, remote
from flows.cluster.task import Basis, Part, run_task
from screening.errors import SkysieveError
from screening.orbits.elements import ORBIT_FIELDS, ElementArray
from screening.orbits.sgp4.propagate import Propagator
from screening.orbits.timegrid import TimeWindow
from screening.risk.objects.knowledge import ObjectKnowledge
from screening.search.all_pairs.plan import Plan, Task, order_by_radius, without_blocks_apart
from screening.search.all_pairs.settled import unsettled
from screening.search.radial_range import RadialRange, radial_range
from screening.search.staying_close.crowds import Crowded
from screening.search.staying_close.same_sets import SameSets, copies_of, found_for_each, same_sets

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


def parts_on_cluster(
    cluster: Cluster,
    elements: ElementArray,
    known: ObjectKnowledge,
    span: TimeWindow,
    threshold_km: float,
    plan: Plan,
    on_progress: Progress = lambda _done, _all: None,
    *,
    max_events: int,
) -> Generator[Part]:
    """Run all tasks of the plan, and yield what each has found as it ends.

    Tasks lost with a worker or the scheduler are repeated. `on_progress(done, all)` is called after each.

    One of the objects that share an element set is searched. `plan` is for as many objects as there are sets.
    What is known about the objects is in the order of `elements`.

    Raises:
        ClusterError: a task is lost again and again, or workers or scheduler are away for over a minute.
        TooManyEvents: the tasks that are done have found more than `max_events`; the others are not done.
    """
    sets = same_sets(elements)
    basis = _basis(elements, sets, known, span, threshold_km, plan, max_events)

    def begin(client: Client, tasks: Sequence[Task]) -> "list[Future[Part]]":
        # As the result of a task, which a worker recomputes if the last copy is lost; scattered data would be
        # lost for good.
        return client.map(run_task, tasks, basis=client.submit(_as_given, basis, pure=False), pure=False)

    tasks = basis.plan.tasks
    on_progress(0, len(tasks))
    events = 0
    with closing(results(cluster, tasks, begin)) as parts:
        for done in range(1, len(tasks) + 1):
            after = f"after {done} of {len(tasks)} tasks"
            with told_with_limit(max_events, f", below {threshold_km:g} km {after}"):
                part = next(parts)
            events += len(part.conjunctions) + int(copies_of(sets, part.unsettled.encounters).sum())
            if events > max_events:
                raise _too_many(f"{events:,} approaches below {threshold_km:g} km {after}", max_events)
            yield part._replace(unsettled=found_for_each(sets, part.unsettled))
            on_progress(done, len(tasks))


def _basis(
    elements: ElementArray,
    sets: SameSets,
    known: ObjectKnowledge,
    span: TimeWindow,
    threshold_km: float,
    plan: Plan,
    max_events: int,
) -> Basis:
    """Return what the tasks need, and in `plan` only tasks of objects that can meet."""
    firsts = elements[sets.first]
    propagator = Propagator(firsts, span)
    order = np.arange(len(firsts), dtype=np.int32)
    if plan.blocks > 1:
        ranges = radial_range(propagator)
        order = order_by_radius(ranges)
        plan = without_blocks_apart(plan, RadialRange(*(bound[order] for bound in ranges)), threshold_km)
    orbits = np.empty(len(firsts), [(name, elements.dtype[name]) for name in _SENT_FIELDS])
    for name in _SENT_FIELDS:
        orbits[name] = firsts[name]
    return Basis(
        orbits=orbits,
        indices=sets.first,
        known=known.of(sets.first),
        order=order,
        unsettled=unsettled(propagator, sets),
        span=span,
        threshold_km=threshold_km,
        plan=plan,
        max_events=max_events,
        release=release(),
    )


def _as_given(basis: Basis) -> Basis:
    return basis


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
