"""The trajectories of a store: added, listed, removed, and chosen for a run."""

import logging
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import TypeVar

import pyarrow as pa

from screening.errors import InputError
from screening.orbits.ephemerides import Ephemeris
from screening.orbits.timegrid import TimeWindow
from storage.disk.checksums import DamagedFile, stamp_of
from storage.disk.faults import store_faults
from storage.disk.layout import STAGED_SUFFIX, TRAJECTORIES
from storage.disk.whole_files import sync_folder
from storage.machine.private import FOLDER_MODE
from storage.state.tables import ServiceStateError
from storage.state.whose.organisations import organisation_names
from storage.times import utc_datetime
from storage.trajectories.refusals import NotKnown
from storage.trajectories.trajectory_file import (
    SUFFIX,
    About,
    Facts,
    Trajectory,
    read_if,
    read_trajectory,
    write_trajectory,
)
from storage.upkeep.upgrade import opened_for_writing
from storage.vocabulary import EVERYBODY

LOCK_TIMEOUT_S = 60.0  # a publisher holds the lock for a second or two
LONGEST_USE = timedelta(days=60)  # from when it was added: whatever a file says, no path holds for longer
_SHORTEST_PREFIX = 4
_REMEMBERED = 65_536  # files

Read = TypeVar("Read")
Added = TypeVar("Added", Facts, Trajectory)

log = logging.getLogger("skysieve")

# What is known about files, until they change: the same content may be added again from another source.
_known: dict[Path, tuple[tuple[int, ...], Facts]] = {}


def add_trajectory(store: Path, ephemeris: Ephemeris, about: About) -> str:
    """Store a trajectory, unless it is there already, and return its id.

    Raises:
        StoreError: the store cannot be written, or another process holds it for long.
    """
    store = store.resolve()
    with store_faults(store), opened_for_writing(store, LOCK_TIMEOUT_S):
        folder = store / TRAJECTORIES
        folder.mkdir(FOLDER_MODE, exist_ok=True)
        for left_behind in folder.glob(f"*{STAGED_SUFFIX}"):
            left_behind.unlink()
        added = write_trajectory(folder, ephemeris, about)
        sync_folder(folder)
    return added


def remove_trajectory(store: Path, wanted: str) -> str:
    """Remove the trajectory with an id, or the only one whose id begins so; return its id.

    Raises:
        InputError: there is none, or more than one.
        StoreError: the store cannot be written.
    """
    store = store.resolve()
    with store_faults(store), opened_for_writing(store, LOCK_TIMEOUT_S):
        path = _path_of(store, wanted)
        path.unlink()
        sync_folder(path.parent)
    return path.stem


def remove_expired_trajectories(store: Path, before: datetime, in_use: Collection[str]) -> int:
    """Remove what ended, and was added, before an instant and is not in use; return how many.

    What ends later than LONGEST_USE after it was added counts as ended then. Needs the lock.
    """
    with store_faults(store):
        kept = frozenset(in_use)
        others = [path for path in _paths(store) if path.stem not in kept]
        expired = [
            one.id
            for one in _readable(others, _facts)
            if max(min(utc_datetime(one.usable_to), one.about.added + LONGEST_USE), one.about.added) < before
        ]
    for one in expired:
        (store / TRAJECTORIES / f"{one}{SUFFIX}").unlink()
    return len(expired)


def trajectory(store: Path, wanted: str, organisation_id: int | None = None) -> Trajectory:
    """Return the trajectory with an id, or the only one whose id begins so, that an organisation sees.

    Raises:
        InputError: there is none, or more than one.
        StoreError: it is damaged, or cannot be read.
    """
    with store_faults(store):
        return _by_whom(store, [read_trajectory(_path_of(store, wanted, organisation_id))])[0]


def facts_of(store: Path, wanted: str, organisation_id: int | None = None) -> Facts:
    """Return the facts about one, found as by `trajectory`, without its states."""
    with store_faults(store):
        return _by_whom(store, [_facts(_path_of(store, wanted, organisation_id))])[0]


def trajectories(store: Path, organisation_id: int | None = None) -> list[Facts]:
    """Return the facts about the trajectories that an organisation sees, in the order of their ids.

    None: all of the store. Damaged ones are logged and left out.
    """
    with store_faults(store):
        found = _readable(_paths(store), _facts)
        return _by_whom(store, [one for one in found if one.about.seen_by(organisation_id)])


