"""What alerts tell of element sets that are too old, while runs go on."""

from pathlib import Path

import pytest

from flows.alerts.channels.wording import wording
from flows.alerts.conditions import put_health
from storage.settings import StoreSettings
from storage.state.alerts.deliveries import newest_messages
from tests.flows.alerts.alerting import alert_to
from tests.flows.alerts.made_up_days import at, publish_meetings


@pytest.fixture
def settings(store: Path) -> StoreSettings:
    alert_to(store, "https://hooks.example.org/")
    return StoreSettings(store=store)


def run(settings: StoreSettings, hours: float, sets_of: float | None, *, historic: bool = False) -> None:
    publish_meetings(settings.store, hours, [], historic=historic, sets_of_hours=sets_of)


def told_by(settings: StoreSettings, hours: float) -> list[str]:
    """Return the kinds of all messages so far that tell of element sets, oldest first."""
    put_health(settings, at(hours))
    kinds = [one.message.kind for one in newest_messages(settings.store, 100)]
    return [kind for kind in reversed(kinds) if kind.startswith("element_sets")]


@pytest.mark.slow
def test_two_days_without_a_source_are_told_once_and_so_is_their_end(settings: StoreSettings) -> None:
    """Runs go on with the last good text, so nothing was told: neither a failed run nor a stale one."""
    for hours in range(0, 54, 6):
        run(settings, hours, -4.0)
        expected = ["element_sets.old"] if hours > 20 else []
        assert told_by(settings, hours + 0.1) == expected, f"after {hours} h"
    run(settings, 54, 50.0)
    assert told_by(settings, 54.1) == ["element_sets.old", "element_sets.recovered"]
    assert told_by(settings, 59) == ["element_sets.old", "element_sets.recovered"]


def test_it_is_told_between_runs_and_says_since_when(settings: StoreSettings) -> None:
    run(settings, 18, -4.0)
    assert told_by(settings, 19.9) == []
    assert told_by(settings, 20.1) == ["element_sets.old"]
    message = newest_messages(settings.store, 1)[0]
    words = wording(message.message.body)
    assert "no new element sets since 2026-11-21 02:00:00 UTC" in words.subject
    assert "20261122T000000Z, uses sets that are 24.1 h old (last_good): it goes back in time." in words.lead


@pytest.mark.slow
def test_a_source_that_comes_and_goes_is_told_every_six_hours_at_most(settings: StoreSettings) -> None:
    old, new = "element_sets.old", "element_sets.recovered"
    run(settings, 21, -4.0)
    assert told_by(settings, 21.1) == [old]
    run(settings, 22, 21.0)
    assert told_by(settings, 22.1) == [old, new]
    run(settings, 23, -4.0)
    assert told_by(settings, 23.1) == [old, new]
    assert told_by(settings, 27.0) == [old, new]
    assert told_by(settings, 27.2) == [old, new, old]


@pytest.mark.slow
def test_what_is_historic_or_of_an_earlier_release_tells_nothing(settings: StoreSettings) -> None:
    run(settings, 0, -1000.0, historic=True)
    assert told_by(settings, 1) == []
    run(settings, 2, None)
    assert told_by(settings, 3) == []
