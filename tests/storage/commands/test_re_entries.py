"""`skysieve re-entries`: as a table, JSON and CSV, and of a fleet."""

import csv
import io
import json
from pathlib import Path

from typer.testing import CliRunner

from skysieve.command_line import app
from storage.sky.lists import COLUMNS
from tests.made_up_run import make_run, publish
from tests.storage.sky.planted_decays import plant


def printed(*arguments: str) -> str:
    result = CliRunner().invoke(app, ["re-entries", *arguments])
    assert result.exit_code == 0, result.output
    return result.output


def test_the_list_in_every_form(store: Path) -> None:
    run_id = publish(store, make_run())
    numbers = sorted(int(number) for number in make_run().elements["norad_id"][:3])
    plant(store, run_id, dict(zip(numbers, (40.0, 3.0, 700.0), strict=True)))
    where = ("--store", str(store))
    rows = json.loads(printed("--json", *where))
    assert [row["norad_id"] for row in rows] == [numbers[1], numbers[0]]
    assert set(rows[0]) == set(COLUMNS)
    listed = list(csv.DictReader(io.StringIO(printed("--csv", "--days", "1000", *where))))
    assert [int(row["norad_id"]) for row in listed] == [numbers[1], numbers[0], numbers[2]]
    assert str(numbers[2]) in printed("--object", str(numbers[2]), "--days", "1000", *where)
    made = CliRunner().invoke(app, ["fleets", "create", "mine", "--norad-id", str(numbers[0]), *where])
    assert made.exit_code == 0, made.output
    result = CliRunner().invoke(app, ["re-entries", "--json", "--fleet", "mine", *where])
    assert [row["norad_id"] for row in json.loads(result.stdout)] == [numbers[0]]
    result = CliRunner().invoke(app, ["re-entries", "--fleet", "mine", *where])
    assert "1 of 1 objects of the fleet decay by drag within 60 days" in result.stderr
