"""Where element sets put an object along its orbit, in rows of sets whose errors are alike."""

from typing import NamedTuple, Self

import numpy as np
import numpy.typing as npt

from screening.histories.noise import MAD_TO_SIGMA
from screening.histories.pairs import History
from screening.orbits.gravity import EARTH_RADIUS_KM, J2, MU_KM3_S2
from screening.orbits.timegrid import SECONDS_PER_DAY, FloatArray

BoolArray = npt.NDArray[np.bool_]
IntArray = npt.NDArray[np.int64]

ROW_SETS = 100  # errors of sets change over months, with the Sun and with how they are fitted
ROW_STEP = 60
LEAST_SIGMA_AXIS_M, LEAST_SIGMA_ALONG_M = 0.05, 10.0
BAD_SIGMAS = 6.0
RETURNING_SHARE = 0.3
LEAST_GAIN = 0.9  # of the scatter that is left if the axis is corrected by the drag term


class Rows(NamedTuple):
    """Overlapping rows of consecutive sets of one object, NaN beyond its history, metres and days.

    Places and axes are those of the mean elements, less a motion at the row's median rate: what SGP4 adds to
    them within a revolution is the same for all sets of an object.
    """

    sets: IntArray  # (n, w), which set of the history; -1 beyond it
    day: FloatArray  # (n, w)
    along_m: FloatArray  # (n, w)
    axis_m: FloatArray  # (n, w)
    drift_per_day: FloatArray  # (n,), along the orbit for each metre of the axis
    along_used: BoolArray  # (n, w)
    axis_used: BoolArray  # (n, w)
    sigma_along_m: FloatArray  # (n,), of a set against its neighbours
    sigma_axis_m: FloatArray  # (n,)
    steps: BoolArray  # (n, w - 1), steps to the next set, each in the row whose middle is nearest

    @classmethod
    def of(cls, known: History) -> Self:
        """Cut histories into rows."""
        sets = _cut(known)
        inside = sets >= 0
        day = np.where(inside, known.day[sets], np.nan)
        rate = _rate_rev_day(known)
        usual = np.nanmedian(np.where(inside, rate[sets], np.nan), axis=1)
        motion_rad_s = usual * 2.0 * np.pi / SECONDS_PER_DAY
        axis_m = (MU_KM3_S2 / motion_rad_s**2) ** (1.0 / 3.0) * 1e3
        turns = _turns_ahead(known, rate)
        ahead = np.where(inside[:, 1:], turns[sets[:, :-1]], 0.0)
        mean_rate = (rate[sets[:, :-1]] + rate[sets[:, 1:]]) / 2.0
        lead = np.where(inside[:, 1:], (mean_rate - usual[:, None]) * np.diff(day, axis=1), 0.0)
        begin = np.zeros((len(sets), 1))
        along = np.concatenate([begin, np.cumsum(ahead + lead, axis=1)], axis=1)
        along_m = np.where(inside, along * 2.0 * np.pi * axis_m[:, None], np.nan)
        above_m = np.where(inside, -(rate[sets] / usual[:, None] - 1.0) * axis_m[:, None] / 1.5, np.nan)
        above_m = _less_drag(
            day, above_m, np.where(inside, known.sets["bstar_per_earth_radius"][sets], np.nan)
        )
        drift_per_day = -3.0 * np.pi * usual
        by_place = np.diff(along_m, axis=1) / (np.diff(day, axis=1) * drift_per_day[:, None])
        above_m += np.nanmedian(by_place - (above_m[:, 1:] + above_m[:, :-1]) / 2.0, axis=1)[:, None]
        sigma_along_m, along_used = _judged(day, along_m, LEAST_SIGMA_ALONG_M)
        sigma_axis_m, axis_used = _judged(day, above_m, LEAST_SIGMA_AXIS_M)
        columns = (drift_per_day, along_used & inside, axis_used & inside, sigma_along_m, sigma_axis_m)
        return cls(sets, day, along_m, above_m, *columns, _steps_once(sets))

    def once(self, values: FloatArray) -> FloatArray:
        """Return the values of all steps (n, w - 1), one for each of the history, by set."""
        return values[self.steps]


def _cut(known: History) -> IntArray:
    """Return which sets each row holds (n, ROW_SETS)."""
    begins = np.flatnonzero(np.diff(known.owner, prepend=-1))
    ends = np.append(begins[1:], len(known.owner))
    first = [
        place
        for begin, end in zip(begins, ends, strict=True)
        for place in [*range(begin, end - ROW_SETS, ROW_STEP), max(begin, end - ROW_SETS)]
    ]
    sets = np.array(first, np.int64)[:, None] + np.arange(ROW_SETS)
    last = ends[known.owner[sets[:, 0]]]
    return np.where(sets < last[:, None], sets, -1)


