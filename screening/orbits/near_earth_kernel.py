"""Near-earth SGP4, compiled: 32 objects with one stream of instructions.

Constants and outputs of a block lie in one flat array, whose offsets the compiler can tell apart; sine and
cosine are free of branches; Kepler's equation takes a fixed number of Newton steps. A test holds every state
to 1 mm of python-sgp4, which is also asked wherever a state looks doubtful.
"""

import numpy as np
import numpy.typing as npt
from numba import njit

from screening.orbits.gravity import EARTH_RADIUS_KM, J2
from screening.orbits.near_earth import (
    AO,
    ARGPDOT,
    ARGPO,
    AYCOF,
    BSTAR,
    CC1,
    CC4,
    CC5,
    CON41,
    CONSTANTS,
    COSIO,
    D2,
    D3,
    D4,
    DELMO,
    ECCO,
    ETA,
    KM_S,
    LANES,
    MDOT,
    MINUTES_AT_START,
    MO,
    NO_UNKOZAI,
    NODECF,
    NODEDOT,
    NODEO,
    OMGCOF,
    OUT_DOUBT,
    OUT_VX,
    OUT_X,
    ROWS,
    SINIO,
    SINMAO,
    T2COF,
    T3COF,
    T4COF,
    T5COF,
    X1MTH2,
    X7THM1,
    XKE,
    XLCOF,
    XMCOF,
)  # fmt: skip
from screening.orbits.timegrid import FloatArray

BlockArray = npt.NDArray[np.float64]

# No reassociation: it would undo the rounding trick.
_VECTORISED = {"nnan", "ninf", "nsz", "arcp", "contract"}
_up = np.uintp
_ROUNDING = 6755399441055744.0  # 1.5 * 2^52: adding and subtracting it rounds to an integer
_INVERSE_TWO_PI = 0.15915494309189535
_TWO_PI = 6.283185307179586


@njit(cache=True, fastmath=_VECTORISED, error_model="numpy", inline="always")
def _sine_cosine(x):  # type: ignore[no-untyped-def]
    """Sine and cosine: reduction to a quarter turn (Cody & Waite 1980), minimax polynomials (fdlibm)."""
    k = (x * 0.6366197723675814 + _ROUNDING) - _ROUNDING
    y = ((x - k * 1.5707963267341256) - k * 6.077100506303966e-11) - k * 2.0222662487959506e-21
    z = y * y
    s = y + y * z * (
        -1.66666666666666324348e-01
        + z * (8.33333333332248946124e-03
        + z * (-1.98412698298579493134e-04
        + z * (2.75573137070700676789e-06
        + z * (-2.50507602534068634195e-08 + z * 1.58969099521155010221e-10))))
    )  # fmt: skip
    c = 1.0 - 0.5 * z + z * z * (
        4.16666666666666019037e-02
        + z * (-1.38888888888741095749e-03
        + z * (2.48015872894767294178e-05
        + z * (-2.75573143513906633035e-07
        + z * (2.08757232129817482790e-09 - z * 1.13596475577881948265e-11))))
    )  # fmt: skip
    turns = 0.25 * k
    quarter = turns - ((turns - 0.375 + _ROUNDING) - _ROUNDING)  # 0, 0.25, 0.5 or 0.75 of a turn
    odd = (quarter > 0.2 and quarter < 0.3) or quarter > 0.7
    sine = c if odd else s
    cosine = s if odd else c
    sine = -sine if quarter > 0.4 else sine
    cosine = -cosine if (quarter > 0.2 and quarter < 0.7) else cosine
    return sine, cosine


@njit(cache=True, fastmath=_VECTORISED, error_model="numpy", inline="always")
def _kepler_step(u, axnl, aynl, eo1):  # type: ignore[no-untyped-def]
    """One Newton step of Kepler's equation in equinoctial form, bounded as in the report."""
    sine, cosine = _sine_cosine(eo1)
    step = (u - aynl * cosine + axnl * sine - eo1) / (1.0 - cosine * axnl - sine * aynl)
    step = step if step < 0.95 else 0.95
    step = step if step > -0.95 else -0.95
    return eo1 + step


@njit(cache=True, fastmath=_VECTORISED, error_model="numpy", inline="always")
def _rotated(sine, cosine, angle):  # type: ignore[no-untyped-def]
    """Sine and cosine of a sum with a small angle (below 0.01 rad) by its series."""
    a2 = angle * angle
    ds = angle * (1.0 - a2 * (1.0 / 6.0 - a2 * (1.0 / 120.0)))
    dc = 1.0 - a2 * (0.5 - a2 * (1.0 / 24.0 - a2 * (1.0 / 720.0)))
    return sine * dc + cosine * ds, cosine * dc - sine * ds


