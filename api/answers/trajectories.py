"""Stored trajectories: lists of them, taken in, and removed."""

from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from typing import NamedTuple, TypeVar

from api.errors import BadParameter, NotAllowed, NotFound
from screening.answers import answer
from screening.errors import InputError
from screening.orbits.texts.decoding import GZIP_MAGIC
from screening.vocabulary import RuleSet
from storage.machine.own_process import in_own_process
from storage.state.records import Credential
from storage.trajectories.facts import CheckedFile, StoredTrajectory, shown_facts
from storage.trajectories.refusals import NotItsObject, NotItsPath, NotKnown
from storage.trajectories.trajectory_file import Kind

Done = TypeVar("Done")

UPLOADED = "upload"  # the name of a file whose sender does not say one
# The reader's native code holds the interpreter, and with it all other answers: 20 ms for each MB.
MOST_HERE_BYTES = 1_000_000


@answer(total=2)
class TrajectoryList:
    """Stored trajectories."""

    trajectories: list[StoredTrajectory]
    """By catalogue number, then by their first instant."""
    total: int
    """Number of those that match, regardless of `limit`."""


class Upload(NamedTuple):
    """A file, and what its sender says about it; None: nothing."""

    data: bytes
    source: str | None
    norad_id: int | None
    name: str | None
    kind: Kind = "definitive"
    sigma_rtn_m: str | None = None  # three numbers with commas between
    force: bool = False
    by: Credential | None = None


def taken(store: Path, upload: Upload, added: datetime, go_on: Callable[[], None]) -> StoredTrajectory:
    """Store the trajectory of a file, and return what is known about it.

    A large one, and a compressed one, which may be, is read by a process of its own. `go_on` may raise to
    end that: then nothing is stored.

    Raises NotItsPath if it is not the path of its object, BadParameter if it cannot be used.
    """
    return _by_reading(upload.data, go_on, _stored, store, upload, added)


def checked(store: Path, upload: Upload, rules: RuleSet, go_on: Callable[[], None]) -> CheckedFile:
    """Return the check of a file by a set of rules; it is read as by `taken`, and not kept."""
    return _by_reading(upload.data, go_on, _checked, store, upload, rules)


def _by_reading(data: bytes, go_on: Callable[[], None], work: Callable[..., Done], *given: object) -> Done:
    try:
        return work(*given) if read_here(data) else in_own_process(work, *given, go_on=go_on)
    except NotItsObject as error:
        raise NotAllowed(str(error)) from error
    except NotItsPath as error:
        raise NotItsPath(for_http(str(error)), error.report) from error
    except InputError as error:
        raise BadParameter("body", for_http(str(error))) from error


def _checked(store: Path, upload: Upload, rules: RuleSet) -> CheckedFile:
    from storage.reading.newest_objects import NewestRun
    from storage.trajectories.incoming import Named, check_file

    named = Named(upload.norad_id or 0, upload.name or "")
    return check_file(upload.data, upload.source or UPLOADED, named, NewestRun(store), rules)


def _stored(store: Path, upload: Upload, added: datetime) -> StoredTrajectory:
    from storage.reading.newest_objects import NewestRun
    from storage.trajectories.incoming import Named, take
    from storage.trajectories.kept import facts_of

    named = Named(upload.norad_id or 0, upload.name or "", force=upload.force)
    if upload.by is not None:
        named = named._replace(
            by=upload.by.name,
            organisation_id=upload.by.organisation_id,
            may_state_path_of=upload.by.may_state_path_of,
        )
    if upload.sigma_rtn_m is not None:
        r_m, t_m, n_m = map(float, upload.sigma_rtn_m.split(","))
        named = named._replace(sigma_rtn_m=(r_m, t_m, n_m))
    source = upload.source or UPLOADED
    one = take(store, upload.data, source, upload.kind, named, added, NewestRun(store))
    return shown_facts(facts_of(store, one.id))


def read_here(data: bytes) -> bool:
    """Return whether a file may be read in this process: it is small, and stays so."""
    return len(data) <= MOST_HERE_BYTES and not data.startswith(GZIP_MAGIC)


def for_http(message: str) -> str:
    """Return an error with the names of parameters in place of those of options."""
    for option, parameter in (
        ("norad-id", "norad_id"),
        ("sigma-rtn-m", "sigma_rtn_m"),
        ("force", "force=true"),
    ):
        message = message.replace(f"`--{option}`", f"`{parameter}`")
    return message


def listed(
    store: Path,
    norad_ids: Sequence[int] | None,
    kind: Kind | None,
    limit: int,
    offset: int,
    organisation_id: int,
) -> TrajectoryList:
    """Return a page of the stored trajectories that an organisation sees."""
    from storage.trajectories.kept import trajectories

    found = [
        one
        for one in trajectories(store, organisation_id)
        if (norad_ids is None or one.norad_id in norad_ids) and kind in (None, one.about.kind)
    ]
    found.sort(key=lambda one: (one.norad_id, one.usable_from, one.id))
    return TrajectoryList([shown_facts(one) for one in found[offset : offset + limit]], len(found))


def shown(store: Path, trajectory_id: str, organisation_id: int) -> StoredTrajectory:
    """Return what is known about a trajectory that an organisation sees. Raises NotFound."""
    from storage.trajectories.kept import facts_of

    try:
        return shown_facts(facts_of(store, trajectory_id, organisation_id))
    except NotKnown as error:
        raise _not_found(trajectory_id) from error


def removed(store: Path, trajectory_id: str, by: Credential) -> None:
    """Remove a trajectory.

    Raises:
        NotFound: there is none that its organisation sees.
        NotAllowed: it is definitive, and `by` may not say where its object is; or runs need it.
    """
    from storage.trajectories.kept import facts_of, remove_trajectory

    try:
        one = facts_of(store, trajectory_id, by.organisation_id)
        own = one.about.organisation_id == by.organisation_id
        if not (own if one.about.kind == "hypothetical" else by.may_state_path_of(one.norad_id)):
            raise NotAllowed(f"Credential {by.id} ({by.name}) may not say where {one.norad_id} is.")
        remove_trajectory(store, trajectory_id)
    except NotKnown as error:
        raise _not_found(trajectory_id) from error


def _not_found(trajectory_id: str) -> NotFound:
    return NotFound(f"There is no trajectory {trajectory_id}; `GET /trajectories` lists those there are.")
