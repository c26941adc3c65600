"""How far drag has moved an object since its epoch, as SGP4 has it: in closed form, for many objects."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from screening.orbits.elements import ElementArray
from screening.orbits.sgp4.near_earth import (
    T2COF,
    T3COF,
    T4COF,
    T5COF,
    is_near_earth,
    secular_coefficients,
)
from screening.orbits.timegrid import FloatArray

_MINUTES_PER_DAY = 1440.0
_SECONDS_PER_MINUTE = 60.0


class DragLag(NamedTuple):
    """The time by which drag puts objects (n,) ahead of where they would be without it."""

    seconds_per_day_power: FloatArray  # (4, n), of days squared, cubed, to the fourth and the fifth power

    def seconds(self, index: npt.NDArray[np.integer], age_days: FloatArray) -> FloatArray:
        """Return by how much (k,) objects `index` (k,) are moved at ages (k,), s, as a size.

        Of the polynomial and its first term the larger: before the epoch, and for a negative drag term, the
        terms cancel each other, which says nothing of what is known.
        """
        second, third, fourth, fifth = self.seconds_per_day_power.take(index, axis=1)
        quadratic = second * age_days**2
        whole = age_days**2 * (second + age_days * (third + age_days * (fourth + age_days * fifth)))
        moved: FloatArray = np.maximum(np.abs(whole), np.abs(quadratic))
        return moved


def drag_lag(elements: ElementArray) -> DragLag:
    """Return how drag moves element sets (n,) along their orbits: 30 ms for 27,000 of them.

    SGP4 adds its drag to the mean longitude as the mean motion times a polynomial of time, templ in Vallado
    et al. (2006); so that is a time, whatever the orbit. Deep-space sets have its first term alone. A set
    whose drag term is not a number has none.
    """
    with np.errstate(all="ignore"):
        coefficients = secular_coefficients(elements)[[T2COF, T3COF, T4COF, T5COF]]
        coefficients[1:, ~is_near_earth(elements)] = 0.0
    powers = _MINUTES_PER_DAY ** np.arange(2, 6)
    seconds = coefficients * powers[:, np.newaxis] * _SECONDS_PER_MINUTE
    return DragLag(np.nan_to_num(seconds, nan=0.0, posinf=0.0, neginf=0.0))
