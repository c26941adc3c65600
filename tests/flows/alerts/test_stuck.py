"""What one alert, fleet or run cannot have holds up no other."""

import logging
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from flows.alerts import outbox
from flows.alerts.bodies import senders
from flows.alerts.outbox import RUN, note_run
from flows.alerts.worker import Faults, advance
from storage.fleets.events import events_path, members_path
from storage.rows.over_runs.screened import screened
from storage.settings import StoreSettings
from storage.state.alerts.addresses import target
from storage.state.alerts.alerts import NewAlert, create_alert
from storage.state.alerts.encounters import alerts_with_passed, all_progress, encounters
from storage.state.alerts.outbox import undelivered
from storage.state.database import service_state
from storage.state.fleets import Fleet
from tests.flows.alerts.made_up_days import (
    FIRST,
    NUMBERS,
    OURS,
    Meeting,
    at,
    look,
    make_fleet,
    publish_meetings,
)

MEETING = Meeting(0, 20, at(20))
HOURS = (0, 6, 12, 18)


class TwoFleets:
    """A store with two fleets and an alert for each; runs look at the first only, unless told otherwise."""

    def __init__(self, store: Path) -> None:
        self.store, self.settings = store, StoreSettings(store=store)
        self.first = make_fleet(store)
        self.other = make_fleet(store, "other", NUMBERS[10:12])
        self.alerts = [self._alert(self.first), self._alert(self.other)]

    def _alert(self, fleet: Fleet, address: str = "ops@example.org") -> int:
        new = NewAlert(fleet.id, target(address), "test")
        return create_alert(self.store, new, FIRST - timedelta(hours=1)).id

    def run(self, hours: float, *meetings: Meeting) -> str:
        run_id = publish_meetings(self.store, hours, list(meetings), window_hours=48.0)
        look(self.store, run_id, self.first, hours=48.0)
        return run_id

    def told(self) -> list[list[str]]:
        with service_state(self.store) as state:
            return [
                [change.kind for one in encounters(state, number).values() for change in one.changes]
                for number in self.alerts
            ]

    def known(self) -> list[str]:
        entries = all_progress(self.store, [RUN])
        return [entries.get(number, {}).get(RUN, "") for number in self.alerts]


@pytest.fixture
def two(store: Path) -> TwoFleets:
    """Give a store with two fleets, each with an alert."""
    return TwoFleets(store)


