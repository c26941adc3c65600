"""Stored events with typed fields."""

from datetime import timedelta
from pathlib import Path

import pytest

from api.answers.rows import EVENT_FIELDS, records
from api.answers.stored_events import EventRecord, typed
from storage.in_memory.event_table import EventQuery
from storage.in_memory.snapshot import Snapshot


@pytest.fixture(scope="module")
def made_up(served_store: Path) -> list[EventRecord]:
    snapshot = Snapshot.load(served_store)
    assert snapshot is not None
    return records(EVENT_FIELDS, snapshot.events(EventQuery()).rows)


def test_an_event_has_every_column_and_null_is_none(made_up: list[EventRecord]) -> None:
    nulls = 0
    for record in made_up:
        found = typed(record).row
        assert found.keys() == record.keys()
        for name, value in found.items():
            null = record[name] is None or record[name] != record[name]  # a NaN
            assert value == (None if null else record[name]), name
            nulls += null
    assert nulls > 0


def test_times_count_from_closest_approach(made_up: list[EventRecord]) -> None:
    one = typed(made_up[0])
    tca = one.tca
    event = one._replace(
        primary=one.primary._replace(epoch=tca - timedelta(days=1)),
        secondary=one.secondary._replace(epoch=tca + timedelta(minutes=30)),
    )
    assert event.ages_hours == [24.0, -0.5]
    assert event._replace(inside_from=None, inside_to=None).inside_s is None
    inside = event._replace(inside_from=tca - timedelta(minutes=1), inside_to=tca + timedelta(microseconds=1))
    assert inside.inside_s == (-60.0, 1e-6)
