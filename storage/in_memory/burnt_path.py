"""The path of an object with hypothetical burns, to share."""

import math
from collections.abc import Sequence

import numpy as np

from screening.errors import UsageError
from screening.manoeuvre.burnt_path import path_after
from screening.manoeuvre.execution import Execution
from screening.manoeuvre.impulse import Impulse, checked
from screening.orbits.elements import ElementArray
from screening.orbits.ephemerides import Ephemeris
from screening.orbits.timegrid import TimeWindow
from screening.risk.objects.error_law import ErrorLaws
from screening.risk.objects.known_paths import known_paths
from screening.risk.objects.sampled_path import sampled_path
from screening.vocabulary import DEFAULT_DIRECTION_ERROR_DEG, DEFAULT_SIZE_ERROR
from storage.trajectories.export import ExportedPath

SOURCE = "burn"  # the word for a table
_FIRST = 0  # of the ephemerides: what the burns give counts before all others

# Its element set (1,), the error law of that, its ephemerides.
Flown = tuple[ElementArray, ErrorLaws, Sequence[Ephemeris]]


def burns_within(burns: Sequence[Impulse], span: TimeWindow) -> list[Impulse]:
    """Return burns in order of time.

    Raises:
        UsageError: one is not within a window.
        InputError: one is impossible, or two are at the same instant.
    """
    for burn in burns:
        if not span.start <= burn.at < span.end:
            raise UsageError(f"A burn at {burn.at}Z is outside the path, {span.start}Z to {span.end}Z.")
    return checked(burns)


def with_burns(
    path: ExportedPath, flown: Flown, span: TimeWindow, burns: Sequence[Impulse], step_s: float
) -> ExportedPath:
    """Return a path in a window as it would be with burns; what is before the first stays as it is.

    Raises UsageError and InputError as `burns_within` does, InputError also if the path after is not known.
    """
    burns = burns_within(burns, span)
    elements, laws, ephemerides = flown
    known = known_paths(elements, {0: ephemerides} if ephemerides else {}, span)
    execution = Execution(DEFAULT_SIZE_ERROR, math.radians(DEFAULT_DIRECTION_ERROR_DEG))
    after = path_after(known, 0, elements, laws, burns, execution)
    parts = sampled_path(elements, laws, [after, *ephemerides], span, step_s)
    sources, comments = [], []
    for part in parts:
        before = _part_at(path, part.epochs[0] + (part.epochs[-1] - part.epochs[0]) // 2)
        burnt = part.ephemeris == _FIRST
        sources.append(SOURCE if burnt else path.sources[before])
        done = [one for one in burns if one.at <= part.epochs[0]]
        comments.append((*_of_burns(done), *path.comments[before]) if burnt else path.comments[before])
    return path._replace(parts=tuple(parts), sources=tuple(sources), comments=tuple(comments))


def _part_at(path: ExportedPath, instant: np.datetime64) -> int:
    return next(number for number, one in enumerate(path.parts) if one.epochs[0] <= instant <= one.epochs[-1])


def words_of(burn: Impulse) -> str:
    """Return a burn in words, for a comment."""
    radial, along, across = burn.dv_rtn_m_s
    at = np.datetime_as_string(burn.at, unit="us")
    return f"a burn at {at}Z of R {radial:g}, T {along:g}, N {across:g} m/s"


def _of_burns(burns: Sequence[Impulse]) -> tuple[str, ...]:
    burn = "the burn" if len(burns) == 1 else "the burns"
    errors = f"size {100.0 * DEFAULT_SIZE_ERROR:g} %, direction {DEFAULT_DIRECTION_ERROR_DEG:g} deg"
    return (
        *(f"Hypothetical: after {words_of(one)}" for one in burns),
        f"Covariance: of the path without {burn}, and of {burn} ({errors}, 1-sigma)",
        f"The path without {burn}:",
    )
