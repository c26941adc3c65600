"""What changed for a fleet from the run before to the newest: what is new, raised, gone."""

from collections.abc import Collection
from typing import NamedTuple

from screening.vocabulary import PROBABILITY_LEVELS
from storage.fleets.encounters import Look, Row, by_event, why_gone
from storage.rows.danger import danger_of, level_of


class Changes(NamedTuple):
    """The newest run against the one before: rows of `fleet_events`, the most dangerous first."""

    run_id: str  # "": no run has looked at the fleet
    before_run_id: str  # "": no earlier one has
    new: tuple[Row, ...]  # as the newest run has them
    raised: tuple[tuple[Row, str], ...]  # the same, with the level by the probability before
    gone: tuple[Row, ...]  # as the run before had them; the newest would have found them


def changes_between(looks: list[Look], missing: Collection[int] = ()) -> Changes:
    """Return what changed between two looks; of fewer, nothing.

    `missing`: objects that the newest run did not screen.
    """
    newest = looks[-1].run_id if looks else ""
    if len(looks) < 2:
        return Changes(newest, "", (), (), ())
    before, now = (by_event(look.rows) for look in looks)
    new = [row for number, row in now.items() if number not in before]
    raised = [
        (row, level_of(before[number]))
        for number, row in now.items()
        if number in before and _rank(row) < _rank(before[number])
    ]
    gone = [row for number, row in before.items() if number not in now and why_gone(row, looks[-1], missing)]
    return Changes(
        newest,
        looks[0].run_id,
        tuple(sorted(new, key=danger_of)),
        tuple(sorted(raised, key=lambda one: danger_of(one[0]))),
        tuple(sorted(gone, key=danger_of)),
    )


def _rank(row: Row) -> int:
    return [str(level) for level in PROBABILITY_LEVELS].index(level_of(row))
