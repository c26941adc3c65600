"""Count pairs that are close together before searching them, and refuse too many.

Objects that stay together approach each other twice per revolution, and so do all pairs of a crowd, whose
number grows with its square. Counting pairs needs no list of them.
"""

import numpy as np

from screening.errors import SkysieveError
from screening.orbits.elements import ElementArray
from screening.orbits.timegrid import SECONDS_PER_DAY, TimeWindow
from screening.orbits.trajectories import Trajectories
from screening.search.staying_close.near_pairs import count_near
from screening.search.staying_close.same_sets import FirstPaths, SameSets

# Two minima per revolution, sixteen revolutions per day, as in a low orbit.
APPROACHES_A_DAY = 32
CROWD_KM = 10.0
# A pair that stays together, or is slow, is followed through the window, which takes some 0.3 ms per day, as
# long as the search for a hundred events.
FOLLOWED_COUNTS_AS = 100
_LEAST_ROOM = 1_000_000  # for what a search holds at once, whatever the limit of a run
# In a step of 150 s, if the run's limit is lower: what a day of regular orbits finds in all.
_LEAST_AT_ONCE = 200_000
_SHOWN_NUMBERS = 3


class Crowded(SkysieveError):
    """Objects are so close together that more is found than allowed."""


def check_same_sets(elements: ElementArray, sets: SameSets, most: int) -> None:
    """Raise Crowded if more pairs share an element set than a run limited to `most` events may have.

    Each counts as 100 events. The message names the largest group.
    """
    pairs = sets.pairs_inside()
    if pairs * FOLLOWED_COUNTS_AS <= most:
        return
    largest = int(sets.sizes.argmax())
    members = sets.members[sets.starts[largest] : sets.starts[largest + 1]]
    named = ", ".join(map(str, elements["norad_id"][members[:_SHOWN_NUMBERS]].tolist()))
    raise Crowded(
        f"{len(members):,} objects have the same element set ({named}, ...); all objects that share sets "
        f"make {pairs:,} pairs, each of which counts as {FOLLOWED_COUNTS_AS} events: the catalogue repeats a "
        "record under many numbers."
    )


def check_crowd(firsts: FirstPaths, most: int) -> None:
    """Raise Crowded if so many pairs start within 10 km that their approaches would exceed `most`."""
    sets, paths = firsts
    days = max(1.0, paths.span.seconds / SECONDS_PER_DAY)
    pairs = pairs_near(paths, 0.0, CROWD_KM, sets)
    expected = sets.pairs_inside() + pairs * APPROACHES_A_DAY * days
    if expected > most:
        raise Crowded(
            f"{pairs:,} pairs of objects are within {CROWD_KM:g} km of each other at the window's start: "
            f"about {expected:,.0f} approaches."
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
    """Raise Crowded if following these pairs through the window costs as much as `most` events."""
    days = max(1.0, span.seconds / SECONDS_PER_DAY)
    counted = pairs * FOLLOWED_COUNTS_AS * days
    if counted > most:
        raise Crowded(
            f"{pairs:,} pairs of objects {what}: following one through the window counts as "
            f"{FOLLOWED_COUNTS_AS} events a day, which makes {counted:,.0f}."
        )


def check_count(events: int, proximities: int, most: int) -> None:
    """Raise Crowded if a run has found more than `most`."""
    if events + proximities > most:
        raise Crowded(f"{events:,} conjunctions and {proximities:,} proximities have been found.")


def pairs_near(
    propagator: Trajectories, time_s: float, distance_km: float, sets: SameSets | None = None
) -> int:
    """Count the pairs within a distance at one instant, without listing them.

    With `sets` each object represents its group (g,), and pairs inside a group do not count.
    """
    error, r, _ = propagator.on_grid(np.array([time_s]))
    good = error[0] == 0
    if not good.any():
        return 0
    weights = np.ones(int(good.sum()), np.int64) if sets is None else sets.sizes[good]
    return count_near(r[0][:, good], distance_km, weights)


def room_for(most: int) -> int:
    """Return how many candidates or minima a search may hold at once, given the limit of events of a run."""
    return max(most, _LEAST_ROOM)


def room_in_step(most: int) -> int:
    """Return how many minima a step of 150 s may have: at that rate a run finds `most` in an hour."""
    return max(most // 24, _LEAST_AT_ONCE)
