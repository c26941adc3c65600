"""A search through the whole history finds the burns of imported sets; it may be killed, and repeated."""

import json
import os
import signal
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest
from typer.testing import CliRunner

from skysieve.command_line import app
from storage.manoeuvres import whole_history
from storage.manoeuvres.lists import COLUMNS, Wanted, listed
from storage.manoeuvres.whole_history import find_in_history
from tests.storage.manoeuvres.planted import BEGIN, BURN, BURNING, NOW, QUIET, SHOWN, replay, take

two_hours = timedelta(hours=2)


@pytest.fixture
def imported(store: Path, tmp_path: Path) -> Path:
    """Give a store with the sets of five objects, of which one burns, and no run."""
    return take(store, tmp_path)


def rows(store: Path) -> list[dict[str, object]]:
    return [dict(zip(COLUMNS, row, strict=True)) for row in listed(store, Wanted(), 100)[0]]


def files(store: Path) -> list[str]:
    return sorted(path.name for path in (store / "manoeuvres").iterdir())


def test_it_finds_the_burns_of_imported_sets_once(imported: Path) -> None:
    seen: list[tuple[int, int]] = []
    found = find_in_history(imported, NOW, on_sets=lambda done, of: seen.append((done, of)))
    assert found == (1 + len(QUIET), 300, 1)
    assert seen[-1] == (300, 300)
    (row,) = rows(imported)
    assert row["norad_id"] == BURNING
    assert row["run_id"] is None
    assert abs(row["at"] - BURN) < two_hours
    assert row["found_at"] == row["to"], "a history without dates: each set was known at its epoch"
    before = files(imported)
    assert find_in_history(imported, NOW + two_hours).new == 0
    assert files(imported) == before


def test_objects_are_read_in_parts(imported: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(whole_history, "SETS_AT_ONCE", 70)
    seen: list[int] = []
    assert find_in_history(imported, NOW, on_sets=lambda done, _of: seen.append(done)).new == 1
    assert seen == [120, 180, 300] or seen == sorted(seen)
    assert len(seen) > 2


@pytest.mark.slow
def test_runs_and_the_search_store_a_burn_that_is_shown_once(imported: Path) -> None:
    replay(imported, SHOWN)
    assert find_in_history(imported, NOW).new == 1, "what the run found expires, this does not"
    assert len(rows(imported)) == 1
    replay(imported, BEGIN + timedelta(days=40))
    assert len(rows(imported)) == 1
    assert find_in_history(imported, NOW).new == 0


def test_a_store_without_sets_has_none(store: Path) -> None:
    assert find_in_history(store, NOW) == (0, 0, 0)


@pytest.mark.slow
def test_the_command(imported: Path) -> None:
    def said(*arguments: str) -> str:
        result = CliRunner().invoke(app, ["manoeuvres", *arguments, "--store", str(imported)])
        assert result.exit_code == 0, result.output
        return result.stdout

    assert said("--json") == "[]\n"
    (first,) = json.loads(said("--scan", "--json"))
    assert (first["norad_id"], first["run_id"]) == (BURNING, None)
    header, line = said("--csv").splitlines()
    assert header.split(",") == list(COLUMNS)
    assert line.startswith(f"{BURNING},2024-03-2")
    assert json.loads(said("--object", "1001", "--json")) == []
    assert json.loads(said("--object", "1001", "--object", str(BURNING), "--json")) == [first]
    after = (BURN + timedelta(days=1)).isoformat()
    assert json.loads(said("--since", after, "--json")) == []
    assert json.loads(said("--offset", "1", "--json")) == []
    assert str(BURNING) in said("--limit", "1")


@pytest.mark.parametrize(
    ("arguments", "named"),
    [(("--csv", "--json"), "--csv"), (("--since", "x"), "--since"), (("--limit", "0"), None)],
    ids=range(3),
)
def test_wrong_usage(store: Path, arguments: tuple[str, ...], named: str | None) -> None:
    result = CliRunner().invoke(app, ["manoeuvres", *arguments, "--store", str(store)])
    assert result.exit_code != 0
    if named:
        assert named in str(result.exception)


KILLED = """
import os, signal, sys
from pathlib import Path
from storage.manoeuvres import whole_history
from tests.storage.file_events import changes_files
from tests.storage.manoeuvres.planted import NOW
store, fatal, seen = sys.argv[1], int(sys.argv[2]), 0
def on_event(event, arguments):
    global seen
    if changes_files(event, arguments, store):
        seen += 1
        if seen == fatal:
            os.kill(os.getpid(), signal.SIGKILL)
sys.addaudithook(on_event)
whole_history.find_in_history(Path(store), NOW)
print(seen)
"""


@pytest.mark.processes
@pytest.mark.slow
def test_it_may_be_killed_at_any_file_event(imported: Path, repository: Path) -> None:
    def search(fatal: int) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-c", KILLED, str(imported), str(fatal)],
            env={**os.environ, "PYTHONPATH": str(repository)},
            capture_output=True,
            text=True,
            check=False,
        )

    events = 0
    while (done := search(events + 1)).returncode == -signal.SIGKILL:
        events += 1
        assert len(rows(imported)) <= 1
        assert events < 100
    assert done.returncode == 0, done.stderr
    assert events > 2
    assert len(rows(imported)) == 1
    assert find_in_history(imported, NOW).new == 0
    assert all(name.endswith(".parquet") for name in files(imported))
