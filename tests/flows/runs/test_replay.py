"""`skysieve screen --as-of`: a replay is a run of its time, and never replaces one of the present."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from typer.testing import CliRunner

from flows.runs.run import Request, Stages, run_catalogue
from flows.settings import FlowSettings
from flows.sources.files import read_file
from flows.sources.history import read_history
from screening.errors import StoreError
from skysieve.command_line import app
from storage.histories.incoming import import_histories
from storage.reading.element_history import element_history
from storage.reading.newest_run import connect
from tests.runs import SILENT
from tests.storage.histories.made_up import START, history, seen_table

NOW = datetime(2026, 11, 26, tzinfo=UTC)
BEGIN = START.replace(tzinfo=UTC)
AS_OF = BEGIN + timedelta(hours=13)  # three looks, the last at 15 h, are seen at 3 and 9 h and too late


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """Give a store with a short made-up history."""
    path = tmp_path / "history.csv"
    path.write_text(seen_table(history(30, 3)))
    import_histories(tmp_path / "store", [path], NOW)
    return tmp_path / "store"


def replay(store: Path, as_of: datetime = AS_OF) -> str:
    settings = FlowSettings(store=store, workers=1)
    request = Request(None, 1.0, 10.0, as_of=as_of)
    return run_catalogue(read_history(store, as_of), request, settings, Stages(SILENT.stage), SILENT).run_id


@pytest.mark.slow
def test_a_replay_is_a_run_of_its_time(store: Path) -> None:
    assert replay(store) == "20260501T130000Z"
    with connect(store) as connection:
        (row,) = connection.execute(
            "SELECT replay, historic, window_start, started, finished > started AND finished < started + "
            "INTERVAL 1 HOUR, catalogue_decision FROM runs"
        ).fetchall()
        epochs = connection.execute("SELECT min(epoch), max(epoch), count(*) FROM elements").fetchall()
    then = AS_OF.replace(tzinfo=None)
    assert row == (True, True, then, then, True, "history")
    six = START + timedelta(hours=6)
    half_a_step = timedelta(milliseconds=0.5)
    assert abs(epochs[0][0] - six) < half_a_step
    assert abs(epochs[0][1] - six - timedelta(minutes=29)) < half_a_step
    assert epochs[0][2] == 30
    with connect(store) as connection:
        assert connection.execute("SELECT count(*) FROM element_history").fetchone() == (90,)


def test_errors_of_sets_rest_on_what_was_known(store: Path) -> None:
    elements = read_history(store, AS_OF).content.elements
    assert len(element_history(store, elements, AS_OF)) == 60
    late = read_history(store, AS_OF + timedelta(days=1)).content.elements
    assert len(element_history(store, late)) == 90
    assert (
        len(element_history(store, late, BEGIN + timedelta(hours=4))) == 60
    )  # each one's own, and the first


@pytest.mark.slow
def test_a_replay_never_replaces_the_present(
    store: Path, small_catalogue: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    replay(store)
    later = replay(store, AS_OF + timedelta(hours=3))
    assert later == "20260501T160000Z"
    assert replay(store) == "20260501T130000Z-002"  # the newest is the last made
    settings = FlowSettings(store=store, workers=1)
    present = run_catalogue(
        read_file(small_catalogue), Request(None, 1.0, 10.0), settings, Stages(SILENT.stage), SILENT
    ).run_id
    with pytest.raises(StoreError, match=f"holds the run {present}, which is not a replay"):
        replay(store)
    with connect(store) as connection:
        assert connection.execute("SELECT DISTINCT run_id FROM elements").fetchall() == [(present,)]


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["gp.csv", "--as-of", "2026-05-01"],
        ["--as-of", "2026-05-01", "--primary", "25544"],
        ["--as-of", "x"],
    ],
    ids=range(4),
)
def test_wrong_usage(store: Path, arguments: list[str]) -> None:
    result = CliRunner().invoke(app, ["screen", *arguments, "--store", str(store)])
    assert result.exit_code != 0
    assert "--as-of" in str(result.exception)
