"""The rows of `service.sqlite`: one changed by anything else is refused, and named."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from storage.state.credentials import (
    create_credential,
    list_credentials,
    record_use,
    revoke_credential,
)
from storage.state.database import SERVICE_STATE
from storage.state.object_facts import (
    clear_override,
    import_facts,
    override_radius,
    read_facts,
    stored_facts,
)
from storage.state.sessions import create_session, digest_of, find_session
from storage.state.tables import ServiceStateError

NOW = datetime(2026, 11, 21, 6, tzinfo=UTC)
SATCAT = b"OBJECT_NAME,NORAD_CAT_ID,OBJECT_TYPE,OPS_STATUS_CODE\nA,5,PAY,+\nB,6,DEB,\n"


@pytest.fixture
def filled(store: Path) -> Path:
    """Give a store with a row or two in every table."""
    create_credential(store, "bearer", "desk", NOW, days=9, per_minute=60)
    create_credential(store, "api-key", "map", NOW)
    import_facts(store, SATCAT, "satcat.csv", NOW)
    override_radius(store, 5, 66.0, NOW)
    override_radius(store, 6, 2.0, NOW)
    return store


def change(store: Path, sql: str) -> None:
    """Change the file behind the back of the code, as a disk does; SQLite itself finds it whole."""
    with closing(sqlite3.connect(store / SERVICE_STATE)) as state:
        state.execute(sql)
        state.commit()


READERS: dict[str, Callable[[Path], object]] = {
    "credentials": list_credentials,
    "satcat": read_facts,
    "hard_body_overrides": lambda store: stored_facts(store, 5),
}
WRITERS: dict[str, Callable[[Path], object]] = {
    "credentials": lambda store: revoke_credential(store, 2, NOW),
    "satcat": lambda store: import_facts(store, SATCAT, "satcat.csv", NOW),
    "hard_body_overrides": lambda store: clear_override(store, 6),
}


@pytest.mark.parametrize(
    ("sql", "row", "table"),
    [
        ("UPDATE credentials SET per_minute = 61 WHERE id = 1", "row 1", "credentials"),
        ("UPDATE credentials SET expires = '2027-11-30T06:00:00Z' WHERE id = 1", "row 1", "credentials"),
        ("UPDATE credentials SET expires = NULL, crc32 = NULL WHERE id = 1", "row 1", "credentials"),
        ("UPDATE credentials SET id = 3 WHERE id = 2", "row 3", "credentials"),
        ("UPDATE satcat SET object_type = 'debris' WHERE norad_id = 5", "row 5", "satcat"),
        ("DELETE FROM satcat WHERE norad_id = 6", "missing", "satcat"),
        ("UPDATE hard_body_overrides SET radius_m = 67 WHERE norad_id = 5", "row 5", "hard_body_overrides"),
        ("DELETE FROM hard_body_overrides WHERE norad_id = 5", "missing", "hard_body_overrides"),
        ("UPDATE hard_body_overrides SET at = CAST(x'ff' AS TEXT)", "", "hard_body_overrides"),
    ],
)
def test_a_row_that_was_not_written_so_is_refused_and_named(
    filled: Path, sql: str, row: str, table: str
) -> None:
    change(filled, sql)
    for ask in (READERS[table], WRITERS[table], READERS[table]):  # to write does not make it good
        with pytest.raises(ServiceStateError, match=rf"is damaged \(.*{row}.*{table}") as damaged:
            ask(filled)
        assert str(filled / SERVICE_STATE) in str(damaged.value)


def test_what_is_written_in_any_order_is_whole(filled: Path) -> None:
    record_use(filled, {1: NOW})
    revoke_credential(filled, 1, NOW)
    import_facts(filled, SATCAT.replace(b"5,PAY,+", b"5,R/B,"), "satcat.csv", NOW)
    override_radius(filled, 5, 3.0, NOW)
    assert clear_override(filled, 6)
    assert [(one.id, one.revoked) for one in list_credentials(filled)] == [(1, NOW), (2, None)]
    assert read_facts(filled).satcat["object_type"].tolist() == ["rocket_body", "debris"]
    assert read_facts(filled).overrides.tolist() == [(5, 3.0)]


def test_a_name_in_the_schema_that_is_no_text_is_damage(filled: Path) -> None:
    """SQLite names it in its message, which Python then could not read: that was a traceback."""
    path = filled / SERVICE_STATE
    path.write_bytes(path.read_bytes().replace(b"recent_requests", b"recent_r\xe5quests", 1))
    for ask in (list_credentials, lambda store: revoke_credential(store, 1, NOW)):
        with pytest.raises(ServiceStateError, match="is damaged") as damaged:
            ask(filled)
        assert str(path) in str(damaged.value)


def test_a_session_that_was_not_written_so_has_ended(filled: Path) -> None:
    desk = list_credentials(filled)[0]
    digest = digest_of(create_session(filled, desk, NOW).secret)
    assert find_session(filled, digest) is not None
    change(filled, "UPDATE sessions SET credential_id = 2")
    assert find_session(filled, digest) is None
