"""The life cycle of an encounter as an alert tells it, from run to run: pure, with the clock as an argument.

It is told when it first matches the alert's limits, again when it gets worse than was ever told, when two
runs in a row have it outside the limits (eased) or no longer find it (resolved), and when its TCA has passed
(closed). What stays as it is, eases within the limits, or goes to and fro, is not told.
"""

from collections.abc import Container, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np

from screening.risk.tiers import UNKNOWN
from screening.vocabulary import PROBABILITY_LEVELS
from storage.fleets.searched import fleet_would_find
from storage.rows.danger import danger_of
from storage.rows.limits import Limits, Rated, within
from storage.state.alerts.encounters import ChangeKind, Encounter

RUNS_TO_RESOLVE = 2
WORSE_BY = 10.0  # times the probability told
NO_PROBABILITY = 1e-10  # growth counts from here: smaller ones are no risk, and jump by powers of ten
SAME_PAIR = timedelta(minutes=10)  # as events keep their ids from run to run
SAME_BODIES = timedelta(seconds=60)  # as lists show one row of a complex
KEPT = timedelta(days=2)  # beyond TCA, so that a TCA that moves a little begins nothing anew

LEFT = "no longer in the fleet"


class Seen(NamedTuple):
    """An encounter inside the volume of a fleet's object, in a run. Times are UTC with their zone."""

    event_id: int
    norad_id: int  # the fleet's object
    pair: tuple[int, int]
    bodies: tuple[int, int]
    tca: datetime
    level: str  # by the probability
    probability: float | None  # the one that counts
    miss_distance_m: float
    visit: bool  # a slow encounter
    event: dict[str, Any]  # as messages tell it


Placed = TypeVar("Placed", Seen, Encounter)


class Look(NamedTuple):
    """What a run has looked at for a fleet. Times are UTC with their zone."""

    run_id: str
    start: datetime
    ends: Mapping[int, datetime]  # of the look-ahead of each object that the catalogue had, exclusive
    members: frozenset[int]  # also those that it had not
    screened: Container[int] | None = None  # all objects; None: not known
    historic: bool = False
    again: bool = False  # the same run as before, with what messages have brought since


class Change(NamedTuple):
    """What is to be told of an encounter, as it is now."""

    change: ChangeKind
    encounter: Encounter
    again: bool = False  # new after it was over
    before: dict[str, Any] | None = None  # the level and the probability of a raised or eased one, as told
    was: Encounter | None = None  # what was known of it, if anything was
    reason: str = ""  # why it is over, if not because runs no longer find it


Known = Mapping[int, Encounter]
Result = tuple[dict[int, Encounter], list[Change]]


def after_run(
    known: Known,
    seen: Sequence[Seen],
    look: Look,
    limits: Limits,
    now: datetime,
    waiting: Container[str] = (),
) -> Result:
    """Return what an alert knows after a run, by event ids, and what it is to tell.

    A historic run, and one that is not newer than what is known, changes nothing; looked at again, a run only
    adds. `waiting`: the ids of messages that have not been delivered; what they tell is not forgotten.
    """
    earlier = any(look.run_id <= one.last_run_id for one in known.values())
    if look.historic or (earlier and not look.again):
        return dict(known), []
    known, changes = after_time(known, now, waiting)
    rows = _one_each(seen, known)
    matching = _without_closed(_matching(rows, limits, now), known)
    is_now = _assigned(known, matching)
    after: dict[int, Encounter] = {}
    for number, one in known.items():
        if one.state == "open" and number in is_now:
            found, change = _going_on(one, is_now[number], look.run_id)
            changes += [change] if change else []
        elif one.state == "open" and not look.again:
            found, change = _absent(one, rows.get(number), look, now)
            changes += [change] if change else []
        elif number in is_now:
            found, change = _begun(is_now[number], look.run_id, was=one)
            changes.append(change)
        else:
            found = one if look.again else one._replace(last_run_id=look.run_id)
        after[found.event_id] = found
    for row in _worst_of_each_encounter(matching, is_now.values()):
        found, change = _begun(row, look.run_id)
        after[found.event_id] = found
        changes.append(change)
    return after, changes


