"""Burns that were chosen for events, to be followed over later runs: kept, listed, dropped."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from screening.errors import NoSuch, TooMany
from storage.state.database import bound_id, read_records, service_state
from storage.state.records import PLANS, Plan
from storage.state.sealed_rows import sealed
from storage.times import datetime64_us, parse_time

# Imported where it is used, with numpy: commands print states without.
if TYPE_CHECKING:
    from screening.manoeuvre.impulse import Impulse

MOST_OF_AN_EVENT = 10  # and organisation
_WHOSE = "organisation_id = coalesce(?, organisation_id)"
_OF_EVENT = f"WHERE event_id = ? AND {_WHOSE}"


def keep_plan(store: Path, values: Mapping[str, object]) -> Plan:
    """Store a plan, given as the fields of `Plan` but its id, and return it.

    Raises:
        TooMany: the event has MOST_OF_AN_EVENT.
    """
    event_id, whose = values["event_id"], values["organisation_id"]
    with service_state(store) as state, sealed(state, "plans"):
        ((count,),) = state.execute(f"SELECT count(*) FROM plans {_OF_EVENT}", (event_id, whose))  # noqa: S608
        if count >= MOST_OF_AN_EVENT:
            raise TooMany(f"The event {event_id} has {count} plans, the most it may have: drop one first.")
        number = PLANS.insert(state, values)
        (row,) = state.execute(f"{PLANS.select} WHERE id = ?", (number,))
    return PLANS.read(row)


def plans_of(store: Path, event_id: int, organisation_id: int | None = None) -> list[Plan]:
    """Return the plans of an event, oldest first; with `organisation_id` only its own."""
    return read_records(store, PLANS, f"{_OF_EVENT} ORDER BY id", (event_id, organisation_id))


def newest_plans(store: Path, limit: int, organisation_id: int | None = None) -> list[Plan]:
    """Return so many plans of all events, newest first; with `organisation_id` only its own."""
    whose = f"WHERE {_WHOSE} ORDER BY id DESC LIMIT ?"
    return read_records(store, PLANS, whose, (organisation_id, limit))


def burns_of(plan: Plan) -> "list[Impulse]":
    """Return the burns of a plan by time."""
    from screening.manoeuvre.impulse import Impulse, when_and_parts

    parts = map(when_and_parts, plan.burns)
    return [Impulse(datetime64_us(parse_time(when)), dv_rtn_m_s) for when, dv_rtn_m_s in parts]


def drop_plan(
    store: Path, plan_id: int, event_id: int | None = None, organisation_id: int | None = None
) -> None:
    """Remove a plan, if given: of this event, of this organisation. Raises NoSuch."""
    with service_state(store) as state, sealed(state, "plans"):
        sql = f"DELETE FROM plans WHERE id = ? AND event_id = coalesce(?, event_id) AND {_WHOSE}"  # noqa: S608
        if not state.execute(sql, (plan_id, bound_id(event_id), organisation_id)).rowcount:
            of = "" if event_id is None else f" of the event {event_id}"
            raise NoSuch(f"There is no plan {plan_id}{of}.")
