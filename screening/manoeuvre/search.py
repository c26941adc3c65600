"""Search for the cheapest burn that avoids an encounter, and that leads into no other.

trade space  burns of all sizes along the track, at times from half an hour to three days before TCA
cheapest     the smallest burns that bring the probability under the goal, at the best phases
verified     each on its whole path, screened against the whole catalogue over the days after
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from screening.errors import InputError
from screening.manoeuvre.cheapest import SufficientBurn, cheapest, smallest_by_time
from screening.manoeuvre.course import NoEncounter, course_of, encounter_again
from screening.manoeuvre.displaced_path import OutOfReach, axis_change_m
from screening.manoeuvre.displacement import displacements
from screening.manoeuvre.execution import PROBES_KM_S, Execution
from screening.manoeuvre.impulse import Impulse, latest_s
from screening.manoeuvre.rescreen import (
    Catalogue,
    Change,
    after_burns,
    changes,
    encounters_of,
    probabilities_of,
)
from screening.manoeuvre.steps import Step, Tell, tell_nobody
from screening.manoeuvre.trade_space import Course, Outcomes, along, outcomes
from screening.orbits.ephemerides import Ephemeris
from screening.orbits.reference.local_axes import rtn_axes
from screening.orbits.timegrid import FloatArray
from screening.risk.conjunctions import ConjunctionArray
from screening.risk.geometry.encounter_plane import encounter_plane
from screening.risk.geometry.rtn import rtn_covariance_to_inertial

# The direction in which a small burn of given size helps most.

_M_PER_KM = 1000.0

_ROUNDS = 200


def best_direction(response: FloatArray, miss: FloatArray, covariance: FloatArray, size: float) -> FloatArray:
    """Return the delta-v (3,) of given size that makes a miss in the encounter plane least likely to hit.

    It maximises b' C^-1 b, the squared miss in sigmas, of b = miss (2,) + response (2, 3) dv: a quadratic on
    a sphere, whose maximum is where (s I - A) dv = g with s at or above the largest eigenvalue of A (More &
    Sorensen 1983, "Computing a trust region step"; for collision avoidance Bombardelli & Hernando-Ayuso
    2015). Any units that agree. Of two directions that are equally good the one with a positive in-track
    component is returned.
    """
    inverse = np.linalg.inv(covariance)
    a = response.T @ inverse @ response
    g = response.T @ inverse @ miss
    values, vectors = np.linalg.eigh(a)
    along = vectors.T @ g
    # The length of (s I - A)^-1 g falls from s = the largest eigenvalue on.
    top = float(values[-1])
    scale = max(top, float(np.linalg.norm(g)) / size, np.finfo(float).tiny)
    low, high = np.finfo(float).eps * scale, 2.0 * float(np.linalg.norm(g)) / size + scale  # s - top
    for _ in range(_ROUNDS):
        middle = 0.5 * (low + high)
        longer = np.linalg.norm(along / (top - values + middle)) > size
        low, high = (middle, high) if longer else (low, middle)
    dv: FloatArray = vectors @ (along / (top - values + high))
    short = size**2 - float(dv @ dv)
    if short > 1e-12 * size**2:  # the miss gives no direction along the best axis: either end of it
        axis = vectors[:, -1]
        dv = dv + np.sqrt(short) * (axis if axis[1] >= 0.0 else -axis)
    return dv


def steered(course: Course, one: SufficientBurn, execution: Execution) -> SufficientBurn:
    """Return the burn of the same size at the same time whose direction makes a collision least likely."""
    index = np.full(2, course.moved, np.int32)
    _, r_km, v_km_s = course.paths.at(index, np.array([course.tca_s - one.before_tca_s, course.tca_s]))
    after_s = np.array([[one.before_tca_s]])
    shifts_rtn = displacements(r_km[:1], v_km_s[:1], PROBES_KM_S[None], after_s)[0, :, 0, :3]
    per_m_s = shifts_rtn @ rtn_axes(r_km[1:], v_km_s[1:])[0] / PROBES_KM_S[0, 0]  # m, TEME, a row a burn
    r_m, v_m_s = r_km[1:] * _M_PER_KM, v_km_s[1:] * _M_PER_KM
    other_r_m, other_v_m_s = (part[None] * _M_PER_KM for part in (course.other[:3], course.other[3:]))
    plane = encounter_plane(
        r_m,
        v_m_s,
        other_r_m,
        other_v_m_s,
        rtn_covariance_to_inertial(course.moved_rtn_m2[None], r_m, v_m_s),
        rtn_covariance_to_inertial(course.other_rtn_m2[None], other_r_m, other_v_m_s),
    )
    axes = np.stack([plane.major_axis[0], plane.minor_axis[0]])
    miss_m = np.array([plane.miss_major_m[0], plane.miss_minor_m[0]])
    covariance_m2 = np.diag([plane.sigma_major_m[0] ** 2, plane.sigma_minor_m[0] ** 2])
    dv_rtn_m_s = best_direction(-axes @ per_m_s.T, miss_m, covariance_m2, one.size_m_s)
    made = outcomes(course, np.array([one.before_tca_s]), dv_rtn_m_s[None, None], execution)
    first, second, third = dv_rtn_m_s.tolist()
    return SufficientBurn(
        one.before_tca_s,
        (first, second, third),
        float(made.miss_distance_m[0, 0]),
        float(made.probability[0, 0]),
    )


EARLIEST_H, LATEST_H = 72.0, 0.5  # before TCA
LEAD_H = 0.25  # from the window's start to the first burn: what is found must be checked and sent before
TIMES, SIZES = 60, 41
SMALLEST_M_S, LARGEST_M_S = 1e-3, 1.0
CANDIDATES = 9  # that are screened against everything, beside the last burn in time and the smallest
SMALLEST_OF_A_SIGN = 2  # among them, forwards and backwards
LARGER = (1.5, 2.5, 4.0)  # times the cheapest
_MARGIN = 0.98  # of the goal: on the whole path the probability is another by less
_MARGIN_UNSCREENED = 0.95  # of burns that nothing checks: just before TCA it was up to 2.6 % larger
RADIAL, IN_TRACK, CROSS_TRACK = range(3)
_AXES = {IN_TRACK: "along the track", RADIAL: "radially", CROSS_TRACK: "across the orbit"}


class Verified(NamedTuple):
    """Burns, and what they change, on whole paths against the whole catalogue."""

    burns: tuple[Impulse, ...]
    path: Ephemeris  # from the first burn on
    encounter: ConjunctionArray | None  # (1,) the one to avoid, after the burns; None: they no longer meet
    others: ConjunctionArray  # (m,) all of the object after the burns
    changes: list[Change]  # from all before to all after
    axis_change_m: float  # of the osculating semi-major axis, by all burns
    problem: str  # why it is not known; empty: it is

    def avoids(self, goal: float) -> bool:
        """Return whether the probability of the encounter is under a goal after the burns."""
        if self.problem:
            return False
        return self.encounter is None or bool(probabilities_of(self.encounter)[0] < goal)

    def raised(self, before: ConjunctionArray, goal: float) -> list[Change]:
        """Return the encounters that the burns bring to the goal or above it."""
        was, becomes = probabilities_of(before), probabilities_of(self.others)
        return [
            one
            for one in self.changes
            if one.after >= 0
            and becomes[one.after] >= goal
            and not (one.before >= 0 and was[one.before] >= goal)
        ]


class Found(NamedTuple):
    """The result of a search."""

    space: Outcomes  # in-track
    by_time: list[SufficientBurn]  # in-track: the smallest at each time of the space, the latest first
    latest_s: float  # before TCA: a burn must be no later, if there is time
    period_s: float  # of the object that burns
    candidates: list[
        Verified
    ]  # cheapest first; of `by_time` the last in time and the smallest are among them
    candidate_miss_m: FloatArray  # (n, 2) of each in the plane, as in the space
    best: Verified | None  # the cheapest that raises nothing else; None: there is none
    radial: SufficientBurn | None  # for comparison, not verified
    cross_track: SufficientBurn | None
    steered: SufficientBurn | None  # the cheapest in-track one, turned into the best direction


class NothingToAvoid(InputError):
    """The probability is under the goal without any burn."""


def grid(earliest_h: float, latest_burn_s: float) -> tuple[FloatArray, FloatArray]:
    """Return the times before TCA (TIMES,), s, and the sizes (SIZES,), m/s, of the trade space.

    One of the times is that of the latest burn, if it is among them.
    """
    steps = np.geomspace(SMALLEST_M_S, LARGEST_M_S, SIZES // 2)
    sizes = np.concatenate([-steps[::-1], [0.0], steps])
    times = np.geomspace(LATEST_H, earliest_h, TIMES) * 3600.0
    if times[0] < latest_burn_s < times[-1]:
        times[np.abs(times - latest_burn_s).argmin()] = latest_burn_s
    return times, sizes


def _latest_s(course: Course) -> float:
    _, r_km, v_km_s = course.paths.at(np.full(1, course.moved, np.int32), np.array([course.tca_s]))
    return latest_s(np.concatenate([r_km[0], v_km_s[0]]) * _M_PER_KM)


def trade_space(course: Course, earliest_h: float, execution: Execution) -> Outcomes:
    """Return what burns along the track make of an encounter."""
    before_s, sizes = grid(earliest_h, _latest_s(course))
    return outcomes(course, before_s, along(IN_TRACK, sizes, len(before_s)), execution)


def verify(
    catalogue: Catalogue,
    before: ConjunctionArray,
    encounter: ConjunctionArray,
    places: tuple[int, int],
    burns: Sequence[Impulse],
    execution: Execution,
    threshold_km: float,
) -> Verified:
    """Return what burns of an object change over the catalogue's window.

    `before`: all its encounters without them; `encounter` (1,): the one to avoid, of the objects at `places`,
    the one that burns first. A burn that cannot be computed has its reason in `problem`.
    """
    moved, other = places
    try:
        changed, path = after_burns(catalogue, moved, burns, execution)
    except OutOfReach as error:
        return Verified(tuple(burns), Ephemeris(0, "", "", ()), None, before[:0], [], np.nan, str(error))
    try:
        again = encounter_again(changed, moved, other, encounter["tca"][0])
    except NoEncounter:
        again = None
    others = encounters_of(changed, moved, threshold_km)
    change_m = axis_change_m(catalogue.paths.paths, moved, burns)
    return Verified(tuple(burns), path, again, others, changes(before, others), change_m, "")


class Wanted(NamedTuple):
    """What a search is to reach."""

    goal: float  # probability under which an encounter is to be, and all others too
    execution: Execution
    threshold_km: float  # of the encounters that count
    period_s: float  # of the object that burns


def search(
    catalogue: Catalogue,
    before: ConjunctionArray,
    encounter: ConjunctionArray,
    places: tuple[int, int],
    wanted: Wanted,
    tell: Tell = tell_nobody,
) -> Found:
    """Search for the cheapest burn along the track that brings an encounter under a goal, and no other above.

    The catalogue's window begins when a burn may be first; arguments as in `verify`. `tell` is called
    before each step of the work, and may raise.

    Raises NothingToAvoid, and InputError if the encounter has no probability or is too near.
    """
    goal, execution = wanted.goal, wanted.execution
    course = course_of(catalogue, places[0], encounter)
    now = probabilities_of(encounter)[0]
    if np.isnan(now):
        raise InputError(
            "The encounter has no probability (it is slow, or a covariance is missing), so there is no goal "
            "to search for; give a burn instead, and compare the miss distances."
        )
    if now < goal:
        raise NothingToAvoid(f"The probability is {now:.3g}, under the goal of {goal:g}: no burn is needed.")
    left_h = course.tca_s / 3600.0
    earliest_h = min(EARLIEST_H, left_h - LEAD_H)
    if earliest_h <= LATEST_H:
        raise InputError(
            f"TCA is in {left_h * 60.0:.0f} minutes: a search needs more than "
            f"{(LATEST_H + LEAD_H) * 60.0:.0f}, for burns up to {LATEST_H:g} h before TCA."
        )
    space = trade_space(course, earliest_h, execution)
    compared: dict[int, list[SufficientBurn]] = {}
    for axis, direction in _AXES.items():
        tell(Step(len(compared), len(_AXES) + CANDIDATES + 1, f"computing burns {direction}"))
        before_s, sizes = grid(earliest_h, _latest_s(course))
        tried = (
            space if axis == IN_TRACK else outcomes(course, before_s, along(axis, sizes, TIMES), execution)
        )
        compared[axis] = cheapest(course, tried, axis, _MARGIN * goal, execution, wanted.period_s)
    chosen = _candidates(compared[IN_TRACK], wanted.period_s)
    by_time = smallest_by_time(course, space, IN_TRACK, _MARGIN_UNSCREENED * goal, execution)
    in_time = [one for one in by_time if one.before_tca_s >= _latest_s(course)] or by_time
    waiting = [*in_time[:1], *sorted(in_time, key=lambda one: one.size_m_s)[:1]]  # the last, the smallest
    burns_t = sorted({*chosen, *((one.before_tca_s, one.dv_rtn_m_s[1]) for one in waiting)}, key=_size)
    candidates: list[Verified] = []
    for i, (before_tca_s, dv_t_m_s) in enumerate(burns_t):
        words = f"screening burn {i + 1} of {len(burns_t)} against everything"
        tell(Step(len(_AXES) + i, len(_AXES) + len(burns_t), words))
        burn = Impulse(instant_before(encounter["tca"][0], before_tca_s), (0.0, dv_t_m_s, 0.0))
        candidates.append(
            verify(catalogue, before, encounter, places, [burn], execution, wanted.threshold_km)
        )
    before_s = np.array([before_tca_s for before_tca_s, _ in burns_t])
    burns = np.array([(0.0, dv_t_m_s, 0.0) for _, dv_t_m_s in burns_t]).reshape(-1, 1, 3)
    in_plane = outcomes(course, before_s, burns, execution).miss_plane_m[:, 0] if burns_t else burns[:, 0, :2]
    good = (one for one in candidates if one.avoids(goal) and not one.raised(before, goal))
    return Found(
        space,
        by_time,
        _latest_s(course),
        wanted.period_s,
        candidates,
        in_plane,
        next(good, None),
        next(iter(compared[RADIAL]), None),
        next(iter(compared[CROSS_TRACK]), None),
        steered(course, compared[IN_TRACK][0], execution) if compared[IN_TRACK] else None,
    )


def _candidates(found: Sequence[SufficientBurn], period_s: float) -> list[tuple[float, float]]:
    """Return burns to verify, the smallest first: seconds before TCA, and the delta-v along the track.

    The cheapest are alike, and may all lead into the same other encounter. So there are some of both signs,
    and larger ones at the best time of each.
    """
    signs = [_apart([one for one in found if one.dv_rtn_m_s[1] * sign > 0.0], period_s) for sign in (1, -1)]
    chosen = [
        (one.before_tca_s, one.dv_rtn_m_s[1] * factor)
        for apart in signs
        for one, factor in (
            *((one, 1.0) for one in apart[:SMALLEST_OF_A_SIGN]),
            *((one, factor) for one in apart[:1] for factor in LARGER),
        )
    ]
    more = [(one.before_tca_s, one.dv_rtn_m_s[1]) for apart in signs for one in apart[SMALLEST_OF_A_SIGN:]]
    in_reach = [one for one in chosen if abs(one[1]) <= LARGEST_M_S]
    left = max(0, CANDIDATES - len(in_reach))
    return sorted([*in_reach, *sorted(more, key=_size)[:left]], key=_size)[:CANDIDATES]


def _size(burn: tuple[float, float]) -> float:
    return abs(burn[1])


def _apart(found: Sequence[SufficientBurn], period_s: float) -> list[SufficientBurn]:
    """Return burns, cheapest first, that differ by an eighth of a revolution or more."""
    chosen: list[SufficientBurn] = []
    for one in found:
        if all(abs(one.before_tca_s - other.before_tca_s) >= period_s / 8.0 for other in chosen):
            chosen.append(one)
    return chosen


def instant_before(tca: np.datetime64, before_s: float) -> np.datetime64:
    """Return the instant some seconds before TCA, to the microsecond."""
    instant: np.datetime64 = tca - np.timedelta64(round(before_s * 1e6), "us")
    return instant
