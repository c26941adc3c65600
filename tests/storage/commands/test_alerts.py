"""`skysieve alerts`: made, listed, switched, rotated, removed; what is wrong is refused."""

import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from storage.state.alerts.alerts import alert, alerts
from storage.state.fleet_rules import FleetObject, NewFleet
from storage.state.fleets import create_fleet
from tests.made_up_run import make_run, publish
from tests.storage.commands.told import Told

HOOK = "https://example.org/hook"


@pytest.fixture
def told(store: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Told:
    """Give commands on a store with a fleet."""
    create_fleet(store, NewFleet("my fleet", (FleetObject(5),)), datetime.now(UTC))
    return Told("alerts", store, monkeypatch, capsys)


def test_an_alert_is_made_listed_switched_and_removed(told: Told, store: Path) -> None:
    limits = ("--level", "critical", "--near", "none", "--digest", 12)
    secret = told("add", "--fleet", "MY FLEET", "--to", HOOK, *limits, "--daily")
    assert alert(store, 1).secrets == (secret.strip(),)
    assert told.err.startswith("Alert 1 notifies https://example.org/*** about the fleet my fleet.")
    made = json.loads(told("add", "--fleet", 1, "--to", "a@b.example", "--min-probability", "1e-6", "--json"))
    assert (made["channel"], made["min_probability"], made["secret"]) == ("email", 1e-6, None)
    listed = json.loads(told("list", "--json"))
    assert [one["id"] for one in listed] == [1, 2]
    assert (listed[0]["level"], listed[0]["near_m"], listed[0]["digest_hours"], listed[0]["daily"]) == (
        *("critical", None, 12.0, True),
    )
    assert (listed[1]["level"], listed[1]["near_m"]) == ("high", 500.0)
    assert secret.strip() not in told("list", "--json") + told("list")
    assert told("off", 1, "--reason", "moved") == "Alert 1 is off.\n"
    assert json.loads(told("list", "--json"))[0]["off_reason"] == "moved"
    assert told("on", 1) == "Alert 1 is on.\n"
    rotated = told("rotate", 1).strip()
    assert alert(store, 1).secrets == (rotated, secret.strip())
    assert told("remove", 1) == "Alert 1 is removed.\n"
    assert [one.id for one in alerts(store)] == [2]
    for command in ("remove", "on", "off", "rotate"):
        told(command, 1, code=2)
        assert "There is no alert 1" in told.err


def test_scripts_that_say_a_level_of_earlier_releases_go_on(told: Told) -> None:
    made = json.loads(told("add", "--fleet", 1, "--to", "a@b.example", "--risk", "medium", "--json"))
    assert (made["level"], made["near_m"]) == ("medium", 1000.0)


@pytest.mark.parametrize(
    "words",
    [
        ("--fleet", "nobody", "--to", HOOK),
        ("--fleet", 1, "--to", "http://169.254.169.254/latest"),
        ("--fleet", 1, "--to", "file:///etc/passwd"),
        ("--fleet", 1, "--to", "a@b.example\nBcc: c@d.example"),
        ("--fleet", 1, "--to", "a" * 10_000),
        ("--fleet", 1, "--to", HOOK, "--channel", "email"),
        ("--fleet", 1, "--to", HOOK, "--min-probability", "nan"),
        ("--fleet", 1, "--to", HOOK, "--near", "0"),
        ("--fleet", 1, "--to", HOOK, "--near", "far"),
        ("--fleet", 1, "--to", HOOK, "--level", "none"),
        ("--fleet", 1, "--to", HOOK, "--risk", "high", "--near", "500"),
        ("--fleet", 1, "--to", HOOK, "--min-probability", 0),
        ("--fleet", 1, "--to", HOOK, "--digest", 0),
        ("--fleet", 1, "--to", HOOK, "--digest", -1),
        ("--fleet", 1, "--to", HOOK, "--digest", 1e9),
        ("--fleet", 1, "--to", HOOK, "--digest", "nan"),
        ("--fleet", 1, "--to", HOOK, "--risk", "none"),
    ],
)
def test_what_is_wrong_is_refused(told: Told, store: Path, words: tuple[object, ...]) -> None:
    told("add", *words, code=2)
    assert 0 < len(told.err) < 1500
    assert alerts(store) == ()


@pytest.mark.parametrize("historic", [True, False])
def test_an_alert_in_a_historic_store_is_said_to_stay_silent(told: Told, store: Path, historic: bool) -> None:
    made_up = make_run()
    publish(store, made_up._replace(run=replace(made_up.run, historic=historic)))
    told("add", "--fleet", 1, "--to", HOOK)
    said = "is historic, and historic runs send nothing; to try alerts, screen the output of `skysieve synth`"
    assert (said in told.err) == historic


def test_e_mail_without_a_mail_server_is_noted(told: Told, monkeypatch: pytest.MonkeyPatch) -> None:
    note = "note: no e-mail is sent without a mail server: set SKYSIEVE_SMTP_HOST"
    json.loads(told("add", "--fleet", 1, "--to", "a@b.example", "--json"))
    assert told.err.startswith(note)
    told("add", "--fleet", 1, "--to", HOOK)
    assert note not in told.err
    monkeypatch.setenv("SKYSIEVE_SMTP_HOST", "mail.example.org")
    told("add", "--fleet", 1, "--to", "c@b.example")
    assert note not in told.err
