"""How a quiet object's sets go on: a Kalman filter of places and axes, with errors found by likelihood.

The state is the place along the orbit, the axis, its rate (drag), and the errors of a set's axis and place.
A set is a fit to observations of days, and the next one shares most of them: these errors last, and since the
end of a fitted line errs as its slope does, they go together. What is left of the axis walks at random.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from screening.histories.places import Rows
from screening.orbits.timegrid import FloatArray

PLACE, AXIS, RATE, AXIS_ERROR, PLACE_ERROR = range(5)
AXIS_ERROR_DAYS, PLACE_ERROR_DAYS = 5.0, 4.0  # after which an error is forgotten to a third
_UNKNOWN = (1e14, 1e10, 1e4)  # variances of place, axis and rate before the first set
_TAIL = 2.0  # degrees of freedom of Student's t, by which a burn counts little in the likelihood
_WARM_UP = 4  # sets
_SWEEPS = 2
_GRIDS = (
    ("white_along", (0.3, 0.5, 0.7, 1.0, 1.4)),
    ("axis_error_m2", tuple(10.0 ** np.arange(-3.0, 3.1, 0.5))),
    ("walk_m2_day", tuple(10.0 ** np.arange(-4.0, 3.1, 0.5))),
    ("rate_walk", tuple(10.0 ** np.arange(-7.0, 2.1))),
    ("white_axis", (0.5, 0.7, 1.0, 1.5, 2.0, 3.0)),
    ("place_error", (0.01, 0.1, 0.3, 1.0, 2.0, 4.0, 10.0, 30.0)),
    ("together", (-0.8, -0.4, 0.0, 0.4, 0.8)),
)


class Noise(NamedTuple):
    """Errors of a row's sets, each (n,)."""

    white_along: FloatArray  # in units of the scatter about neighbours
    axis_error_m2: FloatArray
    walk_m2_day: FloatArray  # of the axis
    rate_walk: FloatArray  # of its rate, m2 / day3
    white_axis: FloatArray  # in units of the scatter about neighbours
    place_error: FloatArray  # variance, in units of that of the scatter about neighbours
    together: FloatArray  # correlation of both lasting errors


class Filtered(NamedTuple):
    """Gains and surprises of each set, in order: its place (0), then its axis (1)."""

    gain: tuple[FloatArray, FloatArray]  # (n, w, 5) each
    surprise: FloatArray  # (n, w, 2), 0 where not used
    weight: FloatArray  # (n, w, 2), 1 / variance, 0 where not used


def likeliest(rows: Rows) -> Noise:
    """Find errors of each row by coordinate ascent of a likelihood with tails."""
    one = np.ones(len(rows.day))
    noise = Noise(one, 0.3 * one, 0.1 * one, 1e-4 * one, one, 0.5 * one, 0.0 * one)
    for _ in range(_SWEEPS):
        for name, grid in _GRIDS:
            best, kept = np.full(len(one), -np.inf), one
            for value in grid:
                found = filtered(rows, noise._replace(**{name: value * one}))
                log_likelihood = _log_likelihood(found)
                kept = np.where(log_likelihood > best, value, kept)
                best = np.maximum(best, log_likelihood)
            noise = noise._replace(**{name: kept})
    return noise


def _log_likelihood(found: Filtered) -> FloatArray:
    weight = found.weight[:, _WARM_UP:]
    squares = found.surprise[:, _WARM_UP:] ** 2 * weight
    with np.errstate(divide="ignore"):
        each = np.where(weight > 0.0, np.log(weight) - (_TAIL + 1.0) * np.log1p(squares / _TAIL), 0.0)
    total: FloatArray = each.sum(axis=(1, 2)) / 2.0
    return total


