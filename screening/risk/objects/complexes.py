"""Objects that stay together as one body: docked modules and the vehicles that visit them."""

import numpy as np
import numpy.typing as npt

from screening.encounters import ProximityArray
from screening.risk.objects.bodies.body_classes import stations_of

IntArray = npt.NDArray[np.int64]

NONE = -1
# A station with its vehicles is 109 m long.
TOGETHER_KM = 0.2


def complex_ids(norad_ids: IntArray, docked_to: IntArray, proximities: ProximityArray) -> IntArray:
    """Return the complexes (n,) of objects: the smallest catalogue number in each; NONE: in none.

    `docked_to` (n,) has the number of what an object is docked to, by SATCAT, 0: nothing; `proximities`
    PROXIMITY_DTYPE point into the objects. A proximity is one body if its distance never exceeds TOGETHER_KM,
    or if the two are parts of one station or docked to each other: sets of different epochs put the ISS and
    what is docked to it 1.7 km apart within a day, and more than 10 km within four.
    """
    first, second = proximities["primary_index"], proximities["secondary_index"]
    station = stations_of(norad_ids)
    near = proximities["max_distance_km"] <= TOGETHER_KM
    docked = (docked_to[first] == norad_ids[second]) | (docked_to[second] == norad_ids[first])
    docked |= (station[first] >= 0) & (station[first] == station[second])
    one_body = near | docked

    count = len(norad_ids)
    group = connected(first[one_body], second[one_body], count)
    smallest = np.full(count, np.iinfo(np.int64).max)
    np.minimum.at(smallest, group, norad_ids)
    alone = np.bincount(group, minlength=count)[group] == 1 if count else np.zeros(0, np.bool_)
    ids: IntArray = np.where(alone, NONE, smallest[group])
    return ids


def connected(first: npt.NDArray[np.int32], second: npt.NDArray[np.int32], count: int) -> IntArray:
    """Return the smallest index (count,) that each one is connected with, itself if no pair has it.

    The pairs (k,) point into the `count`. scipy's graphs would take 0.1 s to import, in every run.
    """
    smallest = np.arange(count)
    while True:
        smaller = smallest.copy()
        np.minimum.at(smaller, first, smallest[second])
        np.minimum.at(smaller, second, smallest[first])
        smaller = smaller[smaller]
        if (smaller == smallest).all():
            return smallest
        smallest = smaller
