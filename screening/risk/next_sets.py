"""How an encounter will be rated once newer element sets of its objects have come.

A new set moves the object by the error of the old one and its own, both as the laws have them: the laws are
fitted to differences of sets, so this is also how far one run is from the next.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from screening.orbits.reference.local_axes import rtn_axes
from screening.orbits.timegrid import FloatArray
from screening.risk.conjunctions import ConjunctionArray
from screening.risk.probability.tails import Tails
from screening.risk.score import METRES_PER_KM, probability_in_plane, states_in_rows, tails_in_rows
from screening.risk.tiers import UNKNOWN, CodeArray, probability_levels
from screening.risk.views.better_data import NextRating

DRAWS = 400
_MISSES_M = np.concatenate([[0.0], np.geomspace(10.0, 200e3, 87)])  # 12 % from one to the next
_BOTH = ("primary", "secondary")


class NewSet(NamedTuple):
    """The error of one object's next set at TCA."""

    sigma_rtn_m: FloatArray  # (1, 3), own RTN, quiet part
    tails: Tails  # (1,)


Sets = tuple[NewSet | None, NewSet | None]  # of the primary, of the secondary; None: the old one stays


def next_rating(event: ConjunctionArray, new: Sets) -> NextRating:
    """Rate a fast encounter (1,), CONJUNCTION_DTYPE, with new sets of its objects, in the encounter plane."""
    rng = np.random.default_rng(0)
    drawn = _with_errors(event, DRAWS, new)
    before = np.repeat(event, DRAWS)
    for side, who in enumerate(_BOTH):
        if new[side] is not None:
            moved_m = _error_m(rng, before, who) + _error_m(rng, drawn, who)
            r_m, v_m_s = states_in_rows(drawn)[2 * side : 2 * side + 2]
            _put(drawn, who, r_m + np.einsum("nij,ni->nj", rtn_axes(r_m, v_m_s), moved_m))
    then, now = _levels(drawn), event["probability_level"]
    falls, rises = _is_lower(then, now), then < now
    return NextRating(float(falls.mean()), float(rises.mean()), _falls_from_miss_m(event, new))


def _falls_from_miss_m(event: ConjunctionArray, new: Sets) -> float | None:
    rows = _with_errors(event, len(_MISSES_M), new)
    r_m, _, other_m, _ = states_in_rows(rows)
    miss_m = other_m - r_m
    length_m = np.linalg.norm(miss_m, axis=1, keepdims=True)
    if not length_m[0] > 0.0:
        return None
    _put(rows, "secondary", r_m + miss_m / length_m * _MISSES_M[:, np.newaxis])
    kept = np.flatnonzero(~_is_lower(_levels(rows), event["probability_level"]))
    first = kept[-1] + 1 if len(kept) else 0
    return float(_MISSES_M[first]) if first < len(_MISSES_M) else None


def _levels(rows: ConjunctionArray) -> CodeArray:
    return probability_levels(probability_in_plane(rows))


def _is_lower(then: CodeArray, now: CodeArray) -> npt.NDArray[np.bool_]:
    """Return which levels (n,) are lower than one (1,); unknown is not."""
    lower: npt.NDArray[np.bool_] = (then > now) & (then != UNKNOWN)
    return lower


def _with_errors(event: ConjunctionArray, count: int, new: Sets) -> ConjunctionArray:
    """Return an encounter so many times, with the errors of new sets."""
    rows = np.repeat(event, count)
    for who, one in zip(_BOTH, new, strict=True):
        if one is not None:
            for place, axis in enumerate("rtn"):
                rows[f"{who}_sigma_{axis}_m"] = one.sigma_rtn_m[:, place]
            for name in ("tail_share", "burn_share", "burn_in_track_m"):
                rows[f"{who}_{name}"] = getattr(one.tails, name)
    return rows


def _error_m(rng: np.random.Generator, rows: ConjunctionArray, who: str) -> FloatArray:
    """Draw errors (n, 3) of one object, own RTN."""
    tails = tails_in_rows(rows, who)
    sigma_m = np.stack([rows[f"{who}_sigma_{axis}_m"] for axis in "rtn"], axis=1)
    part = (rng.random(len(rows))[:, np.newaxis] > np.cumsum(tails.weights(), axis=1)[:, :2]).sum(axis=1)
    own_m = np.where((part == 1)[:, np.newaxis], sigma_m * tails.tail_scale_rtn, sigma_m)
    own_m[:, 1] = np.where(part == 2, np.hypot(sigma_m[:, 1], tails.burn_in_track_m), own_m[:, 1])
    drawn_m: FloatArray = rng.standard_normal(sigma_m.shape) * own_m
    return drawn_m


def _put(rows: ConjunctionArray, who: str, r_m: FloatArray) -> None:
    for axis, values in zip("xyz", r_m.T / METRES_PER_KM, strict=True):
        rows[f"{who}_{axis}_km"] = values
