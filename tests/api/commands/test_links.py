"""`skysieve links`."""

import json
from pathlib import Path

from typer.testing import CliRunner, Result

from api.errors import BadParameter
from skysieve.command_line import app
from storage.state.operators.links import NoSuchLink
from storage.state.whose.audit import entries
from tests.made_up_run import make_run, publish


def run(store: Path, *arguments: str) -> Result:
    return CliRunner().invoke(app, [*arguments, "--store", str(store)])


def test_a_link_is_made_listed_and_revoked(store: Path) -> None:
    publish(store, make_run())
    event = str(json.loads(run(store, "events", "--limit", "1", "--json").stdout)[0]["id"])
    made = json.loads(run(store, "links", "make", event, "--json").stdout)
    assert made["url"].startswith(f"http://127.0.0.1:7373/conjunctions/{event}/shared?key=skysieve_link_1_")
    assert isinstance(run(store, "links", "make", event, "--expires", "2020-01-01").exception, BadParameter)
    (listed,) = json.loads(run(store, "links", "list", "--json").stdout)
    assert (listed["id"], listed["event_id"], listed["ended"]) == (1, int(event), False)
    assert "skysieve_link" not in str(listed)
    assert json.loads(run(store, "links", "list", "--event-id", "5", "--json").stdout) == []
    assert isinstance(run(store, "links", "revoke", event, "2").exception, NoSuchLink)
    assert run(store, "links", "revoke", event, "1").exit_code == 0
    (listed,) = json.loads(run(store, "links", "list", "--json").stdout)
    assert listed["ended"]
    assert [(one.operation, one.result) for one in entries(store)] == [
        ("links revoke", "done"),
        ("links revoke", "refused"),
        ("links make", "refused"),
        ("links make", "done"),
    ]
