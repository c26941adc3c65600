"""Give messages of one encounter an id of their own, whether or not a run has it.

What their senders call the encounter does not count: some write the same id for all.
"""

import zlib
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from storage.rows.over_runs.event_ids import EVENT_DTYPE, SAME_ENCOUNTER, EventIds, hashed_ids, pair_key

_BEYOND_NUMBERS = 1 << 30  # catalogue numbers are smaller, and twice as much fits into their column


class Approach(NamedTuple):
    """What decides which encounter a message is about."""

    numbers: tuple[int | None, int | None]  # of both objects
    designators: tuple[str, str]  # that stand in for a number that is not known
    tca: np.datetime64  # UTC, M8[us]


def own_encounter_ids(
    new: Sequence[Approach], known: Sequence[Approach], known_ids: npt.NDArray[np.int64]
) -> EventIds:
    """Return an id (n,) for each new message; those of one pair within SAME_ENCOUNTER of each other share it.

    A message takes the id of the nearest known one (m,) of its group. A group without any gets the id that an
    event of its pair would get at its first TCA.
    """
    approaches, count = _events([*known, *new]), len(known)
    approaches["event_id"][:count] = known_ids
    order = np.lexsort((approaches["tca"], pair_key(approaches)))
    pairs, times = pair_key(approaches)[order], approaches["tca"][order]
    apart = (pairs[1:] != pairs[:-1]) | (times[1:] - times[:-1] > SAME_ENCOUNTER)
    first = np.flatnonzero(np.r_[True, apart][: len(order)])
    group = np.cumsum(np.r_[True, apart][: len(order)]) - 1
    ids = np.zeros(len(order), np.int64)
    ids[order] = hashed_ids(approaches[order[first]])[group]
    for members in np.split(order, first[1:]):
        of_known = members[members < count]
        if not len(of_known):
            continue
        for one in members[members >= count]:
            apart_us = np.abs(approaches["tca"][of_known] - approaches["tca"][one])
            ids[one] = approaches["event_id"][of_known[np.argmin(apart_us)]]
    return ids[count:]


def _events(approaches: Sequence[Approach]) -> npt.NDArray[np.void]:
    events = np.zeros(len(approaches), EVENT_DTYPE)
    for who, name in enumerate(("primary_norad_id", "secondary_norad_id")):
        events[name] = [one.numbers[who] or _stand_in(one.designators[who]) for one in approaches]
    events["tca"] = [one.tca for one in approaches]
    return events


def _stand_in(designator: str) -> int:
    """Return a number for an object that has none."""
    return _BEYOND_NUMBERS | zlib.crc32(designator.strip().upper().encode()) >> 2
