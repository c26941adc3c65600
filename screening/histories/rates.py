"""How often objects manoeuvre, with what, and which thrust all the time."""

import numpy as np
import numpy.typing as npt

from screening.histories.burns import FEWEST_SETS, ManoeuvreArray
from screening.histories.noise import local_median, robust_sigma
from screening.histories.pairs import History, osculating_axis_m
from screening.histories.spans import LEAST_REV_DAY
from screening.orbits.elements import ElementArray
from screening.orbits.gravity import MU_KM3_S2
from screening.orbits.sgp4.propagate import Propagator
from screening.orbits.timegrid import SECONDS_PER_DAY, FloatArray, TimeWindow

IntArray = npt.NDArray[np.int64]
RateArray = npt.NDArray[np.void]

RATE_DTYPE = np.dtype(
    [
        ("norad_id", "i8"),
        ("days", "f8"),  # from the first set to the last
        ("per_day", "f8"),  # manoeuvres
        ("typical_dv_m_s", "f8"),  # median; NaN without any
        ("steady_dv_m_s_day", "f8"),  # thrust that its own sets call drag or less of it; 0 unless it is sure
    ]
)
# Of objects without thrust some in a thousand reach this.
SURE_SIGMAS = 3.5
LEAST_GAIN_SHARE = 0.3  # of the decay: drag of a week is not better known
PHASES = 8  # of a revolution: the mean of so many is free of what is periodic in it
_MEDIAN_ERROR = 1.2533  # of a median, in units of a mean's


def rates(history: ElementArray, found: ManoeuvreArray) -> RateArray:
    """Return RATE_DTYPE of the objects that burns.manoeuvres judges, from their sets and what it found.

    The electric thrusters of constellations raise or keep an orbit for weeks: no step stands out, but the
    axis ends higher than the drag of the sets between would leave it. Drag alone may do the opposite.
    """
    known = History.of(history, FEWEST_SETS)
    count = int(known.owner.max(initial=-1)) + 1
    out = np.zeros(count, RATE_DTYPE)
    if count == 0:
        return out
    first = np.flatnonzero(np.diff(known.owner, prepend=-1))
    last = np.append(first[1:], len(known.day)) - 1
    out["norad_id"], out["days"] = known.sets["norad_id"][first], known.day[last] - known.day[first]
    own = np.searchsorted(out["norad_id"], found["norad_id"])
    out["per_day"] = np.bincount(own, minlength=count) / out["days"]
    out["typical_dv_m_s"] = np.nan
    for i in np.unique(own):
        out["typical_dv_m_s"][i] = np.median(found["dv_m_s"][own == i])
    out["steady_dv_m_s_day"] = _steady_dv_m_s_day(known, first, last)
    return out


def _steady_dv_m_s_day(known: History, first: IntArray, last: IntArray) -> FloatArray:
    """Return thrust from what the axis gains on the usual drag of an object's sets."""
    motion_rad_s = known.sets["mean_motion_rev_day"] * 2.0 * np.pi / SECONDS_PER_DAY
    axis_m = (MU_KM3_S2 / motion_rad_s**2) ** (1.0 / 3.0) * 1e3
    days = known.day[last] - known.day[first]
    fall_m_day = _fall_m_day(known)
    judged = np.isfinite(fall_m_day)
    usual = local_median(fall_m_day, known.owner, judged)
    error = (
        robust_sigma(fall_m_day - usual, known.owner, judged)
        * _MEDIAN_ERROR
        / np.sqrt(last - first)[known.owner]
    )
    gain_m_day = (axis_m[last] - axis_m[first]) / days - usual[first]
    with np.errstate(invalid="ignore"):
        sure = (gain_m_day > SURE_SIGMAS * error[first]) & (
            gain_m_day > LEAST_GAIN_SHARE * np.abs(usual[first])
        )
    return np.where(sure, gain_m_day * motion_rad_s[first] / 2.0, 0.0)


def _fall_m_day(known: History) -> FloatArray:
    """Return how SGP4 changes the axis in about a day, in whole revolutions; NaN for deep orbits."""
    days = np.maximum(np.round(known.sets["mean_motion_rev_day"]), 1.0) / known.sets["mean_motion_rev_day"]
    span = TimeWindow(float(known.sets["epoch_jd"].min()), 0.0, (known.day.max() + 2.0) * SECONDS_PER_DAY)
    propagator = Propagator(known.sets, span)
    index = np.arange(len(known.day))
    fall = np.zeros(len(known.day))
    for part in range(PHASES):
        phase = part / PHASES / known.sets["mean_motion_rev_day"]
        begin, end = known.utc_day + phase, known.utc_day + phase + days
        fall += osculating_axis_m(propagator, index, end * SECONDS_PER_DAY)
        fall -= osculating_axis_m(propagator, index, begin * SECONDS_PER_DAY)
    near = known.sets["mean_motion_rev_day"] > LEAST_REV_DAY
    return np.where(near, fall / days / PHASES, np.nan)
