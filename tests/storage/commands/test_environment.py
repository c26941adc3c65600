"""`skysieve environment`: by shell and group, of a run, over runs, and who causes the work."""

import json
from pathlib import Path

from typer.testing import CliRunner

from screening.errors import UsageError
from skysieve.command_line import app
from storage.sky.crowding import COLUMNS, SERIES_COLUMNS
from tests.storage.sky.counted_run import counted_run


def test_in_every_form(store: Path) -> None:
    run = counted_run(store)
    own = [str(one["norad_id"]) for one in run.objects if one["owner"] == "GSFC"]

    def printed(*arguments: str) -> str:
        result = CliRunner().invoke(app, ["environment", *arguments, "--store", str(store)])
        assert result.exit_code == 0, result.output
        return result.output

    rows = json.loads(printed("--by", "type", "--json"))
    assert set(rows[0]) == set(COLUMNS)
    assert {row["kind"] for row in rows} == {"type"}
    assert json.loads(printed("--by", "type", "--json", "--run", run.run_id)) == rows
    (of_run,) = json.loads(printed("--series", "--json"))
    assert set(of_run) == set(SERIES_COLUMNS)
    table = printed().splitlines()
    assert table[0].split("\t")[:4] == ["run_id", "days", "kind", "one"]
    members = [part for number in own for part in ("--norad-id", number)]
    made = CliRunner().invoke(app, ["fleets", "create", "mine", *members, "--store", str(store)])
    assert made.exit_code == 0, made.output
    work = json.loads(printed("--fleet", "mine", "--json"))
    assert work == json.loads(printed("--owner", "gsfc", "--json"))
    assert [one["kind"] for one in work[:2]] == ["all", "within"]
    for wrong in (["--run", "x"], ["--series", "--owner", "GSFC"]):
        result = CliRunner().invoke(app, ["environment", *wrong, "--store", str(store)])
        assert isinstance(result.exception, UsageError)
