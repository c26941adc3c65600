"""Messages beside our event: the miss along its axes, and how far apart the two are in sigmas."""

from collections.abc import Sequence
from datetime import timedelta
from math import isnan
from pathlib import Path
from typing import Any

import numpy as np

from api.answers.stored_events import StoredEvent, StoredSide, told_by, typed
from screening.risk.geometry.apart import RARE_SIGMAS, USUAL_SIGMAS, Prediction, sigmas_apart
from screening.risk.geometry.rtn import covariances_m2
from storage.in_memory.seen_from import NotOfTheEvent, seen_from
from storage.messages.as_events import AsEvent, as_events

M_PER_KM = 1000.0
MISS = ("miss_radial_m", "miss_in_track_m", "miss_cross_track_m")
_STATE = ("x_km", "y_km", "z_km", "vx_km_s", "vy_km_s", "vz_km_s")


def compared(
    store: Path, told: Sequence[dict[str, Any]], event: StoredEvent | None, first: int | None
) -> list[dict[str, Any]]:
    """Return messages with their miss along the axes of the object `first`, and how far they are from ours.

    `told`: as `messages_about` returns them; `event`: ours of the same encounter; None: no run has it.
    `first` None: as each message orders its objects.
    """
    rows = as_events(store, [one["id"] for one in told])
    return [one | _beside(one, rows.get(one["id"], {}), event, first) for one in told]


def _beside(
    message: dict[str, Any], row: AsEvent, ours: StoredEvent | None, first: int | None
) -> dict[str, Any]:
    try:
        theirs = typed(seen_from(told_by(message, row), first))
    except NotOfTheEvent:  # a number of its own for the same object
        return {**dict.fromkeys(MISS), "sigmas_apart": None, "apart": ""}
    sigmas, words = (None, "") if ours is None else _apart(theirs, ours)
    return {**{name: getattr(theirs, name) for name in MISS}, "sigmas_apart": sigmas, "apart": words}


def _apart(theirs: StoredEvent, ours: StoredEvent) -> tuple[float | None, str]:
    """Return how far apart two predictions of an encounter are, and that in words."""
    sigmas = sigmas_apart(
        prediction(ours), prediction(theirs), (theirs.tca - ours.tca) / timedelta(seconds=1)
    )
    if isnan(sigmas):
        lacks = "the message has" if _without_errors(theirs) else "ours has" if _without_errors(ours) else ""
        return None, f"no difference in sigmas: {lacks or 'one has'} no usable states or covariances"
    said = f"{sigmas:.1f} sigmas of both covariances apart"
    if sigmas <= USUAL_SIGMAS:
        return sigmas, f"{said}: they agree within their errors"
    if sigmas <= RARE_SIGMAS:
        return sigmas, f"{said}: 1 in 20 are so far apart by chance"
    return sigmas, f"{said}: at least one of the two orbits or covariances is wrong"


def _without_errors(event: StoredEvent) -> bool:
    return any(side.sigma_r_m is None or side.x_km is None for side in event.sides)


def prediction(event: StoredEvent) -> Prediction:
    """Return the states and position errors of an event; NaN where it has none."""
    states_km = np.array([[getattr(side, name) for name in _STATE] for side in event.sides], float)
    sigmas_m = np.array([_sigmas(side) for side in event.sides], float)
    correlations = np.array([_correlations(side) for side in event.sides], float)
    return Prediction(states_km * M_PER_KM, covariances_m2(sigmas_m, np.nan_to_num(correlations)))


def _sigmas(side: StoredSide) -> tuple[float | None, ...]:
    return side.sigma_r_m, side.sigma_t_m, side.sigma_n_m


def _correlations(side: StoredSide) -> tuple[float | None, ...]:
    return side.correlation_rt, side.correlation_rn, side.correlation_tn
