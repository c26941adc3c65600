"""Reports on events that only messages tell: whatever they lack, and not what must not be handed on."""

from datetime import timedelta
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from skysieve.command_line import app
from storage.reading.newest_run import events
from storage.shell.listing import print_events_for_a_reader
from tests.api.conftest import plausible
from tests.made_up_run import make_run, publish
from tests.told_events import BARE, FULL, RESTRICTED, SUMMARISED, tell


@pytest.fixture(scope="module")
def told_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    store = tmp_path_factory.mktemp("told") / "store"
    made_up = plausible(make_run())
    made_up.conjunctions["risk_level"] = 3
    run_id = publish(store, made_up)
    finished = made_up.run.finished
    tell(store, run_id, finished + timedelta(minutes=1), finished + timedelta(hours=5))
    return store


def run(store: Path, *arguments: object) -> Result:
    return CliRunner().invoke(app, [*map(str, arguments), "--store", str(store)])


@pytest.mark.slow
@pytest.mark.parametrize("event_id", [FULL, SUMMARISED, pytest.param(BARE, marks=pytest.mark.slow)])
def test_they_are_reported_in_every_form(told_store: Path, tmp_path: Path, event_id: int) -> None:
    for suffix in (".html", ".png", ".pdf"):
        done = run(told_store, "report", event_id, "--output", tmp_path / f"event{suffix}")
        assert done.exit_code == 0, done.output
    page = (tmp_path / "event.html").read_text(encoding="utf-8")
    assert "No run found this encounter" in page
    assert ("without states" in page) == (event_id == SUMMARISED)
    assert ">nan" not in page
    assert "None" not in page


@pytest.mark.slow
def test_what_must_not_be_handed_on_is_reported_only_if_allowed(told_store: Path, tmp_path: Path) -> None:
    target = tmp_path / "event.html"
    refused = run(told_store, "report", RESTRICTED, "--output", target)
    assert refused.exit_code != 0
    assert "--allow-restricted" in str(refused.exception)
    assert not target.exists()
    done = run(told_store, "report", RESTRICTED, "--output", target, "--allow-restricted")
    assert done.exit_code == 0, done.output
    assert "Restricted:" in target.read_text(encoding="utf-8")
    digest = run(told_store, "report", "--risk", "critical", "--output", target)
    assert digest.exit_code == 0, digest.output
    assert f"event-{RESTRICTED}" not in target.read_text(encoding="utf-8")


def test_the_command_line_lists_and_marks_them(told_store: Path) -> None:
    done = run(told_store, "events", "--limit", 1000)
    assert done.exit_code == 0, done.output
    rows = {line.split("\t")[0]: line for line in done.stdout.splitlines()}
    assert "\tmessage\t" in rows[str(SUMMARISED)]
    assert "\trestricted_message\t" in rows[str(RESTRICTED)]
    query = "SELECT origin, count(*) AS n FROM events GROUP BY 1 ORDER BY 1"
    counted = run(told_store, "sql", query).stdout
    assert "message\t3" in counted
    assert "restricted_message\t1" in counted


def test_a_terminal_shows_them_with_what_they_have(
    told_store: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "250")
    print_events_for_a_reader(events(told_store, limit=1000), told_store)
    said = capsys.readouterr().out
    lines = [f"{line} " for line in said.splitlines()]
    rows = {one: next(line for line in lines if f" {one} " in line) for one in (SUMMARISED, RESTRICTED)}
    assert "message" in rows[SUMMARISED]
    assert "restricted message" in rows[RESTRICTED]
    assert "nan" not in said
    assert "4 of them known only from messages" in said
    assert "does not allow sharing it" in said
