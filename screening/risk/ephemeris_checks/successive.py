"""How far an operator's ephemeris was off: its path against that of the file that came after it.

The newer file is the truth as far as it is known: where both have states, it rests on later tracking. Its own
error is not taken off, so what is found is a little too large.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from screening.orbits.ephemerides import Ephemeris
from screening.orbits.interpolated import Interpolated, tracks_of
from screening.orbits.reference.local_axes import rtn_axes
from screening.orbits.timegrid import FloatArray, window
from screening.risk.objects.ephemeris_errors import errors_of

STEP_S = 600.0
_M_PER_KM = 1000.0
_S_PER_HOUR = 3600.0


class Difference(NamedTuple):
    """The path of a file beside that of the next, where both have states."""

    lead_hours: FloatArray  # (n,) since the first instant of the older one
    off_rtn_m: FloatArray  # (n, 3) older minus newer, along the axes of the newer
    chi_square: (
        FloatArray  # (n,) by the covariance of the older one: 3 on average if that is right; NaN: none
    )


def difference(older: Ephemeris, newer: Ephemeris) -> Difference:
    """Compare two files, each STEP_S from the first instant that both have."""
    begins = max(older.segments[0].usable_from, newer.segments[0].usable_from)
    ends = min(older.segments[-1].usable_to, newer.segments[-1].usable_to)
    hours = max(0.0, float((ends - begins) / np.timedelta64(1, "us")) / 1e6 / _S_PER_HOUR)
    span = window(begins, hours)
    times_s = np.arange(0.0, span.seconds + 1e-6, STEP_S) if ends > begins else np.empty(0)
    places, r_km, _ = _on(older, times_s, span.start)
    _, true_km, true_km_s = _on(newer, times_s, span.start)
    there = np.isfinite(r_km).all(axis=1) & np.isfinite(true_km).all(axis=1)
    axes = rtn_axes(true_km[there], true_km_s[there])
    off_rtn_m = np.einsum("nij,nj->ni", axes, (r_km - true_km)[there]) * _M_PER_KM
    covariances = errors_of(older.segments, span).at(places[there], times_s[there])
    age_s = float((begins - older.segments[0].usable_from) / np.timedelta64(1, "us")) / 1e6
    return Difference((times_s[there] + age_s) / _S_PER_HOUR, off_rtn_m, _chi_square(off_rtn_m, covariances))


def _on(
    one: Ephemeris, times_s: FloatArray, start: np.datetime64
) -> tuple[npt.NDArray[np.int32], FloatArray, FloatArray]:
    """Return on which segments a path is at times (n,), and its states (n, 3) there; NaN: it has none."""
    span = window(start, 0.0)
    tracks = tracks_of(one.segments, span)
    places = np.clip(np.searchsorted(tracks.from_s, times_s, side="right") - 1, 0, None).astype(np.int32)
    _, r_km, v_km_s = Interpolated(tracks, span, np.arange(len(one.segments))).at(places, times_s)
    return places, r_km, v_km_s


def _chi_square(off_m: FloatArray, covariances_m2: FloatArray) -> FloatArray:
    found = np.full(len(off_m), np.nan)
    given = np.flatnonzero(np.isfinite(covariances_m2).all(axis=(1, 2)))
    given = given[np.linalg.eigvalsh(covariances_m2[given])[:, 0] > 0.0]
    solved = np.linalg.solve(covariances_m2[given], off_m[given, :, None])[:, :, 0]
    found[given] = (off_m[given] * solved).sum(axis=1)
    return found
