"""The last minutes of an object that SGP4 gives up: from its last good knot to the failure itself.

Curves join good knots, so the search over intervals leaves such an object at the last knot before it fails,
up to ten minutes early. Few objects fail (of 26,834 real ones none in the first day, 191 in the next 29), so
what is left of each is searched directly: its distance from everybody who can be near, sampled on SGP4. The
grid of knots is the same however a window is cut, and so is this.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from screening.encounters import ENCOUNTER_DTYPE, EncounterArray
from screening.orbits.gravity import MU_KM3_S2
from screening.orbits.knots import KNOT_STEP_S
from screening.orbits.propagate import IndexArray
from screening.orbits.timegrid import FloatArray
from screening.orbits.trajectories import Trajectories
from screening.search.final_tca import encounters_on_sgp4
from screening.search.results import Failure

# A failure is looked for at this many points of its interval, then at as many between two of them: to 0.6 ms.
POINTS = 1000
# Searched again before the last good knot, where the minimum of a slow pair's curve may lie beyond it and
# SGP4's own does not. What both searches find becomes one.
OVERLAP_S = 150.0
# Samples, closer and closer to the failure in the end: down to 0.02 s.
SAMPLE_S = 10.0
LAST_HALVINGS = 9
# In 10 s on either side a pair bends by 0.04 km: 3 mu/r^3 times the 270 km it may be apart.
BEND_KM = 1.0
# In ten minutes osculating apsides move by less.
APSIDES_MOVE_KM = 50.0


class LastIntervals(NamedTuple):
    """What became of the objects that failed inside the window."""

    failures: dict[int, Failure]  # with the time of the failure itself
    minima: EncounterArray
    candidates: int


def search_last_intervals(
    propagator: Trajectories, failures: dict[int, Failure], threshold_km: float
) -> LastIntervals:
    """Find what failing objects meet between their last good knot and their failure.

    `failures` name the first bad knot of each object. Objects that have no good knot before it stay as they
    are; those that fail after the window's end are left out. A minimum may involve an object that failed
    earlier.
    """
    index = np.array([i for i, failure in failures.items() if failure.first_s > 0.0], np.int32)
    bad_knot_s = np.array([failures[i].first_s for i in index.tolist()])
    good_knot_s = bad_knot_s - KNOT_STEP_S
    good_s, failed_s = good_knot_s, bad_knot_s
    for _ in range(2):
        good_s, failed_s = _narrowed(propagator, index, good_s, failed_s)
    exact = failures | {
        i: failures[i]._replace(first_s=first_s)
        for i, first_s in zip(index.tolist(), failed_s.tolist(), strict=True)
    }
    minima, candidates = [np.empty(0, ENCOUNTER_DTYPE)], 0
    for k in np.flatnonzero((good_s > good_knot_s) & (good_knot_s < propagator.span.seconds)).tolist():
        times_s = _samples_s(good_knot_s[k] - OVERLAP_S, good_s[k])
        found, count = _minima(propagator, int(index[k]), times_s, threshold_km)
        minima.append(found)
        candidates += count
    inside = {i: failure for i, failure in exact.items() if failure.first_s < propagator.span.seconds}
    return LastIntervals(inside, np.concatenate(minima), candidates)


def _narrowed(
    propagator: Trajectories, index: IndexArray, good_s: FloatArray, failed_s: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return the last of many points between two times (k,) at which each object is good, and the next one.

    An object that is good at all of them failed for another reason, and at `failed_s`.
    """
    points_s = np.linspace(good_s, failed_s, POINTS + 1, axis=1)
    error, _, _ = propagator.at(np.repeat(index, POINTS + 1), points_s.ravel())
    bad = (error != 0).reshape(points_s.shape)
    first = np.where(bad.any(axis=1), bad.argmax(axis=1), POINTS)[:, None]
    last_good_s = np.take_along_axis(points_s, np.maximum(first - 1, 0), axis=1)[:, 0]
    return last_good_s, np.take_along_axis(points_s, first, axis=1)[:, 0]


