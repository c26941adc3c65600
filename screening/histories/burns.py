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

Which kind a step is, follows from where its two sets meet: no satellite, no year is named. Long histories are
looked at once more as a whole (spans.py), which shows burns that no step stands out for.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from screening.histories.noise import MAD_TO_SIGMA, local_median, robust_sigma
from screening.histories.pairs import MOST_STEPS, History, SetPairs, compared
from screening.histories.spans import bends
from screening.orbits.elements import ElementArray
from screening.orbits.gravity import MU_KM3_S2
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
        ("dv_n_m_s", "f8"),  # least size that turns the plane so; NaN if quiet sets may differ as much
        ("sigmas", "f8"),  # size of the step in units of the object's quiet steps
        ("confidence", "f8"),  # of such, so many are published within a day
    ]
)

# Fewer sets do not show what is usual.
FEWEST_SETS = 12
# Most objects of a catalogue do nothing, which their mean motions say by themselves.
MOST_SETS_AT_A_GLANCE = 100
GLANCE_LAGS = (1, 2, 4)
GLANCE_SIGMAS = 3.5
# A run goes on while steps are larger than those of one quiet step in twenty.
STEP_SIGMAS = 2.0
LONGEST_RUN = 7  # steps: about a week, longer than fit spans
# Errors of sets have long tails: of quiet steps some in a thousand are beyond six robust sigmas.
SURE_SIGMAS = 8.0
# Less is a manoeuvre if the places along the orbit bend there too, by so many sigmas of their own.
LIKELY_SIGMAS = 3.5
BEND_SIGMAS = 4.0
# A bad set returns: of a step at least this share must stay in comparisons of the sets around it.
LEAST_STAYING = 0.3
# Of the twelve, of three sets before with four behind, one bad set spoils at most four, and three if it does
# not touch the step. Two that do are a step in six.
MOST_DOUBTING = 3
# The sets around a step of its own meet in it, which bad sets do seldom, and other burns may follow soon.
MOST_DOUBTING_LONE = 6
SETS_TO_CONFIRM = 1
# Two sets around a burn meet between their epochs; those of a step that is one of several do not.
MEETING_MARGIN = 0.1
LONE_MEETING_MARGIN = 0.25
# After a burn spread over several sets fits overshoot and return, or go on for as long as their span.
ECHO_DAYS = 8.0
MOST_OF_AN_ECHO = 1.25
LEAST_SHARE_OF_NEIGHBOUR = 0.4
# A burn spread over several sets may be older than the set before the first that shows it.
HIDDEN_DAYS = 0.5
BEND_DAYS = 8.0  # on either side of a step
FEWEST_FOR_A_BEND = 6
LEAST_DAYS_FROM_A_STEP = 5.0
# Published within 24 h, of those found at four satellites. More sigmas say no more.
LARGE_STEP_CONFIDENCE, SMALL_STEP_CONFIDENCE, BEND_CONFIDENCE = 0.95, 0.85, 0.69
LARGE_STEP_SIGMAS = 10.0
_FAR_DAYS = 1e6  # sets other objects apart
_REGULAR = 1e-9  # days squared: too few sets give a bend of no meaning instead of an error


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
    lively = known.without(_quiet(known))
    return _joined(_stepped(lively.without(_bad_sets(lively))), _bent(known))


def _quiet(known: History) -> BoolArray:
    """Return which sets are of objects whose mean elements already show no step, of short histories."""
    sizes = np.bincount(known.owner)
    short = np.flatnonzero(sizes <= MOST_SETS_AT_A_GLANCE)
    if not len(short):
        return np.zeros(len(known.day), np.bool_)
    first = np.concatenate([[0], np.cumsum(sizes)[:-1]])[short]
    place = first[:, None] + np.arange(sizes[short].max())
    inside = np.arange(place.shape[1]) < sizes[short][:, None]
    motion_rev_day = known.sets["mean_motion_rev_day"]
    motion = np.where(inside, motion_rev_day[np.minimum(place, len(motion_rev_day) - 1)], np.nan)
    most = np.zeros(len(short))
    for lag in GLANCE_LAGS:
        step = motion[:, lag:] - motion[:, :-lag]
        step -= np.nanmedian(step, axis=1, keepdims=True)
        usual = MAD_TO_SIGMA * np.nanmedian(np.abs(step), axis=1)
        with np.errstate(invalid="ignore", divide="ignore"):
            most = np.fmax(most, np.nanmax(np.abs(step), axis=1) / usual)
    quiet = np.zeros(len(sizes), np.bool_)
    quiet[short] = most < GLANCE_SIGMAS
    return quiet[known.owner]


