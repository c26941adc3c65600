"""The audit log: what is written comes back, is bounded by organisation, and no damage stays unseen."""

import csv
import io
import json
import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from typer.testing import CliRunner

from api.commands.audited import CHANGING
from skysieve.command_line import app
from storage.state.database import SERVICE_STATE, verify_state
from storage.state.tables import ServiceStateError
from storage.state.whose import audit
from storage.state.whose.audit import entries, record

NOW = datetime(2026, 11, 21, 6, tzinfo=UTC)


def test_the_newest_of_each_organisation_stay(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(audit, "KEPT_ENTRIES", 3)
    for number in range(8):
        record(store, NOW + timedelta(hours=number), 1 + (number == 2), "desk", f"POST /x{number}", "201")
        assert verify_state(store / SERVICE_STATE)
    assert [one.operation for one in entries(store)] == ["POST /x7", "POST /x6", "POST /x5", "POST /x2"]
    assert [one.operation for one in entries(store, organisation_id=2)] == ["POST /x2"]
    assert [one.id for one in entries(store, since=NOW + timedelta(hours=6))] == [8, 7]
    assert [one.id for one in entries(store, organisation_id=1, limit=1, offset=1)] == [7]


@pytest.mark.parametrize(
    "damage", ["UPDATE audit SET who = 'nobody' WHERE id = 1", "DELETE FROM audit WHERE id = 2"]
)
def test_damage_is_said_and_later_entries_do_not_seal_it(store: Path, damage: str) -> None:
    for number in range(3):
        record(store, NOW, 1, "desk", f"POST /x{number}", "201")
    with closing(sqlite3.connect(store / SERVICE_STATE)) as state, state:
        state.execute(damage)
    record(store, NOW, 1, "desk", "POST /later", "201")
    with pytest.raises(ServiceStateError, match="is damaged"):
        entries(store)


def run(store: Path, *arguments: str) -> str:
    made = CliRunner().invoke(app, [*arguments, "--store", str(store)])
    assert made.exit_code == 0, made.output
    return made.stdout


def test_commands_are_in_it_with_the_user_of_the_machine(store: Path) -> None:
    run(store, "tokens", "create", "--kind", "bearer", "--name", "desk")
    run(store, "organisations", "add", "Beta")
    run(
        store,
        "tokens",
        "create",
        "--kind",
        "bearer",
        "--name",
        "b",
        "--organisation",
        "Beta",
        "--role",
        "viewer",
    )
    assert CliRunner().invoke(app, ["tokens", "revoke", "9", "--store", str(store)]).exit_code != 0
    run(store, "tokens", "list")
    found = json.loads(run(store, "audit", "--json"))
    assert [(one["operation"], one["object"], one["result"]) for one in found] == [
        ("tokens revoke", "9", "refused"),
        ("tokens create", "bearer b", "done"),
        ("organisations add", "Beta", "done"),
        ("tokens create", "bearer desk", "done"),
    ]
    assert {one["who"].partition(",")[0] for one in found} == {"command line"}
    rows = list(csv.DictReader(io.StringIO(run(store, "audit", "--csv", "--organisation", "Beta"))))
    assert [(one["operation"], one["organisation"]) for one in rows] == [("tokens create", "Beta")]
    assert verify_state(store / SERVICE_STATE)


def test_every_command_that_is_to_be_in_it_exists() -> None:
    names = set()

    def walk(part: object, begin: str) -> None:
        for command in part.registered_commands:  # type: ignore[attr-defined]
            names.add(f"{begin} {command.name or command.callback.__name__}".strip())
        for group in part.registered_groups:  # type: ignore[attr-defined]
            walk(
                group.typer_instance,
                f"{begin} {group.name}".strip() if isinstance(group.name, str) else begin,
            )

    walk(app, "")
    assert names >= CHANGING
