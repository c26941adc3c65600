"""What burns of any size at any time before an encounter make of it: the trade space, and the cheapest burn.

Every point is a flight of its own, not a linear map: at 1 m/s a map is 2 % off after a day. The probability
has the errors of both objects at TCA, and those of the burn itself.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from screening.manoeuvre.displacement import displacements
from screening.manoeuvre.execution import PROBES_KM_S, Execution, execution_covariances
from screening.manoeuvre.shifted_encounter import M_PER_KM, in_plane_m, probabilities, shifted
from screening.orbits.reference.local_axes import rtn_axes
from screening.orbits.timegrid import FloatArray
from screening.orbits.trajectories import Paths
from screening.risk.probability.tails import Tails


class Course(NamedTuple):
    """An encounter that one of its objects may avoid; states in km and km/s, TEME."""

    paths: Paths  # in which `moved` is the object that burns
    moved: int
    tca_s: float  # from the start of the paths' window
    other: FloatArray  # (6,) the other object at TCA
    moved_rtn_m2: FloatArray  # (3, 3) errors of position at TCA, own RTN
    other_rtn_m2: FloatArray  # (3, 3)
    tails: tuple[Tails, Tails]  # (1,) of both errors
    radius_m: float  # combined hard-body radius


class Outcomes(NamedTuple):
    """The encounter after burns; NaN where the object's path is not known, or the two no longer meet."""

    before_tca_s: FloatArray  # (n,) of the burns
    dv_rtn_m_s: FloatArray  # (n, m, 3)
    later_s: FloatArray  # (n, m) how much later TCA is
    miss_distance_m: FloatArray  # (n, m)
    miss_plane_m: FloatArray  # (n, m, 2) across and up, as `in_plane_m` has it
    probability: FloatArray  # (n, m)


def outcomes(
    course: Course, before_tca_s: FloatArray, dv_rtn_m_s: FloatArray, execution: Execution
) -> Outcomes:
    """Return what burns (n, m, 3) at n times before TCA make of an encounter."""
    n, m = dv_rtn_m_s.shape[:2]
    start_r, start_v, known = _states(course, course.tca_s - before_tca_s)
    index = np.full(1, course.moved, np.int32)
    error, r_km, v_km_s = course.paths.at(index, np.array([course.tca_s]))
    assert not error.any(), "both objects of the encounter have a path"
    axes = rtn_axes(r_km, v_km_s)[0]
    probes = np.broadcast_to(PROBES_KM_S, (n, 3, 3))
    burns = np.concatenate([dv_rtn_m_s / M_PER_KM, probes], axis=1)
    shift = np.full((n, m + 3, 6), np.nan)
    shift[known] = displacements(start_r, start_v, burns[known], before_tca_s[known, None])[:, :, 0]
    moved = np.concatenate([r_km[0], v_km_s[0]]) + np.concatenate(
        [shift[:, :m, :3] @ axes, shift[:, :m, 3:] @ axes], axis=-1
    )
    other = np.broadcast_to(course.other, (n * m, 6))
    found = shifted(moved.reshape(-1, 6), other)
    of_burn = execution_covariances(
        dv_rtn_m_s, shift[:, :m, :3] * M_PER_KM, shift[:, None, m:, :3] * M_PER_KM, execution
    )
    errors = course.moved_rtn_m2 + of_burn
    covariances_rtn_m2 = (errors.reshape(-1, 3, 3), course.other_rtn_m2)
    probability = probabilities(found, covariances_rtn_m2, course.tails, course.radius_m)
    shape = (n, m)
    return Outcomes(
        before_tca_s,
        dv_rtn_m_s,
        found.later_s.reshape(shape),
        found.miss_km.reshape(shape) * M_PER_KM,
        in_plane_m(found).reshape(*shape, 2),
        probability.reshape(shape),
    )


def in_track(sizes_m_s: FloatArray, count: int) -> FloatArray:
    """Return burns (count, m, 3) along the track, forwards and, with a minus, backwards."""
    return along(1, sizes_m_s, count)


def along(axis: int, sizes_m_s: FloatArray, count: int) -> FloatArray:
    """Return burns (count, m, 3) along one of the axes R, T, N."""
    burns = np.zeros((count, len(sizes_m_s), 3))
    burns[:, :, axis] = sizes_m_s
    return burns


def _states(course: Course, times_s: FloatArray) -> tuple[FloatArray, FloatArray, npt.NDArray[np.bool_]]:
    """Return the states of the object that burns at known ones of some times (n,), and which are known."""
    index = np.full(len(times_s), course.moved, np.int32)
    error, r_km, v_km_s = course.paths.at(index, times_s)
    known: npt.NDArray[np.bool_] = error == 0
    return r_km[known], v_km_s[known], known