def after_time(known: Known, now: datetime, waiting: Container[str] = ()) -> Result:
    """Close what is open and has passed; forget what is over long ago, if no message that waits tells it."""
    after: dict[int, Encounter] = {}
    changes = []
    for number, one in known.items():
        if one.state == "open" and one.tca <= now:
            after[number] = one._replace(state="closed")
            changes.append(Change("closed", after[number], was=one))
        elif one.state == "open" or one.tca + KEPT > now or (one.told and one.told.message_id in waiting):
            after[number] = one
    return after, changes


def worse(level: str, probability: float | None, one: Encounter) -> bool:
    """Tell whether a level by the probability, or this itself, is worse than was told: a level, or tenfold.

    Unknown is worse than low alone: what was told to be known stands until another number replaces it.
    """
    if _rank(level) < _rank(one.told_level):
        return True
    if probability is None or one.told_probability is None:
        return False
    return probability >= WORSE_BY * max(one.told_probability, NO_PROBABILITY)


def raised(now: Encounter, level: str, probability: float | None, was: Encounter) -> tuple[Encounter, Change]:
    """Return an encounter that is worse than was told, with what is told of it from now on."""
    before = {"level": was.told_level, "probability": was.told_probability}
    found = now._replace(
        told_level=min(level, was.told_level, key=_rank),
        told_probability=_larger(probability, was.told_probability),
    )
    return found, Change("raised", found, before=before, was=was)


_RANKS = {str(level): rank for rank, level in enumerate(PROBABILITY_LEVELS)}


def _rank(level: str) -> int:
    return _RANKS[level]


def _matching(rows: Mapping[int, Seen], limits: Limits, now: datetime) -> dict[int, Seen]:
    """Return the rows within the limits whose TCA lies ahead."""
    each = rows.values()
    probabilities = [np.nan if row.probability is None else row.probability for row in each]
    rated = Rated(
        np.array([_rank(row.level) for row in each], np.int8),
        np.array(probabilities, np.float64),
        np.array([row.miss_distance_m for row in each], np.float64),
        np.array([row.visit for row in each], np.bool_),
    )
    are_within = within(rated, limits)
    return {
        number: row
        for (number, row), is_within in zip(rows.items(), are_within, strict=True)
        if is_within and row.tca > now
    }


def _one_each(seen: Iterable[Seen], known: Known) -> dict[int, Seen]:
    """Return one row an event: where both objects are the fleet's, that of the one told, or the smaller."""
    rows: dict[int, Seen] = {}
    for row in sorted(seen, key=lambda row: row.norad_id):
        told = known.get(row.event_id)
        if row.event_id not in rows or (told is not None and told.norad_id == row.norad_id):
            rows[row.event_id] = row
    return rows


def _without_closed(matching: Mapping[int, Seen], known: Known) -> dict[int, Seen]:
    """Leave out rows of encounters that have been closed, whose TCA has moved a little."""
    closed = [one for one in known.values() if one.state == "closed"]
    near = _Places(closed)
    return {
        number: row
        for number, row in matching.items()
        if not (number in near.ids and row.tca <= known[number].tca + SAME_PAIR) and not near.same_as(row)
    }


class _Places(Generic[Placed]):
    """Rows or encounters by whose they are, to find those that are the same encounter as another."""

    def __init__(self, placed: Iterable[Placed]) -> None:
        self.ids: dict[int, Placed] = {}
        self._of_pair: dict[tuple[int, int], list[Placed]] = {}
        self._of_bodies: dict[tuple[int, int], list[Placed]] = {}
        for one in placed:
            self.add(one)

    def add(self, one: Placed) -> None:
        """Add one."""
        self.ids[one.event_id] = one
        self._of_pair.setdefault(one.pair, []).append(one)
        self._of_bodies.setdefault(one.bodies, []).append(one)

    def same_as(self, other: Seen | Encounter) -> list[Placed]:
        """Return those of the same pair or bodies at about the same time."""
        of_pair = [one for one in self._of_pair.get(other.pair, ()) if abs(one.tca - other.tca) <= SAME_PAIR]
        return of_pair or self.beside(other)

    def beside(self, other: Seen | Encounter) -> list[Placed]:
        """Return those of the same bodies at the same time."""
        return [
            one for one in self._of_bodies.get(other.bodies, ()) if abs(one.tca - other.tca) <= SAME_BODIES
        ]


