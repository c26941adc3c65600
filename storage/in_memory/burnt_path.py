"""The path of an object with a burn that nobody has made yet, to hand on."""

import math
from collections.abc import Sequence

import numpy as np

from screening.errors import UsageError
from screening.manoeuvre.burnt_path import path_after
from screening.manoeuvre.execution import Execution
from screening.manoeuvre.impulse import Impulse
from screening.orbits.elements import ElementArray
from screening.orbits.ephemerides import Ephemeris
from screening.orbits.timegrid import TimeWindow
from screening.risk.objects.error_law import ErrorLaws
from screening.risk.objects.known_paths import known_paths
from screening.risk.objects.sampled_path import sampled_path
from screening.vocabulary import DEFAULT_DIRECTION_ERROR_DEG, DEFAULT_SIZE_ERROR
from storage.trajectories.handed_on import HandedPath

SOURCE = "burn"  # the word for a table
_FIRST = 0  # of the ephemerides: what the burn gives counts before all others

# Its element set (1,), the error law of that, its ephemerides.
Flown = tuple[ElementArray, ErrorLaws, Sequence[Ephemeris]]


def with_burn(path: HandedPath, flown: Flown, span: TimeWindow, burn: Impulse, step_s: float) -> HandedPath:
    """Return a path in a window as it would be with a burn; what is before the burn stays as it is.

    Raises:
        UsageError: the burn is not within the window.
        InputError: it is impossible, or the path after it is not known.
    """
    if not span.start <= burn.at < span.end:
        raise UsageError(f"A burn at {burn.at}Z is outside of the path, {span.start}Z to {span.end}Z.")
    elements, laws, ephemerides = flown
    known = known_paths(elements, {0: ephemerides} if ephemerides else {}, span)
    execution = Execution(DEFAULT_SIZE_ERROR, math.radians(DEFAULT_DIRECTION_ERROR_DEG))
    after = path_after(known, 0, elements, laws, [burn], execution)
    parts = sampled_path(elements, laws, [after, *ephemerides], span, step_s)
    sources, comments = [], []
    for part in parts:
        before = _part_at(path, part.epochs[0] + (part.epochs[-1] - part.epochs[0]) // 2)
        burnt = part.ephemeris == _FIRST
        sources.append(SOURCE if burnt else path.sources[before])
        comments.append((*_of_burn(burn), *path.comments[before]) if burnt else path.comments[before])
    return path._replace(parts=tuple(parts), sources=tuple(sources), comments=tuple(comments))


def _part_at(path: HandedPath, instant: np.datetime64) -> int:
    return next(number for number, one in enumerate(path.parts) if one.epochs[0] <= instant <= one.epochs[-1])


def _of_burn(burn: Impulse) -> tuple[str, ...]:
    radial, along, across = burn.dv_rtn_m_s
    at = np.datetime_as_string(burn.at, unit="us")
    errors = f"size {100.0 * DEFAULT_SIZE_ERROR:g} %, direction {DEFAULT_DIRECTION_ERROR_DEG:g} deg"
    return (
        f"Hypothetical: after a burn at {at}Z of R {radial:g}, T {along:g}, N {across:g} m/s",
        f"Covariance: of the path without the burn, and of the burn ({errors}, 1-sigma)",
        "The path without the burn:",
    )
