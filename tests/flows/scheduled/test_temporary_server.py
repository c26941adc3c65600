"""Prefect's temporary server does not start: one paragraph, and a store as it was."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from storage.reading.newest_run import current
from tests.made_up_run import make_run, publish


def refresh(store: Path, folder: Path, **settings: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PREFECT_HOME": str(folder / "prefect"), **settings}
    return subprocess.run(
        [sys.executable, "-m", "skysieve", "refresh", "--or-synthetic", "--store", str(store)],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )


def contents(store: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in store.rglob("*") if path.is_file()}


@pytest.mark.slow
def test_a_server_that_does_not_start_in_time(store: Path, tmp_path: Path) -> None:
    """It was a traceback of 68 lines; of the store it said nothing."""
    run_id = publish(store, make_run())
    before = contents(store)
    done = refresh(store, tmp_path, PREFECT_SERVER_EPHEMERAL_STARTUP_TIMEOUT_SECONDS="0")
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    (line,) = [line for line in done.stderr.splitlines() if "error: " in line]
    assert line.startswith("error: Prefect's temporary server")
    for told in (
        "the store is unchanged",
        "PREFECT_SERVER_EPHEMERAL_STARTUP_TIMEOUT_SECONDS",
        "PREFECT_API_URL",
    ):
        assert told in line
    assert contents(store) == before
    assert current(store).run_id == run_id
