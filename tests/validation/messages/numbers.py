"""All numbers of a conjunction data message that scoring uses, in one row."""

import numpy as np

from screening.orbits.timegrid import FloatArray
from screening.risk.messages.message import ConjunctionMessage, MessageObject


def numbers_of(message: ConjunctionMessage) -> FloatArray:
    """Return radius, claims, states, covariances and drag errors; NaN: not given."""
    return np.concatenate(
        [
            [message.hard_body_radius_m, message.miss_distance_m, message.relative_speed_m_s],
            [message.probability],
            message.relative_position_rtn_m,
            message.relative_velocity_rtn_m_s,
            _of_object(message.primary),
            _of_object(message.secondary),
        ]
    )


def differing(one: ConjunctionMessage, other: ConjunctionMessage) -> int:
    """Count the numbers that two messages do not share, bit by bit."""
    first, second = numbers_of(one), numbers_of(other)
    if first.shape != second.shape:
        return max(len(first), len(second))
    return int(np.count_nonzero(~((first == second) | (np.isnan(first) & np.isnan(second)))))


def contradicting(one: ConjunctionMessage, other: ConjunctionMessage) -> tuple[int, int]:
    """Count the numbers that two messages both give, and those of them that differ."""
    first, second = numbers_of(one), numbers_of(other)
    if first.shape != second.shape:
        return (shorter := min(len(first), len(second))), shorter
    both = ~(np.isnan(first) | np.isnan(second))
    return int(np.count_nonzero(both)), int(np.count_nonzero(both & (first != second)))


def _of_object(each: MessageObject) -> FloatArray:
    covariance = np.empty(0) if each.covariance_rtn is None else each.covariance_rtn.ravel()
    given = (each.r_m, each.v_m_s, each.drag_error_rtn, [each.hard_body_radius_m], covariance)
    return np.concatenate([np.asarray(one, np.float64) for one in given])