def _stepped(known: History) -> ManoeuvreArray:
    """Return manoeuvres that are steps from set to set."""
    if len(known.day) == 0:
        return np.zeros(0, MANOEUVRE_DTYPE)
    pairs = compared(known, LONGEST_RUN + 5)
    steps = _steps(known, pairs)
    sized = _sized(known, pairs, steps, _runs(steps))
    kept = _kept(known, sized, _bends(known, pairs))
    return _described(known, sized, kept, _turns_rad(known, pairs, sized.runs, kept))


def _bent(known: History) -> ManoeuvreArray:
    """Return manoeuvres that bend the path which long histories show."""
    found = bends(known)
    sets, day = known.sets, found.day
    owner = known.owner[found.step]
    newer = np.searchsorted(known.owner * _FAR_DAYS + known.day, owner * _FAR_DAYS + day + found.span_days)
    newer = np.clip(newer, found.step + 1, np.searchsorted(known.owner, owner, "right") - 1)
    share = (day - known.day[found.step]) / (known.day[found.step + 1] - known.day[found.step])
    epoch = instants(sets["epoch_jd"], sets["epoch_day_fraction"])
    out = np.zeros(len(day), MANOEUVRE_DTYPE)
    out["norad_id"] = sets["norad_id"][found.step]
    out["from"], out["to"] = epoch[found.step], epoch[newer]
    out["at"] = epoch[found.step] + share * (epoch[found.step + 1] - epoch[found.step])
    motion_rad_s = sets["mean_motion_rev_day"][found.step] * 2.0 * np.pi / SECONDS_PER_DAY
    out["dv_t_m_s"] = found.axis_m * motion_rad_s / 2.0
    out["dv_n_m_s"] = np.nan
    out["dv_m_s"] = np.abs(out["dv_t_m_s"])
    out["sigmas"], out["confidence"] = found.sigmas, BEND_CONFIDENCE
    return out


def _joined(stepped: ManoeuvreArray, bent: ManoeuvreArray) -> ManoeuvreArray:
    """Add bends to steps; what bends near a step is mostly that step."""
    apart = np.abs(bent["at"][:, None] - stepped["at"][None, :]) / np.timedelta64(1, "D")
    apart[bent["norad_id"][:, None] != stepped["norad_id"][None, :]] = np.inf
    both = np.concatenate([stepped, bent[apart.min(axis=1, initial=np.inf) > LEAST_DAYS_FROM_A_STEP]])
    return both[np.lexsort((both["at"], both["norad_id"]))]


def _bad_sets(known: History) -> BoolArray:
    """Return which sets (n,) deviate from both neighbours, which agree with each other."""
    if len(known.day) == 0:
        return np.zeros(0, np.bool_)
    pairs = compared(known, 2)
    steps = _steps(known, pairs)
    into, out = steps.step_m[:-1], steps.step_m[1:]
    around = pairs.axis_m(np.arange(len(into)), np.arange(len(into)) + 2)
    least = np.fmin(np.abs(into), np.abs(out))
    with np.errstate(invalid="ignore"):
        returned = (into * out < 0.0) & (np.abs(around) < LEAST_STAYING * least)
        returned &= least > SURE_SIGMAS * steps.sigma_m[1:]
    return np.concatenate([[False], returned, [False]])


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

    A step is one of its own if it is sure, its sets meet inside it, and its neighbours are such or quiet.
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
    kept = direction[first] != 0.0
    last = np.minimum(last, first + LONGEST_RUN - 1)  # drag misjudged since the burn prolongs a run
    lone = np.flatnonzero(own)
    return _Runs(
        np.append(first[kept], lone),
        np.append(last[kept], lone),
        np.append(np.zeros(kept.sum(), np.bool_), np.ones(len(lone), np.bool_)),
    )


