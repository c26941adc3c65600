"""What `status` tells of the service: attempts, the age of the catalogue text; with and without a run."""

import hashlib
import json
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from screening.errors import StoreError
from storage.commands.store import app
from storage.disk.downloads import (
    AcceptedText,
    SourceHistory,
    catalogues_locked,
    history_path,
    keep,
    write_history,
)
from storage.messages.origins import MESSAGES
from storage.reading.catalogue_age import catalogue_age
from storage.reading.newest_run import status
from storage.settings import StoreSettings
from storage.shell.service_view import SHOWN_ATTEMPTS, ServiceView, view_service
from storage.shell.status_lines import print_status
from storage.state.alerts.addresses import target
from storage.state.alerts.alerts import NewAlert, create_alert, switch_off
from storage.state.alerts.deliveries import put_test
from storage.state.database import SERVICE_STATE, begin_attempt, end_attempt
from storage.state.fleets import FleetObject, NewFleet, create_fleet

NOW = datetime(2026, 11, 21, 6, tzinfo=UTC)
HOUR = timedelta(hours=1)
URL = "https://celestrak.org/pub/on-orbit.csv"
TEXT = b"a catalogue"
SHA256 = hashlib.sha256(TEXT).hexdigest()


@pytest.fixture
def command(store: Path) -> Callable[..., Result]:
    return lambda *arguments: CliRunner().invoke(app, ["status", *arguments, "--store", str(store)])


def attempt(store: Path, hours: float, outcome: str | None, **how: str) -> None:
    started = NOW + hours * HOUR + timedelta(milliseconds=5)
    number = begin_attempt(store, started, "celestrak", "fetch")
    if outcome is not None:
        end_attempt(store, number, started + HOUR / 60, outcome, **how)


def keep_text(store: Path, downloaded_at: datetime, checked_at: datetime) -> None:
    with catalogues_locked(store, 1.0):
        keep(store, SourceHistory(URL), AcceptedText(SHA256, downloaded_at, checked_at, 10, 1.0), TEXT)


def shown(store: Path, capsys: pytest.CaptureFixture[str], service: ServiceView, *, as_json: bool) -> str:
    print_status(status(store), store, NOW + 5 * HOUR, as_json=as_json, service=service)
    return capsys.readouterr().out


