"""How good an object's element sets really are, from how far its successive sets contradict each other.

Where the older of two sets puts the object at the newer one's epoch, less where the newer one does, in the
newer one's RTN, is compared with what the default law expects of two such sets. One factor an axis results,
by which the default sigma is multiplied (Osweiler 2006, Covariance estimation and autocorrelation of NORAD
two-line element sets, AFIT; Geul, Mooij & Noomen 2017, TLE uncertainty estimation using robust weighted
differencing, Advances in Space Research 59). Manoeuvres are cut out first: left in, they inflate the factors
6 to 21 times.
"""

from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from screening.errors import InputError
from screening.orbits.elements import ElementArray
from screening.orbits.propagate import Propagator
from screening.orbits.timegrid import SECONDS_PER_DAY, FloatArray, TimeWindow, instants
from screening.risk.covariance import RegimeArray, difference_sigma_rtn_m, regime
from screening.risk.rtn import rtn_axes

FactorArray = npt.NDArray[np.void]
BoolArray = npt.NDArray[np.bool_]
IntArray = npt.NDArray[np.int64]

# NaN and NaT mean "not known": too few sets, and no manoeuvre seen.
FACTOR_DTYPE = np.dtype(
    [
        ("norad_id", "i8"),
        ("element_sets", "i8"),  # that took part in a difference
        ("factor_r", "f8"),
        ("factor_t", "f8"),
        ("factor_n", "f8"),
        ("last_manoeuvre", "M8[us]"),  # UTC, epoch of the first element set after it
    ]
)

LARGEST_AGE_DAYS = 3.0
FEWEST_SETS = 5
# The default law counts as much as this many element sets.
DEFAULT_LAW_WEIGHT = 10.0
# Successive sets share observations, so they agree better with each other than with the truth.
SMALLEST_FACTOR = 0.5
MANOEUVRE_SIGMAS = 6.0
MAD_TO_SIGMA = 1.4826  # of a normal distribution

_METRES_PER_KM = 1000.0
_SETS_AT_ONCE = 20_000  # a few hundred thousand pairs, under 200 MB


class _Differences(NamedTuple):
    """Pairs of element sets of one object, the differences of their positions, and what was expected."""

    older: IntArray  # (k,), indices
    newer: IntArray  # (k,)
    normalised: FloatArray  # (k, 3), difference over the default law's sigma of it, RTN; NaN if SGP4 failed


def differenced_factors(history: ElementArray) -> FactorArray:
    """Estimate factors on the default sigma from element histories of many objects.

    history (n,) of ELEMENT_DTYPE, sorted by norad_id and epoch. Returns one record of FACTOR_DTYPE an object,
    in that order. Per axis k^2 = mean(d^2 / (2 s0^2 + g^2 age^2)) over all pairs of sets between which no
    manoeuvre lies and at most LARGEST_AGE_DAYS passed, s0 and g those of the default law. k^2 is shrunk to 1,
    as the estimate of a variance is by a prior worth DEFAULT_LAW_WEIGHT observations. The factor is never
    below SMALLEST_FACTOR, NaN with fewer than FEWEST_SETS sets.

    Raises InputError if the history is not sorted.
    """
    _require_sorted(history)
    starts = np.flatnonzero(np.diff(history["norad_id"], prepend=-1))
    out = np.zeros(len(starts), FACTOR_DTYPE)
    borders = np.append(starts, len(history))
    for first, last in _batches(borders):
        part = history[borders[first] : borders[last]]
        out[first:last] = _factors_of(part, borders[first:last] - borders[first])
    return out


def _require_sorted(history: ElementArray) -> None:
    day = history["epoch_jd"] + history["epoch_day_fraction"]
    same = np.diff(history["norad_id"]) == 0
    if np.any(np.diff(history["norad_id"]) < 0) or np.any(np.diff(day)[same] < 0):
        raise InputError("The history of element sets must be sorted by norad_id and epoch.")


def _batches(borders: IntArray) -> list[tuple[int, int]]:
    """Return runs of objects, first and last + 1, of about _SETS_AT_ONCE element sets together."""
    batch = borders[:-1] // _SETS_AT_ONCE
    cuts = [0, *(np.flatnonzero(np.diff(batch)) + 1).tolist(), len(batch)]
    return [(first, last) for first, last in pairwise(cuts) if last > first]


