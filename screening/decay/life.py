"""The life of an orbit in an atmosphere: how fast it decays, and how much of it is left.

Both are for a unit of the ballistic factor B = Cd A / m, 1 m2/kg. A real orbit decays B times as fast, for
1/B of the time, so time left = life x unit rate / measured rate: no density and no B needs to be known, only
how density falls with height. Rates are means over a revolution (King-Hele 1987, Satellite Orbits in an
Atmosphere, chapter 4, without the rotation of the atmosphere), integrated over the eccentric anomaly.
"""

from typing import NamedTuple, Self

import numpy as np
import numpy.typing as npt

from screening.decay.atmosphere import density_kg_m3
from screening.orbits.gravity import EARTH_RADIUS_KM, MU_KM3_S2
from screening.orbits.timegrid import SECONDS_PER_DAY, FloatArray

BOTTOM_KM = 100.0  # no orbit passes it
HIGHEST_KM = 1000.0  # of a perigee
CIRCULAR, MOST_ECCENTRIC = 1e-3, 0.95
_HEIGHTS_KM = np.concatenate(
    [np.arange(102.0, 200.0, 4.0), np.arange(200.0, 400.0, 10.0), np.arange(400.0, 1001.0, 25.0)]
)
_LOG_E = np.log(np.geomspace(CIRCULAR, MOST_ECCENTRIC, 48))
_STEPS = 4  # from one eccentricity to the next
_FINE_KM = 0.5
_POINTS = 32
# Half a revolution from perigee, where the density is: points close together there.
_PART = (np.arange(_POINTS) + 0.5) / _POINTS
_COSINE = np.cos(np.pi * _PART**2)
_WEIGHT = 2.0 * _PART / _POINTS


class Orbits(NamedTuple):
    """Orbits (n,) as drag sees them."""

    perigee_km: FloatArray
    eccentricity: FloatArray

    @classmethod
    def of(cls, mean_motion_rev_day: FloatArray, eccentricity: FloatArray) -> Self:
        """Return the orbits of mean elements, within the limits of the table of lives."""
        turns_rad_s = mean_motion_rev_day * 2.0 * np.pi / SECONDS_PER_DAY
        axis_km = np.cbrt(MU_KM3_S2 / turns_rad_s**2)
        perigee_km = axis_km * (1.0 - eccentricity) - EARTH_RADIUS_KM
        return cls(perigee_km, np.clip(eccentricity, CIRCULAR, MOST_ECCENTRIC))


class Losses(NamedTuple):
    """What orbits lose, for 1 m2/kg."""

    axis_km_day: FloatArray
    eccentricity_day: FloatArray
    axis_km: FloatArray  # the semi-major axis itself


def losses(orbits: Orbits, kelvin: float) -> Losses:
    """Return the losses of axis and eccentricity (n,) in an atmosphere of a temperature."""
    perigee_km, e = orbits
    axis_km = (EARTH_RADIUS_KM + perigee_km) / (1.0 - e)
    along = e[:, np.newaxis] * _COSINE
    height_km = axis_km[:, np.newaxis] * (1.0 - along) - EARTH_RADIUS_KM
    weighted = density_kg_m3(height_km, kelvin) * _WEIGHT
    ratio = (1.0 + along) / (1.0 - along)
    speed = np.sqrt(ratio)
    # kg/m3 x m2/kg = 1/m
    revolved_km_day = 1e3 * np.sqrt(MU_KM3_S2 * axis_km) * SECONDS_PER_DAY
    axis_loss = revolved_km_day * (weighted * speed * (1.0 + along)).sum(axis=1)
    e_loss = revolved_km_day / axis_km * (1.0 - e * e) * (weighted * speed * _COSINE).sum(axis=1)
    return Losses(axis_loss, e_loss, axis_km)


