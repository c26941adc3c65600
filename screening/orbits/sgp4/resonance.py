"""Resonance of deep-space orbits with the Earth's rotation: one revolution per day, or two if eccentric.

Hoots & Roehrich, Spacetrack Report 3 (1980), whose names the terms bear, as corrected by Vallado, Crawford,
Hujsak & Kelso (2006): the tesseral harmonics that then add up, with eccentricity functions G as polynomials
and inclination functions F.
"""

from math import pi
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from screening.orbits.timegrid import FloatArray

EARTH_RATE_RAD_MIN = 4.37526908801129966e-3  # RPTIM
NO_RESONANCE, DAILY, HALF_DAILY = 0, 1, 2
TERMS = 10

_TWO_PI = 2.0 * pi
# Harmonics of the geopotential.
_Q22, _Q31, _Q33 = 1.7891679e-6, 2.1460748e-6, 2.2123015e-7
_ROOT22, _ROOT32, _ROOT44, _ROOT52, _ROOT54 = (
    1.7891679e-6,
    3.7393792e-7,
    7.3636953e-9,
    1.1428639e-7,
    2.1765803e-9,
)
# G_lpq(e) of the half-daily terms: powers 0 to 3 of e, up to a limit and above it. 0.7 itself lies above.
_BELOW_07 = float(np.nextafter(0.7, 0.0))
_G211 = (0.65, (3.616, -13.2470, 16.2900, 0.0), (-72.099, 331.819, -508.738, 266.724))
_G310 = (0.65, (-19.302, 117.3900, -228.4190, 156.5910), (-346.844, 1582.851, -2415.925, 1246.113))
_G322 = (0.65, (-18.9068, 109.7927, -214.6334, 146.5816), (-342.585, 1554.908, -2366.899, 1215.972))
_G410 = (0.65, (-41.122, 242.6940, -471.0940, 313.9530), (-1052.797, 4758.686, -7193.992, 3651.957))
_G422 = (0.65, (-146.407, 841.8800, -1629.014, 1083.4350), (-3581.690, 16178.110, -24462.770, 12422.520))
_G520_LOW = (-532.114, 3017.977, -5740.032, 3708.2760)
_G520 = (0.715, (1464.74, -4664.75, 3763.64, 0.0), (-5149.66, 29936.92, -54087.36, 31324.56))
_G521 = (
    _BELOW_07,
    (-822.71072, 4568.6173, -8491.4146, 5337.524),
    (-51752.104, 218913.95, -309468.16, 146349.42),
)
_G532 = (
    _BELOW_07,
    (-853.66600, 4690.2500, -8624.7700, 5341.4),
    (-40023.880, 170470.89, -242699.48, 115605.82),
)
_G533 = (
    _BELOW_07,
    (-919.22770, 4988.6100, -9064.7700, 5542.21),
    (-37995.780, 161616.52, -229838.20, 109377.94),
)

Powers = tuple[float, float, float, float]


class Shape(NamedTuple):
    """The values that determine the strength of the resonance, each (n,)."""

    eccentricity: FloatArray
    inclination: FloatArray  # rad
    mean_motion: FloatArray  # rad/min
    inverse_axis: FloatArray  # 1 / semi-major axis, per Earth radius


def kinds(mean_motion_rad_min: FloatArray, eccentricity: FloatArray) -> npt.NDArray[np.int8]:
    """Return NO_RESONANCE, DAILY or HALF_DAILY for each orbit (n,)."""
    kind = np.zeros(len(mean_motion_rad_min), np.int8)
    kind[(mean_motion_rad_min > 0.0034906585) & (mean_motion_rad_min < 0.0052359877)] = DAILY
    twice = (mean_motion_rad_min >= 8.26e-3) & (mean_motion_rad_min <= 9.24e-3)
    kind[twice & (eccentricity >= 0.5)] = HALF_DAILY
    return kind


def sidereal_angle_rad(jd_ut1: FloatArray) -> FloatArray:
    """Return Greenwich mean sidereal time in [0, 2 pi) (Vallado 2004, eq. 3-45)."""
    century = (jd_ut1 - 2451545.0) / 36525.0
    seconds = (
        67310.54841
        + (876600.0 * 3600.0 + 8640184.812866) * century
        + 0.093104 * century**2
        - 6.2e-6 * century**3
    )
    angle: FloatArray = (seconds * (pi / 180.0 / 240.0)) % _TWO_PI
    return angle


