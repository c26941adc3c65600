"""Choose the objects whose newest element sets may show a manoeuvre, at a hundredth of the detector's cost.

From mean motions alone, without propagation: how far a step of the semi-major axis from one set to the next
is from what is usual for the object, in robust sigmas of its own steps.
"""

from collections.abc import Iterator
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from screening.histories.burns import FEWEST_SETS, MANOEUVRE_DTYPE, ManoeuvreArray, manoeuvres
from screening.histories.noise import MAD_TO_SIGMA
from screening.orbits.elements import ElementArray
from screening.orbits.gravity import MU_KM3_S2
from screening.orbits.timegrid import SECONDS_PER_DAY, FloatArray, instants

BoolArray = npt.NDArray[np.bool_]
IntArray = npt.NDArray[np.int64]

# A burn counts once a set follows the first that shows it, so the last step but one decides. One that is
# spread over several sets shows in their sum.
MOST_SUMMED = 4
SUSPECT_SIGMAS = 8.0
MOST_SETS = 40  # of an object: as many tell what is usual
_LEAST_SIGMA_M = 0.05  # of histories whose steps are nearly all the same
_SETS_AT_ONCE = 20_000  # some 30 MB


def manoeuvres_lately(
    history: ElementArray, stored: ManoeuvreArray, *, first_look: bool = False
) -> ManoeuvreArray:
    """Detect manoeuvres, MANOEUVRE_DTYPE, of the objects whose last step but one is suspect.

    history (n,) has the numbers of ELEMENT_DTYPE, sorted by norad_id and epoch. A step inside a manoeuvre
    of `stored` (norad_id, from, to) is none. At the `first_look`, and of a history that has just become long
    enough, all steps count, and all sets.
    """
    suspect = _suspect_objects(history, stored, first_look)
    history = history[np.isin(history["norad_id"], suspect)]
    last = np.searchsorted(history["norad_id"], history["norad_id"], side="right")
    recent = last - np.arange(len(history)) <= MOST_SETS
    return manoeuvres_of_many(history if first_look else history[recent])


def manoeuvres_of_many(history: ElementArray) -> ManoeuvreArray:
    """Detect the manoeuvres of any number of objects in bounded memory, MANOEUVRE_DTYPE, by object and time.

    history (n,) is sorted by norad_id and epoch. A manoeuvre counts once another set follows the first that
    shows all of it: a single set may be bad.
    """
    found = [_followed(manoeuvres(part), part) for part in _parts(history)]
    return np.concatenate([np.zeros(0, MANOEUVRE_DTYPE), *found])


def _parts(history: ElementArray) -> Iterator[ElementArray]:
    """Yield the sets of whole objects, about _SETS_AT_ONCE together."""
    borders = np.append(np.flatnonzero(np.diff(history["norad_id"], prepend=-1)), len(history))
    cuts = np.searchsorted(borders, np.arange(0, len(history) + _SETS_AT_ONCE, _SETS_AT_ONCE))
    for begin, end in pairwise(np.unique(borders[np.minimum(cuts, len(borders) - 1)])):
        yield history[begin:end]


def _followed(found: ManoeuvreArray, history: ElementArray) -> ManoeuvreArray:
    last = np.searchsorted(history["norad_id"], found["norad_id"], side="right") - 1
    newest = instants(history["epoch_jd"][last], history["epoch_day_fraction"][last])
    followed: ManoeuvreArray = found[found["to"] < newest]
    return followed


def _suspect_objects(history: ElementArray, stored: ManoeuvreArray, first_look: bool) -> IntArray:
    numbers, owner, sizes = np.unique(history["norad_id"], return_inverse=True, return_counts=True)
    if not len(numbers):
        return numbers
    day = (history["epoch_jd"] - history["epoch_jd"].min()) + history["epoch_day_fraction"]
    apart = np.diff(day)
    usable = (np.diff(owner) == 0) & (apart > 0.0) & (sizes[owner[1:]] >= FEWEST_SETS)
    owners, apart = owner[1:][usable], apart[usable]
    step_m = np.diff(_axis_m(history))[usable]
    step_m = step_m - apart * _medians(step_m / apart, owners, len(numbers))[owners]
    sigma_m = np.fmax(MAD_TO_SIGMA * _medians(np.abs(step_m), owners, len(numbers)), _LEAST_SIGMA_M)[owners]
    ended = instants(history["epoch_jd"][1:], history["epoch_day_fraction"][1:])[usable]
    unexplained = ~_explained(numbers[owners], ended, stored)
    newly_long = sizes[owners] < FEWEST_SETS + MOST_SUMMED
    decides = unexplained & (first_look | newly_long | _is_last_but_one(owners))
    suspect = np.zeros(len(step_m), np.bool_)
    together = np.where(unexplained, step_m, 0.0)
    for length in range(MOST_SUMMED):  # sums of so many steps and one more, each at its last
        same = np.flatnonzero(owners[length:] == owners[: len(owners) - length]) + length
        total = sum(together[same - back] for back in range(length + 1))
        suspect[same] |= decides[same] & (np.abs(total) > SUSPECT_SIGMAS * sigma_m[same])
    chosen: IntArray = numbers[np.unique(owners[suspect])]
    return chosen


def _axis_m(history: ElementArray) -> FloatArray:
    motion_rad_s = history["mean_motion_rev_day"] * 2.0 * np.pi / SECONDS_PER_DAY
    axis: FloatArray = np.cbrt(MU_KM3_S2 / motion_rad_s**2) * 1e3
    return axis


def _medians(values: FloatArray, owner: IntArray, count: int) -> FloatArray:
    """Return the median of each owner's values, NaN of one without; owners ascend."""
    out = np.full(count, np.nan)
    ordered = values[np.lexsort((values, owner))]
    owners, begin, sizes = np.unique(owner, return_index=True, return_counts=True)
    out[owners] = (ordered[begin + (sizes - 1) // 2] + ordered[begin + sizes // 2]) / 2.0
    return out


def _is_last_but_one(owner: IntArray) -> BoolArray:
    """Return whether one value of the same owner follows each; owners ascend."""
    last: BoolArray = np.searchsorted(owner, owner, side="right") - np.arange(len(owner)) == 2
    return last


def _explained(numbers: IntArray, ended: npt.NDArray[np.datetime64], stored: ManoeuvreArray) -> BoolArray:
    """Return which steps, each of an object and with its end, are in a stored manoeuvre of it."""
    explained = np.zeros(len(numbers), np.bool_)
    order = np.lexsort((stored["from"], stored["norad_id"]))
    stored = stored[order]
    begin, end = (np.searchsorted(stored["norad_id"], numbers, side=side) for side in ("left", "right"))
    for place in range(int((end - begin).max(initial=0))):
        here = np.flatnonzero(begin + place < end)
        one = stored[begin[here] + place]
        explained[here] |= (one["from"] < ended[here]) & (ended[here] <= one["to"])
    return explained
