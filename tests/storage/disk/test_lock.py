"""One publisher at a time, and never a lock without a living holder."""

import errno
import fcntl
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from subprocess import Popen

import pytest

from screening.errors import StoreError
from storage.disk import lock
from storage.disk.lock import lock_if_free, store_lock
from storage.reading.newest_run import connect, status
from tests.made_up_run import publish_anew

Publisher = Callable[..., Popen[str]]


@pytest.mark.processes
def test_a_second_publisher_gives_up_and_names_the_holder(publisher: Publisher, published: Path) -> None:
    with publisher(published, hours_later=6, wait_at="run written") as holder:
        assert holder.stdout is not None
        holder.stdout.readline()
        with publisher(published, hours_later=12, lock_timeout_s=0.01) as second:
            refused, _ = second.communicate()
        assert refused.startswith(f"error: The store {published} is being written by process {holder.pid},")
        with lock_if_free(published) as free:
            assert not free
        holder.communicate("\n")
    assert status(published).runs == 2


@pytest.mark.processes
def test_two_publishers_at_once_both_land_with_consistent_ids(publisher: Publisher, published: Path) -> None:
    with (
        publisher(published, hours_later=6, shift_s=2.5) as first,
        publisher(published, hours_later=6, shift_s=-1.5) as second,
    ):
        ids = {process.communicate()[0].strip() for process in (first, second)}
    assert ids == {"20261121T120000Z", "20261121T120000Z-002"}
    with connect(published) as connection:
        ids_and_rows = connection.execute(
            "SELECT count(DISTINCT event_id), count(*) FROM conjunction_history"
        ).fetchone()
        pairs_and_runs_of_an_id = connection.execute(
            "SELECT DISTINCT count(DISTINCT (primary_norad_id, secondary_norad_id)), count(DISTINCT run_id) "
            "FROM conjunction_history GROUP BY event_id"
        ).fetchall()
    assert ids_and_rows == (60, 180)
    assert pairs_and_runs_of_an_id == [(1, 3)]  # every encounter kept its id over three runs


@pytest.mark.processes
def test_the_lock_of_a_dead_holder_is_free(publisher: Publisher, published: Path) -> None:
    with publisher(published, hours_later=6, wait_at="run written") as holder:
        assert holder.stdout is not None
        holder.stdout.readline()
        holder.kill()
        holder.communicate()
    with lock_if_free(published) as free:
        assert free


def test_one_who_waits_gets_the_lock_when_it_is_let_go(
    published: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits = threading.Event()
    wait_for_lock = lock._wait_for_lock

    def tell_and_wait(*arguments: object) -> None:
        waits.set()
        wait_for_lock(*arguments)

    monkeypatch.setattr(lock, "_wait_for_lock", tell_and_wait)

    def hold_it_too() -> bool:
        with store_lock(published, 60):
            return True

    with ThreadPoolExecutor() as pool, store_lock(published, 1):
        second = pool.submit(hold_it_too)
        assert waits.wait(60)
        assert not second.done()
    assert second.result()


def test_a_lock_that_was_tried_is_free_again(published: Path) -> None:
    for _ in range(2):
        with lock_if_free(published) as free, lock_if_free(published) as second:
            assert (free, second) == (True, False)
    with store_lock(published, 1):
        pass


def test_giving_up_leaves_the_lock_to_others(published: Path) -> None:
    """A wait in vain once left a thread behind that took the lock later and kept it."""
    with store_lock(published, 1), pytest.raises(StoreError), store_lock(published, 0.001):
        pass
    with store_lock(published, 60):
        pass


def test_a_disk_without_locks_is_a_clear_error(store: Path, make, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(descriptor: int, operation: int) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(fcntl, "flock", refuse)
    with pytest.raises(StoreError, match="local disk") as refused:
        publish_anew(store, make.run())
    assert str(store) in str(refused.value)
