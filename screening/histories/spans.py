"""Find burns by what they do to sets that are fitted to observations of several days.

A set fitted to a span of days shows a burn bit by bit: a line fitted to a path that bends x of its span
before its end has there 3 x2 - 2 x3 of the bend's slope, and is as far ahead as 2 x2 - x3 spans of it. Each
such response, for each day and span, is compared with what the filter of quiet.py did not expect (the
generalised likelihood ratio of Willsky & Jones 1976, IEEE Trans. Autom. Control 21, 108), and so is a single
bad set (Chen & Liu 1993, J. Am. Stat. Assoc. 88, 284). The strongest is taken out, and the rest looked at
again. How long the span is, an object's own burns say: none since about 2013, five to ten days before.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple, Self

import numpy as np

from screening.histories.pairs import History
from screening.histories.places import BoolArray, IntArray, Rows
from screening.histories.quiet import (
    AXIS,
    AXIS_ERROR,
    PLACE,
    PLACE_ERROR,
    Filtered,
    after,
    filtered,
    likeliest,
)
from screening.orbits.timegrid import FloatArray

FEWEST_SETS_IN_ALL = 200  # fewer do not show how they are fitted
# Mean elements of deep orbits lack what resonances with the Earth's rotation do, which bends paths as well.
LEAST_REV_DAY = 1440.0 / 225.0
SPANS_DAYS = (0.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.5, 10.0)
TIMES_IN_STEP = 3  # tried
SETS_AFTER = 16
DAYS_AFTER = 16.0
# A path that bends further within a span is not fitted through: the catalogue starts a new orbit.
MOST_BENT_M = 1e5
LEAST_SIGMAS = 7.0
FIRST_LOOK_SIGMAS = 4.0
USUAL_RATIO = 1.5  # median of the best of all responses where nothing happens
APART_DAYS = 8.0  # of what is taken out together
LEAST_APART_DAYS = 0.7
# Several bad sets in a row bend the path there and back.
BACK_DAYS = 6.0
BACK_SHARE = 0.5
SAME_DAYS = 1.5  # within which the time of one may be found better once the others are known
ROUNDS = 8
# The span is that which suits the burns around best; one of many sigmas counts as one of so many.
MOST_SAYING_SIGMAS = 15.0
SPAN_WINDOW_DAYS = 300.0
SIZE_UNCERTAIN, TIME_UNCERTAIN_DAYS = 0.3, 0.1


class Bends(NamedTuple):
    """Burns, each (k,)."""

    step: IntArray  # it is between this set of the history and the next
    day: FloatArray
    axis_m: FloatArray  # change of the semi-major axis
    sigma_m: FloatArray
    span_days: FloatArray
    sigmas: FloatArray

    def chosen(self, which: BoolArray | IntArray) -> Self:
        """Return some of them, or all in another order."""
        columns = (self.day, self.axis_m, self.sigma_m, self.span_days, self.sigmas)
        return type(self)(self.step[which], *(column[which] for column in columns))

    def with_others(self, other: Self) -> Self:
        """Return both."""
        columns = zip(self[1:], other[1:], strict=True)
        return type(self)(
            np.append(self.step, other.step), *(np.concatenate([one, more]) for one, more in columns)
        )


# Places in days of drift, and shares of the change of the axis.
_Shown = tuple[FloatArray, FloatArray]
_NONE = Bends(np.zeros(0, np.int64), *(np.zeros(0) for _ in range(5)))


class _Look(NamedTuple):
    """The best response of each step."""

    day: FloatArray
    axis_m: FloatArray
    sigma_m: FloatArray
    span_days: FloatArray
    sigmas: FloatArray
    bad_set: FloatArray  # sigmas of the next set being bad instead


def bends(known: History) -> Bends:
    """Find the burns of objects with FEWEST_SETS_IN_ALL sets, by set."""
    enough = np.bincount(known.owner, minlength=1)[known.owner] >= FEWEST_SETS_IN_ALL
    enough &= known.sets["mean_motion_rev_day"] > LEAST_REV_DAY
    if not enough.any():
        return _NONE
    search = _Search(known.without(~enough))
    found = search.found()
    kept = (found.sigmas > LEAST_SIGMAS) & ~_taken_back(found, search.known)
    found = found.chosen(kept)
    return found._replace(step=np.flatnonzero(enough)[found.step])


def _taken_back(found: Bends, known: History) -> BoolArray:
    """Return which bends the next one takes back, or take back the one before."""
    owner, one, next_one = known.owner[found.step], found.axis_m[:-1], found.axis_m[1:]
    soon = (np.diff(found.day) < BACK_DAYS) & (owner[1:] == owner[:-1])
    back = soon & (np.abs(one + next_one) < BACK_SHARE * np.maximum(np.abs(one), np.abs(next_one)))
    either: BoolArray = np.append(back, False)[: len(soon) + 1] | np.append(False, back)[: len(soon) + 1]
    return either[: len(found.day)]


class _Search:
    """The sets of some objects, and what explains them so far."""

    def __init__(self, known: History) -> None:
        self.known = known
        self.rows = Rows.of(known)
        self.noise = likeliest(self.rows)
        self.span = self._likeliest_spans()
        self.bad = np.zeros(len(known.day), np.bool_)

    def found(self) -> Bends:
        """Take out the strongest, again and again, and then look at each without the others."""
        taken = _NONE
        for _ in range(ROUNDS):
            look = self._look(taken)
            which = np.maximum(look.sigmas, look.bad_set)
            which[self.bad[self._newer()]] = 0.0
            which[self._near(look.day, taken, LEAST_APART_DAYS)] = 0.0
            strongest = self._strongest(which, look.day, FIRST_LOOK_SIGMAS)
            if not len(strongest):
                break
            is_bad = look.bad_set[strongest] >= look.sigmas[strongest]
            self.bad[self._newer()[strongest[is_bad]]] = True
            taken = self._joined(taken, self._picked(look, strongest[~is_bad]))
        for _ in range(2):
            taken = self._again(taken)
        return taken

    def _again(self, taken: Bends) -> Bends:
        """Look at each third of what was found with the others taken out."""
        every = _NONE
        for third in range(3):
            own: BoolArray = np.arange(len(taken.day)) % 3 == third
            rest = taken.chosen(~own)
            look = self._look(rest)
            free = ~self._near(look.day, rest, LEAST_APART_DAYS) & (look.sigmas > look.bad_set)
            keys = self._key(self._older(), look.day)
            for i in np.flatnonzero(own):
                near = np.abs(keys - self._key(taken.step[i], taken.day[i])) < SAME_DAYS
                here = np.flatnonzero(near & free)
                if len(here):
                    best = here[np.argmax(look.sigmas[here])][None]
                    if look.sigmas[best[0]] > FIRST_LOOK_SIGMAS:
                        every = self._joined(every, self._picked(look, best))
        return every

    def _older(self) -> IntArray:
        return self.rows.sets[:, :-1][self.rows.steps]

    def _newer(self) -> IntArray:
        return self._older() + 1

    def _key(self, step: IntArray, day: FloatArray) -> FloatArray:
        """Return days in which other objects are far away."""
        key: FloatArray = day + self.known.owner[step] * 1e6
        return key

    def _near(self, day: FloatArray, taken: Bends, days: float) -> BoolArray:
        """Return which steps are near what is taken."""
        if not len(taken.day):
            return np.zeros(len(day), np.bool_)
        keys = np.sort(self._key(taken.step, taken.day))
        own = self._key(self._older(), day)
        place = np.searchsorted(keys, own)
        gap = np.minimum(
            np.abs(own - keys[np.minimum(place, len(keys) - 1)]), np.abs(own - keys[np.maximum(place - 1, 0)])
        )
        near: BoolArray = gap < days
        return near

    def _strongest(self, sigmas: FloatArray, day: FloatArray, least: float) -> IntArray:
        """Return steps with the most sigmas around them."""
        keys = self._key(self._older(), day)
        free, kept = np.ones(len(keys), np.bool_), []
        for i in np.argsort(-sigmas, kind="stable"):
            if not sigmas[i] > least:
                break
            if free[i]:
                kept.append(i)
                free[np.abs(keys - keys[i]) <= APART_DAYS] = False
        return np.array(kept, np.int64)

    def _picked(self, look: _Look, steps: IntArray) -> Bends:
        columns = (look.day, look.axis_m, look.sigma_m, look.span_days, look.sigmas)
        return Bends(self._older()[steps], *(column[steps] for column in columns))

    def _joined(self, one: Bends, other: Bends) -> Bends:
        both = one.with_others(other)
        return both.chosen(np.argsort(self._key(both.step, both.day), kind="stable"))

    def _likeliest_spans(self) -> FloatArray:
        """Return the span of each row's sets: what suits the burns around best."""
        looks = self._responses(self.rows, None, SPANS_DAYS)
        usual = np.maximum(_usual([look.sigmas for look in looks]) / USUAL_RATIO, 1.0)
        each = np.array([self.rows.once(look.sigmas / usual) for look in looks])
        days = np.array([self.rows.once(look.day) for look in looks])
        bad, best = self.rows.once(looks[0].bad_set / usual), np.argmax(each, axis=0)
        most = np.take_along_axis(each, best[None], 0)[0]
        day = np.take_along_axis(days, best[None], 0)[0]
        burns = self._strongest(np.where(bad >= most, 0.0, most), day, FIRST_LOOK_SIGMAS)
        says = (each[:, burns] * np.minimum(MOST_SAYING_SIGMAS / most[burns], 1.0)) ** 2
        middle = np.nanmean(self.rows.day, axis=1)
        away = (
            self._key(self.rows.sets[:, 0], middle)[:, None]
            - self._key(self._older()[burns], day[burns])[None, :]
        )
        near = np.exp(-0.5 * np.minimum((away / SPAN_WINDOW_DAYS) ** 2, 1e3))
        likeliest_span: FloatArray = np.array(SPANS_DAYS)[np.argmax(near @ says.T, axis=1)]
        return likeliest_span

    def _look(self, taken: Bends) -> _Look:
        """Look at the sets less what is taken."""
        rows, jumps = _less(self.rows, self.bad, taken)
        looks = self._responses(rows, jumps, tuple(np.unique(self.span)))
        which = np.searchsorted(np.unique(self.span), self.span)
        own = _Look(*(np.stack(column)[which, np.arange(len(which))] for column in zip(*looks, strict=True)))
        usual = np.maximum(_usual([own.sigmas]) / USUAL_RATIO, 1.0)
        own = own._replace(sigmas=own.sigmas / usual, bad_set=own.bad_set / usual)
        return _Look(*(self.rows.once(column) for column in own))

    def _responses(self, rows: Rows, jumps: FloatArray | None, spans: tuple[float, ...]) -> list[_Look]:
        """Return the best response of each step for each span (n, w - 1)."""
        found = filtered(rows, self.noise, jumps)
        sudden = _sudden(rows, found)
        return [sudden if span == 0.0 else _slow(rows, found, span, sudden) for span in spans]