def _sized(known: History, pairs: SetPairs, steps: _Steps, runs: _Runs) -> _Sized:
    """Measure each run between sets up to two before and up to three behind it."""
    sizes, days = [], []
    for before in (0, 1, 2):
        for behind in (0, 1, 2, 3):
            older, newer = runs.first - before, runs.last + 1 + behind
            sizes.append(pairs.axis_m(older, newer) - steps.usual_m[runs.first] * (newer - older))
            if before == 0 and behind < 3:
                days.append(_meeting_day(known, pairs, older, newer))
    with np.errstate(invalid="ignore"):
        step = np.where(runs.lone, sizes[0], _median(sizes))
        shares = np.sort(np.where(np.isfinite(sizes), sizes, np.inf) / step, axis=0)
        staying = np.where(runs.lone, shares[MOST_DOUBTING_LONE], shares[MOST_DOUBTING])
        day = np.where(runs.lone, days[0], _median(days))
        sigmas = np.abs(step) / _sigma_of_runs(known, pairs, steps, runs)
        lone_meets = np.abs(steps.meeting[runs.first] - 0.5) < 0.5 + LONE_MEETING_MARGIN
    staying[(runs.last == runs.first) & ~lone_meets] = 0.0
    # A bad set looks like a burn until the next one is there.
    staying[~np.isfinite(pairs.axis_m(runs.first, runs.last + 1 + SETS_TO_CONFIRM))] = 0.0
    spread = runs.last > runs.first
    earliest = known.day[runs.first] - np.where(spread, HIDDEN_DAYS, 0.0)
    latest = known.day[runs.first + 1]
    return _Sized(runs, step, staying, sigmas, np.clip(day, earliest, latest))


