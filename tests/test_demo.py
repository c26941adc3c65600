"""`make demo` without the published week: a synthetic store to look at; never over another store."""

import runpy
from pathlib import Path

import pytest

from storage.reading.newest_run import connect

REPOSITORY = Path(__file__).resolve().parents[1]
pytestmark = pytest.mark.processes


def test_without_data_it_is_synthetic(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(REPOSITORY)
    demo = runpy.run_path(str(REPOSITORY / "deploy" / "demo.py"))
    made = demo["main"]
    made.__globals__.update(PUBLISHED=tmp_path / "nowhere", OBJECTS=300)
    made(tmp_path / "store")
    with connect(tmp_path / "store") as connection:
        assert connection.execute("SELECT synthetic FROM runs").fetchall() == [(True,)]
    assert [path.name for path in tmp_path.iterdir()] == ["store"]
    with pytest.raises(SystemExit, match="exists: remove it"):
        made(tmp_path / "store")