def _usual(sigmas: list[FloatArray]) -> FloatArray:
    """Return the median of the best of all responses in each row (n, 1)."""
    usual: FloatArray = np.nanmedian(np.fmax.reduce(sigmas), axis=1, keepdims=True)
    return usual


def _less(rows: Rows, bad: BoolArray, taken: Bends) -> tuple[Rows, FloatArray]:
    """Return rows without burns and bad sets, and how uncertain what was taken out is."""
    along, axis = rows.along_m.copy(), rows.axis_m.copy()
    jumps = np.zeros((*rows.day.shape, 2, 2))
    row_first = rows.sets[:, 0]
    row_last = rows.sets.max(axis=1)
    for step, day, change, sigma, span, _ in zip(*taken, strict=True):
        for row in np.flatnonzero((row_first <= step) & (row_last > step)):
            since = np.nan_to_num(rows.day[row] - day, nan=-1.0)
            ahead, seen = _response(since, span)
            drift = rows.drift_per_day[row]
            along[row] -= drift * change * ahead
            axis[row] -= change * seen
            first = int(np.argmax(since > 0.0))
            size = SIZE_UNCERTAIN * abs(change) + 3.0 * sigma
            way = np.array([drift * max(since[first], 0.05), 1.0])
            jumps[row, first] += size**2 * np.outer(way, way)
            jumps[row, first, 0, 0] += (drift * change * TIME_UNCERTAIN_DAYS) ** 2
            within = (since > 0.0) & (since < span)
            jumps[row, within, 0, 0] += (drift * change * TIME_UNCERTAIN_DAYS * min(span, 3.0)) ** 2
    kept = ~bad[rows.sets]
    changed = rows._replace(
        along_m=along, axis_m=axis, along_used=rows.along_used & kept, axis_used=rows.axis_used & kept
    )
    return changed, jumps


