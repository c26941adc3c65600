"""From the parts that tasks found to the encounters and proximities of the whole window."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from screening.encounters import ENCOUNTER_DTYPE, EncounterArray, ProximityArray
from screening.orbits.elements import ElementArray
from screening.orbits.propagate import Propagator
from screening.orbits.timegrid import TimeWindow
from screening.search.proximities import active_from_s, find_proximities
from screening.search.results import Failure, Found, Screening
from screening.search.screen import screen_window
from screening.search.slow import SLOW_KM_S, edge_points, one_row_per_pair

# Two minima of one pair nearer than this are one, found from either side of a border.
SAME_MINIMUM_S = 0.5


def screen_catalogue(elements: ElementArray, span: TimeWindow, threshold_km: float) -> Screening:
    """Find all encounters and proximities of a catalogue in one piece, in this thread."""
    return assemble(
        elements, span, threshold_km, [screen_window(elements, span, 0.0, span.seconds, threshold_km)]
    )


def assemble(
    elements: ElementArray, span: TimeWindow, threshold_km: float, parts: Sequence[Found]
) -> Screening:
    """Join the parts of a window, however it was cut, into the same result.

    Fast minima stand for themselves. Slow ones and slow pairs at the window's edges become one row a pair.
    What a proximity does before it leaves 10 km is left out, and so is what an object seems to do after SGP4
    failed for it.
    """
    propagator = Propagator(elements, span)
    proximities = find_proximities(elements, propagator)
    failures = _first_failures(parts)
    minima = _without_doubles(
        np.concatenate([np.empty(0, ENCOUNTER_DTYPE), *(part.encounters for part in parts)])
    )
    minima = minima[(minima["tca_s"] >= 0.0) & (minima["tca_s"] < span.seconds)]
    minima = _counting(minima, proximities, failures)
    slow = minima["relative_speed_km_s"] < SLOW_KM_S
    edges = _counting(edge_points(propagator, threshold_km), proximities, failures)
    slow_rows = one_row_per_pair(propagator, np.concatenate([minima[slow], edges]), threshold_km)
    encounters = np.concatenate([minima[~slow], slow_rows])
    order = np.lexsort((encounters["secondary_index"], encounters["primary_index"], encounters["tca_s"]))
    return Screening(
        encounters=encounters[order],
        proximities=proximities,
        failures=failures,
        candidates=sum(part.candidates for part in parts),
        largest_pad_km=max((part.largest_pad_km for part in parts), default=0.0),
    )


def _first_failures(parts: Sequence[Found]) -> dict[int, Failure]:
    first: dict[int, Failure] = {}
    for part in parts:
        for failure in part.failures:
            known = first.get(failure.object_index)
            if known is None or failure.first_s < known.first_s:
                first[failure.object_index] = failure
    return dict(sorted(first.items()))


def _without_doubles(minima: EncounterArray) -> EncounterArray:
    order = np.lexsort((minima["tca_s"], minima["secondary_index"], minima["primary_index"]))
    minima = minima[order]
    if len(minima) < 2:
        return minima
    double = (
        (minima["primary_index"][1:] == minima["primary_index"][:-1])
        & (minima["secondary_index"][1:] == minima["secondary_index"][:-1])
        & (np.diff(minima["tca_s"]) < SAME_MINIMUM_S)
    )
    unique: EncounterArray = minima[np.r_[True, ~double]]
    return unique


def _counting(
    points: EncounterArray, proximities: ProximityArray, failures: dict[int, Failure]
) -> EncounterArray:
    """Leave out what proximities do before they part and what happens after a failure of either object."""
    pairs: npt.NDArray[np.int32] = np.stack([points["primary_index"], points["secondary_index"]])
    counts = points["tca_s"] >= active_from_s(proximities, pairs)
    if failures:
        failed = np.array(list(failures), np.int32)
        first_s = np.array([failure.first_s for failure in failures.values()])
        for index in pairs:
            place = np.minimum(np.searchsorted(failed, index), len(failed) - 1)
            counts &= (failed[place] != index) | (points["tca_s"] < first_s[place])
    counting: EncounterArray = points[counts]
    return counting
