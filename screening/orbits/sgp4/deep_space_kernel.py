"""Deep-space SGP4, compiled for 32 objects at a time.

A test holds every state within 1 mm of python-sgp4, which also recomputes doubtful states.
"""

import math

import numpy as np
import numpy.typing as npt

from screening.kernels import inlined_lanes_kernel, kernel, lanes_kernel
from screening.orbits.gravity import J2
from screening.orbits.sgp4 import deep_space as row
from screening.orbits.sgp4.lane_trigonometry import TWO_PI, direction, rotated, sine_cosine, whole
from screening.orbits.sgp4.lanes import (
    BLOCKS_TOGETHER,
    LANES,
    OUT_DOUBT,
    OUT_OF_PACE,
    OUTPUTS,
    put_grid_states,
    put_point_states,
    value,
)
from screening.orbits.sgp4.lunar_solar import (
    LUNAR_ECCENTRICITY,
    LUNAR_RATE_RAD_MIN,
    SOLAR_ECCENTRICITY,
    SOLAR_RATE_RAD_MIN,
)
from screening.orbits.sgp4.near_earth import J3
from screening.orbits.sgp4.resonance import EARTH_RATE_RAD_MIN, NO_RESONANCE
from screening.orbits.sgp4.resonance_integrator import STEP_MINUTES, advance
from screening.orbits.sgp4.short_period import write_state
from screening.orbits.timegrid import FloatArray

OUT = row.CONSTANTS  # the outputs of a block follow its constants
ROWS = row.CONSTANTS + OUTPUTS
# Below this inclination the periodics are applied to the pole instead of to node and perigee (Lyddane 1963).
LYDDANE_RAD = 0.2
# This close to a jump of SGP4 rounding decides, which only python-sgp4 itself reproduces.
_NEAR_JUMP_RAD = 1e-9
_PI = 0.5 * TWO_PI
_up = np.uintp


@inlined_lanes_kernel
def _periodics(block, lane, t, first, rate, eccentricity):  # type: ignore[no-untyped-def]
    """Return the periodics from the Sun or the Moon in e, i, mean anomaly, perigee and node (gh and h)."""
    anomaly = value(block, first, lane) + rate * t
    sine, cosine = sine_cosine(anomaly)
    sine, cosine = rotated(sine, cosine, 2.0 * eccentricity * sine)
    f2 = 0.5 * sine * sine - 0.25
    f3 = -0.5 * sine * cosine
    at = first + 1
    e = value(block, at, lane) * f2 + value(block, at + 1, lane) * f3
    i = value(block, at + 2, lane) * f2 + value(block, at + 3, lane) * f3
    m = value(block, at + 4, lane) * f2 + value(block, at + 5, lane) * f3 + value(block, at + 6, lane) * sine
    gh = value(block, at + 7, lane) * f2 + value(block, at + 8, lane) * f3 + value(block, at + 9, lane) * sine
    h = value(block, at + 10, lane) * f2 + value(block, at + 11, lane) * f3
    return e, i, m, gh, h


