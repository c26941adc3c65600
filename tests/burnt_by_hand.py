"""What a burn makes of an encounter, by hand: the public SGP4, integration to 1e-12, a search on a fine grid.

Nothing of `screening.manoeuvre`: an independent answer for the tests of plans.
"""

from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize_scalar
from sgp4.api import WGS72, Satrec

from storage.reading.newest_run import connect
from tests.validation.orbits.burns_integrated import integrated

FloatArray = npt.NDArray[np.float64]
_REACH_S = 120.0
_UNIX_JD = 2440587.5
_MINUTES_PER_DAY = 1440.0
_SGP4_EPOCH_JD = 2433281.5  # 1949-12-31
_FIELDS = (
    *("epoch", "bstar_per_earth_radius", "eccentricity", "argument_of_perigee_deg", "inclination_deg"),
    *("mean_anomaly_deg", "mean_motion_rev_day", "raan_deg"),
)


class ByHand(NamedTuple):
    """An encounter after a burn."""

    tca: datetime
    miss_m: float


def satellite(store: Path, norad_id: int, epoch: datetime) -> Satrec:
    """Return the element set of an object with an epoch, as it is stored."""
    with connect(store) as connection:
        (row, *_) = connection.execute(
            f"SELECT {', '.join(_FIELDS)} FROM element_history "
            "WHERE norad_id = ? AND abs(epoch_us(epoch) - ?) <= 1 ORDER BY first_seen DESC",
            [norad_id, round(epoch.timestamp() * 1e6)],
        ).fetchall()
    known: dict[str, Any] = dict(zip(_FIELDS, row, strict=True))
    one = Satrec()
    one.sgp4init(
        WGS72,
        "i",
        norad_id % 339999,
        _jd(epoch) - _SGP4_EPOCH_JD,
        known["bstar_per_earth_radius"],
        0.0,
        0.0,
        known["eccentricity"],
        *np.radians([known[name] for name in _FIELDS[3:6]]),
        np.radians(360.0) * known["mean_motion_rev_day"] / _MINUTES_PER_DAY,
        np.radians(known["raan_deg"]),
    )
    return one


def burnt(moved: Satrec, other: Satrec, tca: datetime, burn_at: datetime, dv_rtn_m_s: FloatArray) -> ByHand:
    """Return the closest approach around a TCA after one object has burnt."""
    start = _state(moved, burn_at)
    kick = start + np.concatenate([np.zeros(3), dv_rtn_m_s / 1000.0 @ _axes(start)])
    seconds = (tca - burn_at).total_seconds()
    grid_s = seconds + np.linspace(-_REACH_S, _REACH_S, 49)
    plain, pushed = integrated(np.stack([start, kick]), grid_s)
    shifts = [_axes(a) @ (b[:3] - a[:3]) for a, b in zip(plain, pushed, strict=True)]
    shift_rtn_km = np.stack(shifts)

    def apart_km(later_s: float) -> float:
        at = tca + timedelta(seconds=later_s)
        own = _state(moved, at)
        rtn = [np.interp(seconds + later_s, grid_s, shift_rtn_km[:, axis]) for axis in range(3)]
        return float(np.linalg.norm(own[:3] + np.array(rtn) @ _axes(own) - _state(other, at)[:3]))

    coarse = np.linspace(-_REACH_S, _REACH_S, 121)
    best = coarse[np.argmin([apart_km(one) for one in coarse])]
    found = minimize_scalar(
        apart_km, bounds=(best - 4.0, best + 4.0), method="bounded", options={"xatol": 1e-5}
    )
    return ByHand(tca + timedelta(seconds=float(found.x)), 1000.0 * float(found.fun))


def _jd(time: datetime) -> float:
    return _UNIX_JD + time.timestamp() / 86400.0


def _state(one: Satrec, at: datetime) -> FloatArray:
    day = np.floor(_jd(at))
    since_s = at.timestamp() - (day - _UNIX_JD) * 86400.0
    error, r_km, v_km_s = one.sgp4(day, since_s / 86400.0)
    assert error == 0
    return np.array([*r_km, *v_km_s])


def _axes(state: FloatArray) -> FloatArray:
    """Return the axes R, T, N as rows."""
    radial = state[:3] / np.linalg.norm(state[:3])
    normal = np.cross(state[:3], state[3:])
    normal /= np.linalg.norm(normal)
    return np.stack([radial, np.cross(normal, radial), normal])
