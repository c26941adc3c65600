"""Estimate the error of an object's element sets from the differences between successive sets.

The difference between the positions from an older and a newer set at the newer one's epoch, in the newer
one's RTN, is compared with what the error law expects for two such sets, given their drag and age. The result
is one factor per axis, by which the law's sigma is multiplied (Osweiler 2006, Covariance estimation and
autocorrelation of NORAD two-line element sets, AFIT; Geul, Mooij & Noomen 2017, TLE uncertainty estimation
using robust weighted differencing, Advances in Space Research 59). Manoeuvres are cut out first: left in,
they inflate the factors 6 to 21 times.

Errors common to all sets of an object do not show in their differences: in-track errors of consecutive sets
were found to correlate by 0.6 to 1.0. So a factor below 1 shrinks only what grows with age, to half of it at
most; what the law has at the epoch stays. The law also counts as some sets.
"""

from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from screening.errors import InputError
from screening.orbits.elements import ElementArray
from screening.orbits.reference.local_axes import rtn_axes
from screening.orbits.sgp4.propagate import Propagator
from screening.orbits.timegrid import SECONDS_PER_DAY, FloatArray, TimeWindow, instants
from screening.risk.objects.error_classes import LARGEST_FACTOR, ClassArray
from screening.risk.objects.error_law import ErrorLaws, difference_sigma_rtn_m, error_laws, law_codes
from screening.risk.objects.knowledge import FACTOR_DTYPE, FactorArray

BoolArray = npt.NDArray[np.bool_]
IntArray = npt.NDArray[np.int64]

# Limits of an object's history: older sets say little about the present ones, and more do not help.
LONGEST_HISTORY_DAYS = 30.0
MOST_SETS = 40
LARGEST_AGE_DAYS = 3.0
# Each set is compared with so many of the sets younger by up to the largest age, spread evenly: the pairs of
# one set share its error, and all twelve of a set every six hours tell hardly more than four.
MOST_PARTNERS = 4
FEWEST_SETS = 5
# Fewer sets scatter so little or so much by chance that one of them often stands out.
FEWEST_SETS_FOR_A_MANOEUVRE = 15
# The default law counts as much as this many element sets.
DEFAULT_LAW_WEIGHT = 10.0
# Successive sets share observations, so they agree better with each other than with the truth.
SMALLEST_FACTOR = 0.5
MANOEUVRE_SIGMAS = 6.0
MAD_TO_SIGMA = 1.4826  # of a normal distribution

_METRES_PER_KM = 1000.0
_SETS_AT_ONCE = 20_000  # under 100 MB


class _Differences(NamedTuple):
    """Pairs of element sets of one object, and their differences relative to the default law."""

    older: IntArray  # (k,), indices
    newer: IntArray  # (k,)
    normalised: FloatArray  # (k, 3), difference over the law's sigma of it, RTN; NaN if SGP4 failed


def differenced_factors(
    history: ElementArray, classes: ClassArray | None = None, law_factors_rtn: FloatArray | None = None
) -> FactorArray:
    """Estimate factors on the default sigma from element histories of many objects.

    history (n,) has the numbers of ELEMENT_DTYPE, sorted by norad_id and epoch; of each object the newest
    MOST_SETS are used that are up to LONGEST_HISTORY_DAYS older than its newest. Returns one record of
    FACTOR_DTYPE per object, in that order. Per axis k = median(|d| / sqrt(s(0)^2 + s(age)^2)) / 0.6745 over
    pairs of sets between which no manoeuvre lies and at most LARGEST_AGE_DAYS passed, s the law of the
    object's class: `classes` (objects,), codes into ERROR_CLASSES, by default all ballistic, times the
    factors of refitted laws (laws, 3), in the order of ERROR_LAWS; None: as shipped. k^2 is shrunk to 1, as
    the estimate of a variance is by a prior worth DEFAULT_LAW_WEIGHT observations. The factor is never below
    SMALLEST_FACTOR. All are NaN with fewer than FEWEST_SETS sets. Above LARGEST_FACTOR the sets contradict
    each other: the factor shows it, and no manoeuvre is inferred.

    Raises InputError if the history is not sorted.
    """
    _require_sorted(history)
    history = _recent(history)
    numbers, sizes = np.unique(history["norad_id"], return_counts=True)
    out = np.zeros(len(numbers), FACTOR_DTYPE)
    out["norad_id"], out["last_manoeuvre"] = numbers, np.datetime64("NaT")
    for name in ("factor_r", "factor_t", "factor_n", "burns_per_day", "burn_dv_m_s"):
        out[name] = np.nan
    if classes is None:
        classes = np.zeros(len(numbers), np.int8)
    several = np.flatnonzero(sizes > 1)  # a single set differs from none
    history = history[np.repeat(sizes > 1, sizes)]
    borders = np.append(0, np.cumsum(sizes[several]))
    for first, last in _batches(borders):
        part = history[borders[first] : borders[last]]
        of_these = several[first:last]
        out[of_these] = _factors_of(
            part, borders[first:last] - borders[first], classes[of_these], law_factors_rtn
        )
    return out


