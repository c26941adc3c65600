"""One task of a run, on a worker: search its objects and window, and rate what no other task can change."""

from typing import NamedTuple

import numpy as np

from flows.cluster.errors import ClusterError
from flows.cluster.releases import release
from flows.cluster.shared_value import SharedValue
from screening.encounters import EncounterArray
from screening.orbits.elements import ElementArray
from screening.orbits.pieces import Pieces
from screening.orbits.sgp4.propagate import IndexArray
from screening.orbits.timegrid import TimeWindow
from screening.risk.conjunctions import ConjunctionArray
from screening.risk.objects.error_law import ErrorLaws
from screening.risk.objects.knowledge import ObjectKnowledge
from screening.risk.score import laws_for, score
from screening.search.all_pairs.plan import Plan, Task, task_members
from screening.search.all_pairs.screen import SearchedPaths, screen_paths, searched_paths
from screening.search.all_pairs.settled import Unsettled, settle
from screening.search.results import Found

_of_all = SharedValue[SearchedPaths]()
_laws = SharedValue[ErrorLaws]()


class Basis(NamedTuple):
    """What all tasks of a run need, sent to each worker once."""

    orbits: ElementArray  # (g,), one set for the objects that share it; the fields that propagation needs
    indices: IndexArray  # (g,) ascending: their places in the catalogue, which are the indices of results
    # With `pieces` a place for each piece of a path instead: some objects have several.
    known: ObjectKnowledge  # (g,)
    order: IndexArray  # (g,) of the plan's blocks
    unsettled: Unsettled
    span: TimeWindow
    threshold_km: float
    plan: Plan
    max_events: int
    release: str  # of the process that began the run
    pieces: Pieces | None = None  # (g,), None: all objects follow their element sets


class Part(NamedTuple):
    """What a task has found."""

    conjunctions: ConjunctionArray  # rated: part of the result as they are
    unsettled: Found  # left for joining


def run_task(task: Task, basis: Basis) -> Part:
    """Search one task and rate what is final; runs on a worker, which may have joined after the others.

    Raises ClusterError on a worker with another release, and Crowded if it finds more than is allowed.
    """
    if release() != basis.release:  # gives the kernels their folder, too
        raise ClusterError(
            "A Dask worker that joined during the run has another release of skysieve: install the same "
            "everywhere."
        )
    places, sides = task_members(len(basis.order), basis.plan, task)
    members = basis.order[places]
    found = screen_paths(
        _paths(members, basis),
        task.begin_s,
        task.end_s,
        basis.threshold_km,
        sides,
        basis.max_events,
        basis.indices[members],
    )
    encounters, left = settle(found, task.begin_s, task.end_s, basis.unsettled, _absent(found, basis))
    del found  # the largest array of a task, not needed while its events are rated
    return Part(_rated(encounters, basis), left)


def _paths(members: IndexArray, basis: Basis) -> SearchedPaths:
    """Return the paths of a task's objects; if these are all objects, the tasks share them."""

    def paths() -> SearchedPaths:
        pieces = None if basis.pieces is None else basis.pieces.some(members)
        return searched_paths(basis.orbits[members], basis.span, pieces)

    return _of_all.of(basis.orbits, paths) if basis.plan.blocks == 1 else paths()


def _absent(found: Found, basis: Basis) -> list[int]:
    """Return the objects of the absences, given the ids of their pieces."""
    absent = [one.object_index for one in found.absences]
    if basis.pieces is None:
        return absent
    order = np.argsort(basis.pieces.ids)
    places = order[np.searchsorted(basis.pieces.ids, absent, sorter=order)]
    objects: list[int] = basis.indices[places].tolist()
    return objects


def _rated(encounters: EncounterArray, basis: Basis) -> ConjunctionArray:
    own = encounters.copy()
    for side in ("primary_index", "secondary_index"):
        own[side] = basis.indices.searchsorted(own[side])
    laws = _laws.of(basis.orbits, lambda: laws_for(basis.orbits, basis.known))
    return score(own, basis.orbits, basis.span, basis.known, laws)
