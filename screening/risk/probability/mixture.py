"""The probability where errors are a mixture: quiet, of a tail, or displaced by a burn since the epoch."""

from collections.abc import Sequence

import numpy as np

from screening.orbits.timegrid import FloatArray
from screening.risk.geometry.encounter_plane import EncounterPlane
from screening.risk.probability.mixture_kernel import other_parts
from screening.risk.probability.tails import Tails


def weighted_sum(
    quiet: FloatArray,
    plane: EncounterPlane,
    states: Sequence[FloatArray],
    covariances_rtn: Sequence[FloatArray],
    tails: Sequence[Tails],
    radius_m: FloatArray,
) -> FloatArray:
    """Return the probabilities (n,) of encounters whose objects' errors are independent mixtures.

    quiet (n,) is the probability if both are quiet, found in any way; the other parts are integrated in the
    encounter plane, as their sigmas are wide. States are positions and velocities (n, 3) of the primary, then
    of the secondary, m and m/s; covariances_rtn those of the quiet parts in their own RTN, standard
    deviations (n, 3), m, or matrices (n, 3, 3), m2. In the tail all sigmas are larger by the tail's scale; a
    burn adds to the error in-track.
    """
    weights = np.stack([one.weights() for one in tails])
    others = np.zeros(len(quiet))
    other_parts(
        (plane.miss_major_m, plane.miss_minor_m),
        (plane.major_axis, plane.minor_axis),
        radius_m,
        tuple(map(np.ascontiguousarray, states)),
        *map(np.ascontiguousarray, covariances_rtn),
        weights,
        np.stack([one.tail_scale_rtn for one in tails]),
        np.stack([one.burn_in_track_m for one in tails]),
        others,
    )
    mixed: FloatArray = weights[0, :, 0] * weights[1, :, 0] * quiet + others
    return mixed
