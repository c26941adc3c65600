"""A fleet's events to decide about: how sure each probability is, and what former runs said of it."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

import numpy as np

from api.answers.drawn.decision import decision
from api.answers.watched.inside import AsSeen, ids_of
from api.models.watched.decision import EventToDecide, FleetDecision, Former
from storage.in_memory.event_table import EventQuery
from storage.in_memory.snapshot import Snapshot
from storage.state.alerts.plans import newest_plans

_MOST = 2000
_MOST_FORMER = 300  # events: 0.04 s for 27 runs


def fleet_decision(snapshot: Snapshot, seen: AsSeen, at: datetime) -> FleetDecision:
    """Return the events of a fleet from an instant on that are worth a decision: 0.01 CPU-s for 1,500.

    What former runs said is left out if the fleet has a hard-body radius of its own, which they had not.

    Args:
        snapshot: the newest run.
        seen: its events as the fleet has them.
        at: UTC.
    """
    ids = ids_of(seen.inside)
    for events in seen.events.tables(EventQuery(event_ids=ids, limit=None), max(len(ids), 1)):
        found = decision(events, at, _MOST)
        own = any(
            one["fleet_hard_body_radius_m"] is not None for all_ in seen.inside.values() for one in all_
        )
        former = {} if own else _former(snapshot, found.event_id[:_MOST_FORMER].tolist())
        ends = (_or_null(end) for end in (found.low, found.high))
        rows = zip(found.event_id.tolist(), *ends, strict=True)
        planned = {one.event_id for one in newest_plans(snapshot.store, _MOST, snapshot.organisation_id)}
        made = [
            EventToDecide(number, low, high, number in planned, former.get(number, []))
            for number, low, high in rows
        ]
        return FleetDecision(snapshot.run.run_id, made)
    return FleetDecision(snapshot.run.run_id, [])


def _or_null(values: np.ndarray) -> list[float | None]:
    return [None if np.isnan(value) else value for value in values.tolist()]


def _former(snapshot: Snapshot, event_ids: Sequence[int]) -> Mapping[int, list[Former]]:
    windows = snapshot.historic_since()
    found: defaultdict[int, list[Former]] = defaultdict(list)
    for event_id, run_id, computed_at, tca, probability in snapshot.former_probabilities(event_ids):
        made = windows.get(run_id, computed_at)
        found[event_id].append(Former((tca - made) / timedelta(hours=1), probability))
    return found