@pytest.mark.slow
def test_a_fleet_that_runs_leave_out_is_not_looked_for_again_and_again(
    two: TwoFleets, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its alert stayed at its last run: each minute all fleets of all later runs were read again."""
    run_id = publish_meetings(two.store, -6, [])
    look(two.store, run_id, two.other, NUMBERS[10:12])
    note_run(two.settings, run_id, at(-5.9))
    for hours in HOURS:
        newest = two.run(hours, MEETING)
    advance(two.settings, at(18.1))
    assert two.known() == [newest, newest]
    assert two.told() == [["new"], []]
    read: list[str] = []
    monkeypatch.setattr(outbox, "fleet_views", lambda _store, run_id, *_, **__: read.append(run_id) or {})
    advance(two.settings, at(18.2))
    assert read == []


@pytest.mark.slow
def test_only_fleets_of_alerts_that_are_behind_are_read(
    two: TwoFleets, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_id = two.run(0, MEETING)
    note_run(two.settings, run_id, at(0.1))
    later = two._alert(two.first, "desk@example.org")
    asked: list[set[int]] = []
    views = outbox.fleet_views

    def seen(store: Path, run_id: str, fleet_ids: set[int]) -> dict[int, outbox.View]:
        asked.append(fleet_ids)
        return views(store, run_id, fleet_ids)

    monkeypatch.setattr(outbox, "fleet_views", seen)
    note_run(two.settings, run_id, at(0.2))
    assert asked == [{two.first.id}]
    assert all_progress(two.store, [RUN])[later][RUN] == run_id


@pytest.mark.slow
def test_a_run_that_has_expired_is_passed_over(two: TwoFleets, caplog: pytest.LogCaptureFixture) -> None:
    """Its members' file is gone and the events' file stays: nothing that time brings was ever told again."""
    note_run(two.settings, two.run(0, MEETING), at(0.1))
    expired = two.run(6, MEETING)
    newest = two.run(12, MEETING)
    members_path(two.store, expired).unlink()
    with caplog.at_level(logging.WARNING, "skysieve"):
        advance(two.settings, at(20.1))
    assert two.known() == [newest, newest]
    assert alerts_with_passed(two.store, at(20.1)) == []
    assert caplog.records == []


@pytest.mark.slow
@pytest.mark.parametrize("path_of", [events_path, members_path])
def test_a_damaged_run_is_logged_once_and_the_rest_is_told(
    two: TwoFleets, caplog: pytest.LogCaptureFixture, path_of: Callable[[Path, str], Path]
) -> None:
    """It prevented the runs after it, closing, what is told of runs, and daily answers, for everybody."""
    note_run(two.settings, two.run(0, MEETING), at(0.1))
    damaged = two.run(6, MEETING)
    newest = two.run(12, MEETING._replace(level="critical"))
    path_of(two.store, damaged).write_bytes(b"PAR1 damaged")
    faults = Faults()
    with caplog.at_level(logging.WARNING, "skysieve"):
        advance(two.settings, at(12.1), faults)
        advance(two.settings, at(12.2), faults)
    assert two.known() == [newest, newest]
    logged = [record.getMessage() for record in caplog.records]
    assert len(logged) == 1
    assert logged[0].startswith(f"noting the run {damaged} failed: ")


@pytest.mark.slow
def test_a_damaged_newest_run_prevents_nothing_else(two: TwoFleets, caplog: pytest.LogCaptureFixture) -> None:
    """What had passed was not closed, and that the catalogue is stale was not told."""
    note_run(two.settings, two.run(0, MEETING), at(0.1))
    damaged = two.run(6, MEETING)
    members_path(two.store, damaged).write_bytes(b"PAR1 damaged")
    faults = Faults()
    with caplog.at_level(logging.WARNING, "skysieve"):
        for hours in (26.1, 26.2):
            advance(two.settings, at(hours), faults)
    with service_state(two.store) as state:
        kinds = {one.kind for number in two.alerts for one in undelivered(state, number)}
    assert "catalogue.stale" in kinds
    assert [record.getMessage().split(" failed")[0] for record in caplog.records] == [
        f"noting the run {damaged}",
        "noting re-entries",
    ]


@pytest.mark.slow
def test_missed_runs_resolve_what_they_looked_for_and_have_not(two: TwoFleets) -> None:
    """Each run's own list says which objects it screened, however late it is read."""
    note_run(two.settings, two.run(0, MEETING, Meeting(0, 1, at(21))), at(0.1))
    runs = [two.run(hours) for hours in (3, 6, 9)]
    for run_id in runs:
        assert set(NUMBERS) == set(screened(two.store, run_id).tolist())  # type: ignore[union-attr]
    advance(two.settings, at(9.1))
    with service_state(two.store) as state:
        known = {one.pair: one for one in encounters(state, two.alerts[0]).values()}
    other, member = known[OURS[0], NUMBERS[20]], known[OURS[:2]]
    assert (other.state, member.state) == ("resolved", "resolved")


def test_the_objects_of_fleets_are_not_read_to_name_fleets(two: TwoFleets) -> None:
    """All 100,000 numbers were read and verified in each transaction of ten alerts."""
    with service_state(two.store) as state:
        asked: list[str] = []
        state.set_trace_callback(asked.append)
        found = senders(state, "")
    assert [sender.fleet for _, sender in found] == ["mine", "other"]
    assert [one for one in asked if "fleet_objects" in one] == []
