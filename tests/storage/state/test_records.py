"""Every table of `service.sqlite` is as its record says: the migrations and the records never disagree."""

import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from types import NoneType
from typing import Any, get_args, get_type_hints

import pytest

from storage.state import records
from storage.state.records import ALERTS, CREDENTIALS, SEALED, Table
from storage.state.tables import upgrade

TABLES = [value for value in vars(records).values() if isinstance(value, Table)]
# What SQLite stores for the types of a record; a path or a word of a Literal is text.
STORED = {"int": "INTEGER", "bool": "INTEGER", "float": "REAL", "bytes": "BLOB"}


@pytest.fixture
def state() -> Any:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        upgrade(connection, Path(":memory:"))
        yield connection


def _in_file(state: sqlite3.Connection, table: Table[Any]) -> dict[str, tuple[str, bool]]:
    """Return the type of each column in the file but its checksum, and whether NULL is allowed."""
    rows = state.execute(f"PRAGMA table_info({table.name})").fetchall()
    return {
        name: (kind, not (required or key)) for _, name, kind, required, _, key in rows if name != "crc32"
    }


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
def test_a_record_has_the_columns_types_and_nulls_of_the_file(
    state: sqlite3.Connection, table: Table[Any]
) -> None:
    in_file = _in_file(state, table)
    assert sorted(table.columns) == sorted(in_file)
    if table.record is tuple:
        return
    for name, hint in get_type_hints(table.record).items():
        if name in table.columns:
            kinds = (
                [one for one in get_args(hint) if one is not NoneType]
                if NoneType in get_args(hint)
                else [hint]
            )
            stored = STORED.get(getattr(kinds[0], "__name__", ""), "TEXT")
            assert in_file[name] == (stored, NoneType in get_args(hint)), name


def test_every_table_with_a_seal_is_declared(state: sqlite3.Connection) -> None:
    in_file = {name for (name,) in state.execute("SELECT name FROM sealed_tables")}
    assert in_file - {"sessions"} == set(SEALED)  # sessions have checksums row by row
    assert {table.name for table in TABLES} - {"sessions"} >= set(SEALED)


def test_what_is_inserted_is_read_again(state: sqlite3.Connection) -> None:
    at = datetime(2026, 11, 21, 6, 0, 1, tzinfo=UTC)
    values = {
        "fleet_id": 4,
        "channel": "webhook",
        "address": "https://ops.example/x",
        "level": "high",
        "near_m": None,
        "min_probability": 1e-6,
        "digest_hours": 0.25,
        "daily": True,
        "created": at,
        "made_by": "desk",
        "secrets": ("whsec_b", "whsec_a"),
        "off_reason": "",
        "manoeuvres": True,
        "acknowledgements": False,
    }
    number = ALERTS.insert(state, values)
    (row,) = state.execute(ALERTS.select)
    absent = {"id": number, "credential_id": None, "off_since": None}
    assert ALERTS.read(row)._asdict() == values | absent
    ALERTS.update(state, number, {"off_since": at, "off_reason": "gone"})
    (row,) = state.execute(ALERTS.select)
    assert (ALERTS.read(row).off_since, ALERTS.read(row).off_reason) == (at, "gone")


def test_when_a_credential_was_last_used_is_not_sealed() -> None:
    assert "last_used" in CREDENTIALS.columns
    assert "last_used" not in CREDENTIALS.sealing
