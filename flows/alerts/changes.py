"""How the encounters of an alert change, from run to run, and what of it a notification reports.

An encounter is reported when it first matches the alert's limits, again when it gets worse than ever
reported, when two runs in a row have it outside the limits (eased) or no longer find it (resolved), and when
its TCA has passed (closed). What stays as it is, eases within the limits, or goes to and fro, is not.

Changes gather with their encounter. `to_report` decides when a notification is sent what is left of them:

    the receiver has it as | it is now | goes out as
    ---------------------- | --------- | -----------------------------------------------------
    never reported         | open      | new
    never reported         | over      | nothing; resolved or eased, if `new` was tried
    open                   | open      | raised if worse than reported; new again, if its end was tried
    open                   | over      | resolved or eased
    over                   | open      | new again
    over                   | over      | nothing; resolved or eased, if `new` was tried
    any                    | passed    | closed

"Tried": a notification with it was on its way and no answer came, so the receiver may have it.
"""

from collections.abc import Container, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np

from flows.alerts.other_paths import Paths, why_gone
from screening.risk.tiers import UNKNOWN
from screening.vocabulary import PROBABILITY_LEVELS
from storage.fleets.searched import fleet_would_find
from storage.rows.danger import danger_of, decisive_probability_of, level_of
from storage.rows.limits import Limits, Rated, within
from storage.state.alerts.encounters import Change, ChangeKind, Encounter

RUNS_TO_RESOLVE = 2
WORSE_BY = 10.0  # times the probability reported
NO_PROBABILITY = 1e-10  # growth counts from here: smaller ones are no risk, and jump by powers of ten
SAME_PAIR = timedelta(minutes=10)  # as events keep their ids from run to run
SAME_BODIES = timedelta(seconds=60)  # as lists show one row of a complex
KEPT = timedelta(days=2)  # beyond TCA, so that a TCA that moves a little begins nothing anew
KEPT_UNSENT = timedelta(days=30)  # beyond TCA, while a change of it waits to be sent

LEFT = "no longer in the fleet"
OVER: frozenset[ChangeKind] = frozenset({"eased", "resolved", "closed"})


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
    paths: Paths = MappingProxyType({})  # the ephemerides that objects flew by


Known = Mapping[int, Encounter]


def after_run(
    known: Known, seen: Sequence[Seen], look: Look, limits: Limits, now: datetime
) -> dict[int, Encounter]:
    """Return what an alert knows after a run, by event ids, with the changes of each encounter.

    A historic run, and one that is not newer than what is known, changes nothing; looked at again, a run only
    adds.
    """
    earlier = any(look.run_id <= one.last_run_id for one in known.values())
    if look.historic or (earlier and not look.again):
        return dict(known)
    known = after_time(known, now)
    rows = _one_each(seen, known)
    matching = _without_closed(_matching(rows, limits, now), known)
    is_now = _assigned(known, matching)
    after: dict[int, Encounter] = {}
    for number, one in known.items():
        if one.state == "open" and number in is_now:
            found = _going_on(one, is_now[number], look.run_id, now)
        elif one.state == "open" and not look.again:
            found = _absent(one, rows.get(number), look, now)
        elif number in is_now:
            found = _begun(is_now[number], look.run_id, now, was=one)
        else:
            found = one if look.again else one._replace(last_run_id=look.run_id)
        after[found.event_id] = found
    for row in _worst_of_each_encounter(matching, is_now.values()):
        after[row.event_id] = _begun(row, look.run_id, now)
    return after


def after_time(known: Known, now: datetime) -> dict[int, Encounter]:
    """Close what is open and has passed; forget what is over long ago."""
    after: dict[int, Encounter] = {}
    for number, one in known.items():
        if one.state == "open" and one.tca <= now:
            after[number] = _changed(one._replace(state="closed"), "closed", one, one.last_run_id, now)
        elif one.state == "open" or one.tca + (KEPT_UNSENT if one.changes else KEPT) > now:
            after[number] = one
    return after


