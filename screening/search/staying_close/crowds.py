"""More pairs close together than a run may find: counted before they are searched.

Objects that stay together approach each other twice a revolution, and so do all pairs of a crowd: they grow
with its square. Counting them needs no list of them.
"""

import numpy as np
from scipy.spatial import cKDTree

from screening.errors import SkysieveError
from screening.orbits.elements import ElementArray
from screening.orbits.timegrid import SECONDS_PER_DAY, TimeWindow
from screening.orbits.trajectories import Trajectories
from screening.search.staying_close.same_sets import SameSets

# Two minima a revolution, sixteen revolutions a day, which a low orbit has.
APPROACHES_A_DAY = 32
CROWD_KM = 10.0
# A pair that stays together, or is slow, is followed through the window: some 0.3 ms a day, as long as the
# search takes for a hundred events.
FOLLOWED_COUNTS_AS = 100
_LEAST_ROOM = 1_000_000  # for what a search holds at once, whatever a run may find
# In a step of 150 s, if the run may find fewer: what a day of regular orbits finds in all.
_LEAST_AT_ONCE = 200_000
_SHOWN_NUMBERS = 3


class Crowded(SkysieveError):
    """Objects are so close together that more is found than there is room for."""


def check_same_sets(elements: ElementArray, sets: SameSets, most: int) -> None:
    """Raise Crowded if more pairs share an element set than a run that finds `most` events may have.

    Each counts as 100 events. The text names the largest group.
    """
    pairs = sets.pairs_inside()
    if pairs * FOLLOWED_COUNTS_AS <= most:
        return
    largest = int(sets.sizes.argmax())
    members = sets.members[sets.starts[largest] : sets.starts[largest + 1]]
    named = ", ".join(map(str, elements["norad_id"][members[:_SHOWN_NUMBERS]].tolist()))
    raise Crowded(
        f"{len(members):,} objects have one and the same element set ({named}, ...), and all that share sets "
        f"make {pairs:,} pairs, each of which counts as {FOLLOWED_COUNTS_AS} events: the catalogue repeats a "
        "record under many numbers."
    )


def check_crowd(propagator: Trajectories, sets: SameSets, most: int) -> None:
    """Raise Crowded if so many pairs begin within 10 km that their approaches would be more than `most`.

    `propagator` is one of the first objects of the groups (g,).
    """
    days = max(1.0, propagator.span.seconds / SECONDS_PER_DAY)
    pairs = pairs_near(propagator, 0.0, CROWD_KM, sets)
    expected = sets.pairs_inside() + pairs * APPROACHES_A_DAY * days
    if expected > most:
        raise Crowded(
            f"{pairs:,} pairs of objects are within {CROWD_KM:g} km of each other at the window's start: "
            f"that makes about {expected:,.0f} approaches."
        )


def check_pairs_at(propagator: Trajectories, time_s: float, distance_km: float, most: int) -> None:
    """Raise Crowded if more than `most` pairs are within a distance at one instant."""
    pairs = pairs_near(propagator, time_s, distance_km)
    if pairs > most:
        raise Crowded(
            f"{pairs:,} pairs of objects are within {distance_km:g} km of each other "
            f"{time_s / 3600:g} h after the window's start."
        )


def check_followed(pairs: int, span: TimeWindow, most: int, what: str) -> None:
    """Raise Crowded if so many pairs are to be followed through the window that it costs as `most` events."""
    days = max(1.0, span.seconds / SECONDS_PER_DAY)
    counted = pairs * FOLLOWED_COUNTS_AS * days
    if counted > most:
        raise Crowded(
            f"{pairs:,} pairs of objects {what}: following one through the window counts as "
            f"{FOLLOWED_COUNTS_AS} events a day, that makes {counted:,.0f}."
        )


def check_count(events: int, proximities: int, most: int) -> None:
    """Raise Crowded if what a run has found is more than `most`."""
    if events + proximities > most:
        raise Crowded(f"{events:,} conjunctions and {proximities:,} proximities have been found.")


def pairs_near(
    propagator: Trajectories, time_s: float, distance_km: float, sets: SameSets | None = None
) -> int:
    """Return how many pairs are within a distance at one instant, without making a list of them.

    With `sets` each object stands for its group (g,), and pairs inside a group do not count.
    """
    error, r, _ = propagator.on_grid(np.array([time_s]))
    good = error[0] == 0
    if not good.any():
        return 0
    weights = np.ones(int(good.sum())) if sets is None else sets.sizes[good].astype(np.float64)
    tree = cKDTree(r[0][:, good].T)
    both_ways = tree.count_neighbors(tree, distance_km, weights=(weights, weights))
    return round((float(both_ways) - float((weights**2).sum())) / 2)


def room_for(most: int) -> int:
    """Return how many candidates or minima a search may hold at once, if a run may find so many events."""
    return max(most, _LEAST_ROOM)


def room_in_step(most: int) -> int:
    """Return how many minima a step of 150 s may have: at that rate a run finds `most` in an hour."""
    return max(most // 24, _LEAST_AT_ONCE)