def _factors_of(history: ElementArray, starts: IntArray) -> FactorArray:
    count = len(starts)
    owner = np.repeat(np.arange(count), np.diff(np.append(starts, len(history))))
    regimes = regime(history)
    first_jd = history["epoch_jd"].min()
    day = (history["epoch_jd"] - first_jd) + history["epoch_day_fraction"]
    propagator = Propagator(history, TimeWindow(float(first_jd), 0.0, float(day.max()) * SECONDS_PER_DAY))

    older, newer = _pairs(owner, day)
    differences = _difference(propagator, regimes, day, older, newer)
    manoeuvred = _manoeuvres(differences, owner, count)
    segment = np.cumsum(manoeuvred)  # the first set after a manoeuvre begins a segment
    kept = np.isfinite(differences.normalised).all(axis=1) & (segment[older] == segment[newer])

    out = np.zeros(count, FACTOR_DTYPE)
    out["norad_id"] = history["norad_id"][starts]
    out["element_sets"] = _sets_used(older[kept], newer[kept], owner, count)
    squares = differences.normalised[kept] ** 2
    pairs_of = owner[newer[kept]]
    for axis, name in enumerate(("factor_r", "factor_t", "factor_n")):
        out[name] = _factors(squares[:, axis], pairs_of, out["element_sets"])
    out["last_manoeuvre"] = _last_manoeuvres(history, manoeuvred, owner, count)
    return out


def _pairs(owner: IntArray, day: FloatArray) -> tuple[IntArray, IntArray]:
    """Return all pairs (older, newer) of sets of one object whose epochs differ by up to the largest age."""
    # One axis for all objects, on which no two of them come near each other.
    place = day + owner * (day.max() + 2.0 * LARGEST_AGE_DAYS)
    after = np.searchsorted(place, place, side="right")  # sets of the same epoch have no age to compare
    end = np.searchsorted(place, place + LARGEST_AGE_DAYS, side="right")
    partners = end - after
    older = np.repeat(np.arange(len(place)), partners)
    newer = np.arange(len(older)) - np.repeat(np.cumsum(partners) - partners - after, partners)
    return older, newer


def _difference(
    propagator: Propagator, regimes: RegimeArray, day: FloatArray, older: IntArray, newer: IntArray
) -> _Differences:
    sets = np.arange(len(day), dtype=np.int32)
    seconds = day * SECONDS_PER_DAY
    _, r_km, v_km_s = propagator.at(sets, seconds)
    _, predicted_km, _ = propagator.at(older.astype(np.int32), seconds[newer])
    missed_m = (predicted_km - r_km[newer]) * _METRES_PER_KM
    rtn_m = np.einsum("kij,kj->ki", rtn_axes(r_km, v_km_s)[newer], missed_m)
    expected_m = difference_sigma_rtn_m(regimes[newer], day[newer] - day[older])
    return _Differences(older, newer, rtn_m / expected_m)


def _manoeuvres(differences: _Differences, owner: IntArray, count: int) -> BoolArray:
    """Return which sets are the first after a manoeuvre.

    Of the differences between consecutive sets, on any axis, those that stand out from the object's others
    by more than MANOEUVRE_SIGMAS robust sigmas, measured from the median: an object whose drag is always
    misjudged the same way does not manoeuvre. A difference that the default law expects is none either.
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
    """Return the medians (count,) of the values of each group, NaN where it has none."""
    ordered = values[np.lexsort((values, group))]
    sizes = np.bincount(group, minlength=count)
    starts = np.cumsum(sizes) - sizes
    medians = np.full(count, np.nan)
    some = sizes > 0
    low = starts[some] + (sizes[some] - 1) // 2
    high = starts[some] + sizes[some] // 2
    medians[some] = (ordered[low] + ordered[high]) / 2.0
    return medians


def _sets_used(older: IntArray, newer: IntArray, owner: IntArray, count: int) -> IntArray:
    used = np.zeros(len(owner), np.bool_)
    used[older] = used[newer] = True
    return np.bincount(owner[used], minlength=count)


def _factors(squares: FloatArray, pairs_of: IntArray, sets: IntArray) -> FloatArray:
    pairs = np.bincount(pairs_of, minlength=len(sets))
    mean = np.bincount(pairs_of, squares, len(sets)) / np.maximum(pairs, 1)
    squared = (sets * mean + DEFAULT_LAW_WEIGHT) / (sets + DEFAULT_LAW_WEIGHT)
    return np.where(sets >= FEWEST_SETS, np.maximum(np.sqrt(squared), SMALLEST_FACTOR), np.nan)


def _last_manoeuvres(
    history: ElementArray, manoeuvred: BoolArray, owner: IntArray, count: int
) -> npt.NDArray[np.datetime64]:
    last = np.full(count, np.datetime64("NaT", "us"))
    found = np.flatnonzero(manoeuvred)  # in the order of time, so the last of an object stays
    last[owner[found]] = instants(history["epoch_jd"][found], history["epoch_day_fraction"][found])
    return last
