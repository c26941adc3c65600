"""The path of an object as the newest run had it, to share."""

import math
from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from screening.errors import UsageError
from screening.manoeuvre.burnt_path import path_after
from screening.manoeuvre.execution import Execution
from screening.manoeuvre.impulse import Impulse, checked, file_name
from screening.orbits.elements import ELEMENT_DTYPE, ElementArray
from screening.orbits.ephemerides import Ephemeris
from screening.orbits.pieces import BY_ELEMENTS
from screening.orbits.timegrid import TimeWindow, instants, window
from screening.risk.objects.error_classes import ERROR_CLASSES, error_classes
from screening.risk.objects.error_law import ErrorLaws, laws_of
from screening.risk.objects.known_paths import known_paths
from screening.risk.objects.sampled_path import PathPart, sampled_path
from screening.vocabulary import DEFAULT_DIRECTION_ERROR_DEG, DEFAULT_SIZE_ERROR, TRAJECTORY_KINDS
from storage.in_memory.snapshot import Snapshot
from storage.reading.object_errors import OF_THE_OBJECT, known_of
from storage.rows.elements import sets_of_rows
from storage.times import datetime64_us, time_text
from storage.trajectories.export import ExportedPath, parameters_text, path_text
from storage.trajectories.kept import trajectories, trajectories_with
from storage.trajectories.refusals import NotKnown, restricted
from storage.trajectories.trajectory_file import Trajectory
from storage.vocabulary import LONGEST_FROM_WINDOW, MAX_PATH_STATES, PathForm, PathFrame

# The path of an object with hypothetical burns, to share.

SOURCE = "burn"  # the word for a table
_ENDINGS: dict[PathForm, str] = {"oem-kvn": "oem", "oem-xml": "xml", "opm-kvn": "opm", "csv": "csv"}
_DIRECTIONS = (("outwards", "inwards"), ("along flight", "against flight"), ("to the left", "to the right"))
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
    parts = (
        f"{abs(size):g} m/s {words[size < 0]}"
        for size, words in zip(burn.dv_rtn_m_s, _DIRECTIONS, strict=True)
        if size
    )
    at = np.datetime_as_string(burn.at, unit="us")
    return f"a burn at {at}Z of {' and '.join(parts)}"


def path_file(norad_id: int, burns: Sequence[Impulse], run_id: str, form: PathForm) -> str:
    """Return the name of the file of a path: by its burns, without one by the run."""
    return f"{file_name(norad_id, burns) if burns else f'{norad_id}-{run_id}'}.{_ENDINGS[form]}"


def _of_burns(burns: Sequence[Impulse]) -> tuple[str, ...]:
    burn = "the burn" if len(burns) == 1 else "the burns"
    errors = f"size {100.0 * DEFAULT_SIZE_ERROR:g} %, direction {DEFAULT_DIRECTION_ERROR_DEG:g} deg"
    return (
        *(f"Hypothetical: after {words_of(one)}" for one in burns),
        f"Covariance: of the path without {burn}, and of {burn} ({errors}, 1-sigma)",
        f"The path without {burn}:",
    )


class PathQuestion(NamedTuple):
    """Which path, from when, for how long, and how densely."""

    norad_id: int
    start: datetime | None  # UTC; None: now, in a historic store the start of its window
    hours: float
    step_s: float
    burns: Sequence[Impulse] = ()


class PathText(NamedTuple):
    """A path as a text, and on what it rests."""

    text: str
    comments: tuple[str, ...]


class FlownBy(NamedTuple):
    """By what the newest run has an object fly."""

    elements: ElementArray  # (1,); (0,) of one that no catalogue has
    trajectories: list[Trajectory]  # definitive ones; of several for one time the first counts


class _Known(NamedTuple):
    """What the run knows of the object."""

    elements: ElementArray  # (1,)
    laws: ErrorLaws
    error_class: str
    by_elements: str  # what its element set is, a word of TRAJECTORY_KINDS
    name: str
    object_id: str


