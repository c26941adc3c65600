"""A disk that is full at any point: the store stays readable, says so, and goes when there is room."""

from pathlib import Path

import pytest

from storage.disk.lock import LOCK_NAME
from tests.storage.small_disk import printed_on_a_small_disk

pytestmark = pytest.mark.processes

STEP_KB = 8
FIRST, SECOND, THIRD, FOURTH = "20261121T060000Z", "20261201T060000Z", "20270101T060000Z", "20270102T060000Z"


@pytest.mark.slow
def test_a_disk_that_becomes_full_at_every_point(tmp_path: Path) -> None:
    *tries, last = printed_on_a_small_disk("full_disk_process.py", tmp_path, STEP_KB)
    for what, before in (("publish", SECOND), ("compact", THIRD)):
        *refused, done_at_last = [one for one in tries if one["what"] == what]
        assert len(refused) > 3
        assert all(
            "is full (No space left on device). Nothing was written" in one["error"] for one in refused
        )
        assert len({str(one["shown"]) for one in refused}) == 1
        assert refused[0]["shown"][0] == before
        assert done_at_last["shown"] != refused[0]["shown"]
    folders = {path.split("/")[1] for path in last["left"] if path.startswith("runs/")}
    assert folders == {"run_id=0", *(f"run_id={run_id}" for run_id in (FIRST, SECOND, THIRD, FOURTH))}
    top = {path for path in last["left"] if "/" not in path}
    assert top == {"current.json", "skysieve.duckdb", LOCK_NAME}
    assert {Path(path).suffix for path in last["left"] if "/" in path} == {".parquet", ".duckdb"}


def test_on_a_full_disk_credentials_are_known_and_a_new_service_answers(tmp_path: Path) -> None:
    """It answered 503 to everything, and `tokens list` told to move the file with all credentials away."""
    seen = printed_on_a_small_disk("full_disk_state_process.py", tmp_path)[-1]
    assert seen["size beside"] > 0
    for left, names in (("nothing left behind", ["desk"]), ("something left behind", ["desk", "late"])):
        assert seen[left]["answers"] == [200, 200, 200]
        assert seen[left]["listed"] == names
        assert "the disk is full" in seen[left]["refused"]
        assert "No data are lost" in seen[left]["refused"]
        assert "the disk is full" in seen[left]["kept"]
        assert seen[left]["fleets"] == ["mine"]
