"""Central gravity with J2: the acceleration that bends the curve between two SGP4 states.

Constants are WGS-72, as SGP4 itself uses them (Hoots & Roehrich 1980).
"""

import math

from screening.kernels import inlined_kernel

MU_KM3_S2 = 398600.8
EARTH_RADIUS_KM = 6378.135
J2 = 1.082616e-3


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
