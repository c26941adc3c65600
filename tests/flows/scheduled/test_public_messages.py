"""`refresh` with a login at Space-Track: its messages come first, and are joined to what the run finds."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

from flows.sources.catalogues import read_file
from skysieve.command_line import app
from storage.messages.kept import received
from storage.reading.newest_run import connect
from storage.state.database import newest_attempts
from tests.flows.misbehaving_server import MisbehavingServer, status
from tests.flows.space_track import PASSWORD, USER, SpaceTrack, row
from tests.runs import make_run

HOURS = 3.0
THAT_DAY = datetime(2024, 10, 31, 12, tzinfo=UTC)
Refresh = Callable[[], subprocess.CompletedProcess[str]]


@pytest.fixture
def service(server: MisbehavingServer) -> SpaceTrack:
    return SpaceTrack(server, THAT_DAY)


@pytest.fixture
def refresh(service: SpaceTrack, small_catalogue: Path, store: Path, repository: Path) -> Refresh:
    settings = {
        "SKYSIEVE_WORKERS": "1",
        "SKYSIEVE_LOOK_AHEAD_HOURS": f"{HOURS:g}",
        "SKYSIEVE_SPACETRACK_LOGIN": f"{USER}:{PASSWORD}",
        "PYTHONPATH": ".",
    }
    there = f"flows.sources.spacetrack:SPACETRACK_URL={service.server.url}"
    script = repository / "tests" / "flows" / "refresh_in_harness.py"
    return lambda: subprocess.run(
        [sys.executable, str(script), str(small_catalogue), str(store), there],
        capture_output=True,
        text=True,
        check=False,
        cwd=repository,
        env=os.environ | settings,
    )


@pytest.mark.slow
def test_messages_come_with_a_refresh_and_are_joined_to_its_events(
    refresh: Refresh, service: SpaceTrack, small_catalogue: Path, store: Path, tmp_path: Path
) -> None:
    make_run(read_file(small_catalogue), tmp_path / "before", start=None, hours=HOURS)
    with connect(tmp_path / "before") as connection:
        events = connection.execute(
            "SELECT event_id, primary_norad_id, secondary_norad_id, tca FROM conjunctions "
            "WHERE encounter = 'fast' ORDER BY event_id LIMIT 3"
        ).fetchall()
    assert len(events) == 3
    late = timedelta(seconds=40)  # theirs is another orbit
    service.rows = [
        row(n, THAT_DAY, tca.replace(tzinfo=UTC) + late, SAT_1_ID=str(second), SAT_2_ID=str(first))
        for n, (_, first, second, tca) in enumerate(events)
    ]
    service.rows.append(row(99, THAT_DAY, THAT_DAY + timedelta(days=2)))
    done = refresh()
    assert done.returncode == 0, done.stderr
    assert "messages: 4 new (a run has the encounters of 0), 0 known." in done.stderr
    (attempt,) = newest_attempts(store, 5)
    assert attempt.outcome == "published"
    rows = {int(one["message_id"]): one for one in received(store).to_pylist()}
    assert [rows[n]["event_id"] for n in range(3)] == [event_id for event_id, *_ in events]
    assert rows[99]["event_id"] is None
    assert all(one["restricted"] for one in rows.values())
    listed = CliRunner().invoke(app, ["messages", "list", "--json", "--store", str(store)])
    assert [one["restricted"] for one in json.loads(listed.stdout)] == [True] * 4
    for options, count in ((), 0), (("--allow-restricted",), 4):
        target = tmp_path / f"{count}.parquet"
        exported = CliRunner().invoke(
            app, ["messages", "export", str(target), *options, "--store", str(store)]
        )
        assert exported.exit_code == 0, exported.output
        assert pq.read_metadata(target).num_rows == count
    assert (service.logins(), len(service.queries())) == (2, 1), "announced decays, too"


@pytest.mark.slow
def test_a_failing_service_stops_no_run_and_shows_in_the_status(
    refresh: Refresh, service: SpaceTrack, store: Path
) -> None:
    service.answer = status("429 Too Many Requests", b"slow down", retry_after="600")
    done = refresh()
    assert done.returncode == 0, done.stderr
    assert "cdm_public: " in done.stderr
    told, published = sorted(newest_attempts(store, 5), key=lambda one: str(one.outcome) != "skipped")
    assert (told.source, published.outcome) == ("cdm_public", "published")
    shown = CliRunner().invoke(app, ["status", "--store", str(store)]).output
    assert "answered 429 Too Many Requests: slow down" in " ".join(shown.split())
