"""From mean elements to position and velocity: the last steps of SGP4, near-earth and deep-space.

Hoots & Roehrich, Spacetrack Report 3 (1980), whose names the variables bear.
"""

import numpy as np

from screening.kernels import inlined_lanes_kernel
from screening.orbits.gravity import EARTH_RADIUS_KM, J2
from screening.orbits.sgp4.lane_trigonometry import (
    SMALL_RAD,
    rotated,
    sine_cosine,
    within_half_a_turn,
)
from screening.orbits.sgp4.lanes import LANES, OUT_R, OUT_V
from screening.orbits.sgp4.near_earth import KM_S

# Above an eccentricity of 0.99 the ten iterations of python-sgp4 may end before the root.
_SOLVED_EL2 = 0.98
_up = np.uintp


@inlined_lanes_kernel
def _kepler_step(u, axnl, aynl, eo1, sine, cosine):  # type: ignore[no-untyped-def]
    """Take one step of fourth order towards the root of Kepler's equation (Householder 1970)."""
    ecose = axnl * cosine + aynl * sine
    esine = axnl * sine - aynl * cosine
    f, slope = eo1 - esine - u, 1.0 - ecose
    slope2 = slope * slope
    step = f * (3.0 * f * esine - 6.0 * slope2) / (6.0 * slope * (slope2 - f * esine) + f * f * ecose)
    step = step if step < 0.95 else 0.95
    return step if step > -0.95 else -0.95


@inlined_lanes_kernel
def _eccentric_longitude(u, axnl, aynl, el2):  # type: ignore[no-untyped-def]
    """Solve Kepler's equation in equinoctial form, to rounding up to an eccentricity of 0.93.

    It starts at u plus the sine of the angle that centre and focus subtend at u on the auxiliary circle; two
    steps from there suffice. Returns sine and cosine of the solution, and whether it is one.
    """
    sine, cosine = sine_cosine(u)
    seen = (axnl * sine - aynl * cosine) / np.sqrt(1.0 - 2.0 * (axnl * cosine + aynl * sine) + el2)
    eo1 = u + seen
    sine, cosine = sine_cosine(eo1)
    eo1 = eo1 + _kepler_step(u, axnl, aynl, eo1, sine, cosine)
    sine, cosine = sine_cosine(eo1)
    step = _kepler_step(u, axnl, aynl, eo1, sine, cosine)
    eo1 = eo1 + step
    sine, cosine = rotated(sine, cosine, step)
    left = abs(u + axnl * sine - aynl * cosine - eo1)
    return sine, cosine, left < 1e-12 and abs(step) < SMALL_RAD


@inlined_lanes_kernel
def _orbital_plane(am, axnl, aynl, el2, sine, cosine, con41, x1mth2):  # type: ignore[no-untyped-def]
    """Return radius, radial and transverse speed, sine and cosine of the argument of latitude and its double.

    The last value is J2 / (2 p^2), the size of the short-period periodics.
    """
    ecose = axnl * cosine + aynl * sine
    esine = axnl * sine - aynl * cosine
    inverse_pl = 1.0 / (am * (1.0 - el2))
    inverse_r = 1.0 / (1.0 - ecose)  # of r / a
    betal = np.sqrt(1.0 - el2)
    root_am = np.sqrt(am)
    temp = esine / (1.0 + betal)
    sinu = inverse_r * (sine - aynl - axnl * temp)
    cosu = inverse_r * (cosine - axnl + aynl * temp)
    norm = 1.5 - 0.5 * (sinu * sinu + cosu * cosu)  # 1 except for rounding
    sinu, cosu = sinu * norm, cosu * norm
    sin2u = (cosu + cosu) * sinu
    cos2u = 1.0 - 2.0 * sinu * sinu
    temp1 = 0.5 * J2 * inverse_pl
    temp2 = temp1 * inverse_pl
    mrt = am * (1.0 - ecose) * (1.0 - 1.5 * temp2 * betal * con41) + 0.5 * temp1 * x1mth2 * cos2u
    inverse_root = 1.0 / root_am
    inverse_am = inverse_root * inverse_root
    speed = inverse_r * inverse_root
    wobble = temp1 * inverse_am * inverse_root
    mvt = speed * esine - wobble * x1mth2 * sin2u
    rvdot = speed * betal + wobble * (x1mth2 * cos2u + 1.5 * con41)
    return mrt, mvt, rvdot, sinu, cosu, sin2u, cos2u, temp2


@inlined_lanes_kernel
def write_state(block, outputs, lane, am, ep, latitude, argp, node, sinip, cosip, coefficients):  # type: ignore[no-untyped-def]
    """Write position (km) and velocity (km/s) of one lane to the rows from `outputs` on.

    Elements: semi-major axis (Earth radii), eccentricity, mean argument of latitude, argument of perigee,
    node and inclination, with lunar-solar periodics where there are any; `coefficients` are aycof, xlcof,
    con41, x1mth2 and x7thm1. Returns whether the state is beyond doubt: solved, bound and above the ground.
    """
    aycof, xlcof, con41, x1mth2, x7thm1 = coefficients
    # Long-period periodics, then Kepler's equation for E + omega.
    sine, cosine = sine_cosine(argp)
    axnl = ep * cosine
    inverse_p = 1.0 / (am * (1.0 - ep * ep))
    aynl = ep * sine + inverse_p * aycof
    el2 = axnl * axnl + aynl * aynl
    u = within_half_a_turn(latitude + inverse_p * xlcof * axnl)
    sine, cosine, solved = _eccentric_longitude(u, axnl, aynl, el2)
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
    return bound and mrt > 1.0001 and am > 0.9501 and el2 < _SOLVED_EL2 and solved
