"""A second look is what a reader sees of an event, beside the run's value in its history."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from screening.errors import StoreError
from screening.vocabulary import RISK_LEVELS, TRAJECTORY_KINDS
from storage.analyses.second_looks import store_second_look
from storage.analyses.stored import store_analysis
from storage.in_memory.event_columns import EVENT_COLUMNS
from storage.in_memory.event_table import EventQuery
from storage.in_memory.snapshot import Snapshot
from storage.reading.check import check, parts
from storage.reading.newest_run import connect
from storage.reading.run_events import events_of_levels
from tests.made_up_run import MadeUpRun
from tests.storage.analyses.test_stored import asked

LOOKED = 5  # events
LATER = timedelta(minutes=1)
ALL = EventQuery(limit=None)
ORIGIN, MISS, LEVEL = (EVENT_COLUMNS.index(name) for name in ("origin", "miss_distance_m", "risk_level"))


@pytest.fixture
def made_up(make: Any) -> MadeUpRun:
    made_up: MadeUpRun = make.run()
    for who in ("primary", "secondary"):
        made_up.conjunctions[f"{who}_covariance_source"] = 0
        made_up.conjunctions[f"{who}_trajectory"] = 0
    made_up.conjunctions["risk_level"] = 0
    return made_up


def look(store: Path, run_id: str, made_up: MadeUpRun) -> list[int]:
    """Look again at some events, which are 20 km apart then; return their ids."""
    with connect(store) as connection:
        pairs = connection.execute(
            "SELECT event_id, primary_norad_id, secondary_norad_id, epoch_us(tca) FROM conjunctions"
        ).fetchall()
    ids = {(primary, secondary, tca): event_id for event_id, primary, secondary, tca in pairs}
    rows = made_up.conjunctions[:LOOKED].copy()
    keys = zip(
        rows["primary_norad_id"].tolist(),
        rows["secondary_norad_id"].tolist(),
        rows["tca"].astype(np.int64).tolist(),
        strict=True,
    )
    found = [ids[key] for key in keys]
    rows["tca"] += np.timedelta64(2, "s")
    rows["miss_distance_m"], rows["risk_level"] = 20e3, RISK_LEVELS.index("low")
    rows["primary_trajectory"] = TRAJECTORY_KINDS.index("ephemeris")
    at = made_up.run.finished + LATER
    store_second_look(store, run_id, rows, np.array(found), made_up.elements, at)
    return found


@pytest.mark.slow
def test_readers_see_the_second_look_and_the_history_has_both(
    make: Any, store: Path, made_up: MadeUpRun
) -> None:
    run_id = make.publish(store, made_up)
    before = Snapshot.load(store)
    assert before is not None
    first = [before.history(row[0]) for row in before.events(ALL).rows]  # they are remembered
    assert {len(history) for history in first} == {1}
    ids = look(store, run_id, made_up)
    with connect(store) as connection:
        seen = connection.execute(
            "SELECT origin, risk_level, miss_distance_m FROM events WHERE list_contains(?, event_id)", [ids]
        ).fetchall()
        (of_run,) = connection.execute(
            "SELECT count(*) FROM conjunctions WHERE miss_distance_m < 20e3 AND risk_level = 'critical'"
        ).fetchall()
        rows = connection.sql("FROM analyses").to_arrow_table()
    assert seen == [("second_look", "low", 20e3)] * LOOKED
    assert of_run == (len(made_up.conjunctions),)
    after = Snapshot.load(store)
    assert after is not None
    for snapshot in (after, before.with_analyses({1: rows})):
        for event_id in ids:
            event = snapshot.event(event_id)
            assert event is not None
            assert (event[ORIGIN], event[LEVEL], event[MISS]) == ("second_look", "low", 20e3)
            run, looked = snapshot.history(event_id)
            assert (run[ORIGIN], run[LEVEL]) == ("run", "critical")
            assert [looked[place] for place in (ORIGIN, LEVEL, MISS)] == ["second_look", "low", 20e3]
    assert not [part for part in parts(store) if (found := check(part)) and found.damage]


@pytest.mark.slow
def test_a_later_analysis_of_element_sets_does_not_hide_it(
    make: Any, store: Path, made_up: MadeUpRun
) -> None:
    run_id = make.publish(store, made_up)
    ids = look(store, run_id, made_up)
    store_analysis(store, asked(run_id, made_up), made_up.conjunctions[: LOOKED + 2], made_up.elements)
    with connect(store) as connection:
        origins = dict(connection.execute("SELECT event_id, origin FROM events").fetchall())
        rows = connection.sql("FROM analyses").to_arrow_table()
    assert {origins[event_id] for event_id in ids} == {"second_look"}
    assert sorted(origins.values()).count("full") == 2
    of_run = Snapshot.load(store, analyses=False)
    assert of_run is not None
    shown = {row[0]: row[ORIGIN] for row in of_run.with_analyses({1: rows}).events(ALL).rows}
    assert shown == origins


@pytest.mark.slow
def test_the_next_run_shows_its_own_value_and_the_history_goes_on(
    make: Any, store: Path, made_up: MadeUpRun
) -> None:
    ids = look(store, make.publish(store, made_up), made_up)
    again = make.run(hours_later=6)
    again.conjunctions[:] = made_up.conjunctions
    make.publish(store, again)
    newest = Snapshot.load(store)
    assert newest is not None
    for event_id in ids:
        event = newest.event(event_id)
        assert event is not None
        assert event[ORIGIN] == "run"
        assert [row[ORIGIN] for row in newest.history(event_id)] == ["run", "second_look", "run"]


@pytest.mark.slow
def test_only_events_of_the_levels_are_looked_at(make: Any, store: Path, made_up: MadeUpRun) -> None:
    made_up.conjunctions["risk_level"] = np.arange(len(made_up.conjunctions)) % 4
    run_id = make.publish(store, made_up)
    found = events_of_levels(store, run_id, ("critical", "high", "medium"))
    levels = [one.risk_level for one in found]
    assert set(levels) == {"critical", "high", "medium"}
    assert len(found) == int((made_up.conjunctions["risk_level"] < 3).sum())


def test_a_damaged_run_is_a_clear_error(make: Any, store: Path, made_up: MadeUpRun) -> None:
    run_id = make.publish(store, made_up)
    (path,) = store.glob(f"runs/run_id={run_id}/conjunctions.parquet")
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(StoreError, match=r"conjunctions\.parquet"):
        events_of_levels(store, run_id, ("critical",))
