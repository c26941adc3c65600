"""Import an operator's file into the store: read it, identify its object, store it."""

import hashlib
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

import numpy as np

from screening.errors import InputError
from screening.orbits.burns import cut_at_burns
from screening.orbits.ephemerides import Ephemeris
from screening.orbits.interpolated import POINTS
from screening.orbits.texts.decoding import catalogue_text
from screening.orbits.texts.ephemerides.errors import UnreadableEphemeris
from screening.orbits.texts.ephemerides.objects import ReadEphemeris
from screening.orbits.texts.ephemerides.read import MAX_BYTES, chosen, read_ephemerides
from screening.orbits.texts.ephemerides.starlink import is_starlink
from screening.risk.ephemeris_checks.check import unreadable
from screening.risk.ephemeris_checks.of_path import Cut
from screening.vocabulary import RuleSet
from storage.trajectories.checked import Catalogue, judged, with_findings
from storage.trajectories.facts import CheckedFile
from storage.trajectories.kept import add_trajectory
from storage.trajectories.refusals import NotItsObject, NotItsPath
from storage.trajectories.trajectory_file import About, Kind, Trajectory
from storage.vocabulary import FIRST_ORGANISATION

# Starlink's terms allow to use its ephemerides, and not to publish them again.
_RESTRICTED_NAMES = ("STARLINK",)
M_PER_KM = 1000.0


class Named(NamedTuple):
    """What the user who adds a file says about it; 0 and empty: nothing."""

    norad_id: int = 0
    name: str = ""
    sigma_rtn_m: tuple[float, float, float] | None = None  # of a file without covariances
    by: str = ""  # who that is
    force: bool = False  # keep it though it is not the path of its object's element set
    organisation_id: int = FIRST_ORGANISATION  # whose that is; EVERYBODY: a run
    may_state_path_of: Callable[[int], bool] = bool  # of which objects; by default of any


def read_file(path: Path) -> bytes:
    """Return the content of a file, unless it is too large to be a trajectory.

    Raises InputError if it cannot be read.
    """
    try:
        size = path.stat().st_size
        if size > MAX_BYTES:
            raise InputError(
                f"{path} has {size / 1e6:,.0f} MB; at most {MAX_BYTES / 1e6:,.0f} MB are allowed."
            )
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}.") from error


def designator(object_id: str) -> str:
    """Return an international designator without what some write and others do not: 1998-067-A."""
    return "".join(filter(str.isalnum, object_id)).upper()


def take(
    store: Path,
    data: bytes,
    source: str,
    kind: Kind,
    named: Named,
    added: datetime,
    catalogue: Catalogue,
) -> Trajectory:
    """Store the trajectory of a file, read as by `read_one`, and return it as it is kept.

    Raises as that does, and StoreError: the store cannot be written.
    """
    ephemeris, about = read_one(data, source, kind, named, added, catalogue)
    return Trajectory(add_trajectory(store, ephemeris, about), about, ephemeris)


def read_one(
    data: bytes, source: str, kind: Kind, named: Named, added: datetime, catalogue: Catalogue
) -> tuple[Ephemeris, About]:
    """Return the trajectory of a file as it would be kept, with the facts about it.

    If the file holds several, `named` chooses one; if it holds one, `named` says whose it is. If neither it
    nor the file gives a catalogue number, the `catalogue` may have that of the designator. A definitive one
    must be near its object's element set there. `added` is UTC.

    Raises:
        NotItsPath: it is not the path of its object.
        NotItsObject: `named` may not say where its object is.
        InputError: the file cannot be read or holds none that fits, or nothing says whose it is.
    """
    found = _found(data, source, named)
    ephemeris = _called(found.ephemeris, named, catalogue)
    if not ephemeris.norad_id:
        raise InputError(
            f"{source} does not state the catalogue number of {found.words}: give it (`--norad-id`). For an "
            "object missing from the catalogue, choose any unused number."
        )
    if kind == "definitive" and not named.may_state_path_of(ephemeris.norad_id):
        raise NotItsObject(
            f"{named.by} may not say where {ephemeris.norad_id} is: that needs a credential that names it "
            f"(`skysieve tokens create --role flight --objects {ephemeris.norad_id}`)."
        )
    cut = [cut_at_burns(one) for one in ephemeris.segments]
    ephemeris, thrusts = _usable(ephemeris, cut, source)
    ephemeris, notes = _with_sigmas(ephemeris, named.sigma_rtn_m, source)
    one = judged(found, cut, ephemeris.norad_id, catalogue, "skysieve", len(data))
    wrong = one.wrong if kind == "definitive" else ()
    if wrong and not named.force:
        raise NotItsPath(f"{source}: {wrong[0]}. `--force` keeps it anyway.", one.report)
    about = About(
        kind,
        source,
        hashlib.sha256(data).hexdigest(),
        added,
        restricted=_is_restricted(data, source, found.ephemeris.name, ephemeris.name),
        notes=(*found.notes, *notes, *thrusts, *(f"kept by force: {why}" for why in wrong)),
        added_by=named.by,
        check=one.check,
        report=one.report,
        organisation_id=named.organisation_id,
    )
    return ephemeris, about


