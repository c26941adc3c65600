"""From mean elements to position and velocity: the last steps of SGP4, the same near the Earth and far out.

Hoots & Roehrich, Spacetrack Report 3 (1980), whose names the variables bear.
"""

import numpy as np
from numba import njit

from screening.orbits.gravity import EARTH_RADIUS_KM, J2
from screening.orbits.lane_trigonometry import rotated, sine_cosine, within_half_a_turn
from screening.orbits.lanes import LANES, OUT_DOUBT, OUT_R, OUT_V, VECTORISED, value
from screening.orbits.near_earth import KM_S, XKE

# Above an eccentricity of 0.99 the ten iterations of python-sgp4 may end before the root.
_SOLVED_EL2 = 0.98
_up = np.uintp


@njit(cache=True, fastmath=VECTORISED, error_model="numpy", inline="always")
def _improved(u, axnl, aynl, eo1):  # type: ignore[no-untyped-def]
    """One step of fourth order towards the root of Kepler's equation (Danby & Burkardt 1983)."""
    sine, cosine = sine_cosine(eo1)
    ecose = axnl * cosine + aynl * sine
    esine = axnl * sine - aynl * cosine
    f, slope = u + esine - eo1, 1.0 - ecose
    step = f / slope
    step = f / (slope + 0.5 * step * esine)
    step = f / (slope + 0.5 * step * esine + (1.0 / 6.0) * step * step * ecose)
    step = step if step < 0.95 else 0.95
    step = step if step > -0.95 else -0.95
    return eo1 + step


@njit(cache=True, fastmath=VECTORISED, error_model="numpy", inline="always")
def _eccentric_longitude(u, axnl, aynl, el2):  # type: ignore[no-untyped-def]
    """Solve Kepler's equation in equinoctial form to rounding, for eccentricities up to 0.9.

    It starts at u plus the sine of the angle under which centre and focus are seen from u on the auxiliary
    circle; then two steps do.
    """
    sine, cosine = sine_cosine(u)
    seen = (axnl * sine - aynl * cosine) / np.sqrt(1.0 - 2.0 * (axnl * cosine + aynl * sine) + el2)
    return _improved(u, axnl, aynl, _improved(u, axnl, aynl, u + seen))


@njit(cache=True, fastmath=VECTORISED, error_model="numpy", inline="always")
def _orbital_plane(am, axnl, aynl, el2, sine, cosine, con41, x1mth2):  # type: ignore[no-untyped-def]
    """Radius, radial and transverse speed, sine and cosine of the argument of latitude, 2 u, J2/(4 p^2)."""
    nm = XKE / (am * np.sqrt(am))
    ecose = axnl * cosine + aynl * sine
    esine = axnl * sine - aynl * cosine
    pl = am * (1.0 - el2)
    rl = am * (1.0 - ecose)
    betal = np.sqrt(1.0 - el2)
    temp = esine / (1.0 + betal)
    sinu = am / rl * (sine - aynl - axnl * temp)
    cosu = am / rl * (cosine - axnl + aynl * temp)
    sin2u = (cosu + cosu) * sinu
    cos2u = 1.0 - 2.0 * sinu * sinu
    temp1 = 0.5 * J2 / pl
    temp2 = temp1 / pl
    mrt = rl * (1.0 - 1.5 * temp2 * betal * con41) + 0.5 * temp1 * x1mth2 * cos2u
    mvt = np.sqrt(am) * esine / rl - nm * temp1 * x1mth2 * sin2u / XKE
    rvdot = np.sqrt(pl) / rl + nm * temp1 * (x1mth2 * cos2u + 1.5 * con41) / XKE
    norm = 1.0 / np.sqrt(sinu * sinu + cosu * cosu)
    return mrt, mvt, rvdot, sinu * norm, cosu * norm, sin2u, cos2u, temp2


@njit(cache=True, fastmath=VECTORISED, error_model="numpy", inline="always")
def write_state(block, outputs, lane, am, ep, latitude, argp, node, sinip, cosip, coefficients):  # type: ignore[no-untyped-def]
    """Write position (km) and velocity (km/s) of one lane to the rows from `outputs` on.

    Elements: semi-major axis (Earth radii), eccentricity, mean argument of latitude, argument of perigee, node
    and inclination, with lunar-solar periodics where there are any; `coefficients` are aycof, xlcof, con41,
    x1mth2 and x7thm1. Returns whether the state is beyond doubt: solved, bound and above the ground.
    """
    aycof, xlcof, con41, x1mth2, x7thm1 = coefficients
    # Long-period periodics, then Kepler's equation for E + omega.
    sine, cosine = sine_cosine(argp)
    axnl = ep * cosine
    inverse_p = 1.0 / (am * (1.0 - ep * ep))
    aynl = ep * sine + inverse_p * aycof
    el2 = axnl * axnl + aynl * aynl
    u = within_half_a_turn(latitude + inverse_p * xlcof * axnl)
    eo1 = _eccentric_longitude(u, axnl, aynl, el2)
    sine, cosine = sine_cosine(eo1)
    unsolved = abs(u + axnl * sine - aynl * cosine - eo1)
    mrt, mvt, rvdot, sinu, cosu, sin2u, cos2u, temp2 = _orbital_plane(
        am, axnl, aynl, el2, sine, cosine, con41, x1mth2
    )
    # Short-period periodics of the angles, and the orientation.
    sinsu, cossu = rotated(sinu, cosu, -0.25 * temp2 * x7thm1 * sin2u)
    sini, cosi = rotated(sinip, cosip, 1.5 * temp2 * cosip * sinip * cos2u)
    snod, cnod = sine_cosine(node + 1.5 * temp2 * cosip * sin2u)
    xmx, xmy = -snod * cosi, cnod * cosi
    ux, uy, uz = xmx * sinsu + cnod * cossu, xmy * sinsu + snod * cossu, sini * sinsu
    r_km = mrt * EARTH_RADIUS_KM
    at = _up((outputs + OUT_R) * LANES) + lane
    block[at] = r_km * ux
    block[at + _up(LANES)] = r_km * uy
    block[at + _up(2 * LANES)] = r_km * uz
    at = _up((outputs + OUT_V) * LANES) + lane
    block[at] = (mvt * ux + rvdot * (xmx * cossu - cnod * sinsu)) * KM_S
    block[at + _up(LANES)] = (mvt * uy + rvdot * (xmy * cossu - snod * sinsu)) * KM_S
    block[at + _up(2 * LANES)] = (mvt * uz + rvdot * (sini * cossu)) * KM_S
    bound = (mvt * mvt + rvdot * rvdot) * mrt < 2.0
    return bound and mrt > 1.0001 and am > 0.9501 and el2 < _SOLVED_EL2 and unsolved < 1e-12
