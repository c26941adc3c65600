"""Forecast when objects decay: the median of the time left, and the window that holds 90 % of decays."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from screening.decay.atmosphere import mean_season, season
from screening.decay.life import Lives, Orbits
from screening.orbits.timegrid import FloatArray
from screening.vocabulary import DECAY_METHODS

# Weights of the two rates, in the mean of logarithms: measured over the history, and the set's own.
_MEASURED_WEIGHT, _LONG_MEASURED_WEIGHT, _OWN_WEIGHT = 3.0, 0.7, 1.0
_SEASON_SHARE = 0.85
_SEASON_KM = (150.0, 400.0)
_LONGEST_SEASON_DAYS = 730.0
HIGHEST_PERIGEE_KM = 700.0
ECCENTRIC = 0.2  # from here on the Sun and the Moon move perigees


class Spread(NamedTuple):
    """Error of the logarithm of the time left: its scale, and the quantiles 5 and 95 % in units of that."""

    least: float
    of_disagreement: float  # of the two rates, in logarithms
    days: float  # of the time left itself
    low: float
    high: float


# Fitted to half of the decays of 2016 to 2020; tests/benchmarks/bench_decays.py prints what they give.
SPREADS = {
    "history and set": Spread(0.25, 0.35, 0.5, -1.70, 1.82),
    "history": Spread(0.5, 0.35, 0.5, -0.78, 1.98),
    "set": Spread(0.5, 0.35, 0.5, -0.78, 1.98),
}
OF_PAYLOADS = Spread(0.25, 0.35, 0.5, -2.37, 1.82)  # some are brought down
OF_ECCENTRIC = Spread(0.8, 0.6, 1.0, -2.58, 1.38)
# ln: a payload whose two rates differ more is not moved by drag alone; nor is one that has only one of them.
MOST_DISAGREEMENT = 0.7


class Recent(NamedTuple):
    """The newest sets of objects (n,), and one earlier set of each; NaN where there is none."""

    mean_motion_rev_day: FloatArray
    eccentricity: FloatArray
    rate_rev_day2: FloatArray  # of the mean motion, as the newest set says
    day_of_year: FloatArray  # of its epoch
    payload: npt.NDArray[np.bool_]
    earlier_mean_motion_rev_day: FloatArray
    earlier_eccentricity: FloatArray
    days_between: FloatArray


class Decays(NamedTuple):
    """Days (n,) from the newest set's epoch to decay; NaN where nothing can be said.

    That is so where no drag shows, and of payloads whose rates show that they thrust.
    """

    median_days: FloatArray
    begin_days: FloatArray  # 5 %
    end_days: FloatArray  # 95 %
    method: npt.NDArray[np.int8]  # place in DECAY_METHODS; -1 where there is none
    thrusts: npt.NDArray[np.bool_]  # payloads that drag alone does not move
    perigee_km: FloatArray


def decays(recent: Recent, lives: Lives) -> Decays:
    """Forecast decays (n,).

    Time left = life x unit rate / rate (`life.py`), for two rates: the set's own, and that measured between
    two sets; their weighted geometric mean, each corrected for the seasons of the density.
    """
    orbits = Orbits.of(recent.mean_motion_rev_day, recent.eccentricity)
    height_km = np.clip(orbits.perigee_km, *_SEASON_KM)
    unit_rate = lives.unit_rate_rev_day2(orbits, recent.mean_motion_rev_day)
    normal = lives.days(orbits) * unit_rate  # time left, for a rate of one
    with np.errstate(invalid="ignore", divide="ignore"):
        own = np.log(normal / recent.rate_rev_day2)
        measured, before = _by_history(recent, lives, unit_rate, normal, height_km)
    now = season(recent.day_of_year, height_km)
    own, measured = (np.where(np.isfinite(one), one, np.nan) for one in (own, measured))
    own = _through_seasons(own, now, recent.day_of_year, height_km)
    measured = _through_seasons(measured, before, recent.day_of_year, height_km)
    has_own, has_measured = np.isfinite(own), np.isfinite(measured)
    first = np.where(has_own, own, measured)
    with np.errstate(over="ignore", invalid="ignore"):
        near = recent.days_between < np.exp(first)
    weight = has_measured * np.where(near, _MEASURED_WEIGHT, _LONG_MEASURED_WEIGHT)
    total = weight + _OWN_WEIGHT * has_own
    with np.errstate(invalid="ignore"):
        log_days = (weight * np.nan_to_num(measured) + _OWN_WEIGHT * np.nan_to_num(own)) / total
    method = np.select([has_own & has_measured, has_measured, has_own], [0, 1, 2], -1).astype(np.int8)
    disagreement = np.abs(own - measured)
    thrusts = recent.payload & ~(disagreement <= MOST_DISAGREEMENT)
    log_days[thrusts], method[thrusts] = np.nan, -1
    spread = np.where(recent.payload, len(DECAY_METHODS), method)
    spread[recent.eccentricity >= ECCENTRIC] = len(DECAY_METHODS) + 1
    low, high = _window(log_days, disagreement, spread)
    with np.errstate(over="ignore"):
        median, begin, end = (np.exp(one) for one in (log_days, low, high))
    return Decays(median, begin, end, method, thrusts, orbits.perigee_km)


def _by_history(
    recent: Recent, lives: Lives, unit_rate: FloatArray, normal: FloatArray, height_km: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return ln of the days left by the rate between two sets, and ln of the season's factor between them.

    The rate is that of the mean of both orbits' logarithms of unit rates.
    """
    there = np.isfinite(recent.days_between)
    motion = np.where(there, recent.earlier_mean_motion_rev_day, recent.mean_motion_rev_day)
    e = np.where(there, recent.earlier_eccentricity, recent.eccentricity)
    before = lives.unit_rate_rev_day2(Orbits.of(motion, e), motion)
    days = np.where(there, recent.days_between, 1.0)
    rate = (recent.mean_motion_rev_day - motion) / days * np.sqrt(unit_rate / before)
    measured = np.log(np.where(there, normal / rate, np.nan))
    return measured, mean_season(recent.day_of_year - days, days, height_km)


def _through_seasons(
    log_days: FloatArray, measured_in: FloatArray, day_of_year: FloatArray, height_km: FloatArray
) -> FloatArray:
    """Return ln of days left, for the mean density to come against that when the rate was measured."""
    with np.errstate(over="ignore"):
        days = np.minimum(np.exp(np.nan_to_num(log_days)), _LONGEST_SEASON_DAYS)
    return log_days + _SEASON_SHARE * (measured_in - mean_season(day_of_year, days, height_km))


def _window(
    log_days: FloatArray, disagreement: FloatArray, spread: npt.NDArray[np.int8]
) -> tuple[FloatArray, FloatArray]:
    """Return ln of the days at which the window begins and ends; `spread`: which holds, (n,)."""
    spreads = np.array([*(SPREADS[name] for name in DECAY_METHODS), OF_PAYLOADS, OF_ECCENTRIC])
    least, of_disagreement, of_days, low, high = spreads[spread].T
    with np.errstate(over="ignore"):
        scale = np.sqrt(
            least**2
            + (of_disagreement * np.nan_to_num(disagreement)) ** 2
            + (of_days * np.exp(-log_days)) ** 2
        )
    return log_days + low * scale, log_days + high * scale
