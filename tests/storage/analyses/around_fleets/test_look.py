"""After a run the objects of fleets are looked around: what is stored, and what lists show."""

import logging
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from api.answers.stored_events import event_with_history
from flows.runs.fleet_look import fleet_look
from flows.runs.run import Outcome
from flows.settings import FlowSettings
from flows.sources.files import read_file
from storage.analyses.around_fleets import look as look_module
from storage.analyses.around_fleets.look import FleetLook
from storage.analyses.around_fleets.search import Searched
from storage.disk.layout import FLEETS
from storage.fleets.events import FleetMember, fleet_events, fleet_members, looked_at
from storage.in_memory.event_table import EventQuery
from storage.in_memory.snapshot import newest_snapshot
from storage.reading import newest_run
from storage.reading.check import check, parts
from storage.reading.fleet_view import seen_from_fleet, view_fleet
from storage.state.database import SERVICE_STATE
from storage.state.fleet_rules import FleetObject, NewFleet
from storage.state.fleets import create_fleet
from tests.runs import busiest_object, make_run
from tests.storage.analyses.around_fleets.conftest import HOURS

NOW = datetime(2026, 11, 23, tzinfo=UTC)
UNKNOWN = 99_999
TWO_MICROSECONDS = 2
pytestmark = pytest.mark.timeout(600)  # kernels may have to be compiled


def new_fleet(
    settings: FlowSettings, *objects: FleetObject, name: str = "mine", volume: str = "box:40x77x107",
    hours: float | None = None, pattern: str = "",
) -> int:  # fmt: skip
    new = NewFleet(name, objects, pattern, volume, hours)
    return create_fleet(settings.store, new, NOW).id


def look(outcome: Outcome, settings: FlowSettings) -> FleetLook:
    found = fleet_look(outcome, settings)
    assert found is not None
    assert found.problems == ()
    return found


def test_without_fleets_nothing_is_done(outcome: Outcome, settings: FlowSettings) -> None:
    assert fleet_look(outcome, settings) is None
    assert not looked_at(settings.store, outcome.run_id)
    assert [path.name for path in (settings.store / FLEETS).iterdir()] == ["0.parquet"]


@pytest.mark.slow
def test_events_beyond_the_threshold_are_stored_and_shown_to_those_who_ask(
    outcome: Outcome, settings: FlowSettings
) -> None:
    busiest = busiest_object(settings.store)
    own = new_fleet(settings, FleetObject(busiest), FleetObject(UNKNOWN))
    before = newest_run.events(settings.store, limit=10**6)
    found = look(outcome, settings)
    rows = fleet_events(settings.store, outcome.run_id, own)
    origins = rows["origin"].to_pylist()
    assert (found.fleets, found.objects, found.events) == (1, 1, len(rows))
    assert origins.count("fleet") == found.beyond > 0
    assert origins.count("run") == len(rows) - found.beyond > 0
    # The half-lengths of the box, and the miss of the event itself, seen from the fleet's object.
    for name, half_km in (("radial", 40.0), ("in_track", 77.0), ("cross_track", 107.0)):
        assert np.abs(rows[f"miss_{name}_km"].to_numpy()).max() <= half_km
    axes = np.stack([rows[f"miss_{name}_km"].to_numpy() for name in ("radial", "in_track", "cross_track")])
    assert np.linalg.norm(axes, axis=0) * 1e3 == pytest.approx(rows["miss_distance_m"].to_numpy(), rel=1e-9)
    # Default lists are as they were; the filter shows all; the event itself, and its history, are there.
    after = newest_run.events(settings.store, limit=10**6)
    assert (after.total, after.rows) == (before.total, before.rows)
    ids, view = rows["event_id"].to_pylist(), view_fleet(settings.store, "MINE")
    assert set(view.seen) == set(ids)
    found = newest_run.events(settings.store, of_fleet=view.inside, limit=10**6)
    assert found.total == len(set(ids))
    listed = seen_from_fleet(found, view)
    told = pa.Table.from_pylist([dict(zip(listed.columns, row, strict=True)) for row in listed.rows])
    assert sorted(told["event_id"].to_pylist()) == sorted(ids)
    axes = [told[f"fleet_miss_{name}_km"].to_numpy() for name in ("radial", "in_track", "cross_track")]
    assert np.linalg.norm(axes, axis=0) * 1e3 == pytest.approx(told["miss_distance_m"].to_numpy(), rel=1e-9)
    assert set(told["fleet_norad_id"].to_pylist()) == {busiest}
    snapshot = newest_snapshot(settings.store)
    assert snapshot.events(EventQuery()).total == before.total
    assert snapshot.events(EventQuery(event_ids=np.array(ids))).total == len(set(ids))
    # Who asks for the object gets all that is known of it.
    of_object = {row[0] for row in snapshot.events(EventQuery(norad_ids=[busiest], limit=None)).rows}
    assert set(ids) <= of_object
    event, history = event_with_history(snapshot, ids[origins.index("fleet")])
    assert event["origin"] == "fleet"
    assert [one["id"] for one in history] == [event["id"]]
    assert fleet_members(settings.store, outcome.run_id, own) == [
        FleetMember(busiest, str(rows["primary_name"][0]) if rows["primary_norad_id"][0].as_py() == busiest
                    else str(rows["secondary_name"][0]), True, "box:40x77x107", HOURS),
        FleetMember(UNKNOWN, "", False, "", HOURS),
    ]  # fmt: skip
    kinds = [one for one in parts(settings.store) if one.kind == "fleets"]
    assert len(kinds) == 3
    assert all(result is not None and result.verified for result in map(check, kinds))


