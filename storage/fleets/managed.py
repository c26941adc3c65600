"""Create and change fleets, and show their objects in the newest run."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from screening.answers import TimeText, answer, same_fields
from screening.errors import UsageError
from screening.vocabulary import ManoeuvreClass
from storage.fleets.members import FleetMembers, TooManyMembers, members_of
from storage.state.fleet_rules import checked_fleet, drafted
from storage.state.fleets import Fleet, FleetObject, NewFleet, change_fleet, create_fleet
from storage.times import time_text


class Catalogue(NamedTuple):
    """The numbers and names of the objects of a run."""

    norad_ids: Sequence[int]
    names: Sequence[str]


class Held(NamedTuple):
    """A fleet, and which objects of the newest run are its; None: there is no run yet."""

    fleet: Fleet
    members: FleetMembers | None


@answer(norad_id=25544, volume=None, hours=None)
class ListedFleetObject:
    """An object of a fleet, given by its number."""

    norad_id: int
    """Catalogue number."""
    volume: str | None
    """Its own volume; null: the fleet's."""
    hours: float | None
    """Its own look-ahead, h; null: the fleet's."""


@answer(
    id=1, name="mine", created="2026-11-21T06:00:00Z", made_by="ground segment", contact="ops@example.org",
    volume="box:2x25x25", hours=72.0, radius="5", name_pattern="STARLINK-3*", members=12, unknown=[99999],
    manoeuvre_class="manual",
)  # fmt: skip
class FleetFacts:
    """A fleet, and how many objects of the newest run are its."""

    id: int
    """Of the fleet; it is not given again."""
    name: str
    """Its name."""
    created: TimeText
    """UTC, when it was made."""
    made_by: str
    """Name of the credential that made it."""
    contact: str
    """Shown to the other side; empty: none."""
    volume: str
    """What counts around its objects."""
    hours: float | None
    """Look-ahead, h; null: the run's."""
    radius: str
    """Hard-body radius of its objects: `shadow`, `bounding`, or metres."""
    name_pattern: str
    """Objects of these names too; empty: none."""
    manoeuvre_class: ManoeuvreClass
    """How its objects avoid others: none, minimal (by drag), manual (by command), automated, crewed; unknown:
    not said."""
    objects: list[ListedFleetObject]
    """Objects given by number, in their order."""
    members: int | None
    """Objects of the newest run that are its; null: there is no run, or its pattern fits too many."""
    unknown: list[int]
    """Numbers given that the newest run does not have."""


class Changes(NamedTuple):
    """What is to change in a fleet."""

    fields: Mapping[str, Any]  # of Fleet: name, contact, volume, hours, radius, name_pattern, manoeuvre_class
    objects: tuple[FleetObject, ...] = ()  # that come in; one without volume or hours keeps those it has
    without: tuple[int, ...] = ()  # that go; first, so that one in both forgets its own volume and hours

    def apply(self, before: Fleet) -> Fleet:
        """Return the changed fleet.

        Raises:
            UsageError: an object that is to go is not given by number.
        """
        known = {one.norad_id: one for one in before.objects}
        for number in self.without:
            if known.pop(number, None) is None:
                raise UsageError(
                    f"The fleet {before.name!r} has no object {number} that was added by number."
                )
        for number, volume, hours in self.objects:
            own = known.get(number, FleetObject(number))
            known[number] = FleetObject(
                number, own.volume if volume is None else volume, own.hours if hours is None else hours
            )
        return before._replace(**self.fields, objects=tuple(known.values()))


def make(store: Path, new: NewFleet, catalogue: Catalogue | None, now: datetime) -> Held:
    """Make a fleet.

    Raises:
        InputError: a value is not allowed, the name is taken, or there are too many fleets or objects.
    """
    held = hold(drafted(new, now), catalogue)
    return held._replace(fleet=create_fleet(store, new, now))


def alter(
    store: Path, name_or_id: str | int, change: Callable[[Fleet], Fleet], catalogue: Catalogue | None
) -> Held:
    """Change a fleet; `change` gets it as it is.

    Raises:
        NoSuchFleet: there is none.
        InputError: as by `make`.
    """

    def allowed(before: Fleet) -> Fleet:
        after = checked_fleet(change(before))
        hold(after, catalogue)
        return after

    return hold(change_fleet(store, name_or_id, allowed), catalogue)


def hold(fleet: Fleet, catalogue: Catalogue | None) -> Held:
    """Find the objects of a fleet in a catalogue. Raises TooManyMembers."""
    return Held(fleet, None if catalogue is None else members_of(fleet, *catalogue))


def hold_if_possible(fleet: Fleet, catalogue: Catalogue | None) -> Held:
    """Find the objects of a fleet to list them; too many, which a growing catalogue brings, are not known."""
    try:
        return hold(fleet, catalogue)
    except TooManyMembers:
        return Held(fleet, None)


def facts_of(held: Held) -> FleetFacts:
    """Return what is known about a fleet: as stored, and its objects in the newest run."""
    fleet, found = held
    return FleetFacts(
        **same_fields(FleetFacts, fleet)
        | {"created": time_text(fleet.created, "seconds")}
        | {"objects": [ListedFleetObject(*one) for one in fleet.objects]},
        members=None if found is None else len(found.members),
        unknown=[] if found is None else list(found.unknown),
    )