@njit(cache=True, fastmath=_VECTORISED, error_model="numpy", inline="always")
def _mean_elements(block, lane, minutes):  # type: ignore[no-untyped-def]
    """Secular gravity and drag: semi-major axis, eccentricity, mean longitude, argument of perigee, node."""
    t = minutes + block[_up(MINUTES_AT_START * LANES) + lane]
    t2 = t * t
    t3 = t2 * t
    t4 = t3 * t
    cc1 = block[_up(CC1 * LANES) + lane]
    bstar = block[_up(BSTAR * LANES) + lane]
    xmdf = block[_up(MO * LANES) + lane] + block[_up(MDOT * LANES) + lane] * t
    argpdf = block[_up(ARGPO * LANES) + lane] + block[_up(ARGPDOT * LANES) + lane] * t
    nodedf = block[_up(NODEO * LANES) + lane] + block[_up(NODEDOT * LANES) + lane] * t
    nodem = nodedf + block[_up(NODECF * LANES) + lane] * t2
    _, cosine = _sine_cosine(xmdf)
    delmtemp = 1.0 + block[_up(ETA * LANES) + lane] * cosine
    cubed = delmtemp * delmtemp * delmtemp
    shift = block[_up(OMGCOF * LANES) + lane] * t + block[_up(XMCOF * LANES) + lane] * (
        cubed - block[_up(DELMO * LANES) + lane]
    )
    mm = xmdf + shift
    argpm = argpdf - shift
    d2, d3, d4 = (
        block[_up(D2 * LANES) + lane],
        block[_up(D3 * LANES) + lane],
        block[_up(D4 * LANES) + lane],
    )
    tempa = 1.0 - cc1 * t - d2 * t2 - d3 * t3 - d4 * t4
    sine, _ = _sine_cosine(mm)
    tempe = bstar * block[_up(CC4 * LANES) + lane] * t + bstar * block[_up(CC5 * LANES) + lane] * (
        sine - block[_up(SINMAO * LANES) + lane]
    )
    templ = (
        block[_up(T2COF * LANES) + lane] * t2
        + block[_up(T3COF * LANES) + lane] * t3
        + t4 * (block[_up(T4COF * LANES) + lane] + t * block[_up(T5COF * LANES) + lane])
    )
    am = block[_up(AO * LANES) + lane] * tempa * tempa
    em = block[_up(ECCO * LANES) + lane] - tempe
    longitude = mm + block[_up(NO_UNKOZAI * LANES) + lane] * templ + argpm + nodem
    return am, em, longitude, argpm, nodem


@njit(cache=True, fastmath=_VECTORISED, error_model="numpy", inline="always")
def _propagate_lane(block, lane, minutes):  # type: ignore[no-untyped-def]
    """Write the state of one object of the block; DOUBT is 1 where python-sgp4 might report an error."""
    am, em_raw, longitude, argpm, nodem = _mean_elements(block, lane, minutes)
    em = em_raw if em_raw > 1e-6 else 1e-6
    nm = XKE / (am * np.sqrt(am))
    # Long-period periodics, then Kepler's equation for E + omega.
    sine, cosine = _sine_cosine(argpm)
    axnl = em * cosine
    inverse_p = 1.0 / (am * (1.0 - em * em))
    aynl = em * sine + inverse_p * block[_up(AYCOF * LANES) + lane]
    u = longitude + inverse_p * block[_up(XLCOF * LANES) + lane] * axnl - nodem
    u = u - _TWO_PI * ((u * _INVERSE_TWO_PI + _ROUNDING) - _ROUNDING)
    eo1 = _kepler_step(u, axnl, aynl, u)
    eo1 = _kepler_step(u, axnl, aynl, eo1)
    eo1 = _kepler_step(u, axnl, aynl, eo1)
    eo1 = _kepler_step(u, axnl, aynl, eo1)
    last = _kepler_step(u, axnl, aynl, eo1)
    unsolved = abs(last - eo1)
    sine, cosine = _sine_cosine(last)
    ecose = axnl * cosine + aynl * sine
    esine = axnl * sine - aynl * cosine
    el2 = axnl * axnl + aynl * aynl
    pl = am * (1.0 - el2)
    rl = am * (1.0 - ecose)
    betal = np.sqrt(1.0 - el2)
    temp = esine / (1.0 + betal)
    sinu = am / rl * (sine - aynl - axnl * temp)
    cosu = am / rl * (cosine - axnl + aynl * temp)
    sin2u = (cosu + cosu) * sinu
    cos2u = 1.0 - 2.0 * sinu * sinu
    # Short-period periodics.
    con41 = block[_up(CON41 * LANES) + lane]
    x1mth2 = block[_up(X1MTH2 * LANES) + lane]
    cosio = block[_up(COSIO * LANES) + lane]
    sinio = block[_up(SINIO * LANES) + lane]
    temp1 = 0.5 * J2 / pl
    temp2 = temp1 / pl
    mrt = rl * (1.0 - 1.5 * temp2 * betal * con41) + 0.5 * temp1 * x1mth2 * cos2u
    mvt = np.sqrt(am) * esine / rl - nm * temp1 * x1mth2 * sin2u / XKE
    rvdot = np.sqrt(pl) / rl + nm * temp1 * (x1mth2 * cos2u + 1.5 * con41) / XKE
    norm = 1.0 / np.sqrt(sinu * sinu + cosu * cosu)
    shift = -0.25 * temp2 * block[_up(X7THM1 * LANES) + lane] * sin2u
    sinsu, cossu = _rotated(sinu * norm, cosu * norm, shift)
    sini, cosi = _rotated(sinio, cosio, 1.5 * temp2 * cosio * sinio * cos2u)
    snod, cnod = _sine_cosine(nodem + 1.5 * temp2 * cosio * sin2u)
    # Orientation, and units of km and km/s.
    xmx = -snod * cosi
    xmy = cnod * cosi
    ux = xmx * sinsu + cnod * cossu
    uy = xmy * sinsu + snod * cossu
    uz = sini * sinsu
    r_km = mrt * EARTH_RADIUS_KM
    at = _up(OUT_X * LANES) + lane
    block[at] = r_km * ux
    block[at + _up(LANES)] = r_km * uy
    block[at + _up(2 * LANES)] = r_km * uz
    at = _up(OUT_VX * LANES) + lane
    block[at] = (mvt * ux + rvdot * (xmx * cossu - cnod * sinsu)) * KM_S
    block[at + _up(LANES)] = (mvt * uy + rvdot * (xmy * cossu - snod * sinsu)) * KM_S
    block[at + _up(2 * LANES)] = (mvt * uz + rvdot * (sini * cossu)) * KM_S
    bound = (mvt * mvt + rvdot * rvdot) * mrt < 2.0
    fine = bound and mrt > 1.0001 and em_raw < 0.999 and em_raw > -0.0009 and am > 0.9501 and el2 < 1.0
    block[_up(OUT_DOUBT * LANES) + lane] = 0.0 if fine and unsolved < 1e-9 else 1.0


