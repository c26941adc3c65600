"""Coefficients of near-earth SGP4 for many objects at once.

Hoots & Roehrich, Spacetrack Report 3 (1980), whose names the coefficients bear, as corrected by Vallado,
Crawford, Hujsak & Kelso (2006): the same equations, constants (WGS-72) and improved mode as python-sgp4, for
periods under 225 minutes. The compiled kernel that uses them works on blocks of 32 objects.
"""

from math import pi, sqrt

import numpy as np
import numpy.typing as npt

from screening.orbits.elements import ElementArray
from screening.orbits.gravity import EARTH_RADIUS_KM, J2, MU_KM3_S2
from screening.orbits.timegrid import FloatArray, TimeWindow, seconds_since

J3 = -0.253881e-5
J4 = -0.165597e-5
XKE = 60.0 / sqrt(EARTH_RADIUS_KM**3 / MU_KM3_S2)  # (Earth radii)^1.5 per minute
KM_S = EARTH_RADIUS_KM * XKE / 60.0  # one Earth radius times XKE per minute
DEEP_SPACE_MINUTES = 225.0

# Constants of an object: rows of a block.
(
    AYCOF, CON41, CC1, CC4, CC5, D2, D3, D4, DELMO, ETA, ARGPDOT, OMGCOF, SINMAO, T2COF, T3COF, T4COF, T5COF,
    X1MTH2, X7THM1, MDOT, NODEDOT, XLCOF, XMCOF, NODECF, BSTAR, ECCO, ARGPO, MO, NODEO, NO_UNKOZAI, AO, SINIO,
    COSIO, MINUTES_AT_START,
) = range(34)  # fmt: skip
CONSTANTS = 34

_TWO_THIRDS = 2.0 / 3.0


def is_near_earth(elements: ElementArray) -> npt.NDArray[np.bool_]:
    """Return which element sets (n,) SGP4 treats as near-earth: un-Kozai'd period under 225 minutes."""
    motion_rad_min = _unkozai(elements)[1]
    near: npt.NDArray[np.bool_] = 2.0 * pi / motion_rad_min < DEEP_SPACE_MINUTES
    return near


def near_earth_constants(elements: ElementArray, span: TimeWindow) -> FloatArray:
    """Return the kernel's constants of near-earth element sets (n,): (CONSTANTS, n).

    The kernel's times are minutes from the start of `span`.
    """
    constants = secular_coefficients(elements)
    epoch_s = seconds_since(span, elements["epoch_jd"], elements["epoch_day_fraction"])
    constants[MINUTES_AT_START] = -epoch_s / 60.0
    return constants


def _unkozai(elements: ElementArray) -> tuple[FloatArray, FloatArray]:
    """Return semi-major axis (Earth radii) and mean motion (rad/min) with the Kozai correction taken out."""
    eccentricity = elements["eccentricity"]
    kozai = elements["mean_motion_rev_day"] / 720.0 * pi
    cosio2 = np.cos(elements["inclination_deg"] * (pi / 180.0)) ** 2
    omeosq = 1.0 - eccentricity**2
    a1 = (XKE / kozai) ** _TWO_THIRDS
    d1 = 0.75 * J2 * (3.0 * cosio2 - 1.0) / (np.sqrt(omeosq) * omeosq)
    delta = d1 / a1**2
    adel = a1 * (1.0 - delta**2 - delta * (1.0 / 3.0 + 134.0 * delta**2 / 81.0))
    motion = kozai / (1.0 + d1 / adel**2)
    return (XKE / motion) ** _TWO_THIRDS, motion


