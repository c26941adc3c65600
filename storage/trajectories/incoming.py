"""Take an operator's file into the store: read, told whose it is, kept."""

import hashlib
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from screening.errors import InputError
from screening.orbits.texts.ephemerides.read import MAX_BYTES, chosen, read_ephemerides
from storage.trajectories.kept import add_trajectory
from storage.trajectories.trajectory_file import About, Kind, Trajectory

# Starlink's terms allow to use its ephemerides, and not to publish them again.
_RESTRICTED_NAMES = ("STARLINK",)


class Named(NamedTuple):
    """What whoever adds a file says about it; 0 and empty: nothing."""

    norad_id: int = 0
    name: str = ""


def read_file(path: Path) -> bytes:
    """Return the content of a file, unless it is too large to be a trajectory.

    Raises InputError if it cannot be read.
    """
    try:
        size = path.stat().st_size
        if size > MAX_BYTES:
            raise InputError(f"{path} has {size / 1e6:,.0f} MB; at most {MAX_BYTES / 1e6:,.0f} MB are taken.")
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}.") from error


def take(store: Path, data: bytes, source: str, kind: Kind, named: Named, added: datetime) -> Trajectory:
    """Store the trajectory of a file, and return it as it is kept.

    If the file holds several, `named` chooses one; if it holds one, `named` says whose it is. `added` is UTC.

    Raises:
        InputError: the file cannot be read or holds none that fits, or nothing says whose it is.
        StoreError: the store cannot be written.
    """
    read = read_ephemerides(data, source)
    choice = (str(named.norad_id) if named.norad_id else named.name) if len(read) > 1 else ""
    found = chosen(read, source, choice)
    ephemeris = found.ephemeris._replace(
        norad_id=named.norad_id or found.ephemeris.norad_id, name=named.name or found.ephemeris.name
    )
    if not ephemeris.norad_id:
        raise InputError(
            f"{source} does not say the catalogue number of {found.words}: give it (`--norad-id`). For an "
            "object that no catalogue has, any number that no other object has will do."
        )
    about = About(
        kind,
        source,
        hashlib.sha256(data).hexdigest(),
        added,
        restricted=ephemeris.name.upper().startswith(_RESTRICTED_NAMES),
        notes=found.notes,
    )
    return Trajectory(add_trajectory(store, ephemeris, about), about, ephemeris)