def _median(columns: list[FloatArray]) -> FloatArray:
    """Return the median of what is known of each, infinity where nothing is."""
    values = np.array(columns)
    median: FloatArray = np.nanmedian(np.where(np.isnan(values).all(axis=0), np.inf, values), axis=0)
    return median


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

    A least-squares fit of place, rate, drag and a change of the rate in the middle of the step, to up to
    MOST_STEPS sets on either side at their own epochs: a place is known well even while a fit still holds
    observations from before a burn.
    """
    step = np.arange(len(known.day) - 1)
    others = step[:, None] + np.arange(1 - MOST_STEPS, MOST_STEPS + 1)
    place_m = pairs.place_m(step[:, None], others)
    days = known.day[np.clip(others, 0, len(step))] - ((known.day[:-1] + known.day[1:]) / 2.0)[:, None]
    used = np.isfinite(place_m) & (np.abs(days) < BEND_DAYS)
    days, place_m = np.where(used, days, 0.0), np.where(used, place_m, 0.0)
    design = np.stack([used.astype(float), days, days**2, np.maximum(days, 0.0)], axis=2)
    normal = np.einsum("gmi,gmj->gij", design, design) + _REGULAR * np.eye(4)
    inverse = np.linalg.inv(normal)
    change = np.einsum("gi,gmi,gm->g", inverse[:, 3], design, place_m)
    bend = np.abs(change) / np.sqrt(inverse[:, 3, 3])
    enough = (known.owner[1:] == known.owner[:-1]) & (used.sum(axis=1) >= FEWEST_FOR_A_BEND)
    with np.errstate(invalid="ignore", divide="ignore"):
        sigmas = bend / robust_sigma(bend, known.owner[:-1], enough)
    return np.where(enough & np.isfinite(sigmas), sigmas, 0.0)


def _kept(known: History, sized: _Sized, bends: FloatArray) -> IntArray:
    """Return which runs are manoeuvres, by object and time: large or confirmed, lasting, and no echo."""
    first, last = sized.runs.first, sized.runs.last
    steps = first[:, None] + np.arange(-1, LONGEST_RUN + 1)
    around = bends[np.clip(steps, 0, len(bends) - 1)]
    bent = np.where(steps <= last[:, None] + 1, around, 0.0).max(axis=1, initial=0.0) > BEND_SIGMAS
    with np.errstate(invalid="ignore"):
        kept = (sized.sigmas > SURE_SIGMAS) | ((sized.sigmas > LIKELY_SIGMAS) & bent)
        kept &= (sized.staying > LEAST_STAYING) & np.isfinite(sized.day)
    _drop_echoes(known, sized, kept)
    found = np.flatnonzero(kept)
    return found[np.lexsort((sized.day[found], known.owner[first[found]]))]


def _drop_echoes(known: History, sized: _Sized, kept: BoolArray) -> None:
    """Drop runs that are what fits do around a larger one, the largest first."""
    size, owner = np.abs(sized.step_m), known.owner[sized.runs.first]
    candidates = np.flatnonzero(kept)
    candidates = candidates[np.argsort(owner[candidates], kind="stable")]
    for own in np.split(candidates, np.flatnonzero(np.diff(owner[candidates])) + 1):
        for i in own[np.argsort(-size[own], kind="stable")]:
            if not kept[i]:
                continue
            others = own[kept[own] & ~sized.runs.lone[own] & (own != i)]
            echo = ~sized.runs.lone[i] & (sized.day[others] > sized.day[i])
            least = np.where(echo, MOST_OF_AN_ECHO, LEAST_SHARE_OF_NEIGHBOUR)
            near = np.abs(sized.day[others] - sized.day[i]) < ECHO_DAYS
            kept[others[near & (size[others] < least * size[i])]] = False


def _turns_rad(known: History, pairs: SetPairs, runs: _Runs, kept: IntArray) -> FloatArray:
    """Return by how much manoeuvres turned the plane; NaN if quiet sets as far apart may differ as much."""
    turns = np.full(len(kept), np.nan)
    older = np.arange(len(known.day))
    for length in range(1, LONGEST_RUN + 1):
        here = np.flatnonzero(runs.last[kept] - runs.first[kept] + 1 == length)
        if len(here):
            turn = pairs.turn_rad(older, older + length)
            usual = local_median(turn, known.owner, np.isfinite(turn))
            beyond = turn - usual
            sigma = robust_sigma(beyond, known.owner, np.isfinite(turn))
            first = runs.first[kept[here]]
            turns[here] = np.where(beyond[first] > SURE_SIGMAS * sigma[first], turn[first], np.nan)
    return turns


def _described(known: History, sized: _Sized, kept: IntArray, turns_rad: FloatArray) -> ManoeuvreArray:
    """Describe what was kept; in a circular orbit da is 2 dv / n along, and a turn dv / v across."""
    first, newer = sized.runs.first[kept], sized.runs.last[kept] + 1
    day = sized.day[kept]
    before = np.maximum(first - 1, 0)
    hidden = (day < known.day[first]) & (known.owner[before] == known.owner[first])
    older = np.where(hidden, before, first)
    sets = known.sets
    motion_rad_s = sets["mean_motion_rev_day"][first] * 2.0 * np.pi / SECONDS_PER_DAY
    speed_m_s = (MU_KM3_S2 * motion_rad_s) ** (1.0 / 3.0) * 1e3
    out = np.zeros(len(kept), MANOEUVRE_DTYPE)
    out["norad_id"] = sets["norad_id"][first]
    out["from"] = instants(sets["epoch_jd"][older], sets["epoch_day_fraction"][older])
    out["to"] = instants(sets["epoch_jd"][newer], sets["epoch_day_fraction"][newer])
    since = np.rint((day - known.day[first]) * SECONDS_PER_DAY * 1e6).astype("m8[us]")
    out["at"] = instants(sets["epoch_jd"][first], sets["epoch_day_fraction"][first]) + since
    out["dv_t_m_s"] = sized.step_m[kept] * motion_rad_s / 2.0
    out["dv_n_m_s"] = speed_m_s * turns_rad
    out["dv_m_s"] = np.hypot(out["dv_t_m_s"], np.nan_to_num(out["dv_n_m_s"]))
    out["sigmas"] = sized.sigmas[kept]
    large = out["sigmas"] > LARGE_STEP_SIGMAS
    out["confidence"] = np.where(large, LARGE_STEP_CONFIDENCE, SMALL_STEP_CONFIDENCE)
    return out