def to_report(one: Encounter, had_at: str | None = None) -> Change | None:
    """Return the one change that stands for all unsent ones of an encounter; None: nothing is to be reported.

    `had_at`: the level at which a person took it on, None if no one has: then only a worse level is raised.
    """
    first, last = one.changes[0], one.changes[-1]
    tried = {change.kind for change in one.changes if change.tried_in}
    if one.state == "closed":
        return last
    was_open = first.kind != "new"  # as the receiver knows it
    if one.state != "open":
        return last if was_open or "new" in tried else None
    if not was_open or tried & OVER:
        return last._replace(kind="new", before=None, again=was_open or first.again)
    assert first.before is not None, "it was reported"
    level = level_of(one.event)
    if not worse(level, decisive_probability_of(one.event), first.before):
        return None
    if had_at is not None and _rank(level) >= _rank(had_at):
        return None
    return last._replace(kind="raised", before=first.before, again=False)


def settled(one: Encounter) -> Encounter | None:
    """Return an encounter with nothing to report, as the receiver knows it; None: it does not."""
    before = one.changes[0].before
    if before is None:
        return None
    return one._replace(told_level=before["level"], told_probability=before["probability"], changes=())


def worse(level: str, probability: float | None, before: Mapping[str, Any]) -> bool:
    """Tell whether a level by the probability, or this itself, is worse than reported: a level, or tenfold.

    Unknown is worse than low alone: what was reported as known stands until another number replaces it.
    """
    if _rank(level) < _rank(before["level"]):
        return True
    if probability is None or before["probability"] is None:
        return False
    return bool(probability >= WORSE_BY * max(before["probability"], NO_PROBABILITY))


def _changed(
    now: Encounter, kind: ChangeKind, was: Encounter, run_id: str, at: datetime, reason: str = ""
) -> Encounter:
    """Return an encounter with one more change, from what `was` reported of it."""
    return now._replace(changes=(*was.changes, Change(kind, run_id, at, _reported(was), reason=reason)))


def _reported(one: Encounter) -> dict[str, Any]:
    return {"level": one.told_level, "probability": one.told_probability}


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
    """Return one row an event: where both objects are the fleet's, of the one reported, or the smaller."""
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

    That of its id; else, of the same pair or complexes at about the same time, the worst that no other has.
    If another row of its complexes is worse than reported, and its own is not, then it is that one.
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
    """Return the worst row of each encounter of two bodies, unless one of those reported stands for it."""
    standing = _Places(told)
    worst = []
    for row in sorted(matching.values(), key=lambda row: danger_of(row.event)):
        if not standing.beside(row):
            standing.add(row)
            worst.append(row)
    return worst


def _begun(row: Seen, run_id: str, now: datetime, was: Encounter | None = None) -> Encounter:
    changes = () if was is None else was.changes
    before = None if was is None else _reported(was)
    return Encounter(
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
        (*changes, Change("new", run_id, now, before, again=was is not None)),
    )


def _going_on(one: Encounter, row: Seen, run_id: str, now: datetime) -> Encounter:
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
    if not _is_worse(row, one):
        return found
    found = found._replace(
        told_level=min(row.level, one.told_level, key=_rank),
        told_probability=_larger(row.probability, one.told_probability),
    )
    return _changed(found, "raised", one, run_id, now)


def _is_worse(row: Seen, one: Encounter) -> bool:
    return worse(row.level, row.probability, _reported(one))


def _larger(one: float | None, other: float | None) -> float | None:
    return max((value for value in (one, other) if value is not None), default=None)


def _absent(was: Encounter, row: Seen | None, look: Look, now: datetime) -> Encounter:
    """Count a run that has not found an encounter within the limits; `row`: what it has instead.

    One whose probability has become unknown has not eased: it does not count.
    """
    one = was._replace(last_run_id=look.run_id)
    if row is not None:
        one = one._replace(tca=row.tca, event=row.event)
    if one.norad_id not in look.members:
        return _changed(one._replace(state="resolved"), "resolved", was, look.run_id, now, LEFT)
    if row is not None and not row.visit and _rank(row.level) == UNKNOWN:
        return one
    since = max(look.start, now)
    if not fleet_would_find(one.norad_id, one.pair, one.tca, since, look.ends, look.screened):
        return one
    one = one._replace(absent_runs=one.absent_runs + 1)
    if one.absent_runs < RUNS_TO_RESOLVE:
        return one
    kind: ChangeKind = "resolved" if row is None else "eased"
    why = why_gone(was.event, was.pair, was.tca, look.paths)
    reason = f"two consecutive runs no longer found it: {why}" if why and row is None else ""
    return _changed(one._replace(state="resolved"), kind, was, look.run_id, now, reason)