def count_of(store: Path, organisation_id: int, credential: str) -> int:
    """Return how many trajectories a credential of an organisation, by its name, has added."""
    with store_faults(store):
        whose = [(one.about.organisation_id, one.about.added_by) for one in _readable(_paths(store), _facts)]
    return whose.count((organisation_id, credential))


def definitive_trajectories(store: Path, span: TimeWindow) -> list[Trajectory]:
    """Return the trajectories that objects fly by in a window; damaged ones are logged and left out.

    No file is opened twice.
    """

    def flown_by(one: Facts) -> bool:
        near = one.usable_to >= span.start and one.usable_from <= span.end
        return one.about.kind == "definitive" and bool(near)

    with store_faults(store):
        found = list(_readable(_paths(store), partial(_if, flown_by)))
    return list(filter(None, found))


def trajectories_with(store: Path, ids: Iterable[str]) -> list[Trajectory]:
    """Return the trajectories of these ids that the store still has; damaged ones are logged and left out."""
    paths = [store / TRAJECTORIES / f"{one}{SUFFIX}" for one in ids]
    with store_faults(store):
        return list(_readable(paths, read_trajectory))


def trajectories_of(store: Path, norad_id: int, organisation_id: int | None) -> list[Trajectory]:
    """Return the trajectories of one object, what was added last first; damaged ones are left out, logged.

    Those that an organisation sees; None: all. The files of the others are not opened twice.
    """

    def wanted(one: Facts) -> bool:
        return one.norad_id == norad_id and one.about.seen_by(organisation_id)

    with store_faults(store):
        found = list(_readable(_paths(store), partial(_if, wanted)))
    shown = _by_whom(store, list(filter(None, found)))
    return sorted(shown, key=lambda one: one.about.added, reverse=True)


def _by_whom(store: Path, found: Sequence[Added]) -> list[Added]:
    """Return trajectories, or facts about them, with the name of the organisation that has added each.

    The name is that of today; who of the organisation it was stays in the file.
    """
    try:
        names = organisation_names(store) if found else {}
    except ServiceStateError as error:
        log.warning("Trajectories are shown without who added them: %s", error)
        names = {}
    return [
        one
        if one.about.organisation_id == EVERYBODY
        else one._replace(about=one.about._replace(added_by=names.get(one.about.organisation_id, "")))
        for one in found
    ]


def _readable(paths: Iterable[Path], read: Callable[[Path], Read]) -> Iterator[Read]:
    for path in paths:
        try:
            yield read(path)
        except FileNotFoundError:
            continue  # removed meanwhile
        except (DamagedFile, pa.ArrowException) as error:
            log.warning("A trajectory is not used: %s", error)


def _facts(path: Path) -> Facts:
    return _looked_at(path, lambda _: False)[0]


def _if(wanted: Callable[[Facts], bool], path: Path) -> Trajectory | None:
    return _looked_at(path, wanted)[1]


def _looked_at(path: Path, wanted: Callable[[Facts], bool]) -> tuple[Facts, Trajectory | None]:
    """Return the facts about a trajectory, and itself if it is wanted.

    Its file is opened at most once, and not at all if it is known that it is not wanted.
    """
    stamp = stamp_of(path)
    before, facts = _known.get(path, (None, None))
    if facts is not None and before == stamp and not wanted(facts):
        return facts, None
    facts, found = read_if(path, wanted)
    if len(_known) >= _REMEMBERED:
        _known.clear()
    _known[path] = stamp, facts
    return facts, found


def _paths(store: Path) -> list[Path]:
    return sorted((store / TRAJECTORIES).glob(f"*{SUFFIX}"))


def _path_of(store: Path, wanted: str, organisation_id: int | None = None) -> Path:
    found = [path for path in _paths(store) if path.stem.startswith(wanted)]
    if organisation_id is not None:
        found = [path for path in found if _facts(path).about.seen_by(organisation_id)]
    if len(wanted) < _SHORTEST_PREFIX or not found:
        raise NotKnown(
            f"There is no trajectory {wanted!r} in {store}; `skysieve trajectories list` lists "
            f"all of them. An id may be shortened to its first {_SHORTEST_PREFIX} digits."
        )
    if len(found) > 1:
        raise InputError(
            f"The ids of {len(found)} trajectories begin with {wanted!r}: "
            f"{', '.join(path.stem for path in found)}."
        )
    return found[0]
