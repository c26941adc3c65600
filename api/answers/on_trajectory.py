"""The basis of an analysis in which one object flies by a given trajectory, definitive or hypothetical."""

from pathlib import Path

import numpy as np

from api.answers.basis import Basis
from api.errors import BadParameter
from screening.errors import InputError
from screening.orbits.timegrid import TimeWindow, window
from screening.risk.conjunctions import HARD_BODY_SOURCES
from screening.risk.objects.burn_rates import Burns
from screening.risk.objects.error_classes import ERROR_CLASSES
from screening.risk.objects.hard_body import DEFAULT_RADIUS_M, HardBodies
from screening.risk.objects.knowledge import ObjectKnowledge
from storage.times import datetime64_us, time_text, utc_datetime
from storage.trajectories.trajectory_file import Trajectory
from storage.vocabulary import LONGEST_FROM_WINDOW

_FIELD = "trajectory_id"
_ALONE = -1  # no complex


def trajectory_of(store: Path, trajectory_id: str, organisation_id: int | None = None) -> Trajectory:
    """Return a trajectory that an organisation sees, by its id or the beginning. Raises BadParameter."""
    from storage.trajectories.kept import trajectory

    try:
        return trajectory(store, trajectory_id, organisation_id)
    except InputError as error:
        raise BadParameter(
            _FIELD, f"No trajectory in the store matches {trajectory_id}, or more than one does."
        ) from error


def on_trajectory(basis: Basis, one: Trajectory, span: TimeWindow) -> tuple[Basis, TimeWindow]:
    """Return a basis in which the object flies by one trajectory, and the part of a window that it covers.

    The window begins when the trajectory does, if that is later. Raises BadParameter if the trajectory has
    ended, or begins too long after the run's window.
    """
    from storage.trajectories.flown import elements_of

    covered = _covered(basis, one, span)
    numbers = basis.elements["norad_id"]
    place = int(np.searchsorted(numbers, one.ephemeris.norad_id))
    row = elements_of(one.ephemeris)
    has = place < len(numbers) and numbers[place] == one.ephemeris.norad_id
    if has:
        row["name"] = row["name"][0] or basis.elements["name"][place]
        elements = basis.elements.copy()
        elements[place] = row[0]
        known, shift = basis.known, 0
    else:
        elements = np.insert(basis.elements, place, row[0])
        known, shift = _with_unknown(basis.known, place), 1
    flown_by = {i + shift * (i >= place): those for i, those in basis.flown_by.items()}
    flown_by[place] = [one.ephemeris]
    return basis._replace(elements=elements, known=known, flown_by=flown_by), covered


def _covered(basis: Basis, one: Trajectory, span: TimeWindow) -> TimeWindow:
    first, last = one.ephemeris.segments[0].usable_from, one.ephemeris.segments[-1].usable_to
    begin = max(span.start, first)
    allowed = datetime64_us(basis.run.window_end + LONGEST_FROM_WINDOW)
    if begin >= last:
        asked = time_text(utc_datetime(span.start))
        ended = time_text(utc_datetime(last))
        raise BadParameter(_FIELD, f"The trajectory {one.id} ended at {ended}; the window begins at {asked}.")
    if begin > allowed:
        raise BadParameter(
            _FIELD,
            f"The trajectory {one.id} begins at {time_text(utc_datetime(begin))}, more than "
            f"{LONGEST_FROM_WINDOW.days} days after the window of the run {basis.run.run_id}: its element "
            "sets say nothing about that time.",
        )
    left_s = float((last - begin) / np.timedelta64(1, "us")) / 1e6
    hours = min(span.seconds, left_s) / 3600.0
    return window(begin, hours)


def _with_unknown(known: ObjectKnowledge, place: int) -> ObjectKnowledge:
    """Return what is known about objects, with one of which nothing is known."""
    bodies = HardBodies(
        np.insert(known.bodies.radius_m, place, DEFAULT_RADIUS_M["payload"]),
        np.insert(known.bodies.source, place, HARD_BODY_SOURCES.index("type")),
        np.insert(known.bodies.mass_kg, place, np.nan),
    )
    return known._replace(
        bodies=bodies,
        error_classes=np.insert(known.error_classes, place, ERROR_CLASSES.index("ballistic")),
        factors_rtn=np.insert(known.factors_rtn, place, np.nan, axis=0),
        law_factors_rtn=(
            None if known.law_factors_rtn is None else np.insert(known.law_factors_rtn, place, np.nan, axis=0)
        ),
        complex_ids=np.insert(known.complex_ids, place, _ALONE),
        burns=known.burns and Burns(*(np.insert(values, place, 0.0) for values in known.burns)),
    )
