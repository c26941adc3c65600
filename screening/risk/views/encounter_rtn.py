"""One encounter in space: positions, velocities and uncertainties in the primary's RTN at TCA.

The axes stand still: they are those of the primary at TCA, also for the path. The primary is at the origin.
"""

import numpy as np

from screening.orbits.reference.local_axes import rtn_axes
from screening.orbits.timegrid import FloatArray
from screening.orbits.trajectories import Paths
from screening.risk.geometry.two_body import orbital_period_s, propagate_two_body
from screening.risk.views.shapes import EncounterRtn, RelativePath

METRES_PER_KM = 1000.0
HALF_WIDTH_S = 5.0
POINTS_EACH_SIDE = 100  # of TCA: 0.05 s, in which two at 15 km/s come 750 m nearer


def encounter_rtn(
    states_teme_m: tuple[FloatArray, FloatArray],
    plane_axes_teme: FloatArray | None,
    covariances_teme_m2: tuple[FloatArray, FloatArray] | None,
    paths: tuple[Paths, Paths] | None,
) -> EncounterRtn:
    """Turn an encounter into the primary's RTN at TCA.

    States (6,) of primary and secondary at TCA, m and m/s; axes (3, 3) of the encounter plane as rows and
    position covariances (3, 3), in the frame of the states; paths through the states, whose spans start at
    TCA. Where these are None, or end within the time, two-body motion from the states stands in for them.
    """
    primary, secondary = states_teme_m
    axes = rtn_axes(primary[np.newaxis, :3], primary[np.newaxis, 3:])[0]
    relative = secondary - primary
    first, second = (
        (axes @ one @ axes.T for one in covariances_teme_m2) if covariances_teme_m2 else (None, None)
    )
    x, y, z = (None, None, None) if plane_axes_teme is None else plane_axes_teme @ axes.T
    combined = None if first is None or second is None else first + second
    path = _path(primary, secondary, paths, axes)
    velocities = axes @ relative[3:], axes @ primary[3:]
    return EncounterRtn(axes @ relative[:3], *velocities, x, y, z, first, second, combined, path)


def _path(
    primary: FloatArray, secondary: FloatArray, paths: tuple[Paths, Paths] | None, axes: FloatArray
) -> RelativePath | None:
    steps = np.arange(-POINTS_EACH_SIDE, POINTS_EACH_SIDE + 1.0)
    seconds = HALF_WIDTH_S / POINTS_EACH_SIDE * steps  # exactly 0 in the middle
    if paths is not None:
        first = np.zeros(len(seconds), np.int32)
        (_, r_km, _), (_, other_km, _) = (path.at(first, seconds) for path in paths)
        relative_m = (other_km - r_km) * METRES_PER_KM
        if np.isfinite(relative_m).all():
            return RelativePath(seconds, *(axes @ relative_m.T))
    if not np.isfinite([orbital_period_s(primary), orbital_period_s(secondary)]).all():
        return None
    moved = propagate_two_body(secondary, seconds) - propagate_two_body(primary, seconds)
    return RelativePath(seconds, *(axes @ moved[:, :3].T))
