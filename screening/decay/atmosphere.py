"""Density of the thermosphere by height and exospheric temperature, and how it changes over the year.

Constituents in diffusive equilibrium above 120 km, in the temperature profile of Bates (1959, Proc. R. Soc. A
253, 451) with the integral of Walker (1965, J. Atmos. Sci. 22, 462). The state at 120 km and the profile's
scale are those of the U.S. Standard Atmosphere 1976. Its only parameter is the temperature above all of it.
"""

import numpy as np

from screening.orbits.timegrid import FloatArray

BASE_KM = 120.0
BASE_KELVIN = 360.0
PROFILE_PER_KM = 0.01875
_POLAR_RADIUS_KM = 6356.766  # as the standard atmosphere has it
_GRAVITY_M_S2 = 9.80665 * (_POLAR_RADIUS_KM / (_POLAR_RADIUS_KM + BASE_KM)) ** 2
_GAS_J_K_KMOL = 8314.32
_AVOGADRO_KMOL = 6.02214e26
# Of N2, O, O2, He: number per m3 at 120 km, kg per kmol, coefficient of thermal diffusion.
_CONSTITUENTS = (
    (3.726e17, 28.0134, 0.0),
    (9.275e16, 15.9994, 0.0),
    (4.395e16, 31.9988, 0.0),
    (3.888e13, 4.0026, -0.4),
)
_SCALE_BELOW_KM = 8.0  # an orbit has minutes left there
_DAYS_OF_YEAR = 365.2422


def density_kg_m3(height_km: FloatArray, kelvin: float) -> FloatArray:
    """Return the mean density at heights of any shape, km."""
    height = np.maximum(height_km, BASE_KM)
    xi_km = (height - BASE_KM) * (_POLAR_RADIUS_KM + BASE_KM) / (_POLAR_RADIUS_KM + height)
    fallen = np.exp(-PROFILE_PER_KM * xi_km)
    log_ratio = np.log(BASE_KELVIN / (kelvin - (kelvin - BASE_KELVIN) * fallen))
    density = np.zeros_like(height)
    for number_m3, mass, diffusion in _CONSTITUENTS:
        steepness = mass * _GRAVITY_M_S2 / (_GAS_J_K_KMOL * PROFILE_PER_KM * 1e-3 * kelvin)
        profile = np.exp((1.0 + diffusion + steepness) * log_ratio - steepness * PROFILE_PER_KM * xi_km)
        density += number_m3 * mass / _AVOGADRO_KMOL * profile
    return density * np.exp(np.maximum(BASE_KM - height_km, 0.0) / _SCALE_BELOW_KM)


def season(day_of_year: FloatArray, height_km: FloatArray) -> FloatArray:
    """Return the natural logarithm of the density's semi-annual factor (Jacchia 1971, SAO report 332).

    Dense in April and October, thin in January and July: a factor of 1.3 at 250 km, 1.7 at 400 km.
    """
    year = day_of_year / _DAYS_OF_YEAR
    tau = year + 0.09544 * ((0.5 + 0.5 * np.sin(2.0 * np.pi * year + 6.035)) ** 1.65 - 0.5)
    wave = (1.0 + 0.4671 * np.sin(2.0 * np.pi * tau + 4.1370)) * np.sin(4.0 * np.pi * tau + 4.2590)
    size = (5.876e-7 * height_km**2.331 + 0.06328) * np.exp(-2.868e-3 * height_km)
    factor: FloatArray = np.log(10.0) * size * (0.02835 + 0.3817 * wave)
    return factor


def mean_season(from_day: FloatArray, days: FloatArray, height_km: FloatArray) -> FloatArray:
    """Return the logarithm of the factor's mean over spans (n,) that begin on a day of the year."""
    steps = (np.arange(8) + 0.5) / 8
    over = season(from_day[:, np.newaxis] + days[:, np.newaxis] * steps, height_km[:, np.newaxis])
    mean: FloatArray = np.log(np.exp(over).mean(axis=1))
    return mean
