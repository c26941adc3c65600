"""Fleets: lists of them, made, changed and removed, and their objects in the newest run."""

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from threading import Lock
from typing import Any

from api.answers.rows import owned
from api.errors import BadParameter, NotFound
from api.models.watched.fleets import FleetChanges, FleetFields, FleetRequest, Member, MemberList
from screening.errors import InputError
from storage.fleets.managed import Catalogue, FleetFacts, Held, alter, facts_of, hold_if_possible, make
from storage.in_memory.snapshot import Snapshot
from storage.state.fleets import Fleet, FleetObject, NewFleet, NoSuchFleet, fleet, fleets, remove_fleet
from storage.state.records import Credential
from storage.vocabulary import SHADOW

_PLAIN = ("name", "name_pattern", "volume", "hours", "radius", "contact", "manoeuvre_class")


class FleetObjects:
    """Which objects of the newest run are in fleets, kept between requests; any number of threads may ask."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._run_id = ""
        self._catalogue = Catalogue((), ())
        self._held: dict[Fleet, Held] = {}

    def catalogue(self, snapshot: Snapshot | None) -> Catalogue | None:
        """Return the objects of a snapshot's run: 50 ms for 27,000 when the run is new; None without one."""
        if snapshot is None:
            return None
        with self._lock:
            if self._run_id != snapshot.run.run_id:
                rows = snapshot.objects(("norad_id", "name"))
                self._catalogue = Catalogue(*zip(*rows, strict=True)) if rows else Catalogue((), ())
                self._run_id = snapshot.run.run_id
                self._held.clear()
            return self._catalogue

    def held(self, one: Fleet, snapshot: Snapshot | None) -> Held:
        """Return a fleet with its objects: 5 ms for a pattern, once a run."""
        catalogue = self.catalogue(snapshot)
        if catalogue is None:
            return Held(one, None)
        with self._lock:
            known = self._held.get(one)
        if known is not None:
            return known
        found = hold_if_possible(one, catalogue)
        with self._lock:
            if catalogue is self._catalogue:
                self._held[one] = found
        return found


def listed(
    store: Path,
    known: FleetObjects,
    snapshot: Snapshot | None,
    limit: int,
    offset: int,
    organisation_id: int,
) -> tuple[list[FleetFacts], int]:
    """Return a page of the fleets of an organisation, and how many there are."""
    found = fleets(store, organisation_id)
    return [facts_of(known.held(one, snapshot)) for one in found[offset : offset + limit]], len(found)


def shown(store: Path, known: FleetObjects, snapshot: Snapshot | None, fleet_id: int) -> FleetFacts:
    """Return a fleet. Raises NotFound."""
    return facts_of(known.held(fleet_of(store, fleet_id), snapshot))


def members(store: Path, known: FleetObjects, snapshot: Snapshot, fleet_id: int) -> MemberList:
    """Return the objects of a run that are a fleet's; none if its pattern fits too many. Raises NotFound."""
    found = known.held(fleet_of(store, fleet_id), snapshot).members
    shown = [] if found is None else [Member(one.norad_id, one.name) for one in found.members]
    return MemberList(snapshot.run.run_id, shown, len(shown))


def fleet_of(store: Path, fleet_id: int) -> Fleet:
    """Return the fleet with an id. Raises NotFound."""
    try:
        return fleet(store, fleet_id)
    except NoSuchFleet as error:
        raise not_found(fleet_id) from error


def made(
    store: Path,
    known: FleetObjects,
    snapshot: Snapshot | None,
    asked: FleetRequest,
    by: Credential,
    now: datetime,
) -> FleetFacts:
    """Make a fleet and return it. Raises BadParameter if it cannot be."""
    try:
        return facts_of(make(store, new_fleet(asked, snapshot, by), known.catalogue(snapshot), now))
    except InputError as error:
        raise BadParameter("body", str(error)) from error


def new_fleet(asked: FleetRequest, snapshot: Snapshot | None, by: Credential) -> NewFleet:
    """Return the fleet that is asked for. Raises BadParameter if the run knows no such owner."""
    if asked.owner and snapshot is None:
        raise BadParameter("owner", "There is no run yet, so that no satellite of any owner is known.")
    theirs = owned(snapshot, asked.owner, satellites=True) if asked.owner and snapshot else []
    return NewFleet(
        asked.name,
        _objects(asked, theirs),
        asked.name_pattern,
        asked.volume or "handbook",
        asked.hours,
        asked.contact,
        by.name,
        by.id,
        asked.radius or SHADOW,
        by.organisation_id,
        asked.manoeuvre_class,
    )


def changed(store: Path, fleet_id: int, asked: FleetChanges, catalogue: Catalogue | None) -> FleetFacts:
    """Change a fleet and return it. Raises NotFound, or BadParameter if it cannot be so."""
    sent = asked.model_fields_set
    fields: dict[str, Any] = {name: getattr(asked, name) for name in _PLAIN if name in sent}
    if {"norad_ids", "objects"} & sent:
        fields["objects"] = _objects(asked)
    try:
        return facts_of(alter(store, fleet_id, lambda before: before._replace(**fields), catalogue))
    except NoSuchFleet as error:
        raise not_found(fleet_id) from error
    except InputError as error:
        raise BadParameter("body", str(error)) from error


def removed(store: Path, fleet_id: int, now: datetime) -> None:
    """Remove a fleet with its alerts and feeds. Raises NotFound."""
    try:
        remove_fleet(store, fleet_id, now)
    except NoSuchFleet as error:
        raise not_found(fleet_id) from error


def not_found(fleet_id: int) -> NotFound:
    """Return the refusal of a fleet that there is not."""
    return NotFound(f"There is no fleet {fleet_id}; `GET /fleets` lists those there are.")


def _objects(asked: FleetFields, theirs: Sequence[int] = ()) -> tuple[FleetObject, ...]:
    """Return the objects that are asked for, and those of an owner, each once."""
    own = [FleetObject(one.norad_id, one.volume, one.hours) for one in asked.objects]
    named = {one.norad_id for one in own}
    numbers = (*asked.norad_ids, *theirs)
    return (*(FleetObject(number) for number in numbers if number not in named), *own)
