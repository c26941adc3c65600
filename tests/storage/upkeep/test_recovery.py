"""A publisher may be killed at any moment: the run before stays whole, the next run finds no remains."""

import json
import os
import shutil
import signal
from collections.abc import Callable
from pathlib import Path
from subprocess import Popen

import pytest

from storage.disk.current import read_current
from storage.disk.layout import ANALYST_FILE
from storage.disk.lock import store_lock
from storage.reading.newest_run import connect, events, status
from storage.upkeep import recovery

pytestmark = pytest.mark.processes

FIRST = "20261121T060000Z"
KILLED = "20261121T120000Z"
NEXT = "20261121T180000Z"
BEFORE_IT_COUNTS = ["staging begun", "run written", "run in place", "catalogue written", "catalogue in place"]

Publisher = Callable[..., Popen[str]]


def contents(store: Path) -> set[str]:
    """Return the names of everything in the store but the lock file."""
    return {str(path.relative_to(store)) for path in store.rglob("*")} - {"publisher.lock"}


def kill(publisher: Publisher, store: Path, **when: object) -> None:
    with publisher(store, hours_later=6, **when) as process:
        process.communicate()
        assert process.returncode == -signal.SIGKILL


def assert_only(store: Path, *run_ids: str) -> None:
    """Assert that just these runs are in the store, by every way to see them, the last being current."""
    current = read_current(store)
    assert current is not None
    assert current.run_id == run_ids[-1]
    assert status(store).runs == len(run_ids)
    assert {path.name for path in (store / "runs").iterdir()} == {
        "run_id=0",
        *(f"run_id={r}" for r in run_ids),
    }
    with connect(store) as connection:
        assert connection.execute("SELECT DISTINCT run_id FROM conjunctions").fetchall() == [(run_ids[-1],)]
        history = connection.execute("SELECT DISTINCT run_id FROM conjunction_history ORDER BY 1").fetchall()
        assert history == [(run_id,) for run_id in run_ids]
    assert not (store / ".publishing").exists()


@pytest.mark.sampled(2)
@pytest.mark.parametrize("step", BEFORE_IT_COUNTS)
def test_a_run_killed_before_it_counts_leaves_nothing(
    make, publisher: Publisher, published: Path, step: str
) -> None:
    before, ids_before = contents(published), [row[0] for row in events(published).rows]
    kill(publisher, published, die_at=step)
    assert [row[0] for row in events(published).rows] == ids_before
    assert contents(published) == before  # the first command that opened the store has cleaned it
    make.publish(published, make.run(hours_later=12))
    assert_only(published, FIRST, NEXT)


@pytest.mark.parametrize("step", ["run in place", "catalogue in place"])
def test_the_next_run_cleans_up_without_any_reader_before_it(
    make, publisher: Publisher, published: Path, step: str
) -> None:
    kill(publisher, published, die_at=step)
    make.publish(published, make.run(hours_later=12))
    assert_only(published, FIRST, NEXT)


def test_a_run_killed_after_it_counts_is_whole(make, publisher: Publisher, published: Path) -> None:
    kill(publisher, published, die_at="current")
    assert_only(published, FIRST, KILLED)
    make.publish(published, make.run(hours_later=12))
    assert_only(published, FIRST, KILLED, NEXT)


@pytest.mark.parametrize("step", ["run in place", "catalogue in place"])
def test_a_first_run_that_is_killed_leaves_an_empty_store(
    make, publisher: Publisher, store: Path, step: str
) -> None:
    kill(publisher, store, die_at=step)
    make.publish(store, make.run())
    assert_only(store, FIRST)


def test_cleaning_up_can_be_killed_itself(
    make, publisher: Publisher, published: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Stopped between putting the former file back and removing the staging folder, it starts over."""
    kill(publisher, published, die_at="catalogue in place")

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    with store_lock(published, 1), monkeypatch.context() as patch:
        patch.setattr(recovery, "run_folder", stop)
        with pytest.raises(KeyboardInterrupt):
            recovery.remove_remains(published)
    with store_lock(published, 1), monkeypatch.context() as patch:
        patch.setattr(recovery.shutil, "rmtree", stop)
        with pytest.raises(KeyboardInterrupt):
            recovery.remove_remains(published)
    assert_only(published, FIRST)


def test_the_former_file_is_put_back_where_there_are_no_hard_links(
    make, publisher: Publisher, published: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(95, "Operation not supported")

    monkeypatch.setattr(os, "link", refuse)

    def fail(step: str) -> None:
        if step == "catalogue in place":
            raise KeyboardInterrupt

    before = (published / ANALYST_FILE).read_bytes()
    with pytest.raises(KeyboardInterrupt):
        make.publish(published, make.run(hours_later=6), on_step=fail)
    assert (published / ANALYST_FILE).read_bytes() == before
    assert_only(published, FIRST)


@pytest.mark.slow
def test_a_store_that_was_copied_with_what_links_point_to_is_a_store(
    make, publisher: Publisher, published: Path, tmp_path: Path
) -> None:
    copied = shutil.copytree(published, tmp_path / "copied")
    assert not (copied / ANALYST_FILE).is_symlink()
    assert_only(copied, FIRST)
    shutil.rmtree(copied)
    shutil.copytree(published, copied)
    kill(publisher, copied, die_at="catalogue in place")
    assert_only(copied, FIRST)
    make.publish(copied, make.run(hours_later=12))
    assert_only(copied, FIRST, NEXT)
    assert (copied / ANALYST_FILE).is_symlink()


def test_a_publisher_at_work_is_not_cleaned_away(publisher: Publisher, published: Path) -> None:
    with publisher(published, hours_later=6, wait_at="catalogue in place") as process:
        assert process.stdout is not None
        process.stdout.readline()
        assert status(published).runs in (1, 2)  # its file is in place, its run does not count yet
        output, _ = process.communicate("\n")
    assert output.strip() == KILLED
    assert_only(published, FIRST, KILLED)


@pytest.mark.slow
def test_killed_at_every_single_file_event(make, publisher: Publisher, published: Path) -> None:
    """Kill before the first, second, third, ... file event of a publication until one survives."""
    killed = 0
    while True:
        with publisher(published, hours_later=6, die_at_file_event=killed + 1) as process:
            output, _ = process.communicate()
        if process.returncode == 0:
            break
        assert process.returncode == -signal.SIGKILL
        killed += 1
        current = json.loads((published / "current.json").read_text())["run_id"]
        assert status(published).run.run_id == current
        assert len(events(published).rows) == len(make.run().conjunctions)
        assert len(list(published.glob("runs/run_id=2*"))) == status(published).runs
        assert not (published / ".publishing").exists()
    assert killed > len(BEFORE_IT_COUNTS)
    assert output.strip().startswith(KILLED)
