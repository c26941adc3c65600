"""States as a file gives them: checked, and turned into a segment of an ephemeris."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from screening.orbits.ephemerides import Segment
from screening.orbits.reference.celestial import FrameName, rotations_to_teme
from screening.orbits.texts.ephemerides.covariances import TINY, repaired, states_between, to_rtn
from screening.orbits.texts.ephemerides.errors import UnreadableEphemeris
from screening.orbits.texts.ephemerides.frames import LocalName
from screening.orbits.timegrid import FloatArray, UtcArray

_FARTHEST_KM = 1e6  # three times the Moon's distance: no orbit about the Earth
_NEAREST_KM = 6_300.0  # the Earth's poles are at 6,357
_FASTEST_KM_S = 12.0  # escape from the Earth's surface takes 11.2
_SHORT_STEP_S = 300.0  # a chord is shorter than its arc by 1 %: 70 m/s
_VELOCITY_KM_S = 0.25  # the Earth's turning makes 0.5 in low orbit
_LARGEST_KM2 = 1e12  # sigmas of a million km
_ENVELOPE = 10  # epochs with the same sigmas are no result of an estimate

Refuse = Callable[[str, int | None], UnreadableEphemeris]


class Checked(NamedTuple):
    """A block of states that can be used."""

    segment: Segment
    v_teme_km_s: FloatArray | None  # (n, 3) as the file gives them; None: it has none
    repaired: UtcArray  # epochs of covariances that were not positive definite, and were repaired
    notes: list[str]  # on what was repaired or left out


class Written(NamedTuple):
    """One block of states, in the frame of its file."""

    epochs: UtcArray  # (n,) M8[us] UTC
    r_km: FloatArray  # (n, 3)
    v_km_s: FloatArray | None  # (n, 3)
    frame: FrameName
    frozen_at: np.datetime64 | None  # the epoch of the frame, if it is not of date
    usable: tuple[np.datetime64 | None, np.datetime64 | None]
    covariances: tuple["WrittenCovariance", ...]


class WrittenCovariance(NamedTuple):
    """A covariance, in the frame of its file."""

    epoch: np.datetime64
    matrix: FloatArray  # (6, 6) km2, km2/s, km2/s2
    frame: FrameName | LocalName


def segment_of(written: Written, what: str, refuse_state: Refuse, refuse_covariance: Refuse) -> Checked:
    """Return the segment in TEME and RTN.

    `what` names the block in notes. `refuse_state` and `refuse_covariance` build the error for the state or
    covariance of an index, which know their line. Raises UnreadableEphemeris.
    """
    _check_epochs(written.epochs, refuse_state)
    with np.errstate(over="ignore", invalid="ignore"):  # what overflows is refused
        _check_states(written, refuse_state)
    first, last = _usable(written, refuse_state)
    rotations = rotations_to_teme(written.frame, written.epochs, written.frozen_at)
    v_km_s = np.zeros_like(written.r_km) if written.v_km_s is None else written.v_km_s
    r_teme_km, v_teme_km_s = rotations.states(written.r_km, v_km_s)
    errors = _covariances(written, what, r_teme_km, v_teme_km_s, refuse_covariance)
    return Checked(
        Segment(written.epochs, r_teme_km, first, last, errors.epochs, errors.covariances),
        None if written.v_km_s is None else v_teme_km_s,
        errors.repaired,
        errors.notes,
    )


def _check_epochs(epochs: UtcArray, refuse: Refuse) -> None:
    if len(epochs) < 2:
        raise refuse(f"it has {len(epochs)} state; there must be at least 2", None)
    steps = np.diff(epochs)
    for found, what in ((steps < np.timedelta64(0), "is before"), (steps == np.timedelta64(0), "is again")):
        if found.any():
            i = int(np.argmax(found)) + 1
            raise refuse(f"the epoch {epochs[i]}Z {what} {epochs[i - 1]}Z; epochs must ascend", i)


def _check_states(written: Written, refuse: Refuse) -> None:
    distance_km = np.linalg.norm(written.r_km, axis=1)
    outside = ~((distance_km >= _NEAREST_KM) & (distance_km <= _FARTHEST_KM))
    if outside.any():
        i = int(np.argmax(outside))
        metres = _NEAREST_KM <= np.median(distance_km) / 1e3 <= _FARTHEST_KM / 10
        hint = "; it seems to be in metres, and must be in km" if metres else ""
        allowed = f"{_NEAREST_KM:,.0f} to {_FARTHEST_KM:,.0f} km are allowed"
        where = f"its distance from the Earth's centre is {distance_km[i]:,.0f} km"
        raise refuse(f"at {written.epochs[i]}Z {where}; {allowed}{hint}", i).of_rule("altitude")
    step_s = np.diff(written.epochs) / np.timedelta64(1, "s")
    chord_km = np.linalg.norm(np.diff(written.r_km, axis=0), axis=1)
    jumps = chord_km > _FASTEST_KM_S * step_s + 1.0
    if jumps.any():
        i = int(np.argmax(jumps)) + 1
        jump = f"it jumps by {chord_km[i - 1]:,.0f} km in {step_s[i - 1]:g} s"
        why = f"at {written.epochs[i]}Z {jump}; at most {_FASTEST_KM_S:g} km/s is possible"
        raise refuse(why, i).of_rule("jump")
    if written.v_km_s is not None:
        _check_velocities(written.r_km, written.v_km_s, step_s, refuse)


def _check_velocities(r_km: FloatArray, v_km_s: FloatArray, step_s: FloatArray, refuse: Refuse) -> None:
    speed_km_s = np.linalg.norm(v_km_s, axis=1)
    too_fast = ~(speed_km_s <= 2.0 * _FASTEST_KM_S)
    if too_fast.any():
        i = int(np.argmax(too_fast))
        why = f"its velocity is {speed_km_s[i]:,.0f} km/s; is it in m/s instead of km/s?"
        raise refuse(why, i).of_rule("velocity")
    short = step_s <= _SHORT_STEP_S
    between = (v_km_s[1:] + v_km_s[:-1])[short] / 2.0
    away = np.linalg.norm(np.diff(r_km, axis=0)[short] / step_s[short, None] - between, axis=1)
    if short.any() and np.median(away) > _VELOCITY_KM_S:
        off = f"by {np.median(away):.3g} km/s in the middle"
        fit = "its velocities do not match its positions"
        why = f"{fit}, {off}; are they in the same frame?"
        raise refuse(why, int(np.flatnonzero(short)[0])).of_rule("velocity")


def _usable(written: Written, refuse: Refuse) -> tuple[np.datetime64, np.datetime64]:
    start, stop = written.usable
    first = written.epochs[0] if start is None else max(start, written.epochs[0])
    last = written.epochs[-1] if stop is None else min(stop, written.epochs[-1])
    if first >= last:
        states = f"its states from {written.epochs[0]}Z to {written.epochs[-1]}Z"
        raise refuse(f"nothing is usable: {states}, its usable span from {start}Z to {stop}Z", None)
    return first, last


class _Errors(NamedTuple):
    epochs: UtcArray
    covariances: FloatArray  # (k, 6, 6) RTN
    repaired: UtcArray
    notes: list[str]


def _covariances(
    written: Written, what: str, r_teme_km: FloatArray, v_teme_km_s: FloatArray, refuse: Refuse
) -> _Errors:
    given = written.covariances
    epochs = np.array([one.epoch for one in given], "M8[us]")
    kept = (epochs >= written.epochs[0]) & (epochs <= written.epochs[-1])
    notes = []
    if not kept.all():
        i = int(np.argmin(kept))
        left_out = f"{what}: {(~kept).sum()} of {len(given)} covariances are left out"
        notes.append(f"{left_out}: {epochs[i]}Z is outside its states")
    if not kept.any() or written.v_km_s is None:
        return _Errors(epochs[:0], np.empty((0, 6, 6)), epochs[:0], notes)
    matrices = np.array([one.matrix for one in given])
    ordered = _ascending(epochs, kept, refuse)
    if not (known := (np.abs(matrices) <= _LARGEST_KM2).all(axis=(1, 2))).all():
        i = int(np.argmin(known))
        why = f"the covariance at {epochs[i]}Z has a number above {_LARGEST_KM2:g}"
        raise refuse(why, i).of_rule("covariance_size")
    whole = repaired(matrices[kept])
    _check_eigenvalues(whole.smallest, np.flatnonzero(kept), epochs, refuse)
    r, v = states_between(written.epochs, r_teme_km, v_teme_km_s, ordered)
    turned = np.empty_like(whole.covariances)
    frames = np.array([given[i].frame for i in np.flatnonzero(kept)])
    for frame in dict.fromkeys(given[i].frame for i in np.flatnonzero(kept)):
        of = frames == frame
        turned[of] = to_rtn(whole.covariances[of], frame, ordered[of], r[of], v[of], written.frozen_at)
    if whole.was_repaired.any():
        lowest = f"the lowest eigenvalue of a correlation was {np.nanmin(whole.smallest):.1g}"
        count = f"{whole.was_repaired.sum()} of {len(given)} covariances were repaired"
        notes.append(f"{what}: {count}, since {lowest}")
    notes += _envelope(what, ordered, turned)
    return _Errors(ordered, turned, ordered[whole.was_repaired], notes)


def _ascending(epochs: UtcArray, kept: npt.NDArray[np.bool_], refuse: Refuse) -> UtcArray:
    steps = np.diff(epochs)
    if (steps <= np.timedelta64(0)).any():
        i = int(np.argmax(steps <= np.timedelta64(0))) + 1
        raise refuse(
            f"the covariance at {epochs[i]}Z follows that at {epochs[i - 1]}Z; epochs must ascend", i
        )
    ordered: UtcArray = epochs[kept]
    return ordered


def _check_eigenvalues(
    smallest: FloatArray, index: npt.NDArray[np.intp], epochs: UtcArray, refuse: Refuse
) -> None:
    wrong = ~(smallest >= TINY)
    if wrong.any():
        i = int(np.argmax(wrong))
        value = smallest[i]
        why = "a negative variance" if np.isnan(value) else f"a correlation eigenvalue of {value:.2g}"
        raise refuse(
            f"the covariance at {epochs[index[i]]}Z has {why}; only values down to {TINY:g} are repaired",
            int(index[i]),
        ).of_rule("covariance_definite")


def _envelope(what: str, epochs: UtcArray, covariances: FloatArray) -> list[str]:
    """Return a note if the sigmas stay the same for long: a bound that was set, and no estimate."""
    sigmas_m = np.sqrt(np.maximum(np.diagonal(covariances, axis1=1, axis2=2)[:, :3], 0.0)) * 1e3
    same = np.isclose(sigmas_m[1:], sigmas_m[:-1], rtol=1e-6).all(axis=1)
    if same.sum() < _ENVELOPE:
        return []
    values = dict.fromkeys("/".join(f"{sigma:.4g}" for sigma in row) for row in sigmas_m[1:][same])
    shown = ", ".join(list(values)[:3])
    first = epochs[1:][same][0]
    return [
        f"{what}: from {first}Z on its sigmas are bounds, not estimates: {shown} m (radial/in-track/cross)"
    ]