def written_path(
    snapshot: Snapshot,
    question: PathQuestion,
    now: datetime,
    form: PathForm,
    frame: PathFrame,
    mass_kg: float | None = None,
    *,
    allow_restricted: bool = False,
) -> PathText:
    """Return an object's path as a text, or, as an OPM, its first state and the burns.

    `mass_kg`: the spacecraft's, which an OPM with burns must have. Raises as `object_path` does.
    """
    if form != "opm-kvn":
        path = object_path(snapshot, question, now, allow_restricted=allow_restricted)
        comments = dict.fromkeys(line for comments in path.comments for line in comments)
        return PathText(path_text(path, form, frame, now), tuple(comments))
    check_mass(question.burns, mass_kg)
    path = object_path(snapshot, question._replace(burns=()), now, allow_restricted=allow_restricted)
    burns = burns_within(question.burns, window(path.parts[0].epochs[0], question.hours))
    said = (*path.comments[0], *(f"Hypothetical: {words_of(one)}" for one in burns))
    return PathText(parameters_text(path, burns, mass_kg, frame, now, said), said)


def check_mass(burns: Sequence[Impulse], mass_kg: float | None) -> None:
    """Raise UsageError if an OPM with burns has no mass."""
    if burns and mass_kg is None:
        raise UsageError("An OPM with burns needs the spacecraft's mass, kg (CCSDS 502.0-B-3, 3.2.4.9).")


def object_path(
    snapshot: Snapshot, question: PathQuestion, now: datetime, *, allow_restricted: bool = False
) -> ExportedPath:
    """Return an object's path: on its definitive trajectories where they lead, else by its element set.

    `now` is UTC.

    Raises:
        UsageError: there would be too many states, or they would be too far from the run's window, or the
            burn is at another time.
        InputError: the burn is impossible, or the object's path after it is not known.
        NotKnown: the run has no such object, or nothing is known of its path in this time.
        Restricted: a part of it rests on a file whose terms do not allow sharing it, unless allowed.
    """
    start = question.start or (snapshot.run.window_start if snapshot.run.historic else now)
    _check(snapshot, question, start)
    known = _known(snapshot, question.norad_id)
    flown = _flown(snapshot, question.norad_id)
    ephemerides = [one.ephemeris for one in flown]
    span = window(datetime64_us(start), question.hours)
    parts = sampled_path(known.elements, known.laws, ephemerides, span, question.step_s)
    if not parts:
        raise NotKnown(
            f"The path of {question.norad_id} is unknown from {time_text(start)} on for "
            f"{question.hours:g} h: SGP4 fails, or only an ephemeris has its path, which does not cover this "
            "time."
        )
    used = [None if one.ephemeris == BY_ELEMENTS else flown[one.ephemeris] for one in parts]
    kept_back = "; ".join(
        dict.fromkeys(f"{one.id} ({one.about.source})" for one in used if one and one.about.restricted)
    )
    if kept_back and not allow_restricted:
        raise restricted(
            f"The path of {question.norad_id} over this period is based on trajectory {kept_back}"
        )
    path = ExportedPath(
        question.norad_id,
        known.name,
        known.object_id,
        tuple(parts),
        tuple(known.by_elements if one is None else "ephemeris" for one in used),
        tuple(_comments(snapshot, known, part, one) for part, one in zip(parts, used, strict=True)),
    )
    if not question.burns:
        return path
    return with_burns(path, (known.elements, known.laws, ephemerides), span, question.burns, question.step_s)


def flown_by(snapshot: Snapshot, norad_id: int, at: datetime) -> FlownBy:
    """Return by what an object flies at an instant: its element set, and trajectories that may be shared.

    Raises:
        UsageError: the instant is too far from the run's window.
        NotKnown: the run has no such object.
    """
    _check_span(snapshot, at)
    found = snapshot.rows(sets_of_rows("FROM elements", "WHERE norad_id = ?"), [norad_id])
    if not found:
        raise NotKnown(f"No object {norad_id} in the run {snapshot.run.run_id}.")
    elements = np.array(found, ELEMENT_DTYPE)
    by_sgp4 = elements["trajectory"] != TRAJECTORY_KINDS.index("ephemeris")
    flown = [one for one in _flown(snapshot, norad_id) if not one.about.restricted]
    return FlownBy(elements[by_sgp4], flown)


