"""What a run has of a fleet's objects outside its volumes: too far along one axis, but perhaps near."""

from collections.abc import Collection, Iterable
from datetime import datetime

import numpy as np

from api.answers.rows import EVENT_FIELDS, records
from api.models.overview import ByLevel
from api.models.watched.inside import OutsideEvents
from screening.vocabulary import PROBABILITY_LEVELS
from storage.in_memory.event_table import EventQuery
from storage.in_memory.snapshot import Snapshot


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
