"""Refit the error laws to a store's own element sets: one factor on each axis of each law.

A factor f scales what a law has: all of it above 1, below 1 only what grows with age, since what sets of one
object share does not show in their differences. It is fitted where the median difference of older sets from
newer ones is what the law expects, ages counting by their pairs; medians leave tails, which are shares and
multiples of the sigmas, as they are. The shipped law is the prior (Morris 1983, Parametric empirical Bayes
inference: theory and applications, Journal of the American Statistical Association 78, 47-55):

    log f = n / (n + PRIOR_OBJECTS) x log f_fitted

n being the law's objects. PRIOR_OBJECTS is V / A, the variance of one object's log f over that of the laws
from one epoch to another: 1.0^2 and 0.3^2 in the catalogues of 2014, 2016 and 2020 and a week of May 2026,
times pi / 2 for medians, thrice that, since objects of one month share its Sun.
"""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from screening.orbits.elements import ElementArray
from screening.orbits.timegrid import FloatArray
from screening.risk.objects.burn_rates import Burns
from screening.risk.objects.error_classes import ERROR_CLASSES, ClassArray
from screening.risk.objects.error_law import LAWS, error_laws, law_codes
from screening.risk.objects.refit.differences import Differences, pairs_by_age

AGES_DAYS = (1.0, 2.0, 3.0, 4.0, 5.0, 6.0)  # sets closer together share observations
PRIOR_OBJECTS = 50.0
SMALLEST_FACTOR, LARGEST_FACTOR = 0.5, 4.0
# Bounds of what is kept in memory: 4 million pairs at most, of most stores a tenth of that.
MOST_OBJECTS = 1000  # of a law
MOST_SETS = 60  # of an object, spread evenly
# Their manoeuvres lately, or their contradictions, are why objects are in these classes.
_LEFT_OUT = tuple(ERROR_CLASSES.index(name) for name in ("manoeuvred", "contradictory"))
_FEWEST_PAIRS = 40  # of an age
_HALVINGS = 14
_QUANTILES_GRID = np.geomspace(1e-3, 1e3, 6000)  # of sigmas


class Refit(NamedTuple):
    """What a law was refitted to, and the result."""

    objects: int
    pairs: int
    factors_rtn: tuple[float, float, float]


def chosen(elements: ElementArray, classes: ClassArray) -> npt.NDArray[np.intp]:
    """Return the places of the objects (of n) to fit to: of each law MOST_OBJECTS, spread evenly."""
    codes = np.where(np.isin(classes, _LEFT_OUT), -1, law_codes(elements, classes))
    of_laws = [np.flatnonzero(codes == code) for code in range(len(LAWS))]
    places = [own[:: -(-len(own) // MOST_OBJECTS) or 1] for own in of_laws]
    return np.sort(np.concatenate(places))


def refits(history: ElementArray, classes: ClassArray) -> Mapping[str, Refit]:
    """Fit the laws to element sets (n,), sorted by norad_id and epoch, of objects of these classes (n,).

    Laws without pairs are left out.
    """
    few = _thinned(history)
    history, classes = history[few], classes[few]
    found = Differences.of(history, *pairs_by_age(history, AGES_DAYS))
    unknown = np.full((len(history), 3), np.nan)
    laws = error_laws(history, classes, unknown, Burns.none(len(history)))
    at_epoch_m = laws.at_epoch_m[found.older]
    sigma_m = laws.sigma_rtn_m(found.older, found.age_days)
    grown_m = np.sqrt(np.maximum(sigma_m**2 - at_epoch_m**2, 0.0))
    fitted = {}
    for code, (name, law) in enumerate(LAWS.items()):
        own = laws.codes[found.older] == code
        objects = len(np.unique(history["norad_id"][found.older[own]]))
        if not objects:
            continue
        ages = np.rint(found.age_days[own])
        factors = [
            _factor(
                np.abs(found.rtn_m[own, axis]) / half_width(law.tail_share, law.tail_scale_rtn[axis]),
                at_epoch_m[own, axis],
                grown_m[own, axis],
                ages,
            )
            for axis in range(3)
        ]
        shrunk = np.array(factors) ** (objects / (objects + PRIOR_OBJECTS))
        fitted[name] = Refit(objects, int(own.sum()), tuple(shrunk.tolist()))
    return fitted


def half_width(tail_share: float, tail_scale: float) -> float:
    """Return half the width of a mixture's 50 % region, in sigmas of its quiet part."""
    return float(mixture_quantiles(tail_share, tail_scale, (0.5,))[0])


def mixture_quantiles(tail_share: float, tail_scale: float, regions: tuple[float, ...]) -> FloatArray:
    """Return half the widths of a mixture's regions (m,) in sigmas of its quiet part."""
    from scipy.special import erf  # takes 0.1 s to import

    inside = [erf(_QUANTILES_GRID / scale / np.sqrt(2.0)) for scale in (1.0, tail_scale)]
    mixed = (1.0 - tail_share) * inside[0] + tail_share * inside[1]
    found: FloatArray = np.interp(regions, mixed, _QUANTILES_GRID)
    return found


def _factor(sizes_m: FloatArray, at_epoch_m: FloatArray, grown_m: FloatArray, ages: FloatArray) -> float:
    """Return the factor within bounds for which differences (k,), over half a width each, are as expected."""
    groups = [here for here in (ages == age for age in np.unique(ages)) if here.sum() > _FEWEST_PAIRS]
    if not groups:
        return 1.0
    counts = [int(here.sum()) for here in groups]
    low, high = np.log(SMALLEST_FACTOR), np.log(LARGEST_FACTOR)
    for _ in range(_HALVINGS):
        factor = np.exp((low + high) / 2.0)
        expected_m = np.hypot(np.sqrt(2.0) * max(factor, 1.0) * at_epoch_m, factor * grown_m)
        off = [np.log(np.maximum(np.median((sizes_m / expected_m)[here]), 1e-9)) for here in groups]
        if np.average(off, weights=counts) > 0.0:
            low = np.log(factor)
        else:
            high = np.log(factor)
    return float(np.exp((low + high) / 2.0))


def _thinned(history: ElementArray) -> npt.NDArray[np.intp]:
    """Return the places of at most MOST_SETS sets of each object."""
    _, first, sizes = np.unique(history["norad_id"], return_index=True, return_counts=True)
    place = np.arange(len(history)) - np.repeat(first, sizes)
    of = np.repeat(sizes, sizes)
    share = np.minimum(MOST_SETS / of, 1.0)
    return np.flatnonzero(np.floor((place + 1) * share) > np.floor(place * share))
