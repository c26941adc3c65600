"""What an alert is to tell of runs, by the rules of docs/alerts.md: counted from rows, event by event.

Every message is delivered before the next run. Complexes and a least probability are left out.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from screening.vocabulary import PROBABILITY_LEVELS

LEVELS = [str(level) for level in PROBABILITY_LEVELS]
MOVED = timedelta(minutes=10)  # a TCA that moved ahead by no more is that of an encounter that is over
LEAST = 1e-10  # growth counts from here


class Row(NamedTuple):
    """An event inside the volume of a fleet's object, as a run has it."""

    tca: datetime
    level: str
    probability: float | None
    miss_m: float = math.inf
    slow: bool = False
    pair: frozenset[int] = frozenset()


class Looked(NamedTuple):
    """What a run has of a fleet."""

    compared: datetime
    until: datetime  # end of its window
    rows: Mapping[int, Row]
    screened: frozenset[int] = frozenset()


class Told(NamedTuple):
    """A change that is told."""

    run: int  # place
    change: str
    event: int


class _Known(NamedTuple):
    row: Row
    level: int  # the most dangerous told
    probability: float | None  # the largest told
    absent: int = 0
    over: str = ""


def reports(level: str, near_m: float | None) -> Callable[[Row], bool]:
    """Return whether an alert with these limits reports a row."""

    def is_reported(row: Row) -> bool:
        if level == "low" or (near_m is not None and row.miss_m < near_m):
            return True
        return not row.slow if row.level == "unknown" else LEVELS.index(row.level) <= LEVELS.index(level)

    return is_reported


def told_of(runs: Sequence[Looked], is_reported: Callable[[Row], bool]) -> list[Told]:
    """Return what is to be told after each run."""
    told: list[Told] = []
    known: dict[int, _Known] = {}
    for place, run in enumerate(runs):
        for event in known.keys() | run.rows.keys():
            was, row = known.get(event), run.rows.get(event)
            is_in = row is not None and row.tca > run.compared and is_reported(row)
            if was is not None and not was.over and was.row.tca <= run.compared:
                change, now = "closed", was._replace(over="closed")
            elif row is not None and is_in:
                change, now = _found(was, row)
            elif was is not None and not was.over:
                change, now = _missed(was, row, run)
            else:
                continue
            known[event] = now
            told += [Told(place, change, event)] if change else []
    return told


def _found(was: _Known | None, row: Row) -> tuple[str, _Known]:
    level = LEVELS.index(row.level)
    if was is None or (was.over and not (was.over == "closed" and row.tca <= was.row.tca + MOVED)):
        return "new", _Known(row, level, row.probability)
    if was.over:
        return "", was
    both = [one for one in (row.probability, was.probability) if one is not None]
    grown = len(both) == 2 and both[0] >= 10 * max(both[1], LEAST)
    if level < was.level or grown:
        return "raised", _Known(row, min(level, was.level), max(both, default=None))
    return "", was._replace(row=row, probability=both[-1] if both else None, absent=0)


def _missed(was: _Known, row: Row | None, run: Looked) -> tuple[str, _Known]:
    now = was._replace(row=row or was.row)
    both = not run.screened or now.row.pair <= run.screened
    if not (both and run.compared < now.row.tca < run.until):
        return "", now
    if not now.absent:
        return "", now._replace(absent=1)
    change = "eased" if row else "resolved"
    return change, now._replace(over=change)
