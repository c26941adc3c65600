"""How far a received message is from our event: in sigmas of both covariances, and in words."""

from collections.abc import Mapping
from datetime import timedelta
from math import isnan
from typing import Any

import numpy as np

from screening.risk.geometry.apart import RARE_SIGMAS, USUAL_SIGMAS, Prediction, sigmas_apart
from screening.risk.geometry.rtn import covariances_m2
from storage.messages.as_events import AsEvent

_M_PER_KM = 1000.0
_SIDES = ("primary", "secondary")
_STATE = ("x_km", "y_km", "z_km", "vx_km_s", "vy_km_s", "vz_km_s")
_SIGMAS = ("sigma_r_m", "sigma_t_m", "sigma_n_m")
_CORRELATIONS = ("correlation_rt", "correlation_rn", "correlation_tn")

Row = Mapping[str, Any]


def apart(message: Row, row: AsEvent, ours: Row) -> tuple[float | None, str]:
    """Return the difference of a message from our event, None if it is not known, and that in words.

    `message`: as in RECEIVED; `row`: what it gives as an event; `ours`: the columns of our event.
    """
    first = ours["primary_norad_id"]
    if first not in (message["primary_norad_id"], message["secondary_norad_id"]):
        return None, ""  # it has a number of its own for the same object
    sides = _SIDES if first == message["primary_norad_id"] else _SIDES[::-1]
    later_s = (message["tca"] - ours["tca"]) / timedelta(seconds=1)
    sigmas = sigmas_apart(prediction(ours), prediction(row, sides), later_s)
    if isnan(sigmas):
        lacks = "the message has" if _without_errors(row) else "ours has" if _without_errors(ours) else ""
        return None, f"no difference in sigmas: {lacks or 'one has'} no usable states or covariances"
    said = f"{sigmas:.1f} sigmas of both covariances apart"
    if sigmas <= USUAL_SIGMAS:
        return sigmas, f"{said}: they agree within their errors"
    if sigmas <= RARE_SIGMAS:
        return sigmas, f"{said}: 1 in 20 are so far apart by chance"
    return sigmas, f"{said}: at least one of the two orbits or covariances is wrong"


def _without_errors(row: Row) -> bool:
    return any(row.get(f"{side}_{name}") is None for side in _SIDES for name in ("sigma_r_m", "x_km"))


def prediction(row: Row, sides: tuple[str, ...] = _SIDES) -> Prediction:
    """Return the states and position errors of an event's row; NaN where it has none."""

    def numbers(names: tuple[str, ...]) -> Any:
        return np.array([[row.get(f"{side}_{name}") for name in names] for side in sides], float)

    covariances = covariances_m2(numbers(_SIGMAS), np.nan_to_num(numbers(_CORRELATIONS)))
    return Prediction(numbers(_STATE) * _M_PER_KM, covariances)
