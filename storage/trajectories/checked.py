"""Compare a definitive trajectory with the element set of its object, before it replaces that for all."""

from typing import NamedTuple, Protocol

import numpy as np

from screening.errors import InputError
from screening.orbits.elements import ElementArray
from screening.orbits.ephemerides import Ephemeris
from screening.orbits.timegrid import instants
from screening.risk.objects.departure import Distance, beginnings, distances, jumps
from screening.risk.objects.error_law import ErrorLaws
from storage.times import time_text, utc_datetime
from storage.trajectories.trajectory_file import DistanceFromSet, TrajectoryCheck

_KEPT_EACH = np.timedelta64(6, "h")


class ElementSet(NamedTuple):
    """The element set of an object, and the law of its errors."""

    elements: ElementArray  # (1,)
    laws: ErrorLaws


class Catalogue(Protocol):
    """The objects that trajectories may be of."""

    def number_of(self, object_id: str) -> int:
        """Return the catalogue number of an international designator; 0: there is no such object."""

    def set_of(self, norad_id: int) -> ElementSet | None:
        """Return the element set of an object; None: there is none."""


def checked(
    ephemeris: Ephemeris, catalogue: Catalogue, source: str, *, force: bool
) -> tuple[TrajectoryCheck | None, tuple[str, ...]]:
    """Return how far a path is from its object's element set, None without one of that time, and notes.

    Raises InputError if it jumps, or begins where the errors of element sets do not lead; with `force` that
    is a note.
    """
    wrong = [
        f"{source} jumps by {one.km:,.3g} km at {_text(one.at)}, more than a thrust explains"
        for one in jumps(ephemeris.segments)
    ]
    known = catalogue.set_of(ephemeris.norad_id)
    away = [] if known is None else distances(ephemeris.segments, *known)
    check = None
    if known is not None and away:
        check, elsewhere = _compared(ephemeris, known.elements, away, source)
        wrong += elsewhere
    if wrong and not force:
        raise InputError(f"{wrong[0]}. `--force` keeps it anyway.")
    return check, tuple(f"kept by force: {why}" for why in wrong)


def _compared(
    ephemeris: Ephemeris, elements: ElementArray, away: list[Distance], source: str
) -> tuple[TrajectoryCheck, list[str]]:
    """Return the check of a path, and why it is not that of its object."""
    (epoch,) = instants(elements["epoch_jd"], elements["epoch_day_fraction"])
    begins = {away[0].at, *beginnings(ephemeris.segments)}
    elsewhere = [
        f"{source} is at {_text(one.at)} {one.km:,.0f} km from the element set of {ephemeris.norad_id} of "
        f"{_text(epoch)}, {one.sigmas:,.0f} times its 1-sigma error: it belongs to another object, or has "
        "wrong times"
        for one in away
        if one.at in begins and one.is_far
    ]
    far = next((one for one in away if one.is_far), None)
    largest = max(away, key=lambda one: one.km)
    return TrajectoryCheck(_text(epoch), _kept(away), _plain(largest), far and _text(far.at)), elsewhere


def _kept(away: list[Distance]) -> list[DistanceFromSet]:
    """Return the distance at the beginning, and then every few hours."""
    kept = away[:1]
    for one in away:
        if one.at >= kept[-1].at + _KEPT_EACH:
            kept.append(one)
    return [_plain(one) for one in kept]


def _plain(one: Distance) -> DistanceFromSet:
    return DistanceFromSet(_text(one.at), round(one.km, 3), round(one.sigmas, 3))


def _text(instant: np.datetime64) -> str:
    return time_text(utc_datetime(instant))
