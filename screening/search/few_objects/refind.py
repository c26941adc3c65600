"""Find one known approach of two objects again, on other paths, however far it has moved apart."""

import numpy as np

from screening.encounters import EncounterArray
from screening.orbits.elements import ElementArray
from screening.orbits.timegrid import FloatArray
from screening.orbits.trajectories import Trajectories
from screening.search.few_objects.primary import screen_primaries
from screening.search.refining.final_tca import encounters_at, encounters_on_sgp4
from screening.search.staying_close.slow import SLOW_KM_S

# Between two samples 15 km/s make 75 km, but the distance has one minimum: Newton's method finds it.
SAMPLE_S = 5.0
# A minimum that Newton's method carries farther away than this is not the one that was sampled.
_FARTHEST_S = 2.0 * SAMPLE_S

_PRIMARY, _PAIR = np.zeros(1, np.int32), np.array([[0], [1]], np.int32)


def visit_again(
    elements: ElementArray, paths: Trajectories, threshold_km: float, known_tca_s: float
) -> EncounterArray:
    """Return the encounter of two objects in the paths' window whose TCA is nearest to a known one.

    ENCOUNTER_DTYPE (1,), slow ones as visits. If they do not come below the threshold, it is the smallest
    distance in the window; (0,) where that is not known either.
    """
    found = screen_primaries(elements, paths, threshold_km, _PRIMARY).encounters
    if len(found) == 0:
        return approach_again(paths)
    return found[[np.argmin(np.abs(found["tca_s"] - known_tca_s))]]


def approach_again(paths: Trajectories) -> EncounterArray:
    """Return the smallest distance of two objects in the paths' window, at any distance.

    ENCOUNTER_DTYPE (1,); (0,) if the objects have no states together.
    """
    times_s = np.arange(0.0, paths.span.seconds + 0.5 * SAMPLE_S, SAMPLE_S)
    distance_km = _distances_km(paths, times_s)
    if not np.isfinite(distance_km).any():
        return encounters_at(paths, _PAIR[:, :0], times_s[:0])
    nearest_s = times_s[[np.nanargmin(distance_km)]]
    found = encounters_on_sgp4(paths, _PAIR, nearest_s)
    if len(found) == 0 or abs(found["tca_s"][0] - nearest_s[0]) > _FARTHEST_S:
        found = encounters_at(paths, _PAIR, nearest_s)
    found["slow"] = found["relative_speed_km_s"] < SLOW_KM_S
    return found


def _distances_km(paths: Trajectories, times_s: FloatArray) -> FloatArray:
    error, r_km, _ = paths.on_grid(times_s)
    distance_km: FloatArray = np.linalg.norm(r_km[:, :, 1] - r_km[:, :, 0], axis=1)
    distance_km[(error != 0).any(axis=1)] = np.nan
    return distance_km