def _response(days: FloatArray, span: float) -> tuple[FloatArray, FloatArray]:
    """Return how far ahead, in days of the full drift, and how much of the change sets show after a burn."""
    if span == 0.0:
        return np.maximum(days, 0.0), (days > 0.0).astype(np.float64)
    x: FloatArray = np.clip(days / span, 0.0, 1.0)
    return np.where(days > span, days, span * (2.0 * x**2 - x**3)), 3.0 * x**2 - 2.0 * x**3


def _sudden(rows: Rows, found: Filtered) -> _Look:
    """Return the best burn in each step if sets show it at once, and how bad the next set would be.

    Before the next set's epoch by u, it moves places by a drift since that epoch and u of it more.
    """
    days = np.diff(rows.day, axis=1)
    responses = (_drifting, _ahead, _ahead, _above)
    fits, power = _compared(rows, found, rows.day[:, 1:], responses, lasting=2)
    with np.errstate(invalid="ignore", divide="ignore"):
        bad = _together(fits[2:], power[2:, 2:])
        (a, b), (p, q, r) = fits[:2], (power[0, 0], power[0, 1], power[1, 1])
        earlier = np.clip((b * p - a * q) / (a * r - b * q), 0.0, days)
        tried = np.stack([np.zeros(days.shape), days, earlier])
        strength = p + 2.0 * tried * q + tried**2 * r
        fit = a + tried * b
        gain = np.nan_to_num(fit**2 / strength)
        best = np.argmax(gain, axis=0)[None]
        fit, strength, tried = (np.take_along_axis(x, best, 0)[0] for x in (fit, strength, tried))
        return _Look(
            rows.day[:, 1:] - tried,
            fit / strength,
            1.0 / np.sqrt(strength),
            np.zeros(days.shape),
            np.abs(fit) / np.sqrt(strength),
            np.sqrt(bad),
        )