@pytest.mark.slow
def test_the_view_for_analysts_has_them_with_comments(outcome: Outcome, settings: FlowSettings) -> None:
    new_fleet(settings, FleetObject(busiest_object(settings.store), "handbook", None))
    found = look(outcome, settings)
    with newest_run.connect(settings.store) as connection:
        rows = connection.execute(
            "SELECT fleet, volume, e.origin FROM fleet_events JOIN events e USING (event_id)"
        ).fetchall()
        comments = connection.execute(
            "SELECT count(*) FROM duckdb_columns() WHERE table_name = 'fleet_events' AND comment IS NULL"
        ).fetchone()
    assert len(rows) == found.events
    assert {(fleet, str(volume).split(" ")[0]) for fleet, volume, _ in rows} <= {("mine", "handbook")}
    assert comments == (0,)


@pytest.mark.slow
def test_events_keep_their_ids_from_run_to_run(
    outcome: Outcome, settings: FlowSettings, small_catalogue: Path
) -> None:
    own = new_fleet(settings, FleetObject(busiest_object(settings.store)))
    look(outcome, settings)
    again = make_run(read_file(small_catalogue), settings.store, hours=HOURS)
    look(again, settings)
    first, second = (fleet_events(settings.store, one.run_id, own) for one in (outcome, again))
    assert first["event_id"].to_pylist() == second["event_id"].to_pylist()
    ids = {
        row["event_id"]
        for row in newest_run.connect(settings.store).sql("FROM conjunctions").to_arrow_table().to_pylist()
    }
    beyond = second.filter(np.array(second["origin"].to_pylist()) == "fleet")
    assert not ids & set(beyond["event_id"].to_pylist())


@pytest.mark.slow
def test_a_longer_look_ahead_finds_what_a_longer_run_does(
    outcome: Outcome, settings: FlowSettings, small_catalogue: Path, tmp_path: Path
) -> None:
    make_run(read_file(small_catalogue), tmp_path / "longer", hours=3 * HOURS)
    everything = new_fleet(settings, volume="sphere:10", hours=3 * HOURS, pattern="*")
    found = look(outcome, settings)
    columns = "least(primary_norad_id, secondary_norad_id), epoch_us(tca), miss_distance_m"
    fast = "WHERE encounter = 'fast' ORDER BY tca, 1"
    with newest_run.connect(tmp_path / "longer") as connection:
        expected = connection.execute(f"SELECT {columns} FROM conjunctions {fast}").fetchall()
    with newest_run.connect(settings.store) as connection:
        rows = connection.execute(f"SELECT {columns} FROM events {fast}").fetchall()
        ((seen_twice,),) = connection.execute("SELECT count(*) FROM fleet_events").fetchall()
    assert seen_twice == 2 * found.events, "both objects of each are in the fleet"
    assert len(fleet_events(settings.store, outcome.run_id, everything)) == seen_twice
    assert len(rows) == len(expected) > 10
    for (one, tca_us, miss_m), (other, expected_us, expected_m) in zip(rows, expected, strict=True):
        assert one == other
        assert abs(tca_us - expected_us) <= TWO_MICROSECONDS
        assert miss_m == pytest.approx(expected_m, abs=1e-3)
    assert found.beyond > 5, "after the end of the run's window"