def filtered(rows: Rows, noise: Noise, jumps: FloatArray | None = None) -> Filtered:
    """Filter each row from its first set to its last.

    jumps (n, w, 2, 2): variance that place and axis gain before a set, for burns of uncertain size.
    """
    count, width = rows.day.shape
    state, spread = np.zeros((count, 5)), np.zeros((count, 5, 5))
    for i, unknown in enumerate(_UNKNOWN):
        spread[:, i, i] = unknown
    lasting = _lasting(rows, noise)
    spread[:, AXIS_ERROR:, AXIS_ERROR:] = lasting
    along_m2 = (rows.sigma_along_m * noise.white_along) ** 2
    axis_m2 = (rows.sigma_axis_m * noise.white_axis) ** 2
    gains = np.zeros((count, width, 5)), np.zeros((count, width, 5))
    surprise, weight = np.zeros((count, width, 2)), np.zeros((count, width, 2))
    for k in range(width):
        if k:
            days = np.nan_to_num(rows.day[:, k] - rows.day[:, k - 1])
            state, spread = _later(state, spread, days, rows.drift_per_day, noise, lasting)
            if jumps is not None:
                spread[:, :2, :2] += jumps[:, k]
        for which, value, used, white, (true, error) in (
            (0, rows.along_m[:, k], rows.along_used[:, k], along_m2, (PLACE, PLACE_ERROR)),
            (1, rows.axis_m[:, k], rows.axis_used[:, k], axis_m2, (AXIS, AXIS_ERROR)),
        ):
            with_it = spread[:, :, true] + spread[:, :, error]
            variance = with_it[:, true] + with_it[:, error] + white
            off = np.where(used, value - state[:, true] - state[:, error], 0.0)
            gain = np.where(used[:, None], with_it / variance[:, None], 0.0)
            state = state + gain * off[:, None]
            spread = spread - gain[:, :, None] * with_it[:, None, :]
            gains[which][:, k], surprise[:, k, which] = gain, off
            weight[:, k, which] = np.where(used, 1.0 / variance, 0.0)
    return Filtered(gains, surprise, weight)


def _lasting(rows: Rows, noise: Noise) -> FloatArray:
    """Return the covariance of both lasting errors (n, 2, 2)."""
    axis, place = np.sqrt(noise.axis_error_m2), np.sqrt(noise.place_error) * rows.sigma_along_m
    shared = noise.together * axis * place * np.sign(rows.drift_per_day)
    return np.moveaxis(np.array([[axis**2, shared], [shared, place**2]]), 2, 0)


def _later(
    state: FloatArray,
    spread: FloatArray,
    days: FloatArray,
    drift: FloatArray,
    noise: Noise,
    lasting: FloatArray,
) -> tuple[FloatArray, FloatArray]:
    """Return state and covariance some days later."""
    move = np.zeros(spread.shape)
    move[:, PLACE, PLACE] = move[:, AXIS, AXIS] = move[:, RATE, RATE] = 1.0
    move[:, PLACE, AXIS], move[:, PLACE, RATE], move[:, AXIS, RATE] = (
        drift * days,
        drift * days**2 / 2.0,
        days,
    )
    kept = np.exp(-days / AXIS_ERROR_DAYS), np.exp(-days / PLACE_ERROR_DAYS)
    move[:, AXIS_ERROR, AXIS_ERROR], move[:, PLACE_ERROR, PLACE_ERROR] = kept
    state = np.einsum("nij,nj->ni", move, state)
    spread = move @ spread @ move.transpose(0, 2, 1)
    rate, walk = noise.rate_walk, noise.walk_m2_day
    spread[:, RATE, RATE] += rate * days
    spread[:, AXIS, AXIS] += rate * days**3 / 3.0 + walk * days
    spread[:, PLACE, PLACE] += drift**2 * (rate * days**5 / 20.0 + walk * days**3 / 3.0)
    for i, j, more in (
        (AXIS, RATE, rate * days**2 / 2.0),
        (PLACE, RATE, drift * rate * days**3 / 6.0),
        (PLACE, AXIS, drift * (rate * days**4 / 8.0 + walk * days**2 / 2.0)),
    ):
        spread[:, i, j] += more
        spread[:, j, i] += more
    kept_both = np.stack(kept, axis=1)
    spread[:, AXIS_ERROR:, AXIS_ERROR:] += lasting * (1.0 - kept_both[:, :, None] * kept_both[:, None, :])
    return state, spread


def after(errors: FloatArray, days: npt.NDArray[np.float64], drift: FloatArray) -> FloatArray:
    """Return what the filter makes of errors (..., 5) of its state some days later."""
    place, axis, rate = errors[..., PLACE], errors[..., AXIS], errors[..., RATE]
    return np.stack(
        [
            place + drift * days * (axis + days / 2.0 * rate),
            axis + days * rate,
            rate,
            errors[..., AXIS_ERROR] * np.exp(-days / AXIS_ERROR_DAYS),
            errors[..., PLACE_ERROR] * np.exp(-days / PLACE_ERROR_DAYS),
        ],
        axis=-1,
    )