def _drifting(days: FloatArray) -> _Shown:
    return np.maximum(days, 0.0), np.ones(days.shape)


def _ahead(days: FloatArray) -> _Shown:
    return np.ones(days.shape), np.zeros(days.shape)


def _above(days: FloatArray) -> _Shown:
    return np.zeros(days.shape), np.ones(days.shape)


def _slow(rows: Rows, found: Filtered, span: float, sudden: _Look) -> _Look:
    """Return the best burn in each step if sets show it within a span; the largest are seen at once."""
    days = np.diff(rows.day, axis=1)
    best = sudden._replace(sigmas=np.full(days.shape, -1.0), span_days=np.full(days.shape, span))
    for i in range(TIMES_IN_STEP):
        day = rows.day[:, 1:] - days * (i + 0.5) / TIMES_IN_STEP
        fits, power = _compared(rows, found, day, (partial(_response, span=span),))
        with np.errstate(invalid="ignore", divide="ignore"):
            look = best._replace(
                day=day,
                axis_m=fits[0] / power[0, 0],
                sigma_m=1.0 / np.sqrt(power[0, 0]),
                sigmas=np.abs(fits[0]) / np.sqrt(power[0, 0]),
            )
        better = look.sigmas > best.sigmas
        best = _Look(*(np.where(better, new, old) for new, old in zip(look, best, strict=True)))
    with np.errstate(invalid="ignore"):
        most = np.abs(rows.drift_per_day[:, None] * sudden.axis_m * span) > MOST_BENT_M
    return _Look(*(np.where(most, one, other) for one, other in zip(sudden, best, strict=True)))


def _compared(
    rows: Rows,
    found: Filtered,
    day: FloatArray,
    responses: Sequence[Callable[[FloatArray], _Shown]],
    lasting: int | None = None,
) -> tuple[FloatArray, FloatArray]:
    """Return how responses to something at a day of each step (n, w - 1) fit the surprises, and their power.

    A response goes through the filter as the sets do; what it makes of it is compared with its surprises.
    Only the first `lasting` responses go beyond the next set.
    """
    count, width = rows.day.shape
    number = len(responses)
    fits = np.zeros((number, count, width - 1))
    power = np.zeros((number, number, count, width - 1))
    errors = np.zeros((number, count, width - 1, 5))
    drift = rows.drift_per_day[:, None]
    for k in range(min(SETS_AFTER, width - 1)):
        here = slice(k + 1, width)
        steps = slice(0, width - 1 - k)
        since = rows.day[:, here] - day[:, steps]
        live = since < DAYS_AFTER
        since = np.nan_to_num(since)
        own = errors[:, :, steps]
        if k:
            own = after(own, np.nan_to_num(np.diff(rows.day, axis=1)[:, k:]), drift)
        shown = [response(since) for response in responses]
        values = np.stack([drift * ahead for ahead, _ in shown]), np.stack([above for _, above in shown])
        if k and lasting is not None:
            for value in values:
                value[lasting:] = 0.0
        for which, (true, error) in enumerate(((PLACE, PLACE_ERROR), (AXIS, AXIS_ERROR))):
            left = np.where(live, values[which] - own[..., true] - own[..., error], 0.0)
            own = own + found.gain[which][:, here] * left[..., None]
            weight = found.weight[:, here, which]
            fits[:, :, steps] += left * (found.surprise[:, here, which] * weight)
            power[:, :, :, steps] += left[:, None] * left[None] * weight
        errors[:, :, steps] = own
    return fits, power


def _together(fits: FloatArray, power: FloatArray) -> FloatArray:
    """Return how much two responses explain together."""
    (a, b), (p, q, r) = fits, (power[0, 0], power[0, 1], power[1, 1])
    rest = p * r - q**2
    both = np.where(rest > 1e-12 * p * r, (r * a**2 - 2.0 * q * a * b + p * b**2) / rest, 0.0)
    most: FloatArray = np.fmax(np.nan_to_num(both), np.nan_to_num(np.fmax(a**2 / p, b**2 / r)))
    return most
