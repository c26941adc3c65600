"""What a run finds around fleets is stored whole or not at all, whenever it is killed."""

import shutil
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from screening.errors import StoreError
from storage.analyses.around_fleets.kept import store_fleet_look
from storage.disk.layout import ANALYSES, FLEETS
from storage.fleet_schema import FLEET_EVENTS, FLEET_MEMBERS
from storage.fleets.events import (
    events_path,
    fleet_events,
    fleet_members,
    fleets_looked_at,
    found_path,
    looked_at,
)
from storage.reading.newest_run import connect, current
from storage.rows.over_runs.event_ids import EventIds
from storage.state.fleets import Fleet, FleetObject
from storage.upkeep.expired_files import LONGEST_LISTING, LONGEST_QUERY
from storage.writing.retention import Retention, compact
from tests.made_up_run import MadeUpRun, make_conjunctions, make_run, publish
from tests.storage.doomed import killed_before_file_event, killed_before_write

FLEET_ID, FOUND, SEED = 7, 5, 99
DAY = timedelta(days=1)


def look(store: Path, made_up: MadeUpRun | None = None) -> None:
    """Store some events that the run does not have, all inside the volume of one object."""
    made_up = made_up or make_run()
    conjunctions = make_conjunctions(made_up.elements, FOUND, SEED)
    run_id = current(store).run_id
    number = int(conjunctions["primary_norad_id"][0])

    def inside(ids: EventIds) -> pa.Table:
        rows = [
            [run_id, FLEET_ID, "mine", number, "sphere:5", 1.0, 2.0, 3.0, event_id, None, None, None]
            for event_id in ids.tolist()
        ]
        return table(FLEET_EVENTS.arrow, rows)

    members = table(FLEET_MEMBERS.arrow, [[FLEET_ID, number, "ONE", True, "sphere:5", 24.0, None]])
    at = made_up.run.finished + timedelta(minutes=1)
    fleet = Fleet(
        FLEET_ID, "mine", at, "test", None, "", "sphere:5", 24.0, "", objects=(FleetObject(number),)
    )
    store_fleet_look(store, run_id, [fleet], conjunctions, made_up.elements, inside, members, at)


def table(columns: pa.Schema, rows: list[list[object]]) -> pa.Table:
    plain = [pa.string() if pa.types.is_dictionary(field.type) else field.type for field in columns]
    arrays = [
        pa.array(list(values), kind) for values, kind in zip(zip(*rows, strict=True), plain, strict=True)
    ]
    return pa.table(arrays, names=columns.names).cast(columns)


def seen(store: Path) -> tuple[int, int]:
    """Return how many rows an analyst sees: of fleets, and of the events beyond the run's."""
    with connect(store) as connection:
        counts = [
            connection.execute(f"SELECT count(*) FROM {rows}").fetchone()
            for rows in ("fleet_events", "analyses WHERE origin = 'fleet'")
        ]
    return counts[0][0], counts[1][0]  # type: ignore[index]


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("killed", [killed_before_file_event, killed_before_write])
def test_killed_at_any_point(published: Path, tmp_path: Path, killed: object) -> None:
    number, outcomes = 0, set()
    while True:
        number += 1
        store = tmp_path / "copy"
        shutil.copytree(published, store, symlinks=True)
        died = killed(number, look, store)  # type: ignore[operator]
        run_id = current(store).run_id
        there = FLEET_ID in fleets_looked_at(store, run_id)
        outcomes.add(there)
        assert len(fleet_members(store, run_id, FLEET_ID)) == int(there)
        assert len(fleet_events(store, run_id, FLEET_ID)) == (FOUND if looked_at(store, run_id) else 0)
        assert seen(store)[0] == FOUND or not there
        look(store)  # the next one: what the killed one left is gone
        assert seen(store) == (FOUND, FOUND)
        assert not list(store.glob(f"{FLEETS}/*.new")) + list(store.glob(f"{ANALYSES}/*.new"))
        shutil.rmtree(store)
        if not died:
            break
    assert number > 5
    assert outcomes == {True, False}


@pytest.mark.slow
def test_a_failed_look_leaves_nothing(published: Path) -> None:
    run_id = current(published).run_id
    events_path(published, run_id).mkdir()  # so that the last file cannot be put into place
    with pytest.raises(StoreError):
        look(published)
    events_path(published, run_id).rmdir()
    assert seen(published) == (0, 0)
    assert not looked_at(published, run_id)
    look(published)
    assert seen(published) == (FOUND, FOUND)


def test_ids_are_not_those_of_the_run(published: Path) -> None:
    look(published)
    with connect(published) as connection:
        common = connection.execute(
            "SELECT count(*) FROM fleet_events JOIN conjunctions USING (event_id)"
        ).fetchone()
    assert common == (0,)


@pytest.mark.slow
def test_what_a_look_found_expires_with_analyses(published: Path) -> None:
    look(published)
    old = current(published).run_id
    publish(published, make_run(hours_later=240))
    retention = Retention(5 * DAY, 5 * DAY)
    now = make_run(hours_later=240).run.finished
    compact(published, now, retention)
    assert seen(published) == (0, 0), "hidden"
    assert len(fleet_events(published, old, FLEET_ID)) == FOUND, "readers may still need the file"
    publish(published, make_run(hours_later=246))
    later = make_run(hours_later=246).run.finished + LONGEST_QUERY
    compact(published, later, retention)
    assert len(fleet_events(published, old, FLEET_ID)) == 0, "emptied"
    publish(published, make_run(hours_later=252))
    compact(published, datetime.now(UTC) + LONGEST_LISTING + DAY, Retention(10_000 * DAY, 10_000 * DAY))
    assert not looked_at(published, old)
    assert not found_path(published, old).exists()
    assert np.array_equal(sorted(path.name for path in (published / FLEETS).iterdir()), ["0.parquet"])
