"""What changed for a fleet from the run before to the newest."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from screening.vocabulary import PROBABILITY_LEVELS
from storage.fleets.encounters import Look, Row, by_event, looks_at
from storage.fleets.searched import Searched
from storage.rows.danger import danger_of, level_of
from storage.rows.limits import EVERYTHING
from storage.rows.over_runs.changes import Mask, Side, compare
from storage.vocabulary import TOLD


class Changes(NamedTuple):
    """The newest run against the one before, by the rule of `over_runs.changes`: rows of `fleet_events`.

    The most dangerous first. Inside the volume counts: what lay outside that of the run before is searched
    for the first time, and what lies outside that of the newest is not searched for.
    """

    run_id: str = ""  # "": no run has searched the fleet
    before_run_id: str = ""  # "": no earlier one has
    new: tuple[Row, ...] = ()  # as the newest run has them
    first_looked_for: tuple[Row, ...] = ()
    raised: tuple[tuple[Row, Row], ...] = ()  # the same, with the row before
    eased: tuple[tuple[Row, Row], ...] = ()
    gone: tuple[Row, ...] = ()  # as the run before had them
    not_looked_for: tuple[Row, ...] = ()


def fleet_changes(store: Path, fleet_id: int, run_id: str | None = None) -> Changes:
    """Return what changed for a fleet with a run; None: the newest. Raises StoreError."""
    return changes_between(looks_at(store, fleet_id, EVERYTHING, run_id, most=2))


def changes_between(looks: Sequence[Look]) -> Changes:
    """Return what changed between two looks; of fewer, nothing."""
    if len(looks) < 2:
        return Changes(looks[-1].run_id if looks else "")
    # Events known only from messages exist for the newest run alone: they are not changes between runs.
    then, now = (by_event([row for row in look.rows if row["origin"] not in TOLD]) for look in looks)
    found = compare(_side(then, looks[1].searched), _side(now, looks[0].searched))
    return Changes(
        looks[1].run_id,
        looks[0].run_id,
        new=_some(now, found.new),
        first_looked_for=_some(now, found.first_looked_for),
        raised=tuple((row, then[row["event_id"]]) for row in _some(now, found.raised)),
        eased=tuple((row, then[row["event_id"]]) for row in _some(now, found.eased)),
        gone=_some(then, found.gone),
        not_looked_for=_some(then, found.not_looked_for),
    )


def _side(rows: Mapping[int, Row], other: Searched) -> Side:
    levels = [str(level) for level in PROBABILITY_LEVELS]
    return Side(
        np.array(list(rows), np.int64),
        np.array([levels.index(level_of(row)) for row in rows.values()], np.int8),
        np.array([other.finds(row) for row in rows.values()], np.bool_),
        np.array([row["tca"] > other.since for row in rows.values()], np.bool_),
    )


def _some(rows: Mapping[int, Row], wanted: Mask) -> tuple[Row, ...]:
    chosen: Iterable[Row] = (row for row, is_wanted in zip(rows.values(), wanted, strict=True) if is_wanted)
    return tuple(sorted(chosen, key=danger_of))