def _steps_once(sets: IntArray) -> BoolArray:
    """Return in which row each step counts: where it is nearest the middle."""
    inside = sets >= 0
    middle = inside.sum(axis=1) / 2.0
    far = np.abs(np.arange(sets.shape[1] - 1) + 1.0 - middle[:, None])
    far[~inside[:, 1:]] = np.inf
    order = np.lexsort((far.ravel(), sets[:, :-1].ravel()))
    kept = order[np.append(True, np.diff(sets[:, :-1].ravel()[order]) != 0)]
    once = np.zeros(far.size, np.bool_)
    once[kept] = True
    return once.reshape(far.shape) & inside[:, 1:]


def _rate_rev_day(known: History) -> FloatArray:
    """Return how fast perigee, anomaly and the node's share along the orbit grow together, by J2."""
    sets = known.sets
    motion = sets["mean_motion_rev_day"]
    axis_km = (MU_KM3_S2 / (motion * 2.0 * np.pi / SECONDS_PER_DAY) ** 2) ** (1.0 / 3.0)
    flat = 0.75 * J2 * (EARTH_RADIUS_KM / (axis_km * (1.0 - sets["eccentricity"] ** 2))) ** 2
    rate: FloatArray = motion * (1.0 + flat * (3.0 * np.cos(np.radians(sets["inclination_deg"])) ** 2 - 1.0))
    return rate


def _turns_ahead(known: History, rate: FloatArray) -> FloatArray:
    """Return how far the next set is ahead of the mean rate of both, in turns (n,); the last one's is 0."""
    sets = known.sets
    place = (sets["mean_anomaly_deg"] + sets["argument_of_perigee_deg"]) / 360.0
    node = (np.diff(sets["raan_deg"]) + 180.0) % 360.0 - 180.0
    tilt = np.radians((sets["inclination_deg"][1:] + sets["inclination_deg"][:-1]) / 2.0)
    ahead = np.diff(place) + node / 360.0 * np.cos(tilt) - (rate[1:] + rate[:-1]) / 2.0 * np.diff(known.day)
    return np.append(ahead - np.round(ahead), 0.0)


def _between_neighbours(day: FloatArray, values: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return by how much values deviate from a line through both neighbours, and in units of one's error."""
    share = (day[:, 1:-1] - day[:, :-2]) / (day[:, 2:] - day[:, :-2])
    beyond = values[:, 1:-1] - (values[:, :-2] * (1.0 - share) + values[:, 2:] * share)
    return beyond, beyond / np.sqrt(1.0 + share**2 + (1.0 - share) ** 2)


def _less_drag(day: FloatArray, axis_m: FloatArray, bstar: FloatArray) -> FloatArray:
    """Return the axes less what goes with the drag term: a fit trades the one for the other."""
    axis, _ = _between_neighbours(day, axis_m)
    drag, _ = _between_neighbours(day, bstar)
    usual_axis, usual_drag = (np.nanmedian(np.abs(x), axis=1, keepdims=True) for x in (axis, drag))
    with np.errstate(invalid="ignore", divide="ignore"):
        used = (np.abs(axis) < 7.0 * usual_axis) & (np.abs(drag) < 7.0 * usual_drag) & (drag != 0.0)
        slope = np.nan_to_num(
            np.sum(np.where(used, axis * drag, 0.0), axis=1) / np.sum(np.where(used, drag**2, 0.0), axis=1)
        )
    less = axis_m - slope[:, None] * (bstar - np.nanmedian(bstar, axis=1, keepdims=True))
    left, _ = _between_neighbours(day, less)
    better = np.nanmedian(np.abs(left), axis=1, keepdims=True) < LEAST_GAIN * usual_axis
    return np.where(better, less, axis_m)


def _judged(day: FloatArray, values: FloatArray, least: float) -> tuple[FloatArray, BoolArray]:
    """Return a robust error of values (n,) and which of them may be used: no lone one far off (n, w)."""
    _, scaled = _between_neighbours(day, values)
    sigma = np.maximum(MAD_TO_SIGMA * np.nanmedian(np.abs(scaled), axis=1), least)
    into, out = np.diff(values, axis=1)[:, :-1], np.diff(values, axis=1)[:, 1:]
    smaller = np.minimum(np.abs(into), np.abs(out))
    used = np.ones(values.shape, np.bool_)
    with np.errstate(invalid="ignore"):
        returns = (into * out < 0.0) & (np.abs(into + out) < RETURNING_SHARE * smaller)
        used[:, 1:-1] = ~(returns & (smaller > BAD_SIGMAS * sigma[:, None]))
    return sigma, used
