"""How objects can avoid others: what fleets and messages say, else what the newest run knows."""

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from screening.risk.objects.bodies.right_of_way import ByMessage, Mover
from storage.fleets.members import of_first
from storage.state.fleet_rules import NOT_SAID
from storage.state.fleets import fleets
from storage.state.tables import ServiceStateError

log = logging.getLogger("skysieve")

ByOperator = Callable[[int, str], Mover | None]


def said_by_operators(store: Path, organisation_id: int | None) -> ByOperator:
    """Return a function that says by number and name what an organisation's fleets say of an object.

    None as the organisation: all. If fleets cannot be read, which is logged, none says anything.
    """
    try:
        stated = [one for one in fleets(store, organisation_id) if one.manoeuvre_class != NOT_SAID]
    except ServiceStateError as error:
        log.warning("Who gives way is without what fleets say: %s", error)
        stated = []
    return of_first(
        (one, Mover(one.manoeuvre_class, f"says its operator, in the fleet {one.name}", said=True))
        for one in stated
    )


def said_by_message(messages: Sequence[Mapping[str, Any]], norad_id: int) -> ByMessage | None:
    """Return what the newest message that says whether an object can manoeuvre says; None: none does.

    `messages`: rows of storage.message_schema.RECEIVED.
    """
    found = max(_claims(messages, norad_id), key=lambda one: one[0], default=None)
    if found is None:
        return None
    at, can, originator = found
    return ByMessage(can, f"says a message of {originator or 'an unnamed sender'}, {at:%Y-%m-%d}")


def _claims(messages: Iterable[Mapping[str, Any]], norad_id: int) -> Iterable[tuple[datetime, Any, str]]:
    for one in messages:
        for who in ("primary", "secondary"):
            if one[f"{who}_norad_id"] == norad_id and one[f"{who}_manoeuvrable"]:
                yield (
                    one["creation_date"] or one["received_at"],
                    one[f"{who}_manoeuvrable"],
                    one["originator"],
                )
