"""`refresh` with what operators publish: supplemental sets, a folder of ephemerides, and a second look."""

import io
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from api.answers.stored_events import event_with_history
from screening.orbits.elements import ElementArray
from screening.orbits.texts.omm.csv_writer import write_omm_csv
from screening.search.request import default_start
from storage.in_memory.snapshot import newest_snapshot
from storage.reading.newest_run import connect
from storage.state.database import newest_attempts
from storage.trajectories.kept import trajectories
from tests.flows.misbehaving_server import MisbehavingServer, by_path, status, text
from tests.flows.runs.starlink_scene import FRAGMENTS, HOURS, Scene, make_scene
from tests.screening.orbits.texts.ephemerides.circling import oem

MUCH_LATER = np.datetime64("2026-11-21T06:00:00", "us")
SUPGP = "/NORAD/elements/supplemental/sup-gp.php?FILE="


def csv(elements: ElementArray) -> bytes:
    stream = io.StringIO()
    write_omm_csv(elements, stream)
    return stream.getvalue().encode()


@pytest.fixture(scope="module")
def scene(catalogue_lines: list[str]) -> Scene:
    """Give a scene in the window that a run of this old catalogue has."""
    start = np.datetime64("2024-11-01T00:00:00", "us")
    for _ in range(2):
        made = make_scene(catalogue_lines, start)
        start = default_start(made.elements, MUCH_LATER).instant
    return make_scene(catalogue_lines, start)


@pytest.mark.slow
def test_everything_is_fetched_first_and_the_second_look_comes_last(
    scene: Scene, server: MisbehavingServer, store: Path, tmp_path: Path, repository: Path
) -> None:
    (tmp_path / "incoming").mkdir()
    (tmp_path / "incoming" / "own.oem").write_text(oem(metadata={"OBJECT_ID": "NORAD 990001"}))
    (tmp_path / "catalogue.csv").write_bytes(csv(scene.elements))
    fragment = scene.elements[scene.elements["norad_id"] == FRAGMENTS[0]]
    starlink = scene.published()
    server.answer = by_path(
        {
            "/e/": starlink,
            f"{SUPGP}one&": text(csv(fragment)),
            f"{SUPGP}two&": status("404 Not Found"),
        }
    )
    settings = {
        "SKYSIEVE_WORKERS": "1",
        "SKYSIEVE_LOOK_AHEAD_HOURS": f"{HOURS:g}",
        "SKYSIEVE_CELESTRAK_URL": server.url,
        "SKYSIEVE_SUPGP": "one,two",
        "SKYSIEVE_TRAJECTORY_SOURCES": f"{tmp_path / 'incoming'},starlink",
        "PYTHONPATH": ".",
    }
    there = f"flows.sources.names:STARLINK_URL={server.url}/e"
    script = repository / "tests" / "flows" / "refresh_in_harness.py"
    done = subprocess.run(
        [sys.executable, str(script), str(tmp_path / "catalogue.csv"), str(store), there],
        capture_output=True,
        text=True,
        check=False,
        cwd=repository,
        env=os.environ | settings,
    )
    assert done.returncode == 0, done.stderr
    (attempt,) = newest_attempts(store, 5)
    assert attempt.outcome == "published"
    assert "supgp:two" in attempt.reason
    assert "own.oem" in attempt.reason  # it tells no number that the catalogue has
    assert server.paths()[2:] == ["/e/MANIFEST.txt", *(f"/e/{name}" for name in scene.names.values())]
    assert trajectories(store) == []  # they have ended long ago
    with connect(store) as connection:
        paths = dict(connection.execute("SELECT norad_id, trajectory FROM elements").fetchall())
        events = connection.execute("SELECT event_id, origin, risk_level FROM events").fetchall()
        (source,) = connection.execute("SELECT source FROM runs").fetchone() or ("",)
    assert {number for number, kind in paths.items() if kind == "supgp"} == {FRAGMENTS[0]}
    assert source.endswith(" with supgp")
    assert [event[1:] for event in events] == [("second_look", "low")] * 3
    snapshot = newest_snapshot(store)
    for event_id, _, _ in events:
        _, history = event_with_history(snapshot, event_id)
        assert [(one["origin"], one["risk_level"]) for one in history] == [
            ("run", "critical"),
            ("second_look", "low"),
        ]
