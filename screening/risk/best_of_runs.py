"""The probability that counts for each encounter of a run, in three dimensions where it takes three."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from screening.errors import InputError
from screening.orbits.timegrid import FloatArray
from screening.risk.conjunctions import COVARIANCE_SOURCES, ENCOUNTERS, ConjunctionArray
from screening.risk.geometry.encounter_plane import BoolArray, EncounterPlane
from screening.risk.monte_carlo.three_dimensional import is_settled, monte_carlo_3d
from screening.risk.objects.state_errors import roots_rtn
from screening.risk.probability.choice import needs_three_dimensions
from screening.risk.probability.exact_2d import exact_2d
from screening.risk.probability.three_dimensional import are_neighbours, probability_3d
from screening.vocabulary import PROBABILITY_METHODS

# In the plane: of neighbours below, none on a day was above 1e-80 by whole trajectories.
NEVER = 1e-20
SEED = 1  # of the Monte Carlo, so that a run can be repeated
SAMPLES = 4_000  # at most: most settle to 2.5 % after hundreds

_METHOD = {method: np.int8(code) for code, method in enumerate(PROBABILITY_METHODS)}


def set_best(
    out: ConjunctionArray,
    plane: EncounterPlane,
    states: Sequence[FloatArray],
    covariances_rtn: Sequence[FloatArray],
    given: BoolArray,
) -> None:
    """Fill `probability_3d`, `probability_best` and `probability_method` of encounters (n,).

    States are positions and velocities (n, 3) of the primary, then of the secondary, m and m/s;
    covariances_rtn their positions' errors in their own RTN, as standard deviations (n, 3) or matrices (n, 3,
    3), m; `given` (n,) where both are known. Visits (`slow` encounters) get no probability.
    """
    out["probability_best"] = out["probability_2d"]
    out["probability_method"][np.isfinite(out["probability_2d"])] = _METHOD["2d"]
    rows, unchecked = _needs_three(out, plane, given, np.linalg.norm(states[1], axis=1))
    if len(rows) == 0:
        return
    r_primary_m, v_primary_m_s, r_secondary_m, v_secondary_m_s = (each[rows] for each in states)
    roots = roots_rtn([each[rows] for each in states], [each[rows] for each in covariances_rtn])
    radius_m = out["hard_body_radius_m"][rows]
    meetings = probability_3d(r_primary_m, v_primary_m_s, r_secondary_m, v_secondary_m_s, roots, radius_m)
    found = np.isfinite(meetings.probability)
    out["probability_3d"][rows] = meetings.probability
    # A fast encounter without a design point: what the plane gives bounds it no worse than nothing.
    out["probability_best"][rows] = np.where(found, meetings.probability, unchecked)
    out["probability_method"][rows] = np.where(found, _METHOD["3d"], _METHOD["bound"])
    for place in np.flatnonzero(~found & (unchecked > NEVER)):
        if are_neighbours(v_primary_m_s[place], v_secondary_m_s[place]):
            both = np.concatenate([each[rows[place]] for each in states]).reshape(2, 6)
            _sample(out, rows[place], both, roots[place])


def _sample(out: ConjunctionArray, row: np.intp, states: FloatArray, root_rtn: FloatArray) -> None:
    """Let the Monte Carlo of neighbours that stay together for long count, where it settles."""
    try:
        one = monte_carlo_3d(states, root_rtn, float(out["hard_body_radius_m"][row]), SEED, SAMPLES)
    except InputError:  # what the plane gives stays the bound
        return
    if is_settled(one.probability, one.low, one.high):
        out["probability_best"][row], out["probability_method"][row] = (
            one.probability,
            _METHOD["trajectory_mc"],
        )
    else:
        out["probability_best"][row] = max(one.high, out["probability_best"][row])


def _needs_three(
    out: ConjunctionArray, plane: EncounterPlane, given: BoolArray, speed_m_s: FloatArray
) -> tuple[npt.NDArray[np.intp], FloatArray]:
    """Return the rows (k,) for which two dimensions are not enough, and what they would give."""
    measured = np.zeros(len(out), np.bool_)
    for who in ("primary", "secondary"):
        measured |= out[f"{who}_covariance_source"] == COVARIANCE_SOURCES.index("trajectory")
    fast = out["encounter"] == ENCOUNTERS.index("fast")
    flagged = out["probability_flag"] != 0
    rows = np.flatnonzero(flagged & fast & given & plane.positive_definite)
    in_plane = out["probability_2d"][rows]
    none = np.isnan(in_plane)
    in_plane[none] = _unchecked(plane, rows[none], out["hard_body_radius_m"][rows[none]])
    ratio = plane.relative_speed_m_s[rows] / speed_m_s[rows]
    needed = needs_three_dimensions(out["probability_flag"][rows], in_plane, measured[rows], ratio)
    return rows[needed], in_plane[needed]


def _unchecked(plane: EncounterPlane, rows: npt.NDArray[np.intp], radius_m: FloatArray) -> FloatArray:
    here = plane.of(rows)
    return exact_2d(here.miss_major_m, here.miss_minor_m, here.sigma_major_m, here.sigma_minor_m, radius_m)[0]