def daily_terms(shape: Shape) -> FloatArray:
    """Return del1, del2 and del3 of orbits with a period of a day: (3, n), rad/min^2."""
    e2 = shape.eccentricity**2
    cosi, sini = np.cos(shape.inclination), np.sin(shape.inclination)
    f220 = 0.75 * (1.0 + cosi) ** 2
    f311 = 0.9375 * sini**2 * (1.0 + 3.0 * cosi) - 0.75 * (1.0 + cosi)
    f330 = 1.875 * (1.0 + cosi) ** 3
    g200 = 1.0 + e2 * (-2.5 + 0.8125 * e2)
    g300 = 1.0 + e2 * (-6.0 + 6.60937 * e2)
    g310 = 1.0 + 2.0 * e2
    second = 3.0 * (shape.mean_motion * shape.inverse_axis) ** 2
    third = second * shape.inverse_axis
    return np.stack(
        [third * f311 * g310 * _Q31, 2.0 * second * f220 * g200 * _Q22, 3.0 * third * f330 * g300 * _Q33]
    )


def half_daily_terms(shape: Shape) -> FloatArray:
    """Return d2201, d2211, d3210, d3222, d4410, d4422, d5220, d5232, d5421 and d5433: (10, n), rad/min^2."""
    e = shape.eccentricity
    c, s = np.cos(shape.inclination), np.sin(shape.inclination)
    c2, s2 = c**2, s**2
    f220 = 0.75 * (1.0 + 2.0 * c + c2)
    f522 = 9.84375 * s * (s2 * (1.0 - 2.0 * c - 5.0 * c2) + 0.33333333 * (-2.0 + 4.0 * c + 6.0 * c2))
    f523 = s * (4.92187512 * s2 * (-2.0 - 4.0 * c + 10.0 * c2) + 6.56250012 * (1.0 + 2.0 * c - 3.0 * c2))
    f542 = 29.53125 * s * (2.0 - 8.0 * c + c2 * (-12.0 + 8.0 * c + 10.0 * c2))
    f543 = 29.53125 * s * (-2.0 - 8.0 * c + c2 * (12.0 + 8.0 * c - 10.0 * c2))
    g520 = np.where(e <= 0.65, _polynomial(_G520_LOW, e), _g(_G520, e))
    inverse = shape.inverse_axis
    degree2 = 3.0 * (shape.mean_motion * inverse) ** 2
    degree3, degree4, degree5 = degree2 * inverse, degree2 * inverse**2, degree2 * inverse**3
    return np.stack(
        [
            degree2 * _ROOT22 * f220 * (-0.306 - (e - 0.64) * 0.440),
            degree2 * _ROOT22 * 1.5 * s2 * _g(_G211, e),
            degree3 * _ROOT32 * 1.875 * s * (1.0 - 2.0 * c - 3.0 * c2) * _g(_G310, e),
            degree3 * _ROOT32 * -1.875 * s * (1.0 + 2.0 * c - 3.0 * c2) * _g(_G322, e),
            degree4 * 2.0 * _ROOT44 * 35.0 * s2 * f220 * _g(_G410, e),
            degree4 * 2.0 * _ROOT44 * 39.3750 * s2**2 * _g(_G422, e),
            degree5 * _ROOT52 * f522 * g520,
            degree5 * _ROOT52 * f523 * _g(_G532, e),
            degree5 * 2.0 * _ROOT54 * f542 * _g(_G521, e),
            degree5 * 2.0 * _ROOT54 * f543 * _g(_G533, e),
        ]
    )


def _g(limit_low_high: tuple[float, Powers, Powers], e: FloatArray) -> FloatArray:
    limit, low, high = limit_low_high
    return np.where(e <= limit, _polynomial(low, e), _polynomial(high, e))


def _polynomial(powers: Powers, e: FloatArray) -> FloatArray:
    return powers[0] + e * (powers[1] + e * (powers[2] + e * powers[3]))
