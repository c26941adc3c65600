"""Who gives way in an encounter, by the customs of operators. They are no law, and any agreement goes before.

Classes and order are those of the Space Safety Coalition (2023, Best Practices for the Sustainability of
Space Operations, rules of the road): what can do more gives way, and those of a class agree with each other.
A crewed spacecraft keeps its path where the other can avoid it by itself or by command, as NASA and SpaceX
agreed (2021, Space Act Agreement for flight safety coordination); it keeps clear of what cannot.
"""

from typing import NamedTuple

from screening.vocabulary import CanManoeuvre, ManoeuvreClass, RightOfWay

# How names begin. What is docked to a station has other names, but the station's number or complex.
_CREWED = ("ISS (", "CSS (", "SOYUZ-MS", "SHENZHOU", "CREW DRAGON", "STARLINER")
# SpaceX to the FCC (semi-annual constellation status reports): avoidance without a person in the loop.
_AUTOMATED = ("STARLINK",)
_BY_DRAG = ("FLOCK ",)  # as in `in_use.py`
_ORDER: tuple[ManoeuvreClass, ...] = ("none", "minimal", "manual", "automated")
_COMMANDED = ("manual", "automated")


class Mover(NamedTuple):
    """How an object can change its path, and how that is known."""

    manoeuvre_class: ManoeuvreClass
    reason: str
    said: bool = False  # by somebody, whom the reason names


class ByMessage(NamedTuple):
    """What the newest message that says so has of an object's keyword MANEUVERABLE."""

    can: CanManoeuvre
    reason: str


def mover(
    name: str,
    status: str | None,
    can: CanManoeuvre | None,
    reason: str,
    *,
    steered: bool = True,
    seen: bool = False,
    operator: Mover | None = None,
    message: ByMessage | None = None,
) -> Mover:
    """Return the class of an object, and why.

    Debris and stages (not `steered`) have none. Then its operator's word counts, then its name, then a
    message, then status and whether it can manoeuvre (None: not known). A message that says no does not
    count against manoeuvres that its element sets show (`seen`).
    """
    if not steered:
        return Mover("none", reason)
    if operator:
        return operator
    if name.startswith(_CREWED):
        return Mover("crewed", "a spacecraft with a crew")
    if name.startswith(_BY_DRAG) and status != "inactive":
        return Mover("minimal", "it changes its path by drag alone")
    said = message is not None and not (message.can == "no" and seen)
    if message and said:
        can, reason = message
    if can == "no":
        return Mover("none", reason, said)
    if can != "yes":
        return Mover("unknown", reason)
    if name.startswith(_AUTOMATED):
        return Mover("automated", "its constellation avoids collisions by itself")
    return Mover("manual", reason, said)


def right_of_way(primary: ManoeuvreClass, secondary: ManoeuvreClass) -> RightOfWay:
    """Return who gives way: one of the two, both as they agree, neither, or unknown."""
    if "unknown" in (primary, secondary):
        return "unknown"
    if primary == secondary:
        return "neither" if primary == "none" else "agree"
    if "crewed" in (primary, secondary):
        other = secondary if primary == "crewed" else primary
        crewed_moves = other not in _COMMANDED
        return "primary" if crewed_moves == (primary == "crewed") else "secondary"
    return "primary" if _ORDER.index(primary) > _ORDER.index(secondary) else "secondary"
