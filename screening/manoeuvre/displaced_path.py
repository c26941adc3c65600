"""The path of an object after impulses: its own path, and laid upon it what the impulses displace."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from screening.errors import InputError
from screening.manoeuvre.displacement import displacements
from screening.manoeuvre.execution import PROBES_KM_S, Execution, execution_covariances
from screening.manoeuvre.impulse import Impulse, checked, kilometres
from screening.orbits.ephemerides import Segment
from screening.orbits.gravity import MU_KM3_S2
from screening.orbits.interpolated import POINTS
from screening.orbits.reference.local_axes import rtn_axes
from screening.orbits.timegrid import FloatArray, TimeWindow, UtcArray
from screening.orbits.trajectories import Paths

STEP_S = 60.0  # between states: interpolated to millimetres
COVARIANCE_EVERY = 10  # states
_M_PER_KM = 1000.0

Errors = Callable[[FloatArray, FloatArray, FloatArray], FloatArray]


class OutOfReach(InputError):
    """A path after burns is not known: it meets the surface, leaves the Earth, or was not known."""


class States(NamedTuple):
    """States of an object after burns."""

    r_teme_km: FloatArray  # (k, 3)
    v_teme_km_s: FloatArray  # (k, 3)
    execution_rtn_m2: FloatArray  # (k, 3, 3) errors of position from those of the burns, own RTN


def segments_after(
    paths: Paths,
    moved: int,
    impulses: Sequence[Impulse],
    until: np.datetime64,
    execution: Execution,
    own_errors: Errors,
) -> tuple[Segment, ...]:
    """Return the path of one object from the first impulse until an instant, cut at the impulses.

    Impulses of size 0, and later than the end, change nothing; without any other there is no segment.
    `own_errors` returns the covariances (k, 3, 3) of the object's position without burns, m2 in its own RTN,
    for times (k,) from the start of the paths' window, positions (k, 3) and velocities (k, 3).

    Raises OutOfReach if the object's own path ends, or the changed one meets the surface, or leaves
    the Earth.
    """
    burns = [one for one in checked(impulses) if one.at < until]
    segments = []
    for number, end in enumerate([*(one.at for one in burns[1:]), until][: len(burns)]):
        epochs = _epochs(burns[number].at, end)
        states = states_after(paths, moved, burns[: number + 1], epochs, execution)
        given = np.unique(np.r_[0 : len(epochs) : COVARIANCE_EVERY, len(epochs) - 1])
        covariance = np.zeros((len(given), 6, 6))
        own = own_errors(
            _seconds(paths.span, epochs[given]), states.r_teme_km[given], states.v_teme_km_s[given]
        )
        covariance[:, :3, :3] = (own + states.execution_rtn_m2[given]) / _M_PER_KM**2
        segments.append(Segment(epochs, states.r_teme_km, epochs[0], epochs[-1], epochs[given], covariance))
    return tuple(segments)


def states_after(
    paths: Paths, moved: int, burns: Sequence[Impulse], epochs: UtcArray, execution: Execution
) -> States:
    """Return the states at instants (k,), ascending, all at or after the last of burns in order of time.

    Raises OutOfReach.
    """
    times = np.concatenate([np.array([one.at for one in burns], "M8[us]"), epochs])
    r_km, v_km_s = _own_states(paths, moved, times)
    errors_m2 = np.zeros((len(times), 3, 3))
    for number, burn in enumerate(burns):
        here = slice(number, None)
        dv_km_s = np.concatenate([kilometres(burn.dv_rtn_m_s)[None], PROBES_KM_S])
        after_s = (times[here] - burn.at) / np.timedelta64(1, "us") / 1e6
        at_burn = slice(number, number + 1)
        shifts = displacements(r_km[at_burn], v_km_s[at_burn], dv_km_s[None], after_s[None])[0]
        if not np.isfinite(shifts[0]).all():
            raise OutOfReach(
                f"After the burn at {burn.at}Z the path meets the Earth's surface within "
                f"{after_s[-1] / 3600.0:.1f} h."
            )
        errors_m2[here] += execution_covariances(
            np.array(burn.dv_rtn_m_s),
            shifts[0, :, :3] * _M_PER_KM,
            shifts[1:, :, :3].transpose(1, 0, 2) * _M_PER_KM,
            execution,
        )
        axes = rtn_axes(r_km[here], v_km_s[here])
        r_km[here] += np.einsum("nji,nj->ni", axes, shifts[0, :, :3])
        v_km_s[here] += np.einsum("nji,nj->ni", axes, shifts[0, :, 3:])
        if _semi_major_km(r_km[number], v_km_s[number]) <= 0.0:
            raise OutOfReach(f"With the burn at {burn.at}Z the orbit is a hyperbola: it leaves the Earth.")
    left = slice(len(burns), None)
    return States(r_km[left], v_km_s[left], errors_m2[left])


def axis_change_m(paths: Paths, moved: int, impulses: Sequence[Impulse]) -> float:
    """Return by how much impulses change the osculating semi-major axis of an object, in m, in all."""
    burns, change_km = checked(impulses), 0.0
    for number, burn in enumerate(burns):
        at = np.array([burn.at], "M8[us]")
        just_before = states_after(paths, moved, burns[:number], at, Execution())
        r_km, v_km_s = just_before.r_teme_km, just_before.v_teme_km_s
        thrust = rtn_axes(r_km, v_km_s)[0].T @ kilometres(burn.dv_rtn_m_s)
        change_km += _semi_major_km(r_km[0], v_km_s[0] + thrust) - _semi_major_km(r_km[0], v_km_s[0])
    return change_km * _M_PER_KM


def _semi_major_km(r_km: FloatArray, v_km_s: FloatArray) -> float:
    return float(1.0 / (2.0 / np.linalg.norm(r_km) - v_km_s @ v_km_s / MU_KM3_S2))


def _own_states(paths: Paths, moved: int, times: UtcArray) -> tuple[FloatArray, FloatArray]:
    error, r_km, v_km_s = paths.at(np.full(len(times), moved, np.int32), _seconds(paths.span, times))
    if error.any():
        first = times[np.flatnonzero(error)[0]]
        raise OutOfReach(f"The object's own path is unknown at {first}Z: it has decayed, or its data end.")
    return r_km, v_km_s


def _epochs(begin: np.datetime64, end: np.datetime64) -> UtcArray:
    """Return instants from one to the other, both included, at most STEP_S apart and at least POINTS."""
    length_us = int((end - begin) / np.timedelta64(1, "us"))
    count = max(POINTS, int(np.ceil(length_us / 1e6 / STEP_S)) + 1)
    steps = np.rint(np.linspace(0.0, length_us, count)).astype("m8[us]")
    epochs: UtcArray = begin.astype("M8[us]") + steps
    return epochs


def _seconds(span: TimeWindow, times: UtcArray) -> FloatArray:
    seconds: FloatArray = (times - span.start) / np.timedelta64(1, "us") / 1e6
    return seconds
