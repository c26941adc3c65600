"""The cheapest burn that brings the probability of an encounter under a goal."""

from typing import NamedTuple

import numpy as np

from screening.manoeuvre.execution import Execution
from screening.manoeuvre.trade_space import Course, Outcomes, along, outcomes
from screening.orbits.timegrid import FloatArray

# Around a good time other phases of the revolution are tried.
_PHASES = 24
_ROUNDS = 12  # of bisection: to a ten-thousandth of the size, since sizes tried are 1.4 times apart
_REFINED = 6  # of the best times


class SufficientBurn(NamedTuple):
    """A burn that brings the encounter under the goal."""

    before_tca_s: float
    dv_rtn_m_s: tuple[float, float, float]
    miss_distance_m: float
    probability: float

    @property
    def size_m_s(self) -> float:
        """The size of the burn."""
        return float(np.linalg.norm(self.dv_rtn_m_s))


def cheapest(
    course: Course, space: Outcomes, axis: int, goal: float, execution: Execution, period_s: float
) -> list[SufficientBurn]:
    """Return the cheapest burns along one axis that bring the probability under a goal, cheapest first.

    `space` holds burns along that axis at the times between which it is searched; around the best of them the
    phases of a revolution are tried too, since it is these that decide what a burn displaces. At most one
    burn a time; empty if none of that size is enough.
    """
    sizes = space.dv_rtn_m_s[0, :, axis]
    coarse = _enough(space.before_tca_s, sizes, space.probability, goal)
    best = [before for before, _, _ in sorted(coarse, key=lambda one: abs(one[2]))[:_REFINED]]
    low, high = float(space.before_tca_s.min()), float(space.before_tca_s.max())
    phases_s = np.linspace(-0.5, 0.5, _PHASES, endpoint=False) * period_s
    around = np.add.outer(np.array(best), phases_s).ravel()
    times = np.unique(around[(around >= low) & (around <= high)])
    if len(times) == 0:
        return []
    finer = outcomes(course, times, along(axis, sizes, len(times)), execution)
    brackets = _enough(times, sizes, finer.probability, goal)
    found = _bisected(course, brackets, axis, goal, execution)
    return sorted(found, key=lambda one: one.size_m_s)


def smallest_by_time(
    course: Course, space: Outcomes, axis: int, goal: float, execution: Execution
) -> list[SufficientBurn]:
    """Return the smallest burn along one axis that is enough at each time of `space`, the latest first.

    Forwards or backwards, whichever is smaller; a time at which none is enough is left out.
    """
    brackets = _enough(space.before_tca_s, space.dv_rtn_m_s[0, :, axis], space.probability, goal)
    found = _bisected(course, brackets, axis, goal, execution)
    smallest = {one.before_tca_s: one for one in sorted(found, key=lambda one: -one.size_m_s)}
    return [smallest[time_s] for time_s in sorted(smallest)]


def _enough(
    before_s: FloatArray, sizes: FloatArray, probability: FloatArray, goal: float
) -> list[tuple[float, float, float]]:
    """Return brackets: a time, the last size from 0 that is too little, and the next, which is enough."""
    brackets = []
    for sign in (-1.0, 1.0):
        ordered = np.flatnonzero(sizes * sign > 0)
        ordered = ordered[np.argsort(np.abs(sizes[ordered]))]
        enough = probability[:, ordered] < goal
        for row in np.flatnonzero(enough.any(axis=1)):
            first = int(np.argmax(enough[row]))
            too_little = 0.0 if first == 0 else float(sizes[ordered[first - 1]])
            brackets.append((float(before_s[row]), too_little, float(sizes[ordered[first]])))
    return brackets


def _bisected(
    course: Course,
    brackets: list[tuple[float, float, float]],
    axis: int,
    goal: float,
    execution: Execution,
) -> list[SufficientBurn]:
    """Return the smallest burns within brackets of a time, a size too small and one that is enough."""
    if not brackets:
        return []
    before_s, little, enough = np.array(brackets).T
    for _ in range(_ROUNDS):
        middle = 0.5 * (little + enough)
        tried = outcomes(course, before_s, _each(axis, middle), execution)
        is_enough = tried.probability[:, 0] < goal
        enough, little = np.where(is_enough, middle, enough), np.where(is_enough, little, middle)
    last = outcomes(course, before_s, _each(axis, enough), execution)
    return [
        SufficientBurn(float(t), tuple(dv.tolist()), float(miss), float(p))
        for t, dv, miss, p in zip(
            before_s, last.dv_rtn_m_s[:, 0], last.miss_distance_m[:, 0], last.probability[:, 0], strict=True
        )
    ]


def _each(axis: int, sizes: FloatArray) -> FloatArray:
    """Return one burn (n, 1, 3) a time."""
    burns = np.zeros((len(sizes), 1, 3))
    burns[:, 0, axis] = sizes
    return burns
