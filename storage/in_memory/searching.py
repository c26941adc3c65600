"""What a run has searched, and which events it would have found there."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from storage.disk.run_ids import start_of
from storage.in_memory.snapshot import SearchedRun, Snapshot
from storage.rows.over_runs.changes import Instants, Mask, would_find
from storage.rows.over_runs.screened import screened
from storage.times import datetime64_us

Ids = npt.NDArray[np.int64]
METRES_PER_KM = 1000.0


class Passes(NamedTuple):
    """When and how near pairs pass, as columns (n,). Times are UTC."""

    tca: Instants
    begins: Instants  # TCA; of a slow one, when it comes inside the threshold of the run that found it
    ends: Instants
    miss_m: npt.NDArray[np.float64]  # at TCA
    stays_within_m: npt.NDArray[np.float64]  # between `begins` and `ends`
    norad_ids: Ids  # (2, n) of primary and secondary


class Searching(NamedTuple):
    """What a run has searched. Times are UTC."""

    run_id: str
    since: np.datetime64  # what had passed by then is not searched for
    until: np.datetime64  # exclusive
    threshold_m: float
    screened: Ids | None  # objects; None: not known, of a run of an earlier release


def newest_searching(snapshot: Snapshot) -> Searching:
    """Return what the newest run has searched. Raises StoreError if a file cannot be read."""
    run = snapshot.run
    found = _searching(snapshot, SearchedRun(run.run_id, run.window_start, run.window_end, run.threshold_km))
    if found.screened is not None:
        return found
    rows = snapshot.rows("SELECT norad_id FROM elements", [])
    return found._replace(screened=np.array([row[0] for row in rows], np.int64))


def searching_before(snapshot: Snapshot) -> Searching | None:
    """Return what the run before has searched, as `run_before`. Raises StoreError as `newest_searching`."""
    before = snapshot.run_before()
    return None if before is None else _searching(snapshot, before)


def searching_of(snapshot: Snapshot, run_id: str) -> Searching | None:
    """Return what a run has searched; None: it is of another kind than the newest, or not known any more.

    Historic or synthetic runs say nothing about others. Raises StoreError as `newest_searching`.
    """
    found = snapshot.run_of_same_kind(run_id)
    return None if found is None else _searching(snapshot, found)


def ahead(searching: Searching, passes: Passes) -> Mask:
    """Return which events (n,) had not passed when a run's search begins."""
    return passes.ends > searching.since


def finds(searching: Searching, passes: Passes) -> Mask:
    """Return which events (n,) a run would have found.

    Outside its time only that of a visit is known which the run that found it has searched as well.
    """
    inside = (passes.tca > searching.since) & (passes.tca < searching.until)
    threshold_m = searching.threshold_m
    near = np.where(inside, passes.miss_m < threshold_m, passes.stays_within_m <= threshold_m)
    known: Mask = np.ones(len(near), np.bool_)
    if searching.screened is not None:
        known = np.asarray(np.isin(passes.norad_ids, searching.screened).all(axis=0))
    since, until = searching.since, searching.until
    return would_find(passes.begins, passes.ends, since, until, screened=known, near=near)


def why_not_found(searching: Searching, passes: Passes) -> list[str]:
    """Return for each event (n,) why a run did not search for it; empty: it has, or it had passed."""
    looked = finds(searching, passes) | ~ahead(searching, passes)
    return ["" if done else _why(searching, passes, place) for place, done in enumerate(looked.tolist())]


def _why(searching: Searching, passes: Passes, place: int) -> str:
    if passes.begins[place] >= searching.until:
        return "it lies after its window"
    known = searching.screened
    if known is not None and not len(known):
        return "its catalogue is suspect"
    lost = [] if known is None else [n for n in passes.norad_ids[:, place].tolist() if n not in known]
    if lost:
        return f"it did not screen {' and '.join(map(str, lost))}"
    return f"it keeps only encounters within {searching.threshold_m / METRES_PER_KM:g} km"


def _searching(snapshot: Snapshot, run: SearchedRun) -> Searching:
    # A historic run looks at what had passed long before it was made.
    start = run.window_start if snapshot.run.historic else max(run.window_start, start_of(run.run_id))
    since, until = (datetime64_us(one) for one in (start, run.window_end))
    objects = screened(snapshot.store, run.run_id)
    return Searching(run.run_id, since, until, run.threshold_km * METRES_PER_KM, objects)
