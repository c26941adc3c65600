"""Organisations: whose credentials, fleets, alerts, messages and hypothetical paths are seen by whom."""

from collections.abc import Mapping
from pathlib import Path

from screening.errors import UsageError
from storage.state.database import read_records, service_state
from storage.state.fleet_rules import name_key, one_line
from storage.state.records import ORGANISATIONS, Organisation
from storage.state.sealed_rows import sealed
from storage.vocabulary import FIRST_ORGANISATION

MOST_ORGANISATIONS = 200
LONGEST_NAME = 60
_FIRST = Organisation(FIRST_ORGANISATION, "default")  # of a store that has no file for them yet


def organisations(store: Path) -> list[Organisation]:
    """Return all organisations, oldest first; every store has one."""
    return read_records(store, ORGANISATIONS, "ORDER BY id") or [_FIRST]


def organisation_names(store: Path) -> Mapping[int, str]:
    """Return the names of all organisations by id."""
    return {one.id: one.name for one in organisations(store)}


def organisation(store: Path, name_or_id: str | None) -> Organisation:
    """Return the organisation with a name or an id; None: the only one.

    Raises:
        UsageError: there is none, or there are several and none is named.
    """
    all_of_them = organisations(store)
    if name_or_id is None:
        if len(all_of_them) == 1:
            return all_of_them[0]
        names = ", ".join(one.name for one in all_of_them)
        raise UsageError(f"Say which organisation it is for (`--organisation`): {names}.")
    for one in all_of_them:
        if name_or_id == str(one.id) or name_key(name_or_id) == name_key(one.name):
            return one
    raise UsageError(f"There is no organisation {name_or_id!r}: `skysieve organisations list` shows them.")


def add_organisation(store: Path, name: str) -> Organisation:
    """Add an organisation and return it.

    Raises:
        UsageError: its name is not allowed or taken, or there are too many.
    """
    with service_state(store) as state, sealed(state, ORGANISATIONS.name):
        others = [ORGANISATIONS.read(row) for row in state.execute(ORGANISATIONS.select)]
        if len(others) >= MOST_ORGANISATIONS:
            raise UsageError(f"There are {len(others)} organisations, the most allowed.")
        name = _checked(name, others)
        return Organisation(ORGANISATIONS.insert(state, {"name": name}), name)


def rename_organisation(store: Path, name_or_id: str, name: str) -> Organisation:
    """Give an organisation another name, under which its definitive trajectories are then shown; return it.

    Raises:
        UsageError: there is none, or the new name is not allowed or taken.
    """
    number = organisation(store, name_or_id).id
    with service_state(store) as state, sealed(state, ORGANISATIONS.name):
        all_of_them = [ORGANISATIONS.read(row) for row in state.execute(ORGANISATIONS.select)]
        name = _checked(name, [one for one in all_of_them if one.id != number])
        ORGANISATIONS.update(state, number, {"name": name})
    return Organisation(number, name)


def _checked(name: str, others: list[Organisation]) -> str:
    name = one_line(name, "the name of an organisation", 1, LONGEST_NAME)
    if name.isdecimal():
        raise UsageError(f"{name!r} is not allowed as the name of an organisation: a number would be an id.")
    if name_key(name) in {name_key(one.name) for one in others}:
        raise UsageError(f"An organisation named {name!r} already exists.")
    return name
