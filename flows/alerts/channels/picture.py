"""The picture in an e-mail: the encounter plane of one event, as PNG."""

import io
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np
import pyarrow as pa
from matplotlib.figure import Figure

from screening.risk.views.plane_view import covariance_teme_m2, plane_view
from storage.fleets.events import events_with, organisation_of
from storage.in_memory.seen_from import seen_from
from storage.pictures import style
from storage.pictures.plane import draw_encounter_plane

_SIDES = ("primary", "secondary")
_STATE = ("x_km", "y_km", "z_km", "vx_km_s", "vy_km_s", "vz_km_s")
_SIGMAS = ("sigma_r_m", "sigma_t_m", "sigma_n_m")
_CORRELATIONS = ("correlation_rt", "correlation_rn", "correlation_tn")
_SIZE_IN, _MARGIN_IN = (4.7, 3.3), 0.12
_M_PER_KM = 1000.0
_DPI = 92  # at most 50 kB
_ABOUT = {"Software": "skysieve"}
_LONGEST_NAME = 22  # of two in a legend
_ONE_AT_A_TIME = Lock()  # matplotlib is made for one thread


def picture(store: Path, run_id: str, fleet_id: int, event: Mapping[str, Any]) -> bytes | None:
    """Return the encounter plane of an event of a message, seen from the fleet's object.

    None if the run is no longer kept, or the event has no such plane.

    Raises:
        StoreError: a file is damaged, or cannot be read.
    """
    with _ONE_AT_A_TIME:
        of = event["event_id"], event["norad_id"], event["fleet_hard_body_radius_m"]
        return _drawn(store, run_id, organisation_of(store, fleet_id), *of)


@lru_cache(maxsize=16)  # alerts of one fleet tell the same
def _drawn(
    store: Path, run_id: str, organisation_id: int, event_id: int, norad_id: int, own_radius_m: float | None
) -> bytes | None:
    rows = events_with(store, run_id, pa.array([event_id], pa.int64()), organisation_id).to_pylist()
    if not rows:
        return None
    row = seen_from(rows[0], norad_id)
    states_km = [_numbers(row, side, _STATE) for side in _SIDES]
    sigmas_m = [_numbers(row, side, _SIGMAS) for side in _SIDES]
    if not np.isfinite(states_km).all():
        return None
    covariances = [
        covariance_teme_m2(state[:3], state[3:], sigma, np.nan_to_num(_numbers(row, side, _CORRELATIONS)))
        for state, sigma, side in zip(states_km, sigmas_m, _SIDES, strict=True)
    ]
    known = (covariances[0], covariances[1]) if np.isfinite(sigmas_m).all() else None
    plane = plane_view(states_km[0] * _M_PER_KM, states_km[1] * _M_PER_KM, known)
    if plane is None:
        return None
    figure = Figure(figsize=_SIZE_IN)
    area = style.Area(figure, _MARGIN_IN, _MARGIN_IN, *(size - 2 * _MARGIN_IN for size in _SIZE_IN))
    names = [_name(row[f"{side}_name"]) for side in _SIDES]
    draw_encounter_plane(area, plane, own_radius_m or row["hard_body_radius_m"], names)
    written = io.BytesIO()
    figure.savefig(written, format="png", dpi=_DPI, metadata=_ABOUT, pil_kwargs={"optimize": True})
    return written.getvalue()


def _numbers(row: Mapping[str, Any], side: str, names: Sequence[str]) -> Any:
    return np.array([row[f"{side}_{name}"] for name in names], np.float64)


def _name(text: str) -> str:
    """Return a name that the font has, and that fits."""
    return text.strip().encode("ascii", "replace").decode()[:_LONGEST_NAME] or "unnamed"
