"""Facts that a release before cross-sections has stored: brought up to date, and no damage sealed."""

import hashlib
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest

from storage.state import sealed_rows, tables
from storage.state.database import SERVICE_STATE, service_state
from storage.state.object_facts import is_newest_import, override_radius, read_facts
from storage.state.tables import ServiceStateError

NOW = datetime(2026, 11, 21, 6, tzinfo=UTC)
SATCAT = b"NORAD_CAT_ID,OBJECT_TYPE,OPS_STATUS_CODE\n5,PAY,+\n6,DEB,\n"


def test_a_store_that_holds_defaults_and_no_cross_sections_is_brought_up_to_date(
    store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old_store(store, monkeypatch)
    assert read_facts(store).radii.tolist() == [(5, 1.0)]  # upgraded in memory
    assert read_facts(store).satcat["object_type"].tolist() == ["payload", "debris"]
    override_radius(store, 9, 1.0, NOW)  # upgraded in the file
    facts = read_facts(store)
    assert facts.radii.tolist() == [(5, 1.0)]
    assert np.isnan(facts.satcat["rcs_m2"]).all()
    # The same SATCAT counts as new, since its cross-sections are not there yet.
    assert not is_newest_import(store, SATCAT)


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE satcat SET status = 'decayed' WHERE norad_id = 5",
        "DELETE FROM satcat WHERE norad_id = 6",
        "UPDATE hard_body_radii SET radius_m = 2 WHERE norad_id = 5",
        "DELETE FROM hard_body_radii WHERE norad_id = 7",
    ],
)
def test_bringing_it_up_to_date_seals_no_damage(
    store: Path, monkeypatch: pytest.MonkeyPatch, damage: str
) -> None:
    old_store(store, monkeypatch)
    with closing(sqlite3.connect(store / SERVICE_STATE)) as state:
        state.execute(damage)
        state.commit()
    for _ in range(2):
        with pytest.raises(ServiceStateError, match="is damaged"):
            read_facts(store)
        override_radius(store, 9, 1.0, NOW)


def old_store(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Write the facts as the release before cross-sections did."""
    columns = {"satcat": "norad_id, object_type, status, import_id"}
    with monkeypatch.context() as before:
        before.setattr(tables, "MIGRATIONS", tables.MIGRATIONS[:6])
        before.setattr(sealed_rows, "SEALED", sealed_rows.SEALED | columns)
        with (
            service_state(store) as state,
            sealed_rows.sealed(state, "fact_imports", "satcat", "hard_body_radii"),
        ):
            state.execute(
                "INSERT INTO fact_imports (id, kind, source, sha256, at) VALUES "
                "(1, 'radii', 'r.csv', '1', '2026-11-21T06:00:00Z'), (2, 'satcat', 's.csv', ?, "
                "'2026-11-21T06:00:00Z')",
                (hashlib.sha256(SATCAT).hexdigest(),),
            )
            state.execute(
                "INSERT INTO hard_body_radii (norad_id, radius_m, estimate, import_id) VALUES "
                "(5, 1.0, 'measured', 1), (6, 4.1, 'Default', 1), (7, 1.1, 'Default', 1)"
            )
            state.execute(
                "INSERT INTO satcat (norad_id, object_type, status, import_id) VALUES "
                "(5, 'payload', 'operational', 2), (6, 'debris', NULL, 2)"
            )
