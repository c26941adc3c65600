"""Whom to ask about the other objects of encounters, as messages say it."""

import logging
from collections.abc import Callable, Sequence
from pathlib import Path

from screening.errors import SkysieveError
from storage.disk.current import read_current
from storage.fleets.whom_to_ask import About, whom_to_ask
from storage.reading.newest_run import connect
from storage.rows.words.whom import Whom
from storage.state.alerts.encounters import Encounter

WhomOfOthers = Callable[[Sequence[Encounter]], dict[int, Whom]]

log = logging.getLogger("skysieve")
_FACTS = "norad_id, object_type, status, owner, state"


def whom_of_others(store: Path, organisation_id: int, known: Sequence[Encounter]) -> dict[int, Whom]:
    """Return whom to ask about the other objects of encounters, by their numbers, for an organisation.

    If the newest run cannot be read, which is logged, its facts count for nothing.
    """
    names = {one.event["other_norad_id"]: one.event["other_name"] for one in known}
    about = {number: About(number, name) for number, name in names.items()}
    try:
        about |= {one.norad_id: one for one in _in_run(store, names)}
    except SkysieveError as error:
        log.warning("Whom to ask goes by fleets and directory alone: %s", error)
    ask = whom_to_ask(store, organisation_id)
    return {number: ask(one) for number, one in about.items()}


def _in_run(store: Path, names: dict[int, str]) -> list[About]:
    if read_current(store) is None:
        return []
    with connect(store) as connection:
        sql = f"SELECT {_FACTS} FROM objects WHERE list_contains(?, norad_id)"  # noqa: S608
        rows = connection.execute(sql, [list(names)]).fetchall()
    return [About(number, names[number], *(fact or "" for fact in facts)) for number, *facts in rows]
