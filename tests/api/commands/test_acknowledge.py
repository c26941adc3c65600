"""`skysieve acknowledge`."""

import json
from pathlib import Path

from typer.testing import CliRunner, Result

from api.errors import NotFound
from skysieve.command_line import app
from storage.state.alerts.acknowledgements import OtherHasIt, standing
from tests.made_up_run import make_run, publish


def run(store: Path, *arguments: str) -> Result:
    return CliRunner().invoke(app, ["acknowledge", *arguments, "--store", str(store)])


def test_an_event_is_taken_on_taken_over_and_let_go(store: Path) -> None:
    publish(store, make_run())
    listed = CliRunner().invoke(app, ["events", "--limit", "1", "--json", "--store", str(store)])
    event = str(json.loads(listed.stdout)[0]["id"])
    taken = run(store, event, "--name", "Ana", "--note", "Asked")
    assert taken.stdout.startswith("Ana has had this since ")
    assert taken.stdout.endswith(" Z: Asked.\n")
    assert isinstance(run(store, event, "--name", "Bo").exception, OtherHasIt)
    over = json.loads(run(store, event, "--name", "Bo", "--take-over", "--json").stdout)
    assert (over["name"], over["made_by"], over["event_id"]) == ("Bo", "command line", int(event))
    assert [one.id for one in standing(store)] == [over["id"]]
    assert run(store, event, "--name", "Bo", "--withdraw").exit_code == 0
    assert standing(store) == []
    assert isinstance(run(store, "5", "--name", "Ana").exception, NotFound)
