"""What commands say about a fleet: what it has become, and how far the newest run knows it."""

from collections.abc import Sequence

from storage.fleets.events import FleetMember
from storage.fleets.managed import Held
from storage.fleets.members import Member, name_filter
from storage.reading.fleet_view import FleetView
from storage.shell.output import counted
from storage.vocabulary import SHADOW

_SHOWN_UNKNOWN = 10
_SHOWN_NAMES = 5
_HANDBOOK = "handbook"


def made_line(held: Held, what: str) -> str:
    """Return what a fleet has become."""
    fleet, found = held
    size = "no run yet" if found is None else f"{counted(len(found.members), 'object')} in the newest run"
    if found and found.members:
        size += f" ({_names(found.members)})"
    radius = "" if fleet.radius == SHADOW else f", radius {fleet.radius}"
    return f"fleet {fleet.id} {fleet.name!r} is {what}: {size}, volume {fleet.volume}{radius}"


def notes_on(held: Held) -> list[str]:
    """Return what the newest run lacks of a fleet's numbers, and that its pattern fits nothing."""
    found = held.members
    notes = []
    if found and found.unknown:
        notes.append(f"not in the newest run: {_some(list(map(str, found.unknown)), _SHOWN_UNKNOWN)}")
    return notes + ([pattern_note(held)] if fits_nothing(held) else [])


def fits_nothing(held: Held) -> bool:
    """Return whether a fleet has a pattern that fits no name of the newest run."""
    fleet, found = held
    if found is None or not fleet.name_pattern:
        return False
    return not any(map(name_filter(fleet.name_pattern), (one.name for one in found.members)))


def pattern_note(held: Held) -> str:
    """Return that the pattern of a fleet fits no name."""
    return f"the pattern {held.fleet.name_pattern!r} matches no object of the newest run"


def look_notes(held: Held, looked_at: Sequence[FleetMember], run_id: str) -> list[str]:
    """Return where the newest run searched a fleet otherwise than the next one will."""
    if held.members is None or not (held.members.members or held.members.unknown):
        return []
    if not looked_at:
        return [_not_looked(held.fleet.name, run_id)]
    then = {one.norad_id: _asked(one.volume) for one in looked_at}
    now = {one.norad_id: one.volume for one in held.members.members}
    known = [one for one in looked_at if one.found and one.norad_id in now]
    notes = []
    if others := sorted({one.volume for one in known if now[one.norad_id] != then[one.norad_id]}):
        notes.append(
            f"the newest run, {run_id}, has searched some of its objects in other volumes "
            f"({_some(others, 3)}); the next one uses those above"
        )
    if new := [number for number in now if number not in then]:
        notes.append(f"the newest run, {run_id}, has not searched {_some(list(map(str, new)), 5)}")
    return notes


def why_empty(view: FleetView) -> str:
    """Return why the newest run has no events of a fleet: it found none, or did not search."""
    if not view.members:
        return _not_looked(view.fleet.name, view.run_id)
    there = sum(one.found for one in view.members)
    if not there:
        return f"The newest run, {view.run_id}, has none of the objects of the fleet {view.fleet.name!r}."
    return (
        f"The newest run, {view.run_id}, found nothing inside the volumes of the fleet {view.fleet.name!r} "
        f"({counted(there, 'object')})."
    )


def _not_looked(name: str, run_id: str) -> str:
    return f"The newest run, {run_id}, has not searched the fleet {name!r}; the next one will."


def _asked(volume: str) -> str:
    """Return the volume that was asked for: the regime of the handbook's comes from the object."""
    return _HANDBOOK if volume.startswith(f"{_HANDBOOK} ") else volume


def _names(members: Sequence[Member]) -> str:
    return _some([f"{one.norad_id} {one.name}" for one in members], _SHOWN_NAMES)


def _some(texts: Sequence[str], most: int) -> str:
    more = len(texts) - most
    return ", ".join(texts[:most]) + (f" and {more:,} more" if more > 0 else "")