class Differences(NamedTuple):
    """Differences of pairs (k,) of one object's sets, by the days between their epochs, ascending."""

    age_days: FloatArray  # (k,)
    missed_rtn_m: FloatArray  # (k, 3), in the newer set's RTN

    def sizes_m(self, low_days: float, high_days: float) -> tuple[int, FloatArray]:
        """Return how many lie in a bin of age, above `low_days`, and their size (3,): medians over 0.6745.

        That is the standard deviation of a normal distribution; NaN without a pair.
        """
        here = self.missed_rtn_m[(self.age_days > low_days) & (self.age_days <= high_days)]
        sizes = np.median(np.abs(here), axis=0) if len(here) else np.full(3, np.nan)
        return len(here), MAD_TO_SIGMA * sizes


def own_differences(history: ElementArray) -> Differences:
    """Return how far each set of one object (n,), sorted by epoch, is off all its later ones.

    Pairs of one epoch and such that SGP4 cannot propagate are left out.
    """
    older, newer = np.triu_indices(len(history), 1)
    if not len(older):
        return Differences(np.empty(0), np.empty((0, 3)))
    first_jd = float(history["epoch_jd"].min())
    day = (history["epoch_jd"] - first_jd) + history["epoch_day_fraction"]
    propagator = Propagator(history, TimeWindow(first_jd, 0.0, float(day.max()) * SECONDS_PER_DAY))
    missed_m = _missed_rtn_m(propagator, day, older, newer)
    age = day[newer] - day[older]
    order = np.argsort(age, kind="stable")
    order = order[np.isfinite(missed_m[order]).all(axis=1) & (age[order] > 0.0)]
    return Differences(age[order], missed_m[order])


def _require_sorted(history: ElementArray) -> None:
    day = history["epoch_jd"] + history["epoch_day_fraction"]
    same = np.diff(history["norad_id"]) == 0
    if np.any(np.diff(history["norad_id"]) < 0) or np.any(np.diff(day)[same] < 0):
        raise InputError("The history of element sets must be sorted by norad_id and epoch.")


def _recent(history: ElementArray) -> ElementArray:
    """Return the part of each object's history that is used."""
    numbers = history["norad_id"]
    last = np.searchsorted(numbers, numbers, side="right") - 1
    day = history["epoch_jd"] + history["epoch_day_fraction"]
    recent: ElementArray = history[
        (last - np.arange(len(history)) < MOST_SETS) & (day >= day[last] - LONGEST_HISTORY_DAYS)
    ]
    return recent


def _batches(borders: IntArray) -> list[tuple[int, int]]:
    """Return runs of objects, first and last + 1, of about _SETS_AT_ONCE element sets together."""
    batch = borders[:-1] // _SETS_AT_ONCE
    cuts = [0, *(np.flatnonzero(np.diff(batch)) + 1).tolist(), len(batch)]
    return [(first, last) for first, last in pairwise(cuts) if last > first]


def _factors_of(
    history: ElementArray, starts: IntArray, classes: ClassArray, law_factors_rtn: FloatArray | None
) -> FactorArray:
    count = len(starts)
    owner = np.repeat(np.arange(count), np.diff(np.append(starts, len(history))))
    refitted = None if law_factors_rtn is None else law_factors_rtn[law_codes(history, classes[owner])]
    laws = error_laws(history, classes[owner], np.full((len(history), 3), np.nan), None, refitted)
    first_jd = history["epoch_jd"].min()
    day = (history["epoch_jd"] - first_jd) + history["epoch_day_fraction"]
    propagator = Propagator(history, TimeWindow(float(first_jd), 0.0, float(day.max()) * SECONDS_PER_DAY))

    older, newer = _pairs(owner, day)
    differences = _difference(propagator, laws, day, older, newer)
    manoeuvred = _manoeuvres(differences, owner, count)
    segment = np.cumsum(manoeuvred)  # the first set after a manoeuvre begins a segment
    kept = np.isfinite(differences.normalised).all(axis=1) & (segment[older] == segment[newer])

    out = np.zeros(count, FACTOR_DTYPE)
    out["burns_per_day"] = out["burn_dv_m_s"] = np.nan
    out["norad_id"] = history["norad_id"][starts]
    out["element_sets"] = _sets_used(older[kept], newer[kept], owner, count)
    factors = _factors(np.abs(differences.normalised[kept]), owner[newer[kept]], out["element_sets"])
    for axis, name in enumerate(("factor_r", "factor_t", "factor_n")):
        out[name] = factors[:, axis]
    shown = np.bincount(owner, minlength=count) >= FEWEST_SETS_FOR_A_MANOEUVRE
    shown &= (factors <= LARGEST_FACTOR).all(axis=1)  # NaN is not
    last = _last_manoeuvres(history, manoeuvred, owner, count)
    out["last_manoeuvre"] = np.where(shown, last, np.datetime64("NaT"))
    return out


