"""The example of docs/manoeuvres.md runs from beginning to end, and its numbers are those of the text."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest


class Done(NamedTuple):
    """What the blocks of the document printed, and where they ran."""

    printed: list[str]
    folder: Path


@pytest.fixture(scope="module")
def done(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> Done:
    folder = tmp_path_factory.mktemp("document")
    document = (repository / "docs" / "manoeuvres.md").read_text()
    environment = os.environ | {
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "PYTHONPATH": str(repository),
    }
    printed = []
    for text in re.findall(r"```sh\n(.*?)```", document, re.DOTALL):
        run = subprocess.run(
            ["sh", "-ec", text], cwd=folder, env=environment, capture_output=True, text=True, check=False
        )
        assert run.returncode == 0, run.stderr
        printed.append(run.stdout)
    return Done(printed, folder)


@pytest.mark.slow
def test_the_event_is_the_one_of_the_text(done: Done) -> None:
    assert len(done.printed) == 5
    (event,) = (line.split("\t") for line in done.printed[0].splitlines() if line.startswith("7910478"))
    assert "900000495" in event
    assert any(field.startswith("3.5") and field.endswith("e-05") for field in event)


@pytest.mark.slow
def test_two_centimetres_a_second_do_not_help(done: Done) -> None:
    before, burn = (line.split("\t") for line in done.printed[1].splitlines()[2:4])
    assert (before[3], burn[3]) == ("72", "60")
    assert float(burn[4]) >= float(before[4])


@pytest.mark.slow
def test_the_search_finds_the_burn_of_the_text(done: Done) -> None:
    best = next(line.split("\t") for line in done.printed[2].splitlines() if line.startswith("best 1"))
    assert round(float(best[1]), 1) == 21.2
    assert best[2].startswith("0/-0.041")
    assert float(best[4]) < 1e-6
    assert "<svg" in (done.folder / "what_if.html").read_text()


@pytest.mark.slow
def test_the_path_that_is_handed_on_avoids_the_debris(done: Done) -> None:
    assert "Hypothetical: after a burn at 2026-01-01T00:00:10" in (done.folder / "burnt.oem").read_text()
    answer = json.loads((done.folder / "after.json").read_text())
    debris = [one for one in answer["events"] if one["secondary_norad_id"] == 900000495]
    event = min(debris, key=lambda one: one["miss_distance_m"])
    assert 800.0 < event["miss_distance_m"] < 900.0
    assert event["probability_best"] < 1e-6
