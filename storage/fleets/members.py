"""Which objects of a catalogue belong to a fleet: by number, and by the pattern of their names."""

import fnmatch
import re
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from screening.errors import InputError
from storage.state.fleets import Fleet

T = TypeVar("T")

MOST_MEMBERS = 10_000  # objects of a fleet: a search from them costs as one of all against all


class Member(NamedTuple):
    """An object of a fleet in a catalogue, and what is searched for around it."""

    norad_id: int
    name: str
    volume: str
    hours: float | None  # look-ahead; None: the run's


class FleetMembers(NamedTuple):
    """The objects of a fleet."""

    members: tuple[Member, ...]  # by number
    unknown: tuple[int, ...]  # given by number, and not in the catalogue


class TooManyMembers(InputError):
    """The pattern of a fleet fits too many objects of the catalogue."""


def members_of(
    fleet: Fleet, norad_ids: npt.NDArray[np.integer] | Sequence[int], names: Sequence[str]
) -> FleetMembers:
    """Return the objects of a fleet in a catalogue, given by the numbers and names of all its objects.

    An object's own volume and hours go before those of the fleet. Case does not matter in names.

    Raises:
        TooManyMembers: there are more than MOST_MEMBERS.
    """
    numbers = np.asarray(norad_ids, dtype=np.int64)
    given = {one.norad_id: one for one in fleet.objects}
    places = set(np.flatnonzero(np.isin(numbers, list(given))).tolist()) if given else set()
    if fleet.name_pattern:
        fits = name_filter(fleet.name_pattern)
        places.update(place for place, name in enumerate(names) if fits(name))
    if len(places) > MOST_MEMBERS:
        raise TooManyMembers(
            f"The fleet {fleet.name!r} would have {len(places):,} objects, more than the {MOST_MEMBERS:,} "
            f"allowed: its pattern {fleet.name_pattern!r} matches too many names."
        )
    members = []
    for place in sorted(places, key=numbers.__getitem__):
        number = int(numbers[place])
        own = given.pop(number, None)
        volume = fleet.volume if own is None or own.volume is None else own.volume
        hours = fleet.hours if own is None or own.hours is None else own.hours
        members.append(Member(number, names[place], volume, hours))
    return FleetMembers(tuple(members), tuple(given))


def name_filter(pattern: str) -> Callable[[str], bool]:
    """Return whether a name fits a shell pattern: `*`, `?` and `[...]`; the whole name, whatever its case."""
    fits = re.compile(fnmatch.translate(pattern), re.IGNORECASE).match
    return lambda name: fits(name.strip()) is not None


def of_first(pairs: Iterable[tuple[Fleet, T]]) -> Callable[[int, str], T | None]:
    """Return what goes with the fleet of an object, by its number and name.

    Of several that have the object by its number the first made, else the first whose pattern fits its name.
    """
    given = list(pairs)
    by_number: dict[int, T] = {}
    for one, thing in given:
        for member in one.objects:
            by_number.setdefault(member.norad_id, thing)
    by_name = [(name_filter(one.name_pattern), thing) for one, thing in given if one.name_pattern]

    def found(norad_id: int, name: str) -> T | None:
        if norad_id in by_number:
            return by_number[norad_id]
        return next((thing for fits, thing in by_name if fits(name)), None)

    return found
