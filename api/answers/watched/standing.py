"""How each fleet stands at the newest run: what is coming, how bad, how much is new, what lies outside."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np

from api.answers.rows import EVENT_FIELDS, records
from api.answers.watched.inside import worst_level
from api.models.overview import ByLevel
from api.models.watched.fleets import Coming, OutsideEvents, OutsideInShort, Standing
from screening.vocabulary import PROBABILITY_LEVELS
from storage.fleets.changes import fleet_changes
from storage.fleets.events import fleets_looked_at, membership
from storage.in_memory.event_table import EventQuery
from storage.in_memory.snapshot import Snapshot
from storage.state.alerts.alerts import alerts

Ids = Mapping[int, frozenset[int]]  # by fleet: its events


def events_of_fleets(store: Path, run_id: str) -> Ids:
    """Return the events of a run inside the volumes of each fleet; a fleet not looked at is left out."""
    found: dict[int, set[int]] = {number: set() for number in fleets_looked_at(store, run_id)}
    rows = membership(store, run_id).select(["fleet_id", "event_id"]).to_pydict()
    for fleet_id, event_id in zip(rows["fleet_id"], rows["event_id"], strict=True):
        found.setdefault(fleet_id, set()).add(event_id)
    return {number: frozenset(ids) for number, ids in found.items()}


def outside(
    snapshot: Snapshot, numbers: Collection[int], inside: Iterable[int], since: datetime, limit: int
) -> OutsideEvents:
    """Return the events of objects in a run that are not inside the volumes of their fleet.

    Args:
        snapshot: the run.
        numbers: the objects.
        inside: the ids of the events inside the volumes.
        since: UTC; events with an earlier TCA do not count.
        limit: how many to return, 1 at least.
    """
    ids = np.array(sorted(inside), np.int64)
    wanted = EventQuery(
        norad_ids=sorted(numbers), tca_from=since, without_ids=ids, collapse_complexes=True, limit=limit
    )
    page = snapshot.events(wanted)
    worst = records(EVENT_FIELDS, page.rows)
    by_level = dict.fromkeys(PROBABILITY_LEVELS, 0)
    left = page.total
    for level in PROBABILITY_LEVELS:
        if left:
            by_level[level] = snapshot.events(wanted._replace(probability_levels=[level], limit=1)).total
            left -= by_level[level]
    return OutsideEvents(snapshot.run.run_id, page.total, ByLevel(**by_level), worst)


def standings(
    store: Path,
    run_id: str,
    fleet_ids: Sequence[int],
    now: Ids,
    events: Sequence[Mapping[str, Any]],
    own: Mapping[int, Sequence[Mapping[str, Any]]],
    since: datetime,
    outside: Mapping[int, OutsideEvents],
) -> list[Standing]:
    """Return how fleets stand.

    Args:
        store: folder of the store.
        run_id: the newest run.
        fleet_ids: the fleets.
        now: the events of each at that run.
        events: those of `now`, as records of the run.
        own: the same of fleets that go by a hard-body radius of their own.
        since: UTC; events with an earlier TCA do not count.
        outside: what the run has of the objects of each outside its volumes.
    """
    coming = {one["id"]: one for one in events if one["tca"] >= since}
    switched: dict[int, Counter[bool]] = defaultdict(Counter)
    for alert in alerts(store):
        switched[alert.fleet_id][alert.off_since is None] += 1

    def ahead_of(number: int) -> list[Mapping[str, Any]]:
        if number in own:
            return [one for one in own[number] if one["tca"] >= since]
        return [coming[one] for one in now[number] if one in coming]

    def new_of(number: int) -> frozenset[int] | None:
        found = fleet_changes(store, number, run_id)
        return frozenset(row["event_id"] for row in found.new) if found.before_run_id else None

    return [
        Standing(
            id=number,
            coming=_coming(ahead_of(number), new_of(number)) if number in now else None,
            outside=_in_short(outside[number]),
            alerts_on=switched[number][True],
            alerts_off=switched[number][False],
        )
        for number in fleet_ids
    ]


def _coming(mine: Sequence[Mapping[str, Any]], new: frozenset[int] | None) -> Coming:
    return Coming(
        events=len(mine),
        worst=worst_level(mine),
        next_tca=min((one["tca"] for one in mine), default=None),
        new=None if new is None else sum(one["id"] in new for one in mine),
    )


def _in_short(found: OutsideEvents) -> OutsideInShort:
    worst = next((level for level in PROBABILITY_LEVELS if getattr(found.by_level, level)), None)
    return OutsideInShort(found.total, worst)