@inlined_lanes_kernel
def _mean_elements(block, lane, t):  # type: ignore[no-untyped-def]
    """Apply secular terms and resonance at `t` minutes from epoch.

    Returns semi-major axis, eccentricity, inclination, mean anomaly, argument of perigee, node, the relative
    change of the period since epoch, and how fast drag moves the mean anomaly, relative to what the
    semi-major axis implies.
    """
    t2 = t * t
    ft = t - value(block, row.ATIME, lane)
    xndt = value(block, row.XNDT, lane)
    no = value(block, row.NO_UNKOZAI, lane)
    nm = value(block, row.XNI, lane) + ft * (xndt + 0.5 * ft * value(block, row.XNDDT, lane))
    xl = value(block, row.XLI, lane) + ft * (value(block, row.XLDOT, lane) + 0.5 * ft * xndt)
    argpm = value(block, row.ARGPO, lane) + value(block, row.PERIGEE_RATE, lane) * t
    nodem = (
        value(block, row.NODEO, lane)
        + value(block, row.NODE_RATE, lane) * t
        + value(block, row.NODECF, lane) * t2
    )
    theta = value(block, row.GSTO, lane) + EARTH_RATE_RAD_MIN * t
    mm = xl + value(block, row.EARTH_TURNS, lane) * (theta - nodem) - value(block, row.PERIGEES, lane) * argpm
    tempa = 1.0 - value(block, row.CC1, lane) * t
    # (no / nm)^(2/3): the series, then one step of Halley's for the cube root.
    ratio = no / nm
    drift = ratio - 1.0
    ratio2 = ratio * ratio
    root = 1.0 + drift * (2.0 / 3.0 - (1.0 / 9.0) * drift)
    cube = root * root * root
    root = root * (cube + 2.0 * ratio2) / (2.0 * cube + ratio2)
    am = value(block, row.AO, lane) * root * tempa * tempa
    em = value(block, row.ECCO, lane) + value(block, row.ECCENTRICITY_RATE, lane) * t
    inclm = value(block, row.INCLO, lane) + value(block, row.INCLINATION_RATE, lane) * t
    longitude = value(block, row.DRAG_LONGITUDE, lane)
    pace = (1.0 + 2.0 * longitude * t / no) * tempa * tempa * tempa
    return am, em, inclm, mm + longitude * t2, argpm, nodem, drift, pace


@inlined_lanes_kernel
def _node_and_perigee_shifts(sinip, cosip, low, pinc, pgh, ph, nodem):  # type: ignore[no-untyped-def]
    """Return by how much the periodics move node and perigee, and whether that is beyond doubt.

    At low inclinations the pole is moved (Lyddane 1963): the node turns by the angle of (sin i + pinc cos i,
    ph), and the longitude keeps a term with the node itself, counted from -2 pi to 2 pi.
    """
    along = sinip + pinc * cosip
    turned = direction(ph, along)
    turns = nodem / TWO_PI
    nearest = whole(turns)
    fraction = turns - nearest
    beyond = (nearest > 0.0 and fraction < 0.0) or (nearest < 0.0 and fraction > 0.0)
    fraction = fraction + (1.0 if nearest > 0.0 else -1.0) if beyond else fraction
    node_shift = turned if low else ph / (1.0 if low else sinip)
    perigee_shift = pgh - cosip * node_shift - (pinc * sinip * TWO_PI * fraction if low else 0.0)
    same_turn = nearest == 0.0 or abs(turns - nearest) > _NEAR_JUMP_RAD
    clear = along * along + ph * ph > 1e-18 and abs(turned) < _PI - _NEAR_JUMP_RAD and same_turn
    steep = abs(sinip) > 1e-6
    return node_shift, perigee_shift, (clear if low else steep)


@inlined_lanes_kernel
def _propagate_lane(block, lane, minutes):  # type: ignore[no-untyped-def]
    """Write the state of one object of the block; its doubt is 1 where python-sgp4 might report an error."""
    t = minutes + value(block, row.MINUTES_AT_START, lane)
    am, em_raw, inclm, mm, argpm, nodem, drift, pace = _mean_elements(block, lane, t)
    em = em_raw if em_raw > 1e-6 else 1e-6
    es, is_, ms, ghs, hs = _periodics(block, lane, t, row.ZMOS, SOLAR_RATE_RAD_MIN, SOLAR_ECCENTRICITY)
    el, il, ml, ghl, hl = _periodics(block, lane, t, row.ZMOL, LUNAR_RATE_RAD_MIN, LUNAR_ECCENTRICITY)
    pinc = is_ + il
    ep = em + (es + el)
    xincp = inclm + pinc
    sinip, cosip = sine_cosine(xincp)
    low = xincp < LYDDANE_RAD
    node_shift, perigee_shift, certain = _node_and_perigee_shifts(
        sinip, cosip, low, pinc, ghs + ghl, hs + hl, nodem
    )
    # A negative inclination is a positive one with node and perigee half a turn on.
    half_turn = _PI if xincp < 0.0 else 0.0
    sinip = -sinip if xincp < 0.0 else sinip
    argp = argpm + perigee_shift - half_turn
    node = nodem + node_shift + half_turn
    cosisq = cosip * cosip
    opposite = 1.0 + cosip
    opposite = opposite if opposite > 1.5e-12 else 1.5e-12
    coefficients = (
        -0.5 * (J3 / J2) * sinip,
        -0.25 * (J3 / J2) * sinip * (3.0 + 5.0 * cosip) / opposite,
        3.0 * cosisq - 1.0,
        1.0 - cosisq,
        7.0 * cosisq - 1.0,
    )
    fine = write_state(
        block, OUT, lane, am, ep, mm + (ms + ml) + argp, argp, node, sinip, cosip, coefficients
    )
    fine = fine and em_raw < 0.999 and em_raw > -0.0009 and ep > 1e-9 and abs(drift) < 0.05
    fine = fine and certain and abs(xincp - LYDDANE_RAD) > _NEAR_JUMP_RAD and abs(pace - 1.0) < OUT_OF_PACE
    block[_up((OUT + OUT_DOUBT) * LANES) + lane] = 0.0 if fine else 1.0


