"""A fleet that is saved between two runs is searched in the newest one, as that would have searched it."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pytest

from flows.runs.fleet_look import fleet_look
from flows.runs.run import Outcome
from flows.settings import FlowSettings
from flows.sources.files import read_file
from screening.errors import SkysieveError, StoreError
from storage.analyses.around_fleets import kept
from storage.analyses.around_fleets.look import FleetLook, look_around_saved
from storage.analyses.around_fleets.wanted import OfRun, stored_run
from storage.disk.layout import ANALYSES
from storage.fleets.events import fleet_events, fleet_members, fleets_looked_at
from storage.in_memory.arrays import element_sets
from storage.in_memory.snapshot import newest_snapshot
from storage.reading.newest_run import connect
from storage.state.fleets import FleetObject, change_fleet, remove_fleet
from storage.trajectories.flown import ephemerides_of_run
from tests.runs import busiest_object, make_run
from tests.storage.analyses.around_fleets.conftest import HOURS
from tests.storage.analyses.around_fleets.test_look import NOW, new_fleet

MOST = 10**6
LONGER_H = 5.0
pytestmark = pytest.mark.timeout(600)  # kernels may have to be compiled


def newest(store: Path) -> OfRun:
    snapshot = newest_snapshot(store)
    elements = element_sets(snapshot)
    return stored_run(snapshot.run, elements, ephemerides_of_run(store, snapshot.run, elements))


def search(
    settings: FlowSettings, fleet_id: int, go_on: Callable[[], None] = lambda: None
) -> FleetLook | None:
    return look_around_saved(settings.store, fleet_id, lambda: newest(settings.store), MOST, go_on)


def numbers(store: Path, run_id: str, fleet_id: int) -> pa.Table:
    """Return all that is stored of a fleet's events, but when it was computed."""
    return fleet_events(store, run_id, fleet_id).drop_columns(["computed_at", "run_id"]).to_pylist()


def test_it_finds_what_the_run_would_have_found(
    outcome: Outcome, settings: FlowSettings, small_catalogue: Path, tmp_path: Path
) -> None:
    """A new fleet waited for the next run, 6 h."""
    store, run_id = settings.store, outcome.run_id
    busiest = busiest_object(store)
    other = new_fleet(settings, FleetObject(busiest), name="other", volume="box:10x77x107")
    fleet_look(outcome, settings)
    of_other = numbers(store, run_id, other)
    own = new_fleet(settings, FleetObject(busiest), pattern="*1*", volume="sphere:10", hours=LONGER_H)
    by_run = settings.model_copy(update={"store": tmp_path / "by run"})
    shutil.copytree(store, by_run.store)
    fleet_look(outcome, by_run)
    expected = numbers(by_run.store, run_id, own)
    assert numbers(store, run_id, own) == []

    looked = search(settings, own)

    assert looked is not None
    assert looked.problems == ()
    found = numbers(store, run_id, own)
    assert {row["origin"] for row in found} == {"run", "fleet"}
    assert max(row["tca"] for row in found) > outcome.prepared.span.end.item(), "beyond the run's window"
    assert found == expected
    assert fleet_members(store, run_id, own) == fleet_members(by_run.store, run_id, own)
    assert numbers(store, run_id, other) == of_other != [], "what the run found for others stays"
    with connect(store) as connection:
        twice = "SELECT count(*) - count(DISTINCT event_id) FROM analyses WHERE origin = 'fleet'"
        assert connection.execute(twice).fetchone() == (0,)
    assert search(settings, own) is None, "the run has it"
    again = make_run(read_file(small_catalogue), store, hours=HOURS)
    fleet_look(again, settings)
    following = {row["event_id"]: row for row in numbers(store, again.run_id, own)}
    assert following == {row["event_id"]: row for row in found}


@pytest.mark.slow
def test_of_a_changed_fleet_the_old_events_go(outcome: Outcome, settings: FlowSettings) -> None:
    store, run_id = settings.store, outcome.run_id
    busiest = busiest_object(store)
    own = new_fleet(settings, FleetObject(busiest))
    search(settings, own)
    before = numbers(store, run_id, own)
    change_fleet(store, own, lambda fleet: fleet._replace(volume="sphere:20"))
    search(settings, own)
    after = numbers(store, run_id, own)
    assert 0 < len(after) < len(before)
    assert {row["volume"] for row in after} == {"sphere:20"}
    with connect(store) as connection:
        rows = connection.execute("SELECT event_id FROM analyses WHERE origin = 'fleet'").fetchall()
    assert {row["event_id"] for row in after if row["origin"] == "fleet"} == {number for (number,) in rows}