def test_attempts_are_listed_newest_first_and_failed_ones_marked(
    published: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    attempt(
        published, 0, "published", stage="publish", decision="downloaded", reason="10 objects.", run_id="R"
    )
    attempt(published, 1, "failed", reason="no network:\n  nobody answers")
    attempt(published, 2, "skipped", decision="last_good", reason="403")
    attempt(published, 3, None)
    service = view_service(published, None, NOW)
    lines = shown(published, capsys, service, as_json=False).splitlines()
    begin = next(i for i, line in enumerate(lines) if line.startswith("Attempts"))
    assert [line[14:] for line in lines[begin:]] == [
        "2026-11-21T09:00:00Z celestrak in progress or killed, at fetch",
        "2026-11-21T08:00:00Z celestrak skipped (last_good): 403",
        "2026-11-21T07:00:00Z celestrak FAILED at fetch: no network: nobody answers",
        "2026-11-21T06:00:00Z celestrak published R (downloaded): 10 objects.",
    ]
    told = json.loads(shown(published, capsys, service, as_json=True))
    assert [a["outcome"] for a in told["attempts"]] == [None, "skipped", "failed", "published"]
    assert told["attempts"][2] == {
        "id": 2,
        "started": "2026-11-21T07:00:00.005000Z",
        "finished": "2026-11-21T07:01:00.005000Z",
        "source": "celestrak",
        "stage": "fetch",
        "outcome": "failed",
        "decision": None,
        "reason": "no network:\n  nobody answers",
        "run_id": None,
    }
    assert told["run"]["run_id"] == "20261121T060000Z"


def test_who_was_asked_for_messages_is_told(published: Path, capsys: pytest.CaptureFixture[str]) -> None:
    stream = SourceHistory(f"https://api.example{MESSAGES}", requested_at=NOW + HOUR, answered_at=NOW)
    with catalogues_locked(published, 1.0):
        write_history(published, stream)
    service = view_service(published, None, NOW)
    (line,) = (
        line
        for line in shown(published, capsys, service, as_json=False).splitlines()
        if line.startswith("Messages")
    )
    assert line[14:] == (
        "Space-Track: not asked, since no run had a login for it; TraCSS: asked 2026-11-21 06:00 Z; "
        "asked again 2026-11-21 07:00 Z without a usable answer"
    )
    public, told = json.loads(shown(published, capsys, service, as_json=True))["messages"]
    assert (public["name"], public["asked_at"]) == ("Space-Track", None)
    assert (told["asked_at"], told["answered_at"]) == ("2026-11-21T07:00:00Z", "2026-11-21T06:00:00Z")


def test_only_the_last_attempts_are_shown(store: Path) -> None:
    for hours in range(SHOWN_ATTEMPTS + 3):
        attempt(store, hours, "published")
    assert len(view_service(store, None, NOW).attempts) == SHOWN_ATTEMPTS


def test_the_age_of_the_catalogue_text_is_shown(published: Path, capsys: pytest.CaptureFixture[str]) -> None:
    keep_text(published, NOW, NOW)
    line = "downloaded 2026-11-21T06:00:00Z, 5 h 0 min ago"
    service = view_service(published, SHA256, NOW)
    assert f"Catalogue     {line}\n" in shown(published, capsys, service, as_json=False)
    keep_text(published, NOW, NOW + 2 * HOUR)
    service = view_service(published, SHA256, NOW)
    still = f"{line}, still the newest 2026-11-21T08:00:00Z\n"
    assert still in shown(published, capsys, service, as_json=False)
    text = json.loads(shown(published, capsys, service, as_json=True))["catalogue_text"]
    assert (text["sha256"], text["age_s"], text["checked_at"]) == (SHA256, 18_000, "2026-11-21T08:00:00Z")


@pytest.mark.slow
def test_a_catalogue_that_was_no_download_has_no_such_line(
    published: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    keep_text(published, NOW, NOW)
    service = view_service(published, "another", NOW)
    assert "Catalogue" not in shown(published, capsys, service, as_json=False)
    assert json.loads(shown(published, capsys, service, as_json=True))["catalogue_text"] is None


def test_without_a_run_the_attempts_are_shown_and_the_exit_code_is_1(
    command: Callable[..., Result], store: Path
) -> None:
    attempt(store, 0, "failed", reason="celestrak.org cannot be reached")
    result = command()
    assert result.exit_code == 1
    assert isinstance(result.exception, StoreError)
    assert "holds no run yet" in str(result.exception)
    assert result.output.splitlines()[0] == f"Store         {store}"
    assert "FAILED at fetch: celestrak.org cannot be reached" in result.output
    told = json.loads(command("--json").output)
    assert (told["store"], told["runs"], told["run"], told["age_s"]) == (str(store), 0, None, None)
    assert told["attempts"][0]["reason"] == "celestrak.org cannot be reached"


def test_without_run_and_attempts_nothing_is_printed(command: Callable[..., Result], store: Path) -> None:
    result = command("--json")
    assert isinstance(result.exception, StoreError)
    assert result.output == ""
    assert not store.exists()


@pytest.mark.slow
def test_the_command_finds_the_text_of_its_run(command: Callable[..., Result], make, store: Path) -> None:
    made_up = make.run()
    keep_text(store, NOW, NOW)
    make.publish(store, made_up._replace(run=replace(made_up.run, catalogue_sha256=SHA256)))
    attempt(store, 0, "published")
    told = json.loads(command("--json").output)
    assert told["catalogue_text"]["downloaded_at"] == "2026-11-21T06:00:00Z"
    assert len(told["attempts"]) == 1


@pytest.mark.slow
@pytest.mark.parametrize("damaged", ["service state", "history"])
def test_damage_is_reported_and_hides_nothing_else(
    command: Callable[..., Result], published: Path, damaged: str
) -> None:
    attempt(published, 0, "published")
    keep_text(published, NOW, NOW)
    path = published / SERVICE_STATE if damaged == "service state" else history_path(published, URL)
    path.write_bytes(b"not a database" * 1000)
    result = command()
    assert result.exit_code == 0
    assert "Newest run" in result.output
    problem = next(line for line in result.output.splitlines() if line.startswith("Problem"))
    assert str(path) in problem
    (told,) = json.loads(command("--json").output)["problems"]
    assert str(path) in told


def test_fleets_alerts_and_their_messages_are_counted(
    command: Callable[..., Result], published: Path
) -> None:
    assert "Watched" not in command().output
    made = create_fleet(published, NewFleet("mine", (FleetObject(5),)), NOW)
    for name in ("a", "b"):
        create_alert(published, NewAlert(made.id, target(f"{name}@example.org"), "me"), NOW)
    put_test(published, 1, NOW)
    switch_off(published, 2, "by hand", NOW)
    line = "Watched       1 fleet; 2 alerts, 1 off; 1 message waiting, 0 given up within a day\n"
    assert line in command().output
    told = json.loads(command("--json").output)
    assert (told["fleets"], told["alerts"]) == (1, {"total": 2, "off": 1, "waiting": 1, "failed": 0})


@pytest.mark.parametrize(("hours", "said"), [(-3.0, "8 h 0 min ago"), (-30.0, "NO NEW ELEMENT SETS since")])
def test_the_age_of_the_element_sets_is_shown(
    published: Path, capsys: pytest.CaptureFixture[str], hours: float, said: str
) -> None:
    newest = status(published)
    run = replace(
        newest.run, historic=False, catalogue_epoch=NOW + hours * HOUR, catalogue_decision="last_good"
    )
    sets = catalogue_age(run, StoreSettings(store=published), NOW + 5 * HOUR)
    for as_json in (False, True):
        print_status(newest._replace(run=run), published, NOW + 5 * HOUR, as_json=as_json, sets=sets)
    text, _, record = capsys.readouterr().out.partition("{")
    assert said in text
    assert "(last_good)" in text
    told = json.loads("{" + record)
    assert (told["element_sets"], told["newest_epoch_age_s"]) == (sets.state, (5 - hours) * 3600)