def check_file(data: bytes, source: str, named: Named, catalogue: Catalogue, rules: RuleSet) -> CheckedFile:
    """Check the trajectory of a file by a set of rules, and keep nothing; what it is, `named` may say.

    Raises InputError if it holds several and none is chosen, or is too large.
    """
    try:
        found = _found(data, source, named)
    except UnreadableEphemeris as error:
        return CheckedFile(with_findings(unreadable(error, rules), rules), None, None)
    cut = [cut_at_burns(one) for one in found.ephemeris.segments]
    number = _called(found.ephemeris, named, catalogue).norad_id
    one = judged(found, cut, number, catalogue, rules, len(data))
    return CheckedFile(one.report, one.check, one.wrong[0] if one.wrong else None)


def _found(data: bytes, source: str, named: Named) -> ReadEphemeris:
    read = read_ephemerides(data, source)
    choice = (str(named.norad_id) if named.norad_id else named.name) if len(read) > 1 else ""
    return chosen(read, source, choice)


def _is_restricted(data: bytes, source: str, *names: str) -> bool:
    """Return whether a file is from whom does not allow sharing it, whatever it is called here."""
    if any(name.upper().startswith(_RESTRICTED_NAMES) for name in names):
        return True
    return is_starlink(catalogue_text(data, max_bytes=MAX_BYTES, source_name=source))


def _called(ephemeris: Ephemeris, named: Named, catalogue: Catalogue) -> Ephemeris:
    number = named.norad_id or ephemeris.norad_id
    if not number and ephemeris.object_id:
        number = catalogue.number_of(ephemeris.object_id)
    return ephemeris._replace(norad_id=number, name=named.name or ephemeris.name)


def _with_sigmas(
    ephemeris: Ephemeris, sigma_rtn_m: tuple[float, float, float] | None, source: str
) -> tuple[Ephemeris, tuple[str, ...]]:
    """Return an ephemeris with the same errors at all times, if they are given, and a note that says so."""
    if sigma_rtn_m is None:
        return ephemeris, ()
    if any(len(one.covariance_epochs) for one in ephemeris.segments):
        raise InputError(f"{source} has its own covariances; `--sigma-rtn-m` is for files without them.")
    covariance = np.zeros((6, 6))
    covariance[:3, :3] = np.diag(np.square(np.array(sigma_rtn_m) / M_PER_KM))
    segments = tuple(
        one._replace(covariance_epochs=one.epochs[[0, -1]], covariance_rtn=np.stack([covariance] * 2))
        for one in ephemeris.segments
    )
    given = "/".join(f"{sigma:g}" for sigma in sigma_rtn_m)
    note = f"its sigmas were given on import, not in the file: {given} m (radial/in-track/cross)"
    return ephemeris._replace(segments=segments), (note,)


def _usable(ephemeris: Ephemeris, parts: Cut, source: str) -> tuple[Ephemeris, tuple[str, ...]]:
    """Return an ephemeris cut into parts where its object thrusts, and a note that says where."""
    usable = tuple(part for those in parts for part in those if len(part.epochs) >= POINTS)
    if not usable:
        raise InputError(
            f"{source} has no {POINTS} consecutive states between thrusts: too few to interpolate."
        )
    thrusts = [part.epochs[-1] for those in parts for part in those[:-1]]
    notes = (
        (f"{len(thrusts)} thrusts or jumps, the first at {thrusts[0]}Z; no interpolation across them",)
        if thrusts
        else ()
    )
    return ephemeris._replace(segments=usable), notes
