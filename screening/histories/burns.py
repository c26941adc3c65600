"""Detect manoeuvres in histories of element sets, in units of what an object's quiet sets do.

An older set, propagated, and a newer one differ in the semi-major axis by what thrust did between them, and
in their place along the orbit by a distance that grows from the burn on: where it vanishes, the two orbits
meet, and there was the burn (Kelecy, Hall, Hamada & Stocker 2007, Satellite manoeuvre detection using
two-line element data, AMOS). Two kinds of sets must be told apart:

- Since about 2013 sets are fitted to orbits of special perturbations. A burn is in one step, and two
  consecutive sets meet within hours of it.
- Earlier sets, and today's of objects seen seldom, are fitted to observations of several days: a burn is
  spread over three to six sets, and consecutive sets seem to meet days before it. Steps in one direction are
  therefore one run, and its first and last set give the time.

Which kind a step is, follows from where its two sets meet: no satellite, no year is named.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from screening.histories.noise import local_median, robust_sigma
from screening.histories.pairs import MOST_STEPS, History, SetPairs, compared
from screening.orbits.elements import ElementArray
from screening.orbits.timegrid import SECONDS_PER_DAY, FloatArray, instants

BoolArray = npt.NDArray[np.bool_]
IntArray = npt.NDArray[np.int64]
ManoeuvreArray = npt.NDArray[np.void]

MANOEUVRE_DTYPE = np.dtype(
    [
        ("norad_id", "i8"),
        ("from", "M8[us]"),  # epoch of the last set before it
        ("to", "M8[us]"),  # epoch of the first set that shows all of it
        ("at", "M8[us]"),  # estimate
        ("dv_m_s", "f8"),
        ("dv_t_m_s", "f8"),  # along the motion, from the semi-major axis
        ("sigmas", "f8"),  # size of the step in units of the object's quiet steps
    ]
)

# Fewer sets do not show what is usual.
FEWEST_SETS = 12
# A set of a burn spread over several: two sigmas are exceeded by one of twenty quiet steps.
STEP_SIGMAS = 2.0
LONGEST_RUN = 7  # steps: about a week, longer than any fit span
# Of 100 quiet steps in either direction of an object one exceeds 6 robust sigmas, as tails are not Gaussian.
SURE_SIGMAS = 6.0
# Less is a manoeuvre if the places along the orbit bend there too, by this many sigmas of their own.
LIKELY_SIGMAS = 3.5
BEND_SIGMAS = 4.0
# A bad set returns: the step must stay at least so large in every comparison of neighbouring sets.
LEAST_STAYING = 0.3
# Two sets around a burn meet between their epochs; of a step spread over several they do not.
MEETING_MARGIN = 0.1
LONE_MEETING_MARGIN = 0.25
# After a burn spread over several sets, fits overshoot and return, for no longer than their span.
ECHO_DAYS = 6.0
LEAST_SHARE_OF_NEIGHBOUR = 0.4


class _Steps(NamedTuple):
    """What each step from a set to the next of the same object shows; row g is between sets g and g + 1."""

    inside: BoolArray  # (n - 1,), both sets are of one object
    step_m: FloatArray  # of the semi-major axis, less the usual
    usual_m: FloatArray  # what drag that is always misjudged does each step
    sigma_m: FloatArray
    meeting: FloatArray  # where the two sets meet, in units of the time between them


class _Runs(NamedTuple):
    """Steps that may be one manoeuvre."""

    first: IntArray  # (k,), step
    last: IntArray
    lone: BoolArray  # a step of its own among steps of others


class _Sized(NamedTuple):
    """Runs with what they changed."""

    runs: _Runs
    step_m: FloatArray
    staying: FloatArray  # least of all comparisons, as a share of the step
    sigmas: FloatArray
    day: FloatArray


def manoeuvres(history: ElementArray) -> ManoeuvreArray:
    """Detect the manoeuvres of many objects, MANOEUVRE_DTYPE, by object and time.

    history (n,) has the numbers of ELEMENT_DTYPE in any order; of sets of one object and epoch the last one
    counts. Objects with fewer than FEWEST_SETS sets have none.
    """
    known = History.of(history, FEWEST_SETS)
    if len(known.day) == 0:
        return np.zeros(0, MANOEUVRE_DTYPE)
    pairs = compared(known, LONGEST_RUN + 3)
    steps = _steps(known, pairs)
    sized = _sized(known, pairs, steps, _runs(steps))
    kept = _kept(known, sized, _bends(known, pairs))
    return _described(known, pairs, sized, kept)


def _steps(known: History, pairs: SetPairs) -> _Steps:
    older = np.arange(len(known.day) - 1)
    inside = known.owner[1:] == known.owner[:-1]
    change = pairs.axis_m(older, older + 1)
    usual = local_median(change, known.owner[:-1], inside)
    step = change - usual
    sigma = robust_sigma(step, known.owner[:-1], inside)
    begin, end = pairs.along_m(older, older + 1)
    with np.errstate(invalid="ignore", divide="ignore"):
        meeting = -begin / (end - begin)
    return _Steps(inside, step, usual, sigma, meeting)


def _runs(steps: _Steps) -> _Runs:
    """Return runs of steps in one direction, and steps of their own.

    A step is one of its own if it is sure, its sets meet inside it, and both neighbours are such steps or quiet.
    """
    with np.errstate(invalid="ignore"):
        sigmas = np.where(steps.inside, np.abs(steps.step_m) / steps.sigma_m, 0.0)
        meets = (steps.meeting > -MEETING_MARGIN) & (steps.meeting < 1.0 + MEETING_MARGIN)
    own = meets & (sigmas > SURE_SIGMAS)
    calm = own | ~(sigmas >= STEP_SIGMAS)
    own &= np.append(True, calm[:-1]) & np.append(calm[1:], True)
    direction = np.where((sigmas > STEP_SIGMAS) & ~own, np.sign(steps.step_m), 0.0)
    borders = np.flatnonzero(np.diff(direction, prepend=np.nan, append=np.nan) != 0.0)
    first, last = borders[:-1], borders[1:] - 1
    kept = (direction[first] != 0.0) & (last - first < LONGEST_RUN)
    lone = np.flatnonzero(own)
    return _Runs(
        np.append(first[kept], lone),
        np.append(last[kept], lone),
        np.append(np.zeros(kept.sum(), np.bool_), np.ones(len(lone), np.bool_)),
    )


def _sized(known: History, pairs: SetPairs, steps: _Steps, runs: _Runs) -> _Sized:
    """Measure each run between sets up to one before and up to two behind it."""
    sizes, days = [], []
    for before in (0, 1):
        for behind in (0, 1, 2):
            older, newer = runs.first - before, runs.last + 1 + behind
            sizes.append(pairs.axis_m(older, newer) - steps.usual_m[runs.first] * (newer - older))
            if before == 0:
                days.append(_meeting_day(known, pairs, older, newer))
    with np.errstate(invalid="ignore"):
        step = np.where(runs.lone, sizes[0], np.nanmedian(sizes, axis=0))
        staying = np.nanmin(np.array(sizes) * np.sign(step) / np.abs(step), axis=0)
        day = np.where(runs.lone, days[0], np.nanmedian(days, axis=0))
        sigmas = np.abs(step) / _sigma_of_runs(known, pairs, steps, runs)
        lone_meets = np.abs(steps.meeting[runs.first] - 0.5) < 0.5 + LONE_MEETING_MARGIN
    staying[(runs.last == runs.first) & ~lone_meets] = 0.0
    # A burn spread over several sets may be half a day older than the first that shows it.
    spread = runs.last > runs.first
    earliest = known.day[runs.first] - np.where(spread, 0.5, 0.1)
    latest = known.day[runs.first + 1] + np.where(runs.last - runs.first == 1, 0.5, 0.1)
    return _Sized(runs, step, staying, sigmas, np.clip(day, earliest, latest))


def _meeting_day(known: History, pairs: SetPairs, older: IntArray, newer: IntArray) -> FloatArray:
    begin, end = pairs.along_m(older, newer)
    last = len(known.day) - 1
    start, span = known.day[older], known.day[np.minimum(newer, last)] - known.day[older]
    with np.errstate(invalid="ignore", divide="ignore"):
        day: FloatArray = start - span * begin / (end - begin)
    return day


def _sigma_of_runs(known: History, pairs: SetPairs, steps: _Steps, runs: _Runs) -> FloatArray:
    """Return what quiet sets as far apart differ by, at least what consecutive ones do."""
    sigma = steps.sigma_m[runs.first].copy()
    older = np.arange(len(known.day))
    for length in range(2, LONGEST_RUN + 1):
        here = np.flatnonzero(runs.last - runs.first + 1 == length)
        if len(here):
            change = pairs.axis_m(older, older + length)
            known_change = np.isfinite(change)
            change = change - local_median(change, known.owner, known_change)
            several = robust_sigma(change, known.owner, known_change)
            sigma[here] = np.fmax(sigma[here], several[runs.first[here]])
    return sigma


def _bends(known: History, pairs: SetPairs) -> FloatArray:
    """Return how much the places along the orbit bend at each step, in sigmas of the object's other steps.

    Over MOST_STEPS sets on either side: a least-squares fit of place, rate, drag and a change of rate.
    """
    count = len(known.day) - 1
    step = np.arange(count)
    middle = (known.day[:-1] + known.day[1:]) / 2.0
    columns, values = [], []
    for offset in range(1 - MOST_STEPS, MOST_STEPS + 1):
        other = np.clip(step + offset, 0, count)
        along = pairs.place_m(step, other)
        days = known.day[other] - middle
        used = np.isfinite(along) & (np.abs(days) < 8.0) & (step + offset == other)
        days, along = np.where(used, days, 0.0), np.where(used, along, 0.0)
        columns.append(np.stack([used.astype(float), days, days**2 / 5.0, np.maximum(days, 0.0)], axis=1))
        values.append(along)
    design, place = np.stack(columns, axis=1), np.stack(values, axis=1)
    normal = np.einsum("gmi,gmj->gij", design, design) + 1e-9 * np.eye(4)
    inverse = np.linalg.inv(normal)
    fitted = np.einsum("gij,gmj,gm->gi", inverse, design, place)
    bend = np.abs(fitted[:, 3]) / np.sqrt(inverse[:, 3, 3])
    enough = (known.owner[1:] == known.owner[:-1]) & (design[:, :, 0].sum(axis=1) >= 6)
    with np.errstate(invalid="ignore", divide="ignore"):
        sigmas = bend / robust_sigma(bend, known.owner[:-1], enough)
    return np.where(enough & np.isfinite(sigmas), sigmas, 0.0)


def _kept(known: History, sized: _Sized, bends: FloatArray) -> IntArray:
    """Return which runs are manoeuvres, by object and time: large or confirmed, lasting, and no echo."""
    first, last = sized.runs.first, sized.runs.last
    around = [bends[np.clip(first + k, 0, len(bends) - 1)] for k in range(-1, LONGEST_RUN + 1)]
    within = [
        np.where(first + k <= last + 1, b, 0.0)
        for k, b in zip(range(-1, LONGEST_RUN + 1), around, strict=True)
    ]
    bent = np.max(within, axis=0) > BEND_SIGMAS
    with np.errstate(invalid="ignore"):
        kept = (sized.sigmas > SURE_SIGMAS) | ((sized.sigmas > LIKELY_SIGMAS) & bent)
        kept &= (sized.staying > LEAST_STAYING) & np.isfinite(sized.day)
    size, owner = np.abs(sized.step_m), known.owner[first]
    for i in np.flatnonzero(kept)[np.argsort(-size[kept], kind="stable")]:
        if kept[i]:
            begin, end = np.searchsorted(known.owner, [owner[i], owner[i] + 1])
            here = np.flatnonzero(kept & (first >= begin) & (first < end) & ~sized.runs.lone)
            away = np.abs(sized.day[here] - sized.day[i])
            returns = sized.step_m[here] * sized.step_m[i] < 0.0
            least = np.where(returns, 1.0, LEAST_SHARE_OF_NEIGHBOUR)
            kept[here[(away < ECHO_DAYS) & (size[here] < least * size[i])]] = False
    found = np.flatnonzero(kept)
    return found[np.lexsort((sized.day[found], owner[found]))]


def _described(known: History, pairs: SetPairs, sized: _Sized, kept: IntArray) -> ManoeuvreArray:
    first, newer = sized.runs.first[kept], sized.runs.last[kept] + 1
    day = sized.day[kept]
    older = first - ((day < known.day[first]) & (first > 0))
    sets = known.sets
    turns_s = sets["mean_motion_rev_day"][first] * 2.0 * np.pi / SECONDS_PER_DAY
    out = np.zeros(len(kept), MANOEUVRE_DTYPE)
    out["norad_id"] = sets["norad_id"][first]
    out["from"] = instants(sets["epoch_jd"][older], sets["epoch_day_fraction"][older])
    out["to"] = instants(sets["epoch_jd"][newer], sets["epoch_day_fraction"][newer])
    out["at"] = instants(np.full(len(day), sets["epoch_jd"].min()), day)
    out["dv_t_m_s"] = sized.step_m[kept] * turns_s / 2.0
    out["dv_m_s"] = np.abs(out["dv_t_m_s"])
    out["sigmas"] = sized.sigmas[kept]
    return out