def secular_coefficients(elements: ElementArray) -> FloatArray:
    """Return the coefficients of the secular and periodic terms, (CONSTANTS, n); the report's sgp4init.

    The row of times is left empty. Deep-space objects share most of the others.
    """
    ecco = elements["eccentricity"]
    argpo = elements["argument_of_perigee_deg"] * (pi / 180.0)
    mo = elements["mean_anomaly_deg"] * (pi / 180.0)
    inclo = elements["inclination_deg"] * (pi / 180.0)
    bstar = elements["bstar_per_earth_radius"]
    ao, no = _unkozai(elements)
    sinio, cosio = np.sin(inclo), np.cos(inclo)
    cosio2 = cosio**2
    cosio4 = cosio2**2
    omeosq = 1.0 - ecco**2
    rteosq = np.sqrt(omeosq)
    con42 = 1.0 - 5.0 * cosio2
    con41 = -con42 - 2.0 * cosio2
    x1mth2 = 1.0 - cosio2
    x7thm1 = 7.0 * cosio2 - 1.0
    pinvsq = 1.0 / (ao * omeosq) ** 2

    # The fitting altitude of the atmosphere: 78 km, lower for perigees under 156 km.
    perigee_km = (ao * (1.0 - ecco) - 1.0) * EARTH_RADIUS_KM
    fitted_km = np.where(perigee_km < 98.0, 20.0, np.where(perigee_km < 156.0, perigee_km - 78.0, 78.0))
    sfour = fitted_km / EARTH_RADIUS_KM + 1.0
    qzms24 = ((120.0 - fitted_km) / EARTH_RADIUS_KM) ** 4

    tsi = 1.0 / (ao - sfour)
    eta = ao * ecco * tsi
    etasq = eta**2
    eeta = ecco * eta
    psisq = np.abs(1.0 - etasq)
    coef = qzms24 * tsi**4
    coef1 = coef / psisq**3.5
    cc2 = coef1 * no * (
        ao * (1.0 + 1.5 * etasq + eeta * (4.0 + etasq))
        + 0.375 * J2 * tsi / psisq * con41 * (8.0 + 3.0 * etasq * (8.0 + etasq))
    )  # fmt: skip
    cc1 = bstar * cc2
    eccentric = ecco > 1e-4
    safe_ecco = np.where(eccentric, ecco, 1.0)
    cc3 = np.where(eccentric, -2.0 * coef * tsi * (J3 / J2) * no * sinio / safe_ecco, 0.0)
    cc4 = 2.0 * no * coef1 * ao * omeosq * (
        eta * (2.0 + 0.5 * etasq)
        + ecco * (0.5 + 2.0 * etasq)
        - J2 * tsi / (ao * psisq) * (
            -3.0 * con41 * (1.0 - 2.0 * eeta + etasq * (1.5 - 0.5 * eeta))
            + 0.75 * x1mth2 * (2.0 * etasq - eeta * (1.0 + etasq)) * np.cos(2.0 * argpo)
        )
    )  # fmt: skip
    cc5 = 2.0 * coef1 * ao * omeosq * (1.0 + 2.75 * (etasq + eeta) + eeta * etasq)

    temp1 = 1.5 * J2 * pinvsq * no
    temp2 = 0.5 * temp1 * J2 * pinvsq
    temp3 = -0.46875 * J4 * pinvsq**2 * no
    xhdot1 = -temp1 * cosio
    cc1sq = cc1**2
    d2 = 4.0 * ao * tsi * cc1sq
    temp = d2 * tsi * cc1 / 3.0
    d3 = (17.0 * ao + sfour) * temp
    d4 = 0.5 * temp * ao * tsi * (221.0 * ao + 31.0 * sfour) * cc1
    # Perigee under 220 km: only the simple drag terms.
    full = ao * (1.0 - ecco) >= 220.0 / EARTH_RADIUS_KM + 1.0

    out = np.empty((CONSTANTS, len(elements)))
    out[AYCOF] = -0.5 * (J3 / J2) * sinio
    out[CON41], out[X1MTH2], out[X7THM1] = con41, x1mth2, x7thm1
    out[CC1], out[CC4], out[CC5] = cc1, cc4, full * cc5
    out[D2], out[D3], out[D4] = full * d2, full * d3, full * d4
    out[DELMO] = (1.0 + eta * np.cos(mo)) ** 3
    out[ETA] = eta
    out[ARGPDOT] = (
        -0.5 * temp1 * con42
        + 0.0625 * temp2 * (7.0 - 114.0 * cosio2 + 395.0 * cosio4)
        + temp3 * (3.0 - 36.0 * cosio2 + 49.0 * cosio4)
    )
    out[MDOT] = (
        no + 0.5 * temp1 * rteosq * con41 + 0.0625 * temp2 * rteosq * (13.0 - 78.0 * cosio2 + 137.0 * cosio4)
    )
    out[NODEDOT] = xhdot1 + (0.5 * temp2 * (4.0 - 19.0 * cosio2) + 2.0 * temp3 * (3.0 - 7.0 * cosio2)) * cosio
    out[OMGCOF] = full * (bstar * cc3 * np.cos(argpo))
    safe_eeta = np.where(eccentric, eeta, 1.0)
    out[XMCOF] = np.where(eccentric & full, -_TWO_THIRDS * coef * bstar / safe_eeta, 0.0)
    out[NODECF] = 3.5 * omeosq * xhdot1 * cc1
    out[SINMAO] = np.sin(mo)
    out[T2COF] = 1.5 * cc1
    out[T3COF] = full * (d2 + 2.0 * cc1sq)
    out[T4COF] = full * (0.25 * (3.0 * d3 + cc1 * (12.0 * d2 + 10.0 * cc1sq)))
    out[T5COF] = full * (0.2 * (3.0 * d4 + 12.0 * cc1 * d3 + 6.0 * d2**2 + 15.0 * cc1sq * (2.0 * d2 + cc1sq)))
    retrograde_safe = np.where(np.abs(cosio + 1.0) > 1.5e-12, 1.0 + cosio, 1.5e-12)
    out[XLCOF] = -0.25 * (J3 / J2) * sinio * (3.0 + 5.0 * cosio) / retrograde_safe
    out[BSTAR], out[ECCO], out[ARGPO], out[MO] = bstar, ecco, argpo, mo
    out[NODEO] = elements["raan_deg"] * (pi / 180.0)
    out[NO_UNKOZAI], out[AO], out[SINIO], out[COSIO] = no, ao, sinio, cosio
    return out
