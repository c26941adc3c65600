"""Messages as rated conjunctions, read back by their ids."""

import logging
from pathlib import Path

import pytest

from storage.disk.layout import MESSAGE_FILES
from storage.messages.as_events import as_events
from storage.messages.kept import ids_in
from tests.made_up_run import make_run, publish
from tests.storage.messages.received import taken, text


@pytest.fixture
def store(tmp_path: Path) -> Path:
    publish(tmp_path / "store", make_run())
    taken(tmp_path / "store", text(message_id="1"), text(message_id="2"))
    taken(tmp_path / "store", text(message_id="3"), hours_later=1)
    return tmp_path / "store"


def test_those_wanted_are_found_in_all_batches(store: Path) -> None:
    every = sorted(ids_in(store))
    assert len(every) == 3
    found = as_events(store, every)
    assert sorted(found) == every
    for row in found.values():
        # The message says 1,000 m, radially.
        assert row["miss_distance_m"] == pytest.approx(1000.0)
        assert row["miss_radial_m"] == pytest.approx(1000.0)
        assert row["hard_body_radius_m"] == 12.5
    assert as_events(store, every[:1]).keys() == set(every[:1])
    assert as_events(store, ["0000000000000000"]) == as_events(store, []) == {}


@pytest.mark.slow
def test_a_damaged_batch_is_logged_and_left_out(store: Path, caplog: pytest.LogCaptureFixture) -> None:
    every = sorted(ids_in(store))
    damaged = max(store.glob(MESSAGE_FILES), key=lambda path: path.stat().st_size)
    whole = damaged.read_bytes()
    damaged.write_bytes(whole[: len(whole) // 2])
    with caplog.at_level(logging.WARNING):
        found = as_events(store, every)
    assert 0 < len(found) < 3
    assert str(damaged) in caplog.text
