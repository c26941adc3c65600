"""Limits of a screening, and its window if no start is given."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from screening.errors import InputError, UsageError
from screening.orbits.elements import ElementArray
from screening.orbits.timegrid import SECONDS_PER_DAY, TimeWindow, instants, seconds_since
from screening.vocabulary import LOOK_AHEAD_RANGE_HOURS, THRESHOLD_RANGE_KM, TRAJECTORY_KINDS

HISTORIC_AFTER_DAYS = 7.0
OLD_EPOCH_DAYS = 30.0
LARGEST_EPOCH_DISTANCE_DAYS = 365.0
_SUPGP = TRAJECTORY_KINDS.index("supgp")


class Start(NamedTuple):
    """The start of a window, and whether it is in the past because the catalogue is."""

    instant: np.datetime64
    historic: bool


def catalogue_epoch(elements: ElementArray) -> np.datetime64:
    """Return the epoch that dates a catalogue (n,): the 99th percentile of its epochs, UTC (M8[us]).

    A single set with an epoch in the future dates nothing, nor do supplemental sets beside general ones: they
    come from another source.
    """
    epochs = instants(elements["epoch_jd"], elements["epoch_day_fraction"]).astype(np.int64)
    general = epochs[elements["trajectory"] != _SUPGP]
    return np.datetime64(int(np.percentile(general if len(general) else epochs, 99.0)), "us")


def default_start(elements: ElementArray, now: np.datetime64) -> Start:
    """Return the default start of a window: now, or the time of a historic catalogue.

    A catalogue is historic if it is dated more than 7 days before `now` (UTC); the window then starts at its
    epoch, rounded up to the hour.
    """
    newest = catalogue_epoch(elements)
    now = now.astype("M8[s]").astype("M8[us]")
    if now - newest <= np.timedelta64(round(HISTORIC_AFTER_DAYS * SECONDS_PER_DAY), "s"):
        return Start(now, historic=False)
    hour = newest.astype("M8[h]")
    rounded_up = hour if hour == newest else hour + np.timedelta64(1, "h")
    return Start(rounded_up.astype("M8[us]"), historic=True)


def check_request(hours: float, threshold_km: float) -> None:
    """Raise UsageError if the span or the threshold is out of range."""
    _check_range("look-ahead", hours, LOOK_AHEAD_RANGE_HOURS, "hours")
    _check_range("threshold", threshold_km, THRESHOLD_RANGE_KM, "km")


def old_epochs(elements: ElementArray, span: TimeWindow, rejected: str = "") -> npt.NDArray[np.bool_]:
    """Return which element sets (n,) have their epoch more than 30 days outside the window.

    Raises InputError if all of them are more than a year away: SGP4 is useless there. `rejected` says that
    most records of the catalogue were rejected, and why: it comes first in the error.
    """
    after_start = seconds_since(span, elements["epoch_jd"], elements["epoch_day_fraction"])
    outside_days = np.maximum(-after_start, after_start - span.seconds).clip(min=0.0) / SECONDS_PER_DAY
    if outside_days.min() > LARGEST_EPOCH_DISTANCE_DAYS:
        epochs = instants(elements["epoch_jd"], elements["epoch_day_fraction"]).astype("M8[D]")
        raise InputError(
            f"{rejected}{'. ' if rejected else ''}"
            f"The window {span.start}Z to {span.end}Z is {outside_days.min():.0f} days from the nearest "
            f"epoch of {len(elements):,} element sets, with epochs from {epochs.min()} to {epochs.max()}; at "
            f"most {LARGEST_EPOCH_DISTANCE_DAYS:.0f} days are allowed. Choose --start near the epochs."
        )
    old: npt.NDArray[np.bool_] = outside_days > OLD_EPOCH_DAYS
    return old


def _check_range(what: str, value: float, allowed: tuple[float, float], unit: str) -> None:
    low, high = allowed
    if not low <= value <= high:  # also catches NaN
        raise UsageError(f"The {what} is {value:g} {unit}; it must be from {low:g} to {high:g} {unit}.")
