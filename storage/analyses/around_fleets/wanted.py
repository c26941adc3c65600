"""The volumes of all fleets that are to be searched, in the catalogue of a run."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from screening.errors import SkysieveError
from screening.orbits.elements import ElementArray
from screening.orbits.ephemerides import Ephemerides
from screening.orbits.timegrid import TimeWindow, window
from screening.vocabulary import TRAJECTORY_KINDS
from screening.volumes.handbook import ROWS, handbook_rows
from screening.volumes.shapes import Volume, text_of, volume_of
from storage.fleet_schema import FLEET_MEMBERS
from storage.fleets.members import Member, members_of
from storage.rows.run_record import Run
from storage.state.fleets import Fleet
from storage.times import datetime64_us
from storage.vocabulary import SHADOW


class OfRun(NamedTuple):
    """A run, and the objects in which is searched."""

    run_id: str
    span: TimeWindow
    elements: ElementArray  # (n,) sorted by norad_id; also of objects that are known by trajectories only
    ephemerides: Ephemerides  # that replace element sets
    as_of: datetime | None = None  # UTC, of a replay: nothing counts that was not known then


def stored_run(run: Run, elements: ElementArray, ephemerides: Ephemerides) -> OfRun:
    """Return a run of the store, with the element sets and ephemerides that it has screened."""
    hours = (run.window_end - run.window_start) / timedelta(hours=1)
    span = window(datetime64_us(run.window_start), hours)
    return OfRun(run.run_id, span, elements, ephemerides, run.started if run.replay else None)


class Wanted(NamedTuple):
    """A volume around an object of a fleet."""

    fleet_id: int
    fleet: str
    norad_id: int
    volume: Volume
    text: str  # in use: of the handbook's with its regime
    hours: float
    radius: str  # of the fleet: shadow, bounding, or metres


class AllWanted(NamedTuple):
    """What all fleets want, and who belonged to them."""

    volumes: tuple[Wanted, ...]
    members: pa.Table  # rows of FLEET_MEMBERS
    problems: tuple[str, ...]  # of fleets that are left out


def wanted_by(fleets: Sequence[Fleet], run: OfRun) -> AllWanted:
    """Return what fleets want of the objects of a run; a fleet that cannot be resolved is left out."""
    elements, run_hours = run.elements, run.span.seconds / 3600.0
    names = elements["name"].tolist()
    volumes: list[Wanted] = []
    members: list[tuple[int, int, str, bool, str, float, str | None]] = []
    problems = []
    for fleet in fleets:
        try:
            found = members_of(fleet, elements["norad_id"], names)
        except SkysieveError as error:
            problems.append(str(error))
            continue
        radius = None if fleet.radius == SHADOW else fleet.radius
        texts = _volumes_in_use(found.members, elements, run.ephemerides)
        for one, (volume, text) in zip(found.members, texts, strict=True):
            hours = run_hours if one.hours is None else one.hours
            volumes.append(Wanted(fleet.id, fleet.name, one.norad_id, volume, text, hours, fleet.radius))
            members.append((fleet.id, one.norad_id, one.name, True, text, hours, radius))
        of_fleet = run_hours if fleet.hours is None else fleet.hours
        members += [(fleet.id, number, "", False, "", of_fleet, radius) for number in found.unknown]
    columns = zip(*members, strict=True) if members else [()] * len(FLEET_MEMBERS.columns)
    arrays = [
        pa.array(list(values), pa.string() if pa.types.is_dictionary(column.type) else column.type)
        for values, column in zip(columns, FLEET_MEMBERS.columns, strict=True)
    ]
    table = pa.table(arrays, names=FLEET_MEMBERS.arrow.names).cast(FLEET_MEMBERS.arrow)
    return AllWanted(tuple(volumes), table, tuple(problems))


def without_largest(wanted: AllWanted, reason: str, most: int) -> AllWanted:
    """Leave out the fleet that is expected to find the most, as if it were not there, and say why.

    What comes into a volume grows with its surface, and with the hours.
    """
    expected: dict[int, float] = {}
    for one in wanted.volumes:
        _, r, t, n = one.volume
        expected[one.fleet_id] = expected.get(one.fleet_id, 0.0) + (r * t + t * n + n * r) * one.hours
    largest = max(expected, key=lambda fleet_id: expected[fleet_id])
    name = next(one.fleet for one in wanted.volumes if one.fleet_id == largest)
    problem = (
        f"The fleet {name!r} is left out, the one with the largest total of volumes and look-ahead: {reason} "
        f"SKYSIEVE_MAX_EVENTS={most} allows no more. Give it fewer objects, smaller volumes or fewer hours, "
        "or raise SKYSIEVE_MAX_EVENTS."
    )
    return AllWanted(
        tuple(one for one in wanted.volumes if one.fleet_id != largest),
        wanted.members.filter(pc.not_equal(wanted.members["fleet_id"], largest)),
        (*wanted.problems, problem),
    )


def _volumes_in_use(
    members: Sequence[Member], elements: ElementArray, ephemerides: Ephemerides
) -> list[tuple[Volume, str]]:
    """Return the volumes around objects, and their texts: the handbook's with its regime."""
    places = np.searchsorted(elements["norad_id"], [one.norad_id for one in members])
    known_by = elements["trajectory"][places] == TRAJECTORY_KINDS.index("ephemeris")
    on_ephemerides = known_by | np.isin(places, list(ephemerides))
    found = []
    for one, row in zip(members, handbook_rows(elements[places], on_ephemerides).tolist(), strict=True):
        volume, text = volume_of(one.volume), one.volume
        if volume.shape == "handbook":
            volume, text = ROWS[row].volume, f"handbook {ROWS[row].regime}: {text_of(ROWS[row].volume)}"
        found.append((volume, text))
    return found