@pytest.mark.slow
def test_a_run_stands_whatever_fails(
    outcome: Outcome, settings: FlowSettings, caplog: pytest.LogCaptureFixture
) -> None:
    new_fleet(settings, FleetObject(busiest_object(settings.store)))
    (settings.store / SERVICE_STATE).write_bytes(b"no database" * 1000)
    with caplog.at_level(logging.WARNING, "skysieve"):
        found = fleet_look(outcome, settings)
    assert found is not None
    assert found.events == 0
    assert "Fleets: " in caplog.text
    assert not looked_at(settings.store, outcome.run_id)
    assert newest_run.events(settings.store).total > 0


@pytest.mark.slow
def test_a_fleet_whose_pattern_fits_nothing_has_no_events(outcome: Outcome, settings: FlowSettings) -> None:
    own = new_fleet(settings, pattern="NOTHING HAS THIS NAME*")
    found = look(outcome, settings)
    assert (found.objects, found.events) == (0, 0)
    assert looked_at(settings.store, outcome.run_id)
    assert len(fleet_events(settings.store, outcome.run_id, own)) == 0
    assert fleet_members(settings.store, outcome.run_id, own) == []


@pytest.mark.slow
def test_a_fleet_that_finds_too_much_is_left_out_and_the_others_are_looked_at(
    outcome: Outcome, settings: FlowSettings, caplog: pytest.LogCaptureFixture
) -> None:
    """There was no limit: one fleet's volumes took all memory, and what ended that lost all fleets' looks."""
    busiest = busiest_object(settings.store)
    own = new_fleet(settings, FleetObject(busiest), volume="box:2x25x25")
    large = new_fleet(settings, name="large", volume="sphere:200", pattern="*")
    expected = fleet_look(outcome, settings.model_copy(update={"max_events": 10**7}))
    assert expected is not None
    of_own = fleet_events(settings.store, outcome.run_id, own)
    assert len(of_own) < expected.events
    limited = settings.model_copy(update={"max_events": len(of_own) + 100})
    with caplog.at_level(logging.WARNING, "skysieve"):
        found = fleet_look(outcome, limited)
    assert found is not None
    assert (found.fleets, found.objects, found.events) == (1, 1, len(of_own))
    (problem,) = found.problems
    assert "The fleet 'large' is left out" in problem
    assert f"SKYSIEVE_MAX_EVENTS={len(of_own) + 100} allows no more" in problem
    assert problem in caplog.text
    again = fleet_events(settings.store, outcome.run_id, own)
    assert again["event_id"].to_pylist() == of_own["event_id"].to_pylist()
    assert fleet_members(settings.store, outcome.run_id, large) == [], "for alerts, it has not been looked at"


@pytest.mark.slow
def test_two_visits_that_are_one_event_of_the_run_are_one_membership(
    outcome: Outcome, settings: FlowSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A visit in the run's sphere can be two in a small volume: fleet, object and event stood there twice."""
    own = new_fleet(settings, FleetObject(busiest_object(settings.store)), volume="sphere:10")
    look(outcome, settings)
    before = fleet_events(settings.store, outcome.run_id, own)
    search = look_module.look_into

    def each_twice(*asked: Any) -> Searched:
        """Find each visit a second time, beside and 1 km farther."""
        found = search(*asked)
        farther = found.encounters.copy()
        farther["miss_distance_km"] += 1.0
        return found._replace(
            encounters=np.concatenate([farther, found.encounters]),
            wanted=np.tile(found.wanted, 2),
            rows=np.concatenate([found.rows, found.rows + len(farther)]),
            relative_km=np.concatenate([found.relative_km + 1.0, found.relative_km]),
        )

    in_run = before.filter(np.array(before["origin"].to_pylist()) == "run")
    monkeypatch.setattr(look_module, "look_into", each_twice)
    look(outcome, settings)
    after = fleet_events(settings.store, outcome.run_id, own)
    after = after.filter(np.isin(after["event_id"].to_numpy(), in_run["event_id"].to_numpy()))
    assert after["event_id"].to_pylist() == in_run["event_id"].to_pylist()
    assert after["miss_radial_km"].to_pylist() == in_run["miss_radial_km"].to_pylist(), "the nearest stays"
    assert len(after) > 0
