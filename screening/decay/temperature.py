"""The temperature of the thermosphere, read from the sky: how fast the spent stages of a catalogue decay."""

import numpy as np

from screening.decay.atmosphere import season
from screening.decay.life import Orbits, losses
from screening.orbits.timegrid import FloatArray

LEAST_KELVIN, MOST_KELVIN = 650.0, 1300.0
WITHOUT_STAGES_KELVIN = 900.0  # between a quiet and an active Sun
FEWEST_STAGES = 20
_LOWEST_KM, _HIGHEST_KM = 450.0, 600.0  # of perigees: drag there is ten times larger when the Sun is active
_MOST_ECCENTRIC = 0.05
# Median of ln B of stages there, 1 m2/kg: 0.0077.
_LOG_FACTOR = -4.87
# Temperatures that fit decays change less than such that fit the density: the state at 120 km changes, too.
_QUIET_KELVIN, _SHARE = 770.0, 0.7
_KELVIN = np.arange(600.0, 1651.0, 150.0)


def temperature_kelvin(
    orbits: Orbits, mean_motion_rev_day: FloatArray, rate_rev_day2: FloatArray, day_of_year: FloatArray
) -> float:
    """Return the exospheric temperature that makes spent stages (n,) of low orbits as heavy as they are.

    Their median ballistic factor is the same in every catalogue; the density at their height is not.
    `rate_rev_day2`: how fast the mean motions grow, as their sets say. With few stages the temperature is
    WITHOUT_STAGES_KELVIN.
    """
    low = (orbits.perigee_km > _LOWEST_KM) & (orbits.perigee_km < _HIGHEST_KM)
    some = np.flatnonzero(low & (orbits.eccentricity < _MOST_ECCENTRIC) & (rate_rev_day2 > 0.0))
    if len(some) < FEWEST_STAGES:
        return WITHOUT_STAGES_KELVIN
    those = Orbits(*(values[some] for values in orbits))
    known = np.log(rate_rev_day2[some]) - season(day_of_year[some], those.perigee_km)
    factors = []
    for kelvin in _KELVIN:
        lost = losses(those, kelvin)
        unit = 1.5 * mean_motion_rev_day[some] * lost.axis_km_day / lost.axis_km
        factors.append(np.median(known - np.log(unit)))
    dense = float(np.interp(-_LOG_FACTOR, -np.array(factors), _KELVIN))
    return float(np.clip(_QUIET_KELVIN + _SHARE * (dense - _QUIET_KELVIN), LEAST_KELVIN, MOST_KELVIN))
