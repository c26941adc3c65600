"""What burns make of an event as one run or message has it, by its stored states and errors alone."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from api.answers.stored_events import StoredEvent, StoredSide
from screening.orbits.timegrid import FloatArray
from screening.risk.objects.error_law import TAIL_SCALES_RTN
from screening.risk.probability.tails import Tails
from screening.vocabulary import ERROR_LAWS
from storage.times import datetime64_us

# Imported where they are used: they import numba, which an idle service does not need.
if TYPE_CHECKING:
    from screening.manoeuvre.execution import Execution
    from screening.manoeuvre.impulse import Impulse

FLOWN = "The data of the object that burns begin after the burn: what was flown is in them."
_NO_STATES = "The states at TCA are not known."


class Outcome(NamedTuple):
    """What burns make of an event."""

    miss_m: float | None  # None: they no longer meet, or see `why_not`
    probability: float | None  # 0: they no longer meet; None: as above, or there is none
    why_not: str = ""


def outcome_of(
    event: StoredEvent, norad_id: int, burns: "Sequence[Impulse]", execution: "Execution"
) -> Outcome:
    """Return what burns of one object make of an event, of those that are later than its data begin."""
    from screening.manoeuvre.displaced_path import OutOfReach
    from screening.manoeuvre.stored_encounter import StoredEncounter, after_burns

    moved, other = event.sides if event.primary.norad_id == norad_id else event.sides[::-1]
    left = [one for one in burns if moved.epoch is None or one.at > datetime64_us(moved.epoch)]
    if not left:
        return Outcome(None, None, FLOWN)
    states = _state(moved), _state(other)
    if not np.isfinite(states).all():
        return Outcome(None, None, _NO_STATES)
    errors = _covariance(moved), _covariance(other)
    rated = event.hard_body_radius_m is not None and bool(np.isfinite(errors).all())
    if not rated:
        errors = np.eye(3), np.eye(3)  # of a probability that nobody sees
    encounter = StoredEncounter(
        datetime64_us(event.tca),
        *states,
        *errors,
        (_tails(moved), _tails(other)),
        event.hard_body_radius_m or 1.0,
    )
    try:
        after = after_burns(encounter, left, execution)
    except OutOfReach as error:
        return Outcome(None, None, str(error))
    if np.isnan(after.miss_distance_m):
        return Outcome(None, 0.0)
    known = rated and np.isfinite(after.probability)
    return Outcome(after.miss_distance_m, after.probability if known else None)


def _state(side: StoredSide) -> FloatArray:
    return np.array([side.x_km, side.y_km, side.z_km, side.vx_km_s, side.vy_km_s, side.vz_km_s], float)


def _covariance(side: StoredSide) -> FloatArray:
    """Return the errors of position (3, 3), m2 in its own RTN; NaN: not known."""
    sigma_m = np.array([side.sigma_r_m, side.sigma_t_m, side.sigma_n_m], float)
    correlation = np.eye(3)
    for (a, b), value in zip(
        ((0, 1), (0, 2), (1, 2)),
        (side.correlation_rt, side.correlation_rn, side.correlation_tn),
        strict=True,
    ):
        correlation[a, b] = correlation[b, a] = value or 0.0
    covariance: FloatArray = correlation * np.outer(sigma_m, sigma_m)
    return covariance


def _tails(side: StoredSide) -> Tails:
    """Return what the sigmas leave out; nothing where the errors are an operator's."""
    shares = [np.array([side.others[name] or 0.0], float) for name in _STORED]
    law = side.others["error_law"]
    scale = TAIL_SCALES_RTN[[0 if law is None else ERROR_LAWS.index(law)]]
    return Tails(shares[0], scale, *shares[1:])


_STORED = ("tail_share", "burn_share", "burn_in_track_m")
