"""What the runs found of an event: read once, and as it was for the snapshot that is asked."""

import shutil
import weakref
from pathlib import Path

import pytest

from storage.disk.layout import RUNS
from storage.in_memory.event_table import EventQuery
from storage.in_memory.snapshot import Snapshot


def loaded(store: Path) -> Snapshot:
    snapshot = Snapshot.load(store)
    assert snapshot is not None
    return snapshot


def test_a_history_is_read_once(store: Path, make) -> None:
    for hours in (0, 6):
        make.publish(store, make.run(hours_later=hours))
    snapshot = loaded(store)
    event_id = snapshot.events(EventQuery(limit=1)).rows[0][0]
    found = snapshot.history(event_id)
    assert [row[0] for row in found] == [event_id, event_id]
    found.clear()  # what was given away is not what is kept
    shutil.rmtree(store / RUNS)
    assert [row[0] for row in snapshot.history(event_id)] == [event_id, event_id]


@pytest.mark.slow
def test_the_next_snapshot_knows_the_next_run_and_the_old_one_is_free(store: Path, make) -> None:
    run = make.run()
    make.publish(store, run)
    old = loaded(store)
    event_id = old.events(EventQuery(limit=1)).rows[0][0]
    runs = old.history(event_id)
    make.publish(store, make.run(hours_later=6))
    freed, new = weakref.ref(old), loaded(store)
    del old
    assert freed() is None, "something in a circle holds it"
    assert len(runs) == 1
    assert len(new.history(event_id)) == 2
    assert new.history(event_id)[:1] == runs
