"""Plans: kept in order, dropped one by one, sealed; a store of the form before gets their table."""

import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from screening.errors import NoSuch, TooMany
from storage.state import records, sealed_rows, tables
from storage.state.alerts.plans import MOST_OF_AN_EVENT, drop_plan, keep_plan, newest_plans, plans_of
from storage.state.database import SERVICE_STATE, service_state
from storage.state.records import Plan
from storage.state.tables import ServiceStateError

NOW = datetime(2026, 11, 21, 6, 0, 0, 123456, tzinfo=UTC)
EVENT = 3896461733156320


def chosen(event_id: int = EVENT) -> Plan:
    """Return a plan as it should be stored, but for its id."""
    burns = ("2026-11-21T12:00:00.5Z,0.0,-0.0325,0.0", "2026-11-21T13:00:00Z,0.01,0.0,0.0")
    then = ("20261121T060000Z", NOW, 62.5, 1.26e-4, None, 0.0)
    who = (17842, "COSMOS 1867", 40911, "COSMOS 1867 DEB")
    return Plan(0, event_id, *who, burns, 1e-6, 3.0, 5.0, 0.01, 1.0, *then, NOW, "desk", 3)


def keep(store: Path, one: Plan) -> Plan:
    values = one._asdict()
    del values["id"]
    return keep_plan(store, values)


def test_they_are_kept_in_order_and_dropped_one_by_one(store: Path) -> None:
    assert plans_of(store, EVENT) == newest_plans(store, 5) == []
    first, second, other = (keep(store, chosen(event)) for event in (EVENT, EVENT, 5))
    assert first == chosen()._replace(id=1)
    assert plans_of(store, EVENT) == [first, second]
    assert newest_plans(store, 2) == [other, second]
    drop_plan(store, first.id, EVENT)
    drop_plan(store, other.id)
    assert newest_plans(store, 5) == [second]
    for number, event in ((first.id, EVENT), (second.id, 5), (second.id, 10**30), (9, None)):
        with pytest.raises(NoSuch, match=f"no plan {number}"):
            drop_plan(store, number, event)
    assert newest_plans(store, 5) == [second]


def test_an_event_has_so_many_at_most(store: Path) -> None:
    for _ in range(MOST_OF_AN_EVENT):
        keep(store, chosen())
    with pytest.raises(TooMany, match="drop one first"):
        keep(store, chosen())
    keep(store, chosen(5))


def test_a_damaged_row_is_noticed(store: Path) -> None:
    keep(store, chosen())
    with closing(sqlite3.connect(store / SERVICE_STATE)) as state:
        state.execute("UPDATE plans SET goal = 1e-5")
        state.commit()
    with pytest.raises(ServiceStateError, match="is damaged"):
        plans_of(store, EVENT)
    with pytest.raises(ServiceStateError, match="is damaged"):
        keep(store, chosen())


def test_a_store_of_the_form_before_is_read_and_then_upgraded(
    store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = next(n for n, one in enumerate(tables.MIGRATIONS) if "TABLE plans" in one[0])
    with monkeypatch.context() as earlier:
        earlier.setattr(tables, "MIGRATIONS", tables.MIGRATIONS[:before])
        known = {name: columns for name, columns in records.SEALED.items() if name != "plans"}
        earlier.setattr(sealed_rows, "SEALED", known)
        with service_state(store) as state:
            state.execute(
                "INSERT INTO attempts (started, source, stage) VALUES ('2026-11-20', 'file', 'read')"
            )
    assert plans_of(store, EVENT) == []  # upgraded in memory
    made = keep(store, chosen())
    assert plans_of(store, EVENT) == [made]
    with service_state(store) as state:
        assert state.execute("SELECT started FROM attempts").fetchall() == [("2026-11-20",)]
        assert state.execute("PRAGMA user_version").fetchone() == (len(tables.MIGRATIONS),)
