"""`skysieve sql` reads every table and view that the analyst file shows."""

from pathlib import Path

import pytest

from storage.analyst_file.tables_and_views import VIEWS
from storage.reading.read_only_sql import query
from storage.schema import TABLES
from tests.made_up_run import make_run, publish


def test_nothing_is_spilled_where_it_is_started(
    store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    publish(store, make_run())
    monkeypatch.chdir(tmp_path)
    _, rows = query(store, "SELECT current_setting('temp_directory')")
    ((folder,),) = rows
    assert not Path(folder).is_relative_to(tmp_path)
    assert Path(folder).is_absolute()


@pytest.mark.slow
def test_every_table_and_view_can_be_read(store: Path) -> None:
    # `fleet_events` was listed, and refused: its files lie in a folder of their own.
    publish(store, make_run())
    _, tables = query(store, "SELECT table_name FROM duckdb_tables() WHERE database_name = 'skysieve'")
    _, views = query(store, "SELECT view_name FROM duckdb_views() WHERE NOT internal")
    shown = {str(name) for (name,) in [*tables, *views]}
    assert shown >= TABLES.keys() | VIEWS.keys()
    for name in sorted(shown):
        _, rows = query(store, f"SELECT count(*) FROM {name}")
        ((count,),) = rows
        assert isinstance(count, int), name
