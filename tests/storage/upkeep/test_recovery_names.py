"""What a killed publisher left behind names a run, or nothing is removed; the ephemerides of others stay."""

import itertools
import logging
from pathlib import Path

import pytest

from screening.errors import StoreError
from storage.disk.current import read_current
from storage.disk.ephemeris import remove_ephemeris, remove_old_ephemerides
from storage.disk.lock import store_lock
from storage.disk.run_ids import is_run_id
from storage.reading.newest_run import status
from storage.upkeep.recovery import remove_remains
from tests.storage.doomed import killed_before_file_event, killed_before_write, publish_with_ephemeris

FIRST = "20261121T060000Z"
NO_NAMES = [
    "",
    ".",
    "..",
    "2026",
    FIRST[:-1],
    f"{FIRST}/..",
    f"../{FIRST}",
    "*",
    f"{FIRST}\n",
    "\0",
    "run_id=0",
]


@pytest.fixture
def with_ephemeris(store: Path) -> Path:
    """Give a store with a run that left an ephemeris."""
    publish_with_ephemeris(store, 0)
    return store


def files_of(store: Path) -> set[str]:
    return {str(path.relative_to(store)) for path in store.rglob("*") if path.is_file()}


@pytest.mark.sampled(4)
@pytest.mark.parametrize("left", NO_NAMES)
def test_a_marker_that_names_no_run_removes_nothing(
    with_ephemeris: Path, left: str, caplog: pytest.LogCaptureFixture
) -> None:
    before = files_of(with_ephemeris)
    (with_ephemeris / ".publishing").mkdir()
    (with_ephemeris / ".publishing" / "run_id").write_text(left)
    with store_lock(with_ephemeris, 1), caplog.at_level(logging.WARNING):
        remove_remains(with_ephemeris)
    assert files_of(with_ephemeris) == before
    assert "is not a run id" in caplog.text
    assert not (with_ephemeris / ".publishing").exists()


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", NO_NAMES)
def test_an_ephemeris_is_removed_by_the_name_of_a_run_only(with_ephemeris: Path, name: str) -> None:
    before = files_of(with_ephemeris)
    with pytest.raises(StoreError, match="is not a run id"):
        remove_ephemeris(with_ephemeris, name)
    assert files_of(with_ephemeris) == before
    remove_ephemeris(with_ephemeris, FIRST)
    assert not (with_ephemeris / "ephemeris" / FIRST).exists()


def test_other_files_beside_ephemerides_are_left_alone(with_ephemeris: Path) -> None:
    for name in ("zzz", "20271121"):
        (with_ephemeris / "ephemeris" / name).mkdir()
    before = sorted((with_ephemeris / "ephemeris").iterdir())
    remove_old_ephemerides(with_ephemeris)
    assert sorted((with_ephemeris / "ephemeris").iterdir()) == before


@pytest.mark.parametrize("text", [FIRST, f"{FIRST}-002", f"{FIRST}-1000"])
def test_ids_of_runs_are_known_as_such(text: str) -> None:
    assert is_run_id(text)


@pytest.mark.processes
@pytest.mark.parametrize(
    ("killed", "every"),
    [
        (killed_before_write, 13),
        (killed_before_file_event, 17),
        pytest.param(killed_before_write, 1, marks=pytest.mark.slow),
        pytest.param(killed_before_file_event, 1, marks=pytest.mark.slow),
    ],
)
def test_ephemerides_of_runs_that_count_outlive_a_killed_one(
    with_ephemeris: Path, killed, every: int
) -> None:
    """At any point, also where the file that names the run is made and has nothing in it yet."""
    for number in itertools.count(1, every):
        died = killed(number, publish_with_ephemeris, with_ephemeris, 6)
        assert status(with_ephemeris).run.run_id == read_current(with_ephemeris).run_id
        kept = {path.name for path in (with_ephemeris / "ephemeris").iterdir() if is_run_id(path.name)}
        assert read_current(with_ephemeris).run_id in kept
        assert len(kept) >= min(status(with_ephemeris).runs, 2)
        if not died:
            break
    assert number > every
