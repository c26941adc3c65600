"""The numerical integration of resonant orbits, in steps of 720 minutes from the epoch.

Euler and Maclaurin's scheme as Hoots & Roehrich (1980) prescribe it. The state after k steps depends only on
k: continuing from an earlier step on the same side of the epoch, or beginning at the epoch, gives the same
bits.

Rows lie in a flat array, `width` values apiece: a block, or the constants of all objects.
"""

import math

from screening.kernels import kernel
from screening.orbits.sgp4 import deep_space as row
from screening.orbits.sgp4.resonance import DAILY, NO_RESONANCE
from screening.orbits.timegrid import FloatArray, TimeWindow

STEP_MINUTES = 720.0
_HALF_SQUARE = 0.5 * STEP_MINUTES * STEP_MINUTES
# Phases of the harmonics, rad.
_FASX2, _FASX4, _FASX6 = 0.13130908, 2.8843198, 0.37448087
_G22, _G32, _G44, _G52, _G54 = 5.7686396, 0.95240898, 1.8014998, 1.0508330, 4.4108898


@kernel
def advance(flat: FloatArray, width: int, lane: int, minutes: float) -> None:
    """Move the integrator of one resonant object to the last whole step towards `minutes` from its epoch."""
    atime = flat[row.ATIME * width + lane]
    if minutes * atime < 0.0 or abs(minutes) < abs(atime):
        flat[row.ATIME * width + lane] = atime = 0.0
        flat[row.XLI * width + lane] = flat[row.XLAMO * width + lane]
        flat[row.XNI * width + lane] = flat[row.NO_UNKOZAI * width + lane]
        _find_rates(flat, width, lane)
    step = STEP_MINUTES if minutes > 0.0 else -STEP_MINUTES
    while abs(minutes - atime) >= STEP_MINUTES:
        xldot, xndt = flat[row.XLDOT * width + lane], flat[row.XNDT * width + lane]
        flat[row.XLI * width + lane] += xldot * step + xndt * _HALF_SQUARE
        flat[row.XNI * width + lane] += xndt * step + flat[row.XNDDT * width + lane] * _HALF_SQUARE
        atime += step
        flat[row.ATIME * width + lane] = atime
        _find_rates(flat, width, lane)


@kernel
def _find_rates(flat: FloatArray, width: int, lane: int) -> None:
    """Fill the rates of longitude (XLDOT) and mean motion (XNDT, XNDDT) at the integrator's state."""
    xli = flat[row.XLI * width + lane]
    xldot = flat[row.XNI * width + lane] + flat[row.XFACT * width + lane]
    if flat[row.KIND * width + lane] == DAILY:
        xndt, by_longitude = _daily_rates(flat, width, lane, xli)
    else:
        xomi = (
            flat[row.ARGPO * width + lane] + flat[row.ARGPDOT * width + lane] * flat[row.ATIME * width + lane]
        )
        xndt, by_longitude = _half_daily_rates(flat, width, lane, xli, xomi)
    flat[row.XLDOT * width + lane] = xldot
    flat[row.XNDT * width + lane] = xndt
    flat[row.XNDDT * width + lane] = by_longitude * xldot


@kernel
def _daily_rates(flat: FloatArray, width: int, lane: int, xli: float) -> tuple[float, float]:
    """Return the rate of the mean motion and its derivative by the longitude."""
    xndt = by_longitude = 0.0
    for k, phase in enumerate((_FASX2, _FASX4, _FASX6)):
        strength, multiple = flat[(row.FIRST_TERM + k) * width + lane], k + 1.0
        angle = multiple * (xli - phase)
        xndt += strength * math.sin(angle)
        by_longitude += multiple * strength * math.cos(angle)
    return xndt, by_longitude


@kernel
def _half_daily_rates(
    flat: FloatArray, width: int, lane: int, xli: float, xomi: float
) -> tuple[float, float]:
    """Return the rate of the mean motion and its derivative by the longitude; `xomi` is the perigee."""
    # Multiples of the longitude and of the perigee, and phase, of each term of `half_daily_terms`.
    harmonics = (
        (1.0, 2.0, _G22), (1.0, 0.0, _G22), (1.0, 1.0, _G32), (1.0, -1.0, _G32), (2.0, 2.0, _G44),
        (2.0, 0.0, _G44), (1.0, 1.0, _G52), (1.0, -1.0, _G52), (2.0, 1.0, _G54), (2.0, -1.0, _G54),
    )  # fmt: skip
    xndt = by_longitude = 0.0
    for k, (longitudes, perigees, phase) in enumerate(harmonics):
        strength = flat[(row.FIRST_TERM + k) * width + lane]
        angle = longitudes * xli + perigees * xomi - phase
        xndt += strength * math.sin(angle)
        by_longitude += longitudes * strength * math.cos(angle)
    return xndt, by_longitude


def start_integrators(constants: FloatArray, span: TimeWindow) -> None:
    """Move the integrators of objects (CONSTANTS, n) to the instant of the span nearest to their epoch."""
    _start_all(constants.reshape(-1), constants.shape[1], span.seconds / 60.0)


@kernel
def _start_all(flat: FloatArray, width: int, span_minutes: float) -> None:
    for lane in range(width):
        if flat[row.KIND * width + lane] == NO_RESONANCE:
            continue
        _find_rates(flat, width, lane)
        first = flat[row.MINUTES_AT_START * width + lane]
        advance(flat, width, lane, min(max(0.0, first), first + span_minutes))
