"""Find where an object thrusts in the states of an ephemeris, and cut it there.

Between two positions an object flies an arc of gravity with J2. Where two arcs meet, the difference of their
velocities over the time is the acceleration that gravity lacks. It is small and changes slowly; where it
jumps from one state to the next, a polynomial across is off by about an eighth of the jump times the square
of the step.
"""

import math
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
from numpy.lib.stride_tricks import sliding_window_view

from screening.kernels import kernel
from screening.orbits.ephemerides import Segment
from screening.orbits.flight import fly
from screening.orbits.gravity import MU_KM3_S2
from screening.orbits.interpolated import POINTS
from screening.orbits.timegrid import FloatArray

# A jump counts as a thrust if it puts the polynomial off by more than this, by more than this many times what
# is usual around it, and if it is more than this part of gravity. A reboost of the ISS by 0.5 m/s in five
# minutes makes 12 m between states 240 s apart, and 2e-4 of gravity. Without a thrust, only SGP4's own paths
# have jumps as large, where states 240 s apart pass the perigee of an orbit with e > 0.5: they are cut there.
OFF_KM = 0.001
TIMES_USUAL = 6.0
PART_OF_GRAVITY = 1e-4
_USUAL_STATES = 15
# An arc is flown in steps of this angle (Runge and Kutta's method: 3 mm in a low orbit), and begun again so
# often until it ends at the next position.
_STEP_RAD = 0.06
_SHOTS = 5


def cut_at_burns(segment: Segment) -> list[Segment]:
    """Return the parts of a segment between thrusts; each has a state at its ends.

    Between two parts there is a gap if the thrust was between two states, or lasted for some.
    """
    seconds = (segment.epochs - segment.epochs[0]) / np.timedelta64(1, "us") / 1e6
    begins, ends = [0], []
    for last, first in _thrusts(seconds, segment.r_teme_km):
        ends.append(last)
        begins.append(first)
    ends.append(len(seconds) - 1)
    if len(ends) == 1:
        return [segment]
    parts = [_part(segment, begin, end) for begin, end in zip(begins, ends, strict=True) if begin < end]
    return [part for part in parts if part.usable_from < part.usable_to]


def _part(segment: Segment, begin: int, end: int) -> Segment:
    epochs = segment.epochs[begin : end + 1]
    known = (segment.covariance_epochs >= epochs[0]) & (segment.covariance_epochs <= epochs[-1])
    return Segment(
        epochs,
        segment.r_teme_km[begin : end + 1],
        max(segment.usable_from, epochs[0]),
        min(segment.usable_to, epochs[-1]),
        segment.covariance_epochs[known],
        segment.covariance_rtn[known],
    )


def _thrusts(times_s: FloatArray, r_teme_km: FloatArray) -> Iterator[tuple[int, int]]:
    """Yield the last state before each thrust and the first after it; they may be the same."""
    if len(times_s) < POINTS:
        return
    lacking = lacking_km_s2(times_s, r_teme_km)
    jumps = np.flatnonzero(_jumps(times_s, r_teme_km, lacking))
    for event in np.split(jumps, 1 + np.flatnonzero(np.diff(jumps) > 2)) if len(jumps) else []:
        before, after = int(event[0]), int(event[-1]) + 1  # states beside it
        if before + 1 == after:  # a thrust begins or ends, and its states are given
            size = np.linalg.norm(lacking[[before, after]], axis=1)
            yield (before, before) if size[0] < size[1] else (after, after)
        elif after - before == 2:
            yield before + 1, before + 1
        else:
            yield before + 1, after - 1


def _jumps(times_s: FloatArray, r_teme_km: FloatArray, lacking: FloatArray) -> npt.NDArray[np.bool_]:
    """Return between which neighbouring states (n - 1,) the lacking acceleration (n, 3) jumps."""
    steps = np.diff(times_s)
    padded = np.pad(steps, POINTS // 2, mode="edge")
    longest = sliding_window_view(padded, POINTS + 1).max(axis=1)
    jump_km_s2 = np.linalg.norm(np.diff(lacking, axis=0), axis=1)
    off_km = jump_km_s2 * longest**2 / 8.0
    around = np.pad(off_km, _USUAL_STATES, mode="symmetric")
    usual_km = np.median(sliding_window_view(around, 2 * _USUAL_STATES + 1), axis=1)
    gravity_km_s2 = MU_KM3_S2 / (r_teme_km[1:] ** 2).sum(axis=1)
    far_off = off_km > np.maximum(OFF_KM, TIMES_USUAL * usual_km)
    jumps: npt.NDArray[np.bool_] = far_off & (jump_km_s2 > PART_OF_GRAVITY * gravity_km_s2)
    return jumps


def lacking_km_s2(times_s: FloatArray, r_teme_km: FloatArray) -> FloatArray:
    """Return the acceleration (n, 3) that gravity lacks at states (n, 3); at both ends that beside it."""
    departure, arrival = arcs_km_s(times_s, r_teme_km)
    steps_s = np.diff(times_s)[:, None]
    inner = (departure[1:] - arrival[:-1]) / (0.5 * (steps_s[1:] + steps_s[:-1]))
    return np.pad(inner, ((1, 1), (0, 0)), mode="edge")


def arcs_km_s(times_s: FloatArray, r_teme_km: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the velocities (n - 1, 3) at both ends of arcs of gravity, each from a position to the next."""
    steps_s = np.diff(times_s)[:, None]
    start, end = r_teme_km[:-1], r_teme_km[1:]
    lowest_km = float(np.linalg.norm(r_teme_km, axis=1).min())
    turn_rad = float(steps_s.max()) * math.sqrt(2.0 * MU_KM3_S2 / lowest_km**3)
    pieces = max(1, math.ceil(turn_rad / _STEP_RAD))
    departure = (end - start) / steps_s
    for _ in range(_SHOTS):
        reached, _ = _flown(start, departure, steps_s, pieces)
        departure += (end - reached) / steps_s
    _, arrival = _flown(start, departure, steps_s, pieces)
    return departure, arrival


def _flown(r: FloatArray, v: FloatArray, steps_s: FloatArray, pieces: int) -> tuple[FloatArray, FloatArray]:
    reached, arrival = r.copy(), v.copy()
    _fly(reached, arrival, steps_s[:, 0].copy(), pieces)
    return reached, arrival


@kernel
def _fly(r_km: FloatArray, v_km_s: FloatArray, steps_s: FloatArray, pieces: int) -> None:
    """Advance states (n, 3) by their steps (n,), in this many pieces each."""
    for i in range(len(steps_s)):
        fly(r_km[i], v_km_s[i], steps_s[i], pieces)