def _assigned(known: Known, matching: Mapping[int, Seen]) -> dict[int, Seen]:
    """Return the row that each known encounter is now, by the id it was known by.

    That of its id; else, of the same pair or complexes at about the same time, the worst that nobody has. If
    another row of its complexes is worse than was told, and its own is not, then it is that one.
    """
    is_now = {number: matching[number] for number in known if number in matching}
    places = _Places(row for number, row in matching.items() if number not in is_now)
    taken: set[int] = set()
    # Open ones first: what they take is not begun anew by one that is over.
    for number, one in sorted(known.items(), key=lambda item: (item[1].state != "open", item[0])):
        own = is_now.get(number)
        near = places.same_as(one) if own is None else places.beside(own)
        free = [row for row in near if row.event_id not in taken]
        if not free or one.state == "closed":
            continue
        row = min(free, key=lambda row: danger_of(row.event))
        if own is None or (one.state == "open" and _is_worse(row, one) and not _is_worse(own, one)):
            is_now[number] = row
            taken.add(row.event_id)
    return is_now


def _worst_of_each_encounter(matching: Mapping[int, Seen], told: Iterable[Seen]) -> list[Seen]:
    """Return the worst row of each encounter of two bodies, unless one of those told stands for it."""
    standing = _Places(told)
    worst = []
    for row in sorted(matching.values(), key=lambda row: danger_of(row.event)):
        if not standing.beside(row):
            standing.add(row)
            worst.append(row)
    return worst


def _begun(row: Seen, run_id: str, was: Encounter | None = None) -> tuple[Encounter, Change]:
    found = Encounter(
        row.event_id,
        row.norad_id,
        "open",
        row.tca,
        row.level,
        row.probability,
        0,
        run_id,
        row.pair,
        row.bodies,
        row.event,
        row.event_id,
    )
    return found, Change("new", found, again=was is not None, was=was)


def _going_on(one: Encounter, row: Seen, run_id: str) -> tuple[Encounter, Change | None]:
    found = one._replace(
        event_id=row.event_id,
        norad_id=row.norad_id,
        tca=row.tca,
        absent_runs=0,
        last_run_id=run_id,
        pair=row.pair,
        bodies=row.bodies,
        event=row.event,
    )
    if one.told_probability is None:
        found = found._replace(told_probability=row.probability)
    return raised(found, row.level, row.probability, one) if _is_worse(row, one) else (found, None)


def _is_worse(row: Seen, one: Encounter) -> bool:
    return worse(row.level, row.probability, one)


def _larger(one: float | None, other: float | None) -> float | None:
    return max((value for value in (one, other) if value is not None), default=None)


def _absent(one: Encounter, row: Seen | None, look: Look, now: datetime) -> tuple[Encounter, Change | None]:
    """Count a run that has not found an encounter within the limits; `row`: what it has instead.

    One whose probability has become unknown has not eased: it does not count.
    """
    was = one
    if row is not None:
        one = one._replace(tca=row.tca, event=row.event)
    if one.norad_id not in look.members:
        over = one._replace(state="resolved", last_run_id=look.run_id)
        return over, Change("resolved", over, was=was, reason=LEFT)
    if row is not None and not row.visit and _rank(row.level) == UNKNOWN:
        return one._replace(last_run_id=look.run_id), None
    since = max(look.start, now)
    if not fleet_would_find(one.norad_id, one.pair, one.tca, since, look.ends, look.screened):
        return one._replace(last_run_id=look.run_id), None
    one = one._replace(absent_runs=one.absent_runs + 1, last_run_id=look.run_id)
    if one.absent_runs < RUNS_TO_RESOLVE:
        return one, None
    over = one._replace(state="resolved")
    if row is None:
        return over, Change("resolved", over, was=was)
    before = {"level": was.told_level, "probability": was.told_probability}
    return over, Change("eased", over, before=before, was=was)
