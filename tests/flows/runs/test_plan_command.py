"""`skysieve plan` says what a run would take; a run that would not fit does not begin."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from flows.commands.plan import app
from flows.runs.forecast import DoesNotFit
from flows.runs.run import Request, Stages, run_catalogue
from flows.settings import FlowSettings
from flows.sources.catalogues import read_file
from tests.runs import SILENT, START


def planned(catalogue: Path, tmp_path: Path, *more: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, [str(catalogue), "--store", str(tmp_path / "store"), *more])
    return result.exit_code, result.stdout, result.stderr


def test_every_number_of_the_plan(small_catalogue: Path, store: Path, tmp_path: Path) -> None:
    code, output, _ = planned(small_catalogue, tmp_path, "--hours", "24", "--workers", "1", "--json")
    told = json.loads(output)
    assert code == 0
    assert told["objects"] == 600
    assert (told["hours"], told["threshold_km"], told["threads"]) == (24.0, 10.0, 1)
    assert told["remote"] is False
    assert told["tasks"] == told["windows"] >= 1
    assert told["blocks"] == 1
    assert 0 < told["search_s"] < told["published_s"]
    assert told["published_s"] >= told["start_s"] + told["objects_s"] + told["events_s"]
    assert 0 < told["process_bytes"] < told["process_available_bytes"]
    assert 0 < told["disk_bytes"] < told["disk_free_bytes"]
    assert told["fits"] is True
    assert told["problems"] == []
    assert not store.exists()


def test_the_plan_for_a_reader(small_catalogue: Path, tmp_path: Path) -> None:
    code, output, _ = planned(small_catalogue, tmp_path, "--workers", "64")
    rows = dict(line.split("\t", 1) for line in output.splitlines())
    assert code == 0
    assert rows["Threads that search"] == "64 of a cluster"
    assert rows["Fits"] == "yes"
    assert rows["Plan"].endswith(" h")


def test_a_plan_that_does_not_fit_says_what_would(
    small_catalogue: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SKYSIEVE_MAX_EVENTS", "10")
    code, output, errors = planned(small_catalogue, tmp_path, "--threshold-km", "50")
    assert code == 1
    assert "SKYSIEVE_MAX_EVENTS allows 10" in output
    assert "This would fit: --threshold-km " in errors


@pytest.mark.slow
def test_a_run_that_would_not_fit_does_not_begin(
    small_catalogue: Path, store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("flows.runs.planning.available_memory_bytes", lambda: 1e6)
    settings = FlowSettings(store=store, workers=2)
    stages: list[str] = []
    reporter = SILENT._replace(progress=lambda _done, _of: stages.append("searched"))
    with pytest.raises(DoesNotFit, match=r"0\.0 GB are available.*the store is unchanged"):
        run_catalogue(
            read_file(small_catalogue),
            Request(START, 24.0, 10.0),
            settings,
            Stages(SILENT.stage),
            reporter,
        )
    assert stages == []
    assert not (store / "current.json").exists()
