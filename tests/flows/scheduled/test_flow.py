"""The Prefect flow makes the run that the plain functions make."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from flows.sources.catalogues import read_file
from storage.reading.newest_run import connect
from storage.state.database import newest_attempts
from tests.runs import make_run

HOURS = 6.0


def _events(store: Path) -> list[tuple[object, ...]]:
    with connect(store) as connection:
        return connection.execute(
            "SELECT * EXCLUDE (run_id, computed_at) FROM conjunctions ORDER BY event_id"
        ).fetchall()


def _refresh(source: Path, store: Path, repository: Path) -> str:
    script = repository / "tests" / "flows" / "refresh_in_harness.py"
    settings = {"SKYSIEVE_WORKERS": "1", "SKYSIEVE_LOOK_AHEAD_HOURS": f"{HOURS:g}", "PYTHONPATH": "."}
    done = subprocess.run(
        [sys.executable, str(script), str(source), str(store)],
        capture_output=True,
        text=True,
        check=False,
        cwd=repository,
        env=os.environ | settings,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split()[-1]


@pytest.mark.slow
def test_the_flow_publishes_what_a_screening_of_the_file_publishes(
    small_catalogue: Path, tmp_path: Path, repository: Path
) -> None:
    run_id = _refresh(small_catalogue, tmp_path / "refreshed", repository)
    (attempt,) = newest_attempts(tmp_path / "refreshed", 5)
    assert (attempt.outcome, attempt.decision, attempt.run_id) == ("published", "file", run_id)
    make_run(read_file(small_catalogue), tmp_path / "screened", start=None, hours=HOURS)
    found = _events(tmp_path / "refreshed")
    assert len(found) > 3
    assert found == _events(tmp_path / "screened")
