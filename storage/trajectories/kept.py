"""The trajectories of a store: added, listed, removed, and chosen for a run."""

import logging
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa

from screening.errors import InputError
from screening.orbits.ephemerides import Ephemeris
from storage.disk.checksums import DamagedFile
from storage.disk.faults import store_faults
from storage.disk.layout import STAGED_SUFFIX, TRAJECTORIES
from storage.disk.whole_files import sync_folder
from storage.trajectories.trajectory_file import (
    SUFFIX,
    About,
    Trajectory,
    read_trajectory,
    write_trajectory,
)
from storage.upkeep.fit_to_read import opened_for_writing

LOCK_TIMEOUT_S = 60.0  # a publisher holds the lock for a second or two
_SHORTEST_PREFIX = 4

log = logging.getLogger("skysieve")


def add_trajectory(store: Path, ephemeris: Ephemeris, about: About) -> str:
    """Store a trajectory, unless it is there already, and return its id.

    Raises:
        StoreError: the store cannot be written, or another process holds it for long.
    """
    store = store.resolve()
    with store_faults(store), opened_for_writing(store, LOCK_TIMEOUT_S):
        folder = store / TRAJECTORIES
        folder.mkdir(exist_ok=True)
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


def trajectory(store: Path, wanted: str) -> Trajectory:
    """Return the trajectory with an id, or the only one whose id begins so.

    Raises:
        InputError: there is none, or more than one.
        StoreError: it is damaged, or cannot be read.
    """
    with store_faults(store):
        return read_trajectory(_path_of(store, wanted))


def trajectories(store: Path) -> Iterator[Trajectory]:
    """Yield the trajectories of a store in the order of their ids; damaged ones are logged and left out."""
    with store_faults(store):
        for path in _paths(store):
            try:
                yield read_trajectory(path)
            except FileNotFoundError:
                continue  # removed meanwhile
            except (DamagedFile, pa.ArrowException) as error:
                log.warning("A trajectory is not used: %s", error)


def definitive_ephemerides(store: Path) -> dict[int, list[Ephemeris]]:
    """Return the ephemerides that objects fly by, by catalogue number, what was added last first."""
    found: dict[int, list[Trajectory]] = {}
    for one in trajectories(store):
        if one.about.kind == "definitive":
            found.setdefault(one.ephemeris.norad_id, []).append(one)
    return {
        norad_id: [one.ephemeris for one in sorted(those, key=lambda one: one.about.added, reverse=True)]
        for norad_id, those in found.items()
    }


def _paths(store: Path) -> list[Path]:
    return sorted((store / TRAJECTORIES).glob(f"*{SUFFIX}"))


def _path_of(store: Path, wanted: str) -> Path:
    found = [path for path in _paths(store) if path.stem.startswith(wanted)]
    if len(wanted) < _SHORTEST_PREFIX or not found:
        raise InputError(
            f"There is no trajectory {wanted!r} in {store}; `skysieve trajectories list` shows those there "
            f"are. An id may be shortened to its first {_SHORTEST_PREFIX} digits."
        )
    if len(found) > 1:
        raise InputError(
            f"{len(found)} trajectories begin with {wanted!r}: {', '.join(path.stem for path in found)}."
        )
    return found[0]
