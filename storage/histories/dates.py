"""Decide when element sets became known of which their text does not say it."""

import re
from collections.abc import Iterable, Iterator
from datetime import datetime

import numpy as np

from screening.orbits.elements import ElementArray
from screening.orbits.texts.dated import DatedSets, Instants
from screening.orbits.timegrid import instants
from screening.search.request import catalogue_epoch

# A catalogue has its objects once, a few twice; a history has many sets of each.
_MOST_SETS_OF_AN_OBJECT = 1.5
_MOST_OF_A_CATALOGUE = 200_000  # sets
# A date in a name that is farther from the epochs means something else. Of published catalogues, 99 % of
# the epochs are up to 19 h before the date in their name, or on that day.
_FARTHEST_DATE = np.timedelta64(10, "D")
_ISO = "{:04}-{:02}-{:02}T{:02}:{:02}:{:02}"
_DAY = np.timedelta64(1, "D")
_DATE_IN_NAME = re.compile(
    r"(?<!\d)((?:19|20)\d\d)[-_]?(\d\d)[-_]?(\d\d)(?:[-_T ]?(\d\d)[-_:]?(\d\d)(?:[-_:]?(\d\d))?Z?)?(?!\d)"
)


def with_dates(pieces: Iterable[DatedSets], file_name: str) -> Iterator[DatedSets]:
    """Yield the pieces of a text with a time for every set.

    A catalogue, which has each object about once, became known at the date in its name, else at its newest
    epochs (the 99th percentile: single ones lie in the future). Of a history, which has many sets of an
    object, each set became known at its epoch, the earliest that it can have.
    """
    held: list[DatedSets] = []
    count, is_history = 0, False
    for piece in pieces:
        if not np.isnat(piece.known_at).any():
            yield piece
        elif is_history:
            yield _at_epochs(piece)
        else:
            held.append(piece)
            count += len(piece.elements)
            if count > _MOST_OF_A_CATALOGUE:
                is_history = True
                yield from map(_at_epochs, held)
                held = []
    if held:
        yield from _as_one(held, file_name)


def epochs_of(elements: ElementArray) -> Instants:
    """Return the epochs (n,) of element sets, M8[us], UTC."""
    return instants(elements["epoch_jd"], elements["epoch_day_fraction"])


def _as_one(held: list[DatedSets], file_name: str) -> Iterator[DatedSets]:
    numbers = np.concatenate([piece.elements["norad_id"] for piece in held])
    if len(numbers) > _MOST_SETS_OF_AN_OBJECT * len(np.unique(numbers)):
        yield from map(_at_epochs, held)
        return
    newest = catalogue_epoch(np.concatenate([piece.elements for piece in held])) if len(numbers) else None
    for piece in held:
        yield piece if newest is None else _at(piece, _catalogue_time(newest, file_name))


def _at(piece: DatedSets, instant: np.datetime64) -> DatedSets:
    return piece._replace(known_at=np.where(np.isnat(piece.known_at), instant, piece.known_at))


def _at_epochs(piece: DatedSets) -> DatedSets:
    epochs = epochs_of(piece.elements)
    return piece._replace(known_at=np.where(np.isnat(piece.known_at), epochs, piece.known_at))


def _catalogue_time(newest: np.datetime64, file_name: str) -> np.datetime64:
    """Return when a catalogue became known: the date in its name says within which time, or at which."""
    for found in _DATE_IN_NAME.finditer(file_name):
        try:
            numbers = [int(part or 0) for part in found.groups()]
            named = np.datetime64(datetime.fromisoformat(_ISO.format(*numbers)), "us")
        except ValueError:
            continue
        if abs(named - newest) <= _FARTHEST_DATE:
            latest = named if found[4] else named + _DAY
            return min(max(newest, named), latest)
    return newest
