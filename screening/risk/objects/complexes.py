"""Objects that stay together as one body: docked modules and the vehicles that visit them."""

import numpy as np
import numpy.typing as npt
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from screening.encounters import ProximityArray
from screening.risk.objects.body_classes import stations_of

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
    edges = (np.ones(one_body.sum(), np.int8), (first[one_body], second[one_body]))
    _, group = connected_components(coo_array(edges, shape=(count, count)), directed=False)
    smallest = np.full(count, np.iinfo(np.int64).max)
    np.minimum.at(smallest, group, norad_ids)
    alone = np.bincount(group, minlength=count)[group] == 1 if count else np.zeros(0, np.bool_)
    ids: IntArray = np.where(alone, NONE, smallest[group])
    return ids