def _samples_s(begin_s: float, end_s: float) -> FloatArray:
    even = np.arange(begin_s, end_s - SAMPLE_S, SAMPLE_S)
    return np.concatenate([even, end_s - SAMPLE_S / 2.0 ** np.arange(LAST_HALVINGS + 1), [end_s]])


def _minima(
    propagator: Trajectories, i: int, times_s: FloatArray, threshold_km: float
) -> tuple[EncounterArray, int]:
    """Find the minima of one object's distance from all others; also return how many were tried."""
    others = _who_can_be_near(propagator, i, times_s, threshold_km)
    _, r, _ = propagator.subset(np.append(others, i)).on_grid(times_s)
    relative = r[:, :, :-1] - r[:, :, -1:]
    squared = np.einsum("mcj,mcj->mj", relative, relative)
    dip = (squared[1:-1] <= squared[:-2]) & (squared[1:-1] < squared[2:])
    m, j = np.nonzero(dip)
    near = _line_km(relative[m, :, j], relative[m + 2, :, j]) < threshold_km + BEND_KM
    m, j = m[near], others[j[near]]
    pairs = np.stack([np.minimum(i, j), np.maximum(i, j)]).astype(np.int32)
    found = encounters_on_sgp4(propagator, pairs, times_s[m + 1])
    inside = (found["tca_s"] > times_s[0]) & (found["tca_s"] <= times_s[-1])
    return found[inside & (found["miss_distance_km"] < threshold_km)], len(m)


def _who_can_be_near(
    propagator: Trajectories, i: int, times_s: FloatArray, threshold_km: float
) -> npt.NDArray[np.intp]:
    """Return the other objects whose orbit, as it is at the first sample, touches the shell of object `i`."""
    _, r, v = propagator.on_grid(times_s[:1])
    apsides_km = _apsides_km(r[0], v[0])
    _, path, _ = propagator.at(np.full(len(times_s), i, np.int32), times_s)
    radius_km = np.linalg.norm(path, axis=1)
    margin_km = threshold_km + APSIDES_MOVE_KM
    near = (apsides_km[0] < radius_km.max() + margin_km) & (apsides_km[1] > radius_km.min() - margin_km)
    near[i] = False
    return np.flatnonzero(near)


def _apsides_km(r_teme_km: FloatArray, v_km_s: FloatArray) -> FloatArray:
    """Return perigee and apogee radius (2, n) of osculating orbits through states (3, n); NaN where NaN."""
    radius = np.linalg.norm(r_teme_km, axis=0)
    angular = np.linalg.norm(np.cross(r_teme_km, v_km_s, axis=0), axis=0)
    over_a = 2.0 / radius - np.einsum("cn,cn->n", v_km_s, v_km_s) / MU_KM3_S2
    semi_latus_km = angular**2 / MU_KM3_S2
    eccentricity = np.sqrt(np.maximum(1.0 - semi_latus_km * over_a, 0.0))
    apogee_km = np.where(eccentricity < 1.0, semi_latus_km / np.maximum(1.0 - eccentricity, 1e-9), np.inf)
    return np.stack([semi_latus_km / (1.0 + eccentricity), np.where(np.isnan(radius), np.nan, apogee_km)])


def _line_km(a_km: FloatArray, b_km: FloatArray) -> FloatArray:
    """Return the distance (k,) of the straight way from `a_km` to `b_km` (k, 3) from the origin."""
    way = b_km - a_km
    length2 = np.maximum(np.einsum("kc,kc->k", way, way), 1e-12)
    share = np.clip(-np.einsum("kc,kc->k", a_km, way) / length2, 0.0, 1.0)
    distance: FloatArray = np.linalg.norm(a_km + share[:, None] * way, axis=1)
    return distance