@njit(cache=True, fastmath=_VECTORISED, error_model="numpy")
def _propagate_block(block, minutes):  # type: ignore[no-untyped-def]
    for lane in range(_up(LANES)):
        _propagate_lane(block, lane, minutes)


@njit(cache=True, error_model="numpy", nogil=True)
def near_earth_grid(
    blocks: BlockArray,
    minutes: FloatArray,
    place: npt.NDArray[np.int32],
    r_km: FloatArray,
    v_km_s: FloatArray,
    doubtful: npt.NDArray[np.bool_],
) -> None:
    """Propagate blocks (b, CONSTANTS, 32) to all `minutes` (m,) from the start of the window.

    Object k of the blocks becomes column `place[k]` of `r_km` and `v_km_s` (m, 3, n), TEME, and of `doubtful`
    (m, n): where true, SGP4 may have failed and python-sgp4 must be asked.
    """
    block = np.empty(ROWS * LANES)
    for b in range(blocks.shape[0]):
        block[: CONSTANTS * LANES] = blocks[b].ravel()
        used = min(LANES, place.shape[0] - b * LANES)
        for k in range(minutes.shape[0]):
            _propagate_block(block, minutes[k])
            for lane in range(used):
                column = place[b * LANES + lane]
                for axis in range(3):
                    r_km[k, axis, column] = block[(OUT_X + axis) * LANES + lane]
                    v_km_s[k, axis, column] = block[(OUT_VX + axis) * LANES + lane]
                doubtful[k, column] = block[OUT_DOUBT * LANES + lane] != 0.0


@njit(cache=True, error_model="numpy", nogil=True)
def near_earth_points(
    blocks: BlockArray,
    index: npt.NDArray[np.int32],
    minutes: FloatArray,
    r_km: FloatArray,
    v_km_s: FloatArray,
    doubtful: npt.NDArray[np.bool_],
) -> None:
    """Propagate object `index[k]` of the blocks to `minutes[k]`: r_km and v_km_s (k, 3), doubtful (k,)."""
    block = np.empty(ROWS * LANES)
    count = index.shape[0]
    for first in range(0, count, LANES):
        used = min(LANES, count - first)
        for lane in range(LANES):
            at = first + min(lane, used - 1)
            b, source = index[at] // LANES, index[at] % LANES
            for row in range(CONSTANTS):
                block[row * LANES + lane] = blocks[b, row, source]
            block[MINUTES_AT_START * LANES + lane] += minutes[at]
        _propagate_block(block, 0.0)
        for lane in range(used):
            for axis in range(3):
                r_km[first + lane, axis] = block[(OUT_X + axis) * LANES + lane]
                v_km_s[first + lane, axis] = block[(OUT_VX + axis) * LANES + lane]
            doubtful[first + lane] = block[OUT_DOUBT * LANES + lane] != 0.0
