"""An import that is killed, races another, or finds the disk full leaves all of its messages or none."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from storage.disk.layout import MESSAGES
from storage.messages.kept import received
from tests.made_up_run import make_run, publish
from tests.storage.doomed import killed_before_file_event, killed_before_write
from tests.storage.messages.received import taken, text
from tests.storage.small_disk import printed_on_a_small_disk

COUNT = 5


def batch(first: int = 1) -> list[str]:
    return [text(message_id=str(number)) for number in range(first, first + COUNT)]


def take_batch(store: Path) -> None:
    """Take some messages."""
    taken(store, *batch())


@pytest.mark.processes
@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "killed_before", [pytest.param(killed_before_file_event, marks=pytest.mark.slow), killed_before_write]
)
def test_a_killed_import_leaves_all_or_nothing(store: Path, killed_before) -> None:  # type: ignore[no-untyped-def]
    publish(store, make_run())
    before = taken(store, text(message_id="before")).new
    number, seen = 1, set()
    while killed_before(number, take_batch, store):
        seen.add(len(received(store)) - before)
        assert seen <= {0, COUNT}
        number += 1
    assert number > 3
    assert 0 in seen
    assert len(received(store)) == before + COUNT
    assert taken(store, *batch()).known == COUNT
    taken(store, text(message_id="after"))
    assert {path.suffix for path in (store / MESSAGES).iterdir()} == {".parquet"}


def test_imports_at_once_store_each_message_once(store: Path) -> None:
    publish(store, make_run())
    with ThreadPoolExecutor(4) as at_once:
        done = list(at_once.map(lambda first: taken(store, *batch(first)), [1, 1, 4, 4]))
    assert sum(one.new for one in done) == len(received(store)) == COUNT + 3
    assert sum(one.new + one.known for one in done) == 4 * COUNT
    assert len(set(received(store)["id"].to_pylist())) == COUNT + 3


@pytest.mark.slow
def test_a_disk_that_is_full_or_read_only_is_said_and_nothing_half_stored(tmp_path: Path) -> None:
    *tries, read_only = printed_on_a_small_disk("full_disk_messages_process.py", tmp_path)
    *refused, done_at_last = tries
    assert len(refused) > 2
    assert all("is full (No space left on device). Nothing was written" in one["error"] for one in refused)
    assert {one["messages"] for one in refused} == {0}
    assert (done_at_last["error"], done_at_last["messages"]) == ("", 300)
    assert "Read-only file system" in read_only["error"]
    assert read_only["messages"] == 300
