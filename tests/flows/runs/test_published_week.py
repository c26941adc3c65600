"""Replays of element sets as they were published, every six hours: events followed, forecasts that held."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from flows.runs.run import Request, Stages, run_catalogue
from flows.settings import FlowSettings
from flows.sources.history import read_history
from storage.histories.incoming import import_histories
from storage.reading.newest_run import connect
from storage.verification.record import verification
from tests.runs import SILENT

pytestmark = pytest.mark.slow

FIRST = datetime(2026, 5, 26, tzinfo=UTC)
STEP = timedelta(hours=6)
RUNS = 10
FEWEST = 50  # encounters of which a share is held against what was said


@pytest.fixture(scope="module")
def week(shared_file: Callable[[str], Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    store = tmp_path_factory.mktemp("week") / "store"
    import_histories(
        store, sorted(shared_file("history/published").iterdir()), datetime(2026, 11, 26, tzinfo=UTC)
    )
    for place in range(RUNS):
        as_of = FIRST + place * STEP
        run_catalogue(
            read_history(store, as_of),
            Request(None, 48.0, 5.0, as_of=as_of),
            FlowSettings(store=store),
            Stages(SILENT.stage),
            SILENT,
        )
    return store


def test_an_encounter_is_followed_from_run_to_run(week: Path) -> None:
    with connect(week) as connection:
        followed = connection.execute(
            "SELECT event_id, count(*), max(tca) - min(tca), count(DISTINCT least(primary_norad_id, "
            "secondary_norad_id) || '-' || greatest(primary_norad_id, secondary_norad_id)) "
            "FROM conjunction_history WHERE encounter = 'fast' GROUP BY event_id HAVING count(*) >= 3"
        ).fetchall()
        runs = connection.execute("SELECT replay, historic FROM runs").fetchall()
    assert len(followed) > 1000
    assert {pairs for *_, pairs in followed} == {1}
    assert max(count for _, count, *_ in followed) <= 8  # runs whose 48 h reach to it
    assert max(moved for _, _, moved, _ in followed) < timedelta(minutes=40)  # at most ten from run to run
    assert runs == [(True, True)] * RUNS


def test_regions_hold_what_they_say(week: Path) -> None:
    record = verification(week)
    assert record.encounters > 1000
    held = [one for one in record.regions if one.encounters >= FEWEST]
    assert {one.kind for one in held} >= {"starlink", "one thrusts"}
    for one in held:
        assert one.inside_50 > 0.4, one
        assert one.inside_95 > 0.9, one
    (oneweb,) = (one for one in record.regions if one.kind == "oneweb" and one.days_ahead == 1)
    assert oneweb.encounters > 20
    assert 0.3 < oneweb.inside_50 < 0.8  # nor far too wide


def test_what_became_of_each_level_adds_up(week: Path) -> None:
    for one in verification(week).warnings:
        assert one.red + one.medium + one.low + one.vanished == one.encounters
        assert one.manoeuvred <= one.encounters
