"""The numbers of an event that readers see, in the order of the table of a report and of the page."""

from functools import cache
from typing import NamedTuple, get_args, get_type_hints

from api.models.geometry import EventObject
from screening.fields import Part, Shown
from screening.risk.conjunctions import FIELDS


class ShownNumber(NamedTuple):
    """A number and how it is shown."""

    field: str  # of an event; of its objects: of EventObject, or of an event behind `primary_`, `secondary_`
    shown: Shown


@cache
def shown_numbers(part: Part) -> tuple[ShownNumber, ...]:
    """Return the numbers of a part of the table: those declared for it."""
    declared = [ShownNumber(field.name, field.seen) for field in FIELDS if field.seen]
    found = [one for one in declared if one.shown.part == part]
    if part == "object":  # both sides show the same
        found = [
            one._replace(field=one.field.removeprefix("primary_"))
            for one in found
            if one.field.startswith("primary_")
        ]
        hints = get_type_hints(EventObject, include_extras=True)
        found += [
            ShownNumber(name, one)
            for name, hint in hints.items()
            for one in get_args(hint)[1:]
            if isinstance(one, Shown)
        ]
    return tuple(sorted(found, key=lambda one: one.shown.place))
