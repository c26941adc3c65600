"""`skysieve tokens`."""

import json
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from screening.errors import UsageError
from skysieve.command_line import app
from storage.state.credentials import create_credential, list_credentials


def run(store: Path, *arguments: str) -> Result:
    return CliRunner().invoke(app, ["tokens", *arguments, "--store", str(store)])


def test_a_token_is_made_shown_once_listed_and_revoked(store: Path) -> None:
    made = run(store, "create", "--kind", "bearer", "--name", "desk")
    assert made.exit_code == 0
    assert re.fullmatch(r"skysieve_bearer_1_\S{43}\n", made.stdout)  # the secret alone, for $( )
    assert "never expires" in made.stderr
    listed = run(store, "list")
    assert "desk" in listed.stdout
    assert made.stdout.strip() not in listed.stdout
    assert run(store, "revoke", "1").exit_code == 0
    (credential,) = json.loads(run(store, "list", "--json").stdout)
    assert credential["revoked"] is not None
    assert set(credential) == {
        "id", "kind", "name", "organisation", "role", "objects",
        "created", "expires", "revoked", "last_used", "per_minute"
    }  # fmt: skip


def test_a_token_as_json(store: Path) -> None:
    before = datetime.now(UTC).replace(microsecond=0)
    arguments = ["--kind", "api-key", "--name", "globe", "--days", "30", "--per-minute", "600", "--json"]
    made = json.loads(run(store, "create", *arguments).stdout)
    assert list(made) == ["id", "kind", "name", "secret", "expires"]
    assert (made["id"], made["kind"], made["name"]) == (1, "api-key", "globe")
    expires = datetime.fromisoformat(made["expires"])
    assert before + timedelta(days=30) <= expires <= datetime.now(UTC) + timedelta(days=30)
    (stored,) = list_credentials(store)
    assert (stored.expires, stored.per_minute) == (expires, 600)


@pytest.mark.parametrize("name", ["", " ", "x" * 101, "two\nlines"])
def test_names_that_are_not_allowed(store: Path, name: str) -> None:
    refused = run(store, "create", "--kind", "bearer", "--name", name)
    assert isinstance(refused.exception, UsageError)
    assert list_credentials(store) == []


def test_only_what_exists_can_be_revoked_and_that_for_good(store: Path) -> None:
    assert isinstance(run(store, "revoke", "7").exception, UsageError)
    create_credential(store, "bearer", "desk", datetime.now(UTC))
    run(store, "revoke", "1")
    (first,) = list_credentials(store)
    run(store, "revoke", "1")
    assert list_credentials(store) == [first]


@pytest.mark.parametrize("kind", ["password", ""])
def test_kinds_that_are_not_there(store: Path, kind: str) -> None:
    assert run(store, "create", "--kind", kind, "--name", "x").exit_code == 2
