"""Central gravity with J2: the acceleration that bends the curve between two SGP4 states."""

import math

from screening.kernels import inlined_kernel
from screening.orbits.gravity import EARTH_RADIUS_KM, J2, MU_KM3_S2


@inlined_kernel
def acceleration_km_s2(x: float, y: float, z: float) -> tuple[float, float, float]:
    """Return the acceleration in km/s^2 at a TEME position in km (Vallado 2013, eq. 8-30)."""
    r2 = x * x + y * y + z * z
    central = -MU_KM3_S2 / (r2 * math.sqrt(r2))
    oblate = 1.5 * J2 * EARTH_RADIUS_KM * EARTH_RADIUS_KM / r2
    sine2 = 5.0 * z * z / r2
    horizontal = central * (1.0 + oblate * (1.0 - sine2))
    vertical = central * (1.0 + oblate * (3.0 - sine2))
    return horizontal * x, horizontal * y, vertical * z
