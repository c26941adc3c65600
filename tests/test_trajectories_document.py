"""The example of docs/trajectories.md runs from beginning to end, and its event moves."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from storage.reading.newest_run import connect


@pytest.mark.slow
def test_the_example_runs_as_it_stands(repository: Path, tmp_path: Path) -> None:
    store = tmp_path / "store"  # as the commands name it
    document = (repository / "docs" / "trajectories.md").read_text()
    blocks = re.findall(r"```(sh|python)\n(.*?)```", document, re.DOTALL)
    assert [language for language, _ in blocks] == ["sh", "python", "sh", "sh", "sh"]
    environment = os.environ | {
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "PYTHONPATH": str(repository),
    }
    before, printed = [], ""
    for language, text in blocks:
        if language == "python":
            before = _events(store)
        command = ["sh", "-ec", text] if language == "sh" else [sys.executable, "-c", text]
        done = subprocess.run(
            command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        printed += done.stdout
    after = _events(store)
    flown = max(number for row in before for number in row[:2])
    assert "ephemeris" in printed
    assert [row for row in after if flown not in row[:2]] == [row for row in before if flown not in row[:2]]
    moved = [row for row in after if flown in row[:2]]
    assert moved
    assert moved != [row for row in before if flown in row[:2]]


def _events(store: Path) -> list[tuple[int, int, object, float]]:
    with connect(store) as connection:
        return connection.execute(
            "SELECT primary_norad_id, secondary_norad_id, tca, miss_distance_m FROM conjunctions ORDER BY ALL"
        ).fetchall()