class Lives(NamedTuple):
    """Days that orbits live for 1 m2/kg in an atmosphere of a temperature, as a table."""

    log_days: FloatArray  # by _LOG_E and _HEIGHTS_KM
    log_rates: FloatArray  # likewise: share of the mean motion that is added in a day

    @classmethod
    def at(cls, kelvin: float) -> Self:
        """Integrate: an orbit becomes one of the next lower eccentricity, of which the life is known."""
        fine_km = np.arange(BOTTOM_KM, HIGHEST_KM + _FINE_KM, _FINE_KM)
        slowness = 1.0 / losses(Orbits(fine_km, np.full(len(fine_km), CIRCULAR)), kelvin).axis_km_day
        passed = np.append(0.0, np.cumsum(0.5 * (slowness[1:] + slowness[:-1]) * _FINE_KM))
        log_days = np.zeros((len(_LOG_E), len(_HEIGHTS_KM)))
        log_days[0] = np.log(np.interp(_HEIGHTS_KM, fine_km, passed))
        for row in range(1, len(_LOG_E)):
            log_days[row] = _row(log_days[row - 1], _LOG_E[row], _LOG_E[row - 1], kelvin)
        log_rates = np.array([_log_rates(log_e, kelvin) for log_e in _LOG_E])
        return cls(log_days, log_rates)

    def days(self, orbits: Orbits) -> FloatArray:
        """Return the lives (n,)."""
        return _read(self.log_days, orbits)

    def unit_rate_rev_day2(self, orbits: Orbits, mean_motion_rev_day: FloatArray) -> FloatArray:
        """Return how fast the mean motions (n,) grow, for 1 m2/kg."""
        return mean_motion_rev_day * _read(self.log_rates, orbits)


def _read(table: FloatArray, orbits: Orbits) -> FloatArray:
    """Return values (n,) of a table of logarithms, linear in these between its points."""
    row, right = _between(_LOG_E, np.log(orbits.eccentricity))
    column, above = _between(_HEIGHTS_KM, orbits.perigee_km)
    low = table[row, column] * (1.0 - above) + table[row, column + 1] * above
    high = table[row + 1, column] * (1.0 - above) + table[row + 1, column + 1] * above
    values: FloatArray = np.exp(low * (1.0 - right) + high * right)
    return values


def _log_rates(log_e: float, kelvin: float) -> FloatArray:
    lost = losses(Orbits(_HEIGHTS_KM, np.full(len(_HEIGHTS_KM), np.exp(log_e))), kelvin)
    rates: FloatArray = np.log(1.5 * lost.axis_km_day / lost.axis_km)
    return rates


def _row(below: FloatArray, log_e: float, log_e_below: float, kelvin: float) -> FloatArray:
    """Return the logarithms of the lives of one eccentricity, by height, from those of the next lower."""
    step = (log_e - log_e_below) / _STEPS
    height_km, days = _HEIGHTS_KM, np.zeros_like(_HEIGHTS_KM)
    for number in range(_STEPS):
        start = log_e - number * step
        sinks, _ = _per_log_e(height_km, start, kelvin)
        sinks, passes = _per_log_e(height_km - 0.5 * step * sinks, start - 0.5 * step, kelvin)
        height_km, days = height_km - step * sinks, days + step * passes
    left = np.exp(np.interp(height_km, _HEIGHTS_KM, below))
    log_days: FloatArray = np.log(days + np.where(height_km < _HEIGHTS_KM[0], 0.0, left))
    return log_days


def _per_log_e(height_km: FloatArray, log_e: float, kelvin: float) -> tuple[FloatArray, FloatArray]:
    """Return by how much perigees sink (km), and the days that pass, while log e falls by one."""
    e = np.full(len(height_km), np.exp(log_e))
    lost = losses(Orbits(np.maximum(height_km, BOTTOM_KM), e), kelvin)
    sinks_km_day = lost.axis_km_day * (1.0 - e) - lost.axis_km * lost.eccentricity_day
    return sinks_km_day * e / lost.eccentricity_day, e / lost.eccentricity_day


def _between(points: FloatArray, values: FloatArray) -> tuple[npt.NDArray[np.intp], FloatArray]:
    """Return the place of the point below each value, and how far it is to the next, 0 to 1 inside."""
    place = np.clip(np.searchsorted(points, values) - 1, 0, len(points) - 2)
    return place, (values - points[place]) / (points[place + 1] - points[place])