def _pairs(owner: IntArray, day: FloatArray) -> tuple[IntArray, IntArray]:
    """Return pairs (older, newer) of sets of one object whose epochs differ by up to the largest age.

    A set and the next one are always a pair.
    """
    # One time axis for all objects, on which different objects are far apart.
    place = day + owner * (day.max() + 2.0 * LARGEST_AGE_DAYS)
    after = np.searchsorted(place, place, side="right")  # sets of the same epoch have no age to compare
    end = np.searchsorted(place, place + LARGEST_AGE_DAYS, side="right")
    candidates = end - after
    partners = np.minimum(candidates, MOST_PARTNERS)
    older = np.repeat(np.arange(len(place)), partners)
    which = np.arange(len(older)) - np.repeat(np.cumsum(partners) - partners, partners)
    spacing = (candidates - 1) / np.maximum(partners - 1, 1)
    return older, after[older] + np.rint(which * spacing[older]).astype(np.int64)


def _difference(
    propagator: Propagator, laws: ErrorLaws, day: FloatArray, older: IntArray, newer: IntArray
) -> _Differences:
    rtn_m = _missed_rtn_m(propagator, day, older, newer)
    expected_m = difference_sigma_rtn_m(laws, older, day[newer] - day[older])
    return _Differences(older, newer, rtn_m / expected_m)


def _missed_rtn_m(propagator: Propagator, day: FloatArray, older: IntArray, newer: IntArray) -> FloatArray:
    """Return where older sets put the object at newer ones' epochs, less where these do, in their RTN."""
    count = len(day)
    seconds = day * SECONDS_PER_DAY
    # Own epochs and those of the pairs together, since preparing a set costs as much as one state.
    sets = np.concatenate([np.arange(count), older]).astype(np.int32)
    _, r_km, v_km_s = propagator.at(sets, np.concatenate([seconds, seconds[newer]]))
    r_km, predicted_km, v_km_s = r_km[:count], r_km[count:], v_km_s[:count]
    missed_m = (predicted_km - r_km[newer]) * _METRES_PER_KM
    rtn_m: FloatArray = np.einsum("kij,kj->ki", rtn_axes(r_km, v_km_s)[newer], missed_m)
    return rtn_m


def _manoeuvres(differences: _Differences, owner: IntArray, count: int) -> BoolArray:
    """Return which sets are the first after a manoeuvre.

    These are differences between consecutive sets that, on any axis, deviate from the object's median by more
    than MANOEUVRE_SIGMAS robust sigmas: an object whose drag is always misjudged the same way does not
    manoeuvre. A difference that the law expects is not a manoeuvre either.
    """
    _, newer, normalised = differences
    following = (newer - differences.older == 1) & np.isfinite(normalised).all(axis=1)
    newer, normalised = newer[following], normalised[following]
    manoeuvred = np.zeros(len(owner), np.bool_)
    for z in normalised.T:
        deviation = np.abs(z - _medians(z, owner[newer], count)[owner[newer]])
        sigma = MAD_TO_SIGMA * _medians(deviation, owner[newer], count)[owner[newer]]
        manoeuvred[newer[deviation > np.maximum(MANOEUVRE_SIGMAS * sigma, 1.0)]] = True
    return manoeuvred


def _medians(values: FloatArray, group: IntArray, count: int) -> FloatArray:
    """Return the medians (count,) of the values of each group, NaN for an empty one; groups ascend."""
    sizes = np.bincount(group, minlength=count)
    place = np.arange(len(group)) - (np.cumsum(sizes) - sizes)[group]
    table = np.full((count, max(int(sizes.max(initial=0)), 1)), np.nan)
    table[group, place] = values
    table.sort(axis=1)  # NaN come last
    low, high = np.maximum(sizes - 1, 0) // 2, sizes // 2
    rows = np.arange(count)
    medians: FloatArray = (table[rows, low] + table[rows, np.minimum(high, table.shape[1] - 1)]) / 2.0
    return medians


def _sets_used(older: IntArray, newer: IntArray, owner: IntArray, count: int) -> IntArray:
    used = np.zeros(len(owner), np.bool_)
    used[older] = used[newer] = True
    return np.bincount(owner[used], minlength=count)


def _factors(sizes: FloatArray, pairs_of: IntArray, sets: IntArray) -> FloatArray:
    """Return the factors (objects, 3) from the sizes of normalised differences (k, 3)."""
    order = np.argsort(pairs_of, kind="stable")
    medians = [_medians(column[order], pairs_of[order], len(sets)) for column in sizes.T]
    robust, weight = MAD_TO_SIGMA * np.stack(medians, axis=1), sets[:, None]
    factors = np.sqrt((weight * robust**2 + DEFAULT_LAW_WEIGHT) / (weight + DEFAULT_LAW_WEIGHT))
    enough = sets >= FEWEST_SETS
    return np.where(enough[:, None], np.maximum(factors, SMALLEST_FACTOR), np.nan)


def _last_manoeuvres(
    history: ElementArray, manoeuvred: BoolArray, owner: IntArray, count: int
) -> npt.NDArray[np.datetime64]:
    last = np.full(count, np.datetime64("NaT", "us"))
    found = np.flatnonzero(manoeuvred)  # in order of time, so an object's last one remains
    last[owner[found]] = instants(history["epoch_jd"][found], history["epoch_day_fraction"][found])
    return last
