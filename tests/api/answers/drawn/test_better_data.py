"""Decide or wait: sets, runs and messages that usually come before TCA, in the trend and in the report."""

import shutil
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from api.report.contents import report_on
from api.report.summary import sentences
from api.settings import ApiSettings
from storage.histories.incoming import import_histories
from storage.in_memory.snapshot import newest_snapshot
from tests.api.client import Client
from tests.api.conftest import serving
from tests.storage.histories.made_up import Set, seen_table

WINDOW = datetime(2024, 11, 1, tzinfo=UTC)
EVERY, DELAY, LAST = timedelta(hours=5), timedelta(hours=2), timedelta(hours=1)
Record = dict[str, Any]


def late_event(client: Client) -> Record:
    """Return the most dangerous event in the plane with at least eight hours left."""
    events: list[Record] = client.get("/conjunctions").json()["conjunctions"]
    return next(
        one
        for one in events
        if datetime.fromisoformat(one["tca"]) > WINDOW + 2 * EVERY
        and one["probability_method"] == "2d"
        and one["probability_level"] != "low"
    )


@pytest.fixture(scope="module")
def store(dangerous_store: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give the dangerous store with a history of sets every five hours, for all its objects but one."""
    folder = tmp_path_factory.mktemp("rhythm")
    shutil.copytree(dangerous_store, folder / "store")
    with serving(dangerous_store) as client:
        known = [late_event(client)["primary_norad_id"]]
    seen = [(WINDOW - LAST - k * EVERY).replace(tzinfo=None) for k in range(6)]
    (folder / "sets.csv").write_text(
        seen_table(Set(one, time, time - DELAY) for one in known for time in seen)
    )
    import_histories(folder / "store", [folder / "sets.csv"], datetime(2026, 11, 26, tzinfo=UTC))
    return folder / "store"


@pytest.fixture(scope="module")
def client(store: Path) -> Iterator[Client]:
    with serving(store) as client:
        yield client


def test_the_next_set_is_expected_at_its_usual_time(client: Client) -> None:
    event = late_event(client)
    found = client.get(f"/conjunctions/{event['id']}/trend").json()["better_data"]
    (one,) = found["expected"]  # a run alone has no rhythm, and of the secondary no set is stored
    assert (one["kind"], one["norad_id"], one["every_hours"]) == ("set", event["primary_norad_id"], 5.0)
    assert datetime.fromisoformat(one["at"]) == WINDOW - LAST + EVERY
    rating = found["rating"]
    assert 0.0 <= rating["falls"] <= 1.0
    assert rating["falls"] + rating["rises"] <= 1.0
    said = found["words"]
    assert "by 1 Nov 04:00 UTC (every 5.0 h)" in said
    assert f"Too few earlier sets of {event['secondary_name'].strip()}" in said
    assert f"falls below {event['probability_level']} in " in said


def test_the_report_says_the_same(client: Client, store: Path) -> None:
    event = late_event(client)
    said = client.get(f"/conjunctions/{event['id']}/trend").json()["better_data"]["words"]
    report = report_on(newest_snapshot(store), event["id"], ApiSettings(store=store), datetime.now(UTC))
    assert said
    assert said in sentences(report)


def test_nothing_is_expected_after_tca(client: Client) -> None:
    events: list[Record] = client.get("/conjunctions").json()["conjunctions"]
    early = min(events, key=lambda one: one["tca"])
    assert datetime.fromisoformat(early["tca"]) < WINDOW + EVERY - LAST
    found = client.get(f"/conjunctions/{early['id']}/trend").json()["better_data"]
    assert not found["expected"]
    assert found["rating"] is None
