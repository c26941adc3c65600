"""Near-earth SGP4, compiled for 32 objects at a time.

A test holds every state within 1 mm of python-sgp4, which also recomputes doubtful states.
"""

import numpy as np
import numpy.typing as npt

from screening.kernels import inlined_lanes_kernel, kernel, lanes_kernel
from screening.orbits.sgp4 import near_earth as row
from screening.orbits.sgp4.lane_trigonometry import sine_cosine
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
from screening.orbits.sgp4.short_period import write_state
from screening.orbits.timegrid import FloatArray

OUT = row.CONSTANTS  # the outputs of a block follow its constants
ROWS = row.CONSTANTS + OUTPUTS
_up = np.uintp


@inlined_lanes_kernel
def _mean_elements(block, lane, minutes):  # type: ignore[no-untyped-def]
    """Apply secular gravity and drag: semi-major axis, eccentricity, mean anomaly, argument of perigee, node.

    Also returns how fast its own polynomial moves the mean anomaly, relative to what the semi-major axis
    implies.
    """
    t = minutes + value(block, row.MINUTES_AT_START, lane)
    t2 = t * t
    t3 = t2 * t
    t4 = t3 * t
    bstar = value(block, row.BSTAR, lane)
    xmdf = value(block, row.MO, lane) + value(block, row.MDOT, lane) * t
    argpdf = value(block, row.ARGPO, lane) + value(block, row.ARGPDOT, lane) * t
    nodedf = value(block, row.NODEO, lane) + value(block, row.NODEDOT, lane) * t
    nodem = nodedf + value(block, row.NODECF, lane) * t2
    _, cosine = sine_cosine(xmdf)
    delmtemp = 1.0 + value(block, row.ETA, lane) * cosine
    cubed = delmtemp * delmtemp * delmtemp
    delomg = value(block, row.OMGCOF, lane) * t
    shift = delomg + value(block, row.XMCOF, lane) * (cubed - value(block, row.DELMO, lane))
    mm = xmdf + shift
    argpm = argpdf - shift
    d2, d3, d4 = value(block, row.D2, lane), value(block, row.D3, lane), value(block, row.D4, lane)
    tempa = 1.0 - value(block, row.CC1, lane) * t - d2 * t2 - d3 * t3 - d4 * t4
    sine, _ = sine_cosine(mm)
    cc5 = value(block, row.CC5, lane)
    tempe = bstar * value(block, row.CC4, lane) * t + bstar * cc5 * (sine - value(block, row.SINMAO, lane))
    t2cof, t3cof = value(block, row.T2COF, lane), value(block, row.T3COF, lane)
    t4cof, t5cof = value(block, row.T4COF, lane), value(block, row.T5COF, lane)
    templ = t2cof * t2 + t3cof * t3 + t4 * (t4cof + t * t5cof)
    rate = 1.0 + t * (2.0 * t2cof + t * (3.0 * t3cof + t * (4.0 * t4cof + t * (5.0 * t5cof))))
    am = value(block, row.AO, lane) * tempa * tempa
    em = value(block, row.ECCO, lane) - tempe
    mm = mm + value(block, row.NO_UNKOZAI, lane) * templ
    return am, em, mm, argpm, nodem, rate * tempa * tempa * tempa


@inlined_lanes_kernel
def _propagate_lane(block, lane, minutes):  # type: ignore[no-untyped-def]
    """Write the state of one object of the block; its doubt is 1 where python-sgp4 might report an error."""
    am, em_raw, mm, argpm, nodem, pace = _mean_elements(block, lane, minutes)
    em = em_raw if em_raw > 1e-6 else 1e-6
    coefficients = (
        value(block, row.AYCOF, lane),
        value(block, row.XLCOF, lane),
        value(block, row.CON41, lane),
        value(block, row.X1MTH2, lane),
        value(block, row.X7THM1, lane),
    )
    sinio, cosio = value(block, row.SINIO, lane), value(block, row.COSIO, lane)
    fine = write_state(block, OUT, lane, am, em, mm + argpm, argpm, nodem, sinio, cosio, coefficients)
    fine = fine and em_raw < 0.999 and em_raw > -0.0009 and abs(pace - 1.0) < OUT_OF_PACE
    block[_up((OUT + OUT_DOUBT) * LANES) + lane] = 0.0 if fine else 1.0


@lanes_kernel
def _propagate_block(block, minutes):  # type: ignore[no-untyped-def]
    for lane in range(_up(LANES)):
        _propagate_lane(block, lane, minutes)


@kernel
def near_earth_grid(
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
    columns = place.astype(np.uintp)
    for first in range(0, blocks.shape[0], BLOCKS_TOGETHER):
        used = min(BLOCKS_TOGETHER, blocks.shape[0] - first)
        for b in range(used):
            together[b, : row.CONSTANTS * LANES] = blocks[first + b].ravel()
        for k in range(minutes.shape[0]):
            for b in range(used):
                lanes = slice((first + b) * LANES, (first + b + 1) * LANES)
                _propagate_block(together[b], minutes[k])
                put_grid_states(together[b], OUT, k, columns[lanes], r_km, v_km_s, doubtful)


@kernel
def near_earth_points(
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
        _propagate_block(block, 0.0)
        put_point_states(block, OUT, first, used, r_km, v_km_s, doubtful)