@pytest.mark.slow
def test_of_two_saved_at_once_the_later_counts(outcome: Outcome, settings: FlowSettings) -> None:
    store, run_id = settings.store, outcome.run_id
    own = new_fleet(settings, FleetObject(busiest_object(store)), volume="sphere:20")
    search(settings, own)
    change_fleet(store, own, lambda fleet: fleet._replace(volume="sphere:30"))
    saved = False

    def save_and_search_again() -> None:
        """Save it while it is being searched, and let that search end first."""
        nonlocal saved
        if not saved:
            saved = True
            change_fleet(store, own, lambda fleet: fleet._replace(volume="sphere:25"))
            search(settings, own)

    search(settings, own, save_and_search_again)
    assert {one.volume for one in fleet_members(store, run_id, own)} == {"sphere:25"}
    assert {row["volume"] for row in numbers(store, run_id, own)} == {"sphere:25"}


@pytest.mark.slow
def test_a_run_that_is_published_meanwhile_is_searched_instead(
    outcome: Outcome, settings: FlowSettings, small_catalogue: Path
) -> None:
    store = settings.store
    own = new_fleet(settings, FleetObject(busiest_object(store)))
    newer: list[Outcome] = []

    def publish_another() -> None:
        if not newer:
            newer.append(make_run(read_file(small_catalogue), store, hours=HOURS))

    looked = search(settings, own, publish_another)
    assert looked is not None
    assert fleets_looked_at(store, outcome.run_id) == frozenset()
    assert fleets_looked_at(store, newer[0].run_id) == {own}
    assert len(numbers(store, newer[0].run_id, own)) > 0


@pytest.mark.slow
def test_it_can_be_stopped_and_leaves_nothing(outcome: Outcome, settings: FlowSettings) -> None:
    own = new_fleet(settings, FleetObject(busiest_object(settings.store)))
    calls: list[None] = []

    def stop() -> None:
        calls.append(None)
        if len(calls) > 1:
            raise SkysieveError("stopped")

    with pytest.raises(SkysieveError, match="stopped"):
        search(settings, own, stop)
    assert fleets_looked_at(settings.store, outcome.run_id) == frozenset()
    assert not list((settings.store / ANALYSES).glob("fleet-*"))


@pytest.mark.slow
def test_a_full_disk_leaves_what_was_there(
    outcome: Outcome, settings: FlowSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, run_id = settings.store, outcome.run_id
    other = new_fleet(settings, FleetObject(busiest_object(store)), name="other")
    fleet_look(outcome, settings)
    before = numbers(store, run_id, other)
    own = new_fleet(settings, FleetObject(busiest_object(store)), volume="sphere:10")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(kept, "write_membership", full)
    with pytest.raises(StoreError, match="Free some space"):
        search(settings, own)
    assert fleets_looked_at(store, run_id) == {other}
    assert numbers(store, run_id, other) == before
    monkeypatch.undo()
    search(settings, own)
    assert fleets_looked_at(store, run_id) == {own, other}


@pytest.mark.slow
def test_in_a_run_that_has_not_been_looked_at_yet_all_fleets_are_searched(
    outcome: Outcome, settings: FlowSettings
) -> None:
    """Alerts of the others would take the run for one that found nothing for them."""
    busiest = busiest_object(settings.store)
    other = new_fleet(settings, FleetObject(busiest), name="other")
    own = new_fleet(settings, FleetObject(busiest), volume="sphere:10")
    search(settings, own)
    assert fleets_looked_at(settings.store, outcome.run_id) == {own, other}


@pytest.mark.slow
def test_of_a_fleet_that_is_gone_nothing_is_searched(outcome: Outcome, settings: FlowSettings) -> None:
    own = new_fleet(settings, FleetObject(busiest_object(settings.store)))
    remove_fleet(settings.store, own, NOW)
    assert search(settings, own) is None
    assert fleets_looked_at(settings.store, outcome.run_id) == frozenset()