@lanes_kernel
def _propagate_block(block, minutes):  # type: ignore[no-untyped-def]
    for lane in range(_up(LANES)):
        _propagate_lane(block, lane, minutes)


@kernel
def _advance_block(block: FloatArray, minutes: float) -> tuple[float, float]:
    """Move the integrators of a block to the last step before `minutes` from the start of the window.

    Returns between which minutes they may stay there.
    """
    earliest, latest = -math.inf, math.inf
    for lane in range(LANES):
        if block[row.KIND * LANES + lane] == NO_RESONANCE:
            continue
        at_start = block[row.MINUTES_AT_START * LANES + lane]
        advance(block, LANES, lane, minutes + at_start)
        atime = block[row.ATIME * LANES + lane]
        earliest = max(earliest, (atime if atime > 0.0 else atime - STEP_MINUTES) - at_start)
        latest = min(latest, (atime if atime < 0.0 else atime + STEP_MINUTES) - at_start)
    return earliest, latest


@kernel
def deep_space_grid(
    blocks: FloatArray,
    minutes: FloatArray,
    place: npt.NDArray[np.int32],
    r_km: FloatArray,
    v_km_s: FloatArray,
    doubtful: npt.NDArray[np.bool_],
) -> None:
    """Propagate blocks (b, CONSTANTS, 32) to all `minutes` (m,) from the start of the window.

    Object k of the blocks becomes column `place[k]` of `r_km` and `v_km_s` (m, 3, n), TEME, and of `doubtful`
    (m, n): where true, SGP4 may have failed and python-sgp4 must decide.
    """
    together = np.empty((BLOCKS_TOGETHER, ROWS * LANES))
    stays = np.zeros((BLOCKS_TOGETHER, 2))  # between which minutes a block's integrators may stay
    columns = place.astype(np.uintp)
    for first in range(0, blocks.shape[0], BLOCKS_TOGETHER):
        used = min(BLOCKS_TOGETHER, blocks.shape[0] - first)
        for b in range(used):
            together[b, : row.CONSTANTS * LANES] = blocks[first + b].ravel()
        stays[:] = 0.0  # empty: the first instant advances
        for k in range(minutes.shape[0]):
            for b in range(used):
                lanes = slice((first + b) * LANES, (first + b + 1) * LANES)
                if not stays[b, 0] < minutes[k] < stays[b, 1]:
                    stays[b] = _advance_block(together[b], minutes[k])
                _propagate_block(together[b], minutes[k])
                put_grid_states(together[b], OUT, k, columns[lanes], r_km, v_km_s, doubtful)


@kernel
def deep_space_points(
    blocks: FloatArray,
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
            for constant in range(row.CONSTANTS):
                block[constant * LANES + lane] = blocks[b, constant, source]
            block[row.MINUTES_AT_START * LANES + lane] += minutes[at]
        _advance_block(block, 0.0)
        _propagate_block(block, 0.0)
        put_point_states(block, OUT, first, used, r_km, v_km_s, doubtful)
