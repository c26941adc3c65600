"""Who gives way in an encounter, in one sentence."""

from screening.answers import answer
from screening.risk.objects.bodies.right_of_way import Mover, right_of_way
from screening.vocabulary import ManoeuvreClass, RightOfWay
from storage.rows.words.event import SIDES, Row, name_of

SOURCE = "Space Safety Coalition (2023), rules of the road: custom, not law; any agreement goes before it."
_HOW: dict[ManoeuvreClass, str] = {
    "none": "cannot manoeuvre",
    "minimal": "hardly can",
    "manual": "moves by command",
    "automated": "avoids collisions by itself",
    "crewed": "is steered by its crew and from the ground",
}


@answer(
    gives_way="secondary",
    primary_class="manual",
    primary_reason="manoeuvre seen on 2024-10-28",
    secondary_class="automated",
    secondary_reason="its constellation avoids collisions by itself",
    words="By custom STARLINK-1008 gives way: it avoids collisions by itself, SKYSAT-C12 moves by command.",
)
class WhoGivesWay:
    """Who gives way by the customs of operators, which are no law."""

    gives_way: RightOfWay
    """primary, secondary, agree (both can, so they agree), neither, unknown."""
    primary_class: ManoeuvreClass
    """How the primary can avoid another: none, minimal (by drag), manual (by command), automated, crewed,
    unknown."""
    primary_reason: str
    """How that is known."""
    secondary_class: ManoeuvreClass
    """As primary_class, of the secondary."""
    secondary_reason: str
    """How that is known."""
    words: str
    """The same in one sentence."""
    source: str = SOURCE
    """Whose custom it is."""


def who_gives_way(row: Row, primary: Mover, secondary: Mover) -> WhoGivesWay:
    """Return who gives way in an event, and why."""
    gives_way = right_of_way(primary.manoeuvre_class, secondary.manoeuvre_class)
    words = _words(row, gives_way, (primary, secondary))
    return WhoGivesWay(gives_way, *primary[:2], *secondary[:2], words)


def _words(row: Row, gives_way: RightOfWay, movers: tuple[Mover, Mover]) -> str:
    first, second = (f"{name_of(row, side)} ({one.reason})" for side, one in zip(SIDES, movers, strict=True))
    if gives_way == "neither":
        return f"No one can give way: neither {first} nor {second} can manoeuvre."
    if gives_way == "agree":
        return (
            f"Neither has the right of way: {first} and {second} are of the same class, "
            "so their operators agree who moves."
        )
    if gives_way == "unknown":
        said = zip((first, second), movers, strict=True)
        unknown = " or ".join(text for text, one in said if one.manoeuvre_class == "unknown")
        return f"Who gives way is unknown, as no one here knows whether {unknown} can manoeuvre."
    by, to = (0, 1) if gives_way == "primary" else (1, 0)
    moving, staying = name_of(row, SIDES[by]), name_of(row, SIDES[to])
    if movers[to].manoeuvre_class == "crewed":
        return f"By custom {moving} gives way: {staying} has a crew on board."
    if movers[to].manoeuvre_class == "none":
        return f"By custom {moving} gives way: {staying} cannot manoeuvre ({movers[to].reason})."
    how, other = (_how(movers[place]) for place in (by, to))
    return f"By custom {moving} gives way: it {how}, {staying} {other}."


def _how(one: Mover) -> str:
    how = _HOW[one.manoeuvre_class]
    return f"{how} ({one.reason})" if one.said else how