def check_states(hours: float, step_s: float) -> None:
    """Raise UsageError if a path would have too many states."""
    states = hours * 3600.0 / step_s + 1.0
    if states > MAX_PATH_STATES:
        raise UsageError(
            f"{hours:g} h in steps of {step_s:g} s would be {states:,.0f} states; at most "
            f"{MAX_PATH_STATES:,} are "
            "allowed."
        )


def _check(snapshot: Snapshot, question: PathQuestion, start: datetime) -> None:
    check_states(question.hours, question.step_s)
    _check_span(snapshot, start, question.hours)


def _check_span(snapshot: Snapshot, start: datetime, hours: float = 0.0) -> None:
    run = snapshot.run
    earliest = run.window_start - LONGEST_FROM_WINDOW
    latest = run.window_end + LONGEST_FROM_WINDOW
    # Not start + hours, which may be beyond the last year of a datetime.
    if not earliest <= start <= latest - timedelta(hours=hours):
        asked = f"{hours:g} h from {time_text(start)} on" if hours else f"at {time_text(start)}"
        raise UsageError(
            f"The path {asked} is out of range; paths are available from {time_text(earliest)} to "
            f"{time_text(latest)}, {LONGEST_FROM_WINDOW.days} days around the window of the run {run.run_id}."
        )


def _known(snapshot: Snapshot, norad_id: int) -> _Known:
    wanted = "WHERE norad_id = ?"
    found = snapshot.rows(sets_of_rows("FROM elements", wanted), [norad_id])
    if not found:
        raise NotKnown(f"No object {norad_id} in the run {snapshot.run.run_id}.")
    elements = np.array(found, ELEMENT_DTYPE)
    (row,) = snapshot.rows(f"SELECT {', '.join(OF_THE_OBJECT)} FROM objects {wanted}", [norad_id])  # noqa: S608
    known = known_of(dict(zip(OF_THE_OBJECT, row, strict=True)))
    classes = error_classes(elements, known)
    ((name, object_id),) = elements[["name", "object_id"]].tolist()
    laws = laws_of(elements, known)
    kind = TRAJECTORY_KINDS[elements["trajectory"][0]]
    return _Known(elements, laws, ERROR_CLASSES[classes[0]], kind, name, object_id)


def _flown(snapshot: Snapshot, norad_id: int) -> list[Trajectory]:
    """Return the trajectories by which the run had the object fly, what was added last first."""
    used = _used_by_object(snapshot.store, snapshot.run.trajectories or "")
    found = trajectories_with(snapshot.store, used.get(norad_id, ()))
    return sorted(found, key=lambda one: (one.about.added, one.id), reverse=True)


@lru_cache(maxsize=1)  # of the newest run: to look through a thousand takes 0.3 s
def _used_by_object(store: Path, used: str) -> dict[int, list[str]]:
    """Return the trajectories of a run by catalogue number, those that the store still has."""
    ids = frozenset(used.split())
    found: dict[int, list[str]] = {}
    for one in trajectories(store) if ids else ():
        if one.id in ids:
            found.setdefault(one.norad_id, []).append(one.id)
    return found


def _comments(
    snapshot: Snapshot, known: _Known, part: PathPart, source: Trajectory | None
) -> tuple[str, ...]:
    """Say what a part rests on, and its covariances."""
    if source is not None:
        about = f"Interpolated in the trajectory {source.id} of {source.about.source}"
        covariance = "Covariance: interpolated in that of the trajectory"
        if len(part.covariance_epochs) == 0:
            covariance = "Covariance: the trajectory has none"
        elif len(part.covariance_epochs) < len(part.epochs):
            last = np.datetime_as_string(part.covariance_epochs[-1], unit="s")
            covariance += f", which ends at {last}Z"
        return about, covariance
    (epoch,) = instants(known.elements["epoch_jd"], known.elements["epoch_day_fraction"])
    law = (
        "by its class and age, times a factor from its history"
        if known.laws.own[0]
        else ("by its class and age")
    )
    which = "supplemental element set" if known.by_elements == "supgp" else "element set"
    return (
        f"SGP4 from the {which} of {np.datetime_as_string(epoch, unit='us')}Z, run {snapshot.run.run_id}",
        f"Covariance: error law {law} ({known.error_class}); the velocity's follows from the position's",
    )
